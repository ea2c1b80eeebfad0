"""Components as far as they decide: armour, words, hands, costly materials (R5.234, R5.243, R5.244).

Hands are what the table says: the conditions ``bound`` and ``hands full``; ``silenced`` and ``gagged`` take the words.
"""

from rollbook.plugin import Character, Table, events, slug
from rollbook.rulesets.srd5.catalogue import Spell, kinds
from rollbook.rulesets.srd5.effects.lasting import effects_on
from rollbook.rulesets.srd5.fight import armour, conditions

NO_WORDS, NO_HANDS = ("silenced", "gagged"), ("bound", "hands full")
TRIFLE = 5
"""Up to this price in gold a material is part of a focus or of what somebody carries anyway (Q5.34)."""


def check(table: Table, who: Character, spell: Spell, without: tuple[str, ...] = (), *, material: bool = True) -> None:
    """Refuse a spell for which somebody lacks a component; ``without`` are those that are not needed."""
    if armour.is_hampered(who):
        table.refuse(f"{who.name} has no training with the armour worn, and casts no spell in it.", "spell")
    is_mute = any(map(who.has, NO_WORDS)) or conditions.forbids(who, "speak", "verbal spells") or _is_silent(who)
    if is_mute and is_spoken(spell, without):
        table.refuse(f"{who.name} cannot speak, and {spell.name} needs words.", "spell")
    signs = "S" in spell.components and "somatic" not in without
    things = "M" in spell.components and "material" not in without and material
    if (signs or things) and any(map(who.has, NO_HANDS)):
        table.refuse(f"{who.name} has no hand free, and {spell.name} needs one.", "spell")
    for each in costly(spell) if things else ():
        if not carried(who, each):
            many = f"{each.count} x " if each.count > 1 else ""
            per = f" for {each.per}" if each.per else ""
            needs = f"{spell.name} needs {many}{each.what} worth {each.price} {each.coin}{per}"
            give = f'give {who.id} "{each.what}"'
            table.refuse(f"{needs}. {who.name} has none. The GM gives it with: {give}", "spell")


def is_spoken(spell: Spell, without: tuple[str, ...]) -> bool:
    """True for a spell that takes words, which all around may hear."""
    return "V" in spell.components and "verbal" not in without


def _is_silent(who: Character) -> bool:
    return any("verbal spells" in getattr(held.effect, "what", ()) for held in effects_on(who, "block"))


def costly(spell: Spell) -> tuple[kinds.Material, ...]:
    """The materials of a spell that must be there (R5.244)."""
    return tuple(each for each in spell.materials if each.coin == "gp" and each.price > TRIFLE)


def carried(who: Character, material: kinds.Material) -> str:
    """The thing that is this material: one called like it, or with its last word in the name; "" for none."""
    wanted = slug(material.what)
    last = wanted.split("-")[-1].removesuffix("s")
    held = [item for item, gear in who.gear.items() if gear.count >= material.count]
    exact = (item for item in held if slug(item) == wanted)
    return next(exact, "") or next((item for item in held if last in slug(item)), "")


def use_up(table: Table, who: Character, spell: Spell) -> None:
    """Take away the materials that a spell consumes (R5.244)."""
    for each in costly(spell):
        item = carried(who, each)
        if item and each.consumed:
            table.record(events.GearLost(character=who.id, item=item, count=each.count))
