"""Places and sight: squares of five feet, how far apart two are, how light it is and who sees whom (R5.33–R5.35, R5.50–R5.67).

On record: ``Moved`` in squares; who was never placed has no square, and who stands on 0,0 has a trait of the kind
"square". Without squares a table says distances (``--distance``), and nobody is near by itself. The GM's pool ``light`` (0
bright, 1 dim, 2 darkness, 3 sunlight), the condition ``in other light`` (``light``) on who stands elsewhere, and a lit source,
a condition with the feet that it lights (``flame``, ``bright``, ``dim``) (R5.112, R5.127, R5.197).
"""

from collections.abc import Callable, Iterator

from rollbook.kit import conditions, sides, squares, turn_order
from rollbook.plugin import Action, CampaignState, Character, Handle, HandleKind, Square, Table, Term, param
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.effects.lasting import effects_on, specials
from rollbook.rulesets.srd5.fight import states
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of

FEET = 5
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
SIZE = "size"


def foes_of(campaign: CampaignState, who: Character) -> tuple[str, ...]:
    """The ids of the enemies of somebody who still stand, in the fight or else in play."""
    fight = campaign.encounter
    there = (campaign.characters[name] for name in (fight.order if fight is not None else campaign.characters))
    return tuple(each.id for each in there if each.present and not each.has("dead") and sides.are_enemies(who, each))


def distance(one: Character, other: Character) -> int | None:
    """The feet between two, None without squares; beside each other is 5 (R5.51)."""
    if not (squares.was_placed(one) and squares.was_placed(other)):
        return None
    return apart(one.position, other.position)


def apart(one: Square, other: Square) -> int:
    """The feet between two squares: each costs 5, slanted or not (R5.50, R5.51)."""
    return FEET * squares.distance(one, other)


def size_of(who: Character) -> str:
    """The size of a character: a trait of the kind "size", the stat block's, or medium; spells change it (R5.56)."""
    block, said = block_of(who), who.traits_of(SIZE)
    size = said[-1] if said else block.size[0] if block is not None else "medium"
    for change in (held.effect for held in effects_on(who, "size")):
        number = SIZES.index(change.becomes if change.becomes in SIZES else size) + change.by
        size = SIZES[min(max(number, 0), len(SIZES) - 1)]
    return size


def size_number(who: Character) -> int:
    """The size as a number, 0 for tiny."""
    return SIZES.index(size_of(who))


def may_share(who: Character, other: Character) -> bool:
    """True for who may stand in another's space: elementals of air and water, and swarms, to whom others may come too."""
    return bool(specials(who, "enters spaces") or specials(who, "swarm") or specials(other, "swarm"))


CARRIES = (7.5, 15, 15, 30, 60, 120)
"""Pounds for each point of Strength, from tiny to gargantuan; twice as much is dragged or lifted (R5.116)."""


def carrying_terms(who: Character) -> tuple[Term, ...]:
    """The pounds that a character carries (R5.116)."""
    larger = sum(held.effect.numbers["size"] for held in specials(who, "carries"))
    pounds = int(abilities.score(who, "str") * CARRIES[min(size_number(who) + larger, len(CARRIES) - 1)])
    return (Term(pounds, f"STR, {size_of(who)}", "R5.116", "stat.str"),)


def near(table: Table, who: Character, feet: int) -> Iterator[Character]:
    """The others who stand within so many feet, as far as the squares say."""
    if not squares.was_placed(who):
        return
    for other in turn_order.present(table):
        apart = distance(who, other) if other.id != who.id else None
        if apart is not None and apart <= feet:
            yield other


def check_beside(table: Table, who: Character, other: Character, parameter: str) -> None:
    """Refuse somebody who is not within 5 feet, as far as squares say."""
    feet = distance(who, other) or 0
    if feet > FEET:
        table.refuse(f"{other.name} is {feet} feet away from {who.name}, and this reaches {FEET}.", parameter)


ON_PLACED: list[Callable[[Table, str], object]] = []
"""Consequences for who was moved by something else than their own legs: functions of table and id."""


def displace(table: Table, name: str, square: Square) -> None:
    """Put a character on another square, out of whatever grip holds them on this one."""
    squares.put(table, name, square)
    for follow in ON_PLACED:
        follow(table, name)


class Place(Action, verb="place", gm_only=True):
    """Put a character on a square of the map."""

    sentence = "puts {who} on {at:square}|puts {who} on a square"
    handles = (Handle(kind=HandleKind.PLACE, who="who", at=("at",)),)

    who: str = param.character("who is put somewhere")
    at: tuple[str, ...] = param.names("the square, east and north as in 3,4")

    def resolve(self, table: Table) -> None:
        displace(table, table.character(self.who).id, squares.parse(table, self.at))


BRIGHT, DIM, DARK, SUN = range(4)
LIGHT, ELSEWHERE = "light", "in other light"
SEEING = ("blindsight", "truesight")
"""Senses that see in any darkness, and the invisible."""


def light_at(table: Table, who: Character) -> int:
    """The light in which somebody stands: the scene's or their own, and that of sources as far as squares say."""
    held = who.conditions.get(ELSEWHERE)
    light = conditions.number(held, LIGHT) if held is not None else table.gm_pools.get(LIGHT, BRIGHT)
    if light in (BRIGHT, SUN):
        return light
    for other in table.characters():
        apart = 0 if other.id == who.id else distance(who, other)
        if apart is None:
            continue
        for source in conditions.with_data(other, "flame"):
            if apart <= conditions.number(source, "bright"):
                return BRIGHT
            if apart <= conditions.number(source, "dim"):
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
    feet = distance(who, other) or 0
    hidden = states.has(who, "blinded") or states.has(other, "invisible")
    return _reaches(who, feet, *SEEING) or (not hidden and clarity(who, light_at(table, other), feet) != DARK)


def in_the_dark(table: Table, who: Character, other: Character) -> bool:
    """True if darkness alone hides somebody: blindness and invisibility have rules of their own."""
    return light_at(table, other) == DARK and not sees(table, who, other)


def is_lit(table: Table, who: Character, place: tuple[str, ...]) -> bool:
    """True for who stands in one of these lights: sunlight, bright light."""
    bright = {SUN: {"sunlight", "bright light"}, BRIGHT: {"bright light"}}.get(light_at(table, who), set())
    return not bright.isdisjoint(place)
