"""Armour class, which descends, and the stances that change it (R3.5, R3.84, R3.87, R3.88, Q3.31)."""

from collections.abc import Iterator

import attrs

from rollbook.kit import data, equipment
from rollbook.plugin import Character, Term
from rollbook.rulesets.russell.character import stat_line
from rollbook.rulesets.russell.character.attributes import bonus
from rollbook.rulesets.russell.character.templates import effect_terms

PRESSING = "pressing"
DEFENDING = "defending"
STANCES = {PRESSING: (4, "R3.87"), DEFENDING: (-2, "R3.88")}
"""Ways to fight that last until one's next turn, and what they do to armour class (Q3.31)."""


class Armour(data.Row):
    """A row of the armour table: ``meaning`` is none, light, medium or heavy."""

    name: str
    armour_class: int
    meaning: str


ARMOURS = data.by_key(__package__, "armour.json", Armour)


def worn(who: Character) -> tuple[str, Armour]:
    """The best armour among somebody's things: what it is called, and its row."""
    return equipment.best_armour(who, ARMOURS, lambda armour: -armour.armour_class)


def armour_terms(who: Character) -> Iterator[Term]:
    """Descending armour class, with the stances of a fight (R3.87, R3.88)."""
    yield from resting_armour_terms(who)
    for stance, (amount, rule) in STANCES.items():
        if who.has(stance):
            yield Term(amount, stance, rule, f"condition.{stance}")


def resting_armour_terms(who: Character) -> Iterator[Term]:
    """What is worn, one less for a shield, less Dexterity, whatever the armour; or a profile's number."""
    if stat_line.ARMOUR_CLASS in who.stats:
        yield Term(who.stats[stat_line.ARMOUR_CLASS], "as entered", "R3.96", f"stat.{stat_line.ARMOUR_CLASS}")
    else:
        yield from _worn_terms(who)
    for term in effect_terms(who, "ac"):
        yield attrs.evolve(term, amount=-term.amount)


def _worn_terms(who: Character) -> Iterator[Term]:
    item, row = worn(who)
    yield equipment.worn_term(item, "no armour", row.armour_class, "R3.84")
    held = equipment.shield_of(who)
    if held:
        yield Term(-1, held, "R3.84", f"gear.{held}")
    dexterity = bonus(who, "dex")
    if dexterity:
        yield Term(-dexterity, "DEX", "R3.5", "stat.dex")


def target_term(target: Character) -> Term:
    """The target's armour class, which is added to a roll to hit (R3.77). It is not named, so nobody hidden is either."""
    return Term(armour_class(target), "armour class", "R3.77")


def armour_class(who: Character) -> int:
    """Armour class, descending and without a lower bound (Q3.31)."""
    return sum(term.amount for term in armour_terms(who))
