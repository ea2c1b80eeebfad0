"""Other shapes: the numbers of a stat block in place of one's own, and back again (R5.187, R5.377).

On record: the stat block is one more trait, whose data hold what the numbers were changed by. Hit points stay what they
are although Constitution changes; what comes with the form are temporary ones.
"""

from fractions import Fraction

from rollbook.kit import fields
from rollbook.plugin import Character, Table, events
from rollbook.rulesets.srd5.catalogue import Effect, Monster
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.fight import armour, hit_points
from rollbook.rulesets.srd5.monsters import stat_blocks

BODY, MIND = ("str", "dex", "con"), ("int", "wis", "cha")


def take(table: Table, name: str, block: Monster, *, mind: bool = False, reason: str = "") -> None:
    """Take the shape of a stat block; the scores of the mind change only where they do not stay."""
    turn_back(table, name)
    who = table.character(name)
    changes = _changes(who, block, (*BODY, *MIND) if mind else BODY)
    data = {f"by_{stat}": by for stat, by in changes.items()}
    table.record(events.TraitGained(character=name, trait=block.key, kind=stat_blocks.BLOCK, data=data))
    for stat, by in changes.items():
        table.record(events.StatChanged(character=name, stat=stat, amount=by, reason=reason))


def _changes(who: Character, block: Monster, changed: tuple[str, ...]) -> dict[str, int]:
    """The changes of the stats; hit points stay what they are although Constitution changes."""
    found = {each: block.abilities[each].score - abilities.score(who, each) for each in changed}
    con = block.abilities["con"].modifier - abilities.modifier(who, "con")
    found[hit_points.MAX_HP] = -con * who.level
    found[armour.ARMOUR_CLASS] = block.ac - who.stats.get(armour.ARMOUR_CLASS, 0)
    found["speed"] = block.speed.walk - who.stats.get("speed", 0)
    return found


def form_of(who: Character) -> str:
    """The trait of the shape that somebody has taken, "" for their own."""
    shapes = (trait for trait in who.traits_of(stat_blocks.BLOCK) if "by_str" in who.trait_data.get(trait, {}))
    return next(shapes, "")


def turn_back(table: Table, name: str) -> None:
    """Turn back, if somebody is in another shape."""
    who = table.character(name)
    trait = form_of(who)
    for key in who.trait_data.get(trait, {}) if trait else ():
        by = fields.number(who.trait_data[trait], key)
        if key.startswith("by_") and by:
            table.record(events.StatChanged(character=name, stat=key[3:], amount=-by, reason="own form"))
    if trait:
        table.record(events.TraitLost(character=name, trait=trait, kind=stat_blocks.BLOCK))


def check_fits(table: Table, who: Character, effect: Effect, block: Monster) -> None:
    """Refuse a form of another kind, or of a higher challenge than the target's own or its level."""
    own = stat_blocks.block_of(who)
    most = effect.challenge if effect.challenge.isdecimal() else own.cr if own is not None else str(who.level)
    if ("any" not in effect.into and block.kind not in effect.into) or Fraction(block.cr) > Fraction(most):
        sort = "creature" if "any" in effect.into else " or ".join(effect.into)
        table.refuse(f"The form is a {sort} of challenge {most} at most, which a {block.name} is not.", "choose")
