"""Sight: how light it is where somebody stands, which senses they have, and whom they see (R5.33–R5.35, R5.112, R5.127, R5.197).

On record: the GM's pool ``light`` (0 bright, 1 dim, 2 darkness, 3 sunlight), the condition ``in other light`` (``light``)
on who stands elsewhere, and a lit source, a condition with the feet that it lights (``flame``, ``bright``, ``dim``).
"""

from rollbook.kit import conditions as kit
from rollbook.plugin import Character, Table
from rollbook.rulesets.srd5.effects.lasting import effects_on
from rollbook.rulesets.srd5.fight import conditions, places
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of

BRIGHT, DIM, DARK, SUN = range(4)
LIGHT, ELSEWHERE = "light", "in other light"
SEEING = ("blindsight", "truesight")
"""Senses that see in any darkness, and the invisible."""


def light_at(table: Table, who: Character) -> int:
    """The light in which somebody stands: the scene's or their own, and that of sources as far as squares say."""
    held = who.conditions.get(ELSEWHERE)
    light = kit.number(held, LIGHT) if held is not None else table.gm_pools.get(LIGHT, BRIGHT)
    if light in (BRIGHT, SUN):
        return light
    for other in table.characters():
        apart = 0 if other.id == who.id else places.distance(who, other)
        if apart is None:
            continue
        for source in kit.with_data(other, "flame"):
            if apart <= kit.number(source, "bright"):
                return BRIGHT
            if apart <= kit.number(source, "dim"):
                light = min(light, DIM)
    return light


def sense(who: Character, name: str) -> int:
    """The feet to which a sense of somebody reaches: by the stat block, the species, or what lies on them."""
    block = block_of(who)
    found = [held.effect.feet for held in effects_on(who, "sense") if held.effect.sense == name]
    return int(max((*found, block.senses.get(name, 0) if block is not None else 0)))


def clarity(who: Character, light: int, feet: int) -> int:
    """The light as somebody sees it so many feet away (R5.112, R5.127, R5.197)."""
    if _reaches(who, feet, *SEEING, "devil's sight"):
        return BRIGHT
    return light - 1 if light in (DIM, DARK) and _reaches(who, feet, "darkvision") else light


def _reaches(who: Character, feet: int, *senses: str) -> bool:
    return any(sense(who, each) >= max(feet, 1) for each in senses)


def sees(table: Table, who: Character, other: Character) -> bool:
    """True if somebody sees another: neither blind nor in the dark, and the other not invisible to them."""
    feet = places.distance(who, other) or 0
    hidden = conditions.has(who, "blinded") or conditions.has(other, "invisible")
    return _reaches(who, feet, *SEEING) or (not hidden and clarity(who, light_at(table, other), feet) != DARK)


def in_the_dark(table: Table, who: Character, other: Character) -> bool:
    """True if darkness alone hides somebody: blindness and invisibility have rules of their own."""
    return light_at(table, other) == DARK and not sees(table, who, other)


def is_lit(table: Table, who: Character, place: tuple[str, ...]) -> bool:
    """True for who stands in one of these lights: sunlight, bright light."""
    bright = {SUN: {"sunlight", "bright light"}, BRIGHT: {"bright light"}}.get(light_at(table, who), set())
    return not bright.isdisjoint(place)
