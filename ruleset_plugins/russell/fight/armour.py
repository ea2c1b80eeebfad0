"""Armour class, which descends, with Weapon Skill, Shooting Skill and initiative (R3.7, R3.23, R3.24, R3.84, Q3.31)."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruleset_plugins import Character, Term
from ruleset_plugins.kit import data, equipment
from ruleset_plugins.russell.character.attributes import attribute_term, bonus
from ruleset_plugins.russell.character.experience import weapon_skill_of
from ruleset_plugins.russell.character.stat_line import (
    ARMOUR_CLASS,
    HIT_DICE,
    INITIATIVE,
    SHOOTING_SKILL,
    WEAPON_SKILL,
    has_profile,
)
from ruleset_plugins.russell.character.templates import effect_terms
from ruleset_plugins.russell.settings import Settings

PRESSING = "pressing"
DEFENDING = "defending"
STANCES = {PRESSING: (4, "R3.87"), DEFENDING: (-2, "R3.88")}
"""Ways to fight that last until one's next turn, and what they do to armour class (Q3.31)."""


@attrs.frozen(kw_only=True)
class Armour:
    """A row of the armour table: ``meaning`` is none, light, medium or heavy."""

    key: str
    name: str
    armour_class: int
    meaning: str


ARMOURS = {row.key: row for row in data.load(__package__, "armour.json", Armour)}


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
    if ARMOUR_CLASS in who.stats:
        yield Term(who.stats[ARMOUR_CLASS], "as entered", "R3.96", f"stat.{ARMOUR_CLASS}")
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


def armour_class(who: Character) -> int:
    """Armour class, descending and without a lower bound (Q3.31)."""
    return sum(term.amount for term in armour_terms(who))


def weapon_skill_terms(who: Character, settings: Settings) -> Iterator[Term]:
    """1 and 1 more at every even level, or a monster's hit dice (R3.23, R3.77); templates add."""
    stat = f"stat.{WEAPON_SKILL}"
    if has_profile(who):
        entered = WEAPON_SKILL in who.stats
        amount = who.stats[WEAPON_SKILL if entered else HIT_DICE]
        yield Term(amount, "as entered" if entered else "hit dice", "R3.96", stat if entered else f"stat.{HIT_DICE}")
    else:
        yield Term(weapon_skill_of(who.level, settings), "level", "R3.23", "level")
        if WEAPON_SKILL in who.stats:
            yield Term(who.stats[WEAPON_SKILL], "ruling", "QG.8", stat)
    yield from effect_terms(who, "ws")


def shooting_skill_terms(who: Character) -> Iterator[Term]:
    """1, and only templates raise it (R3.24); monsters have 1 unless the profile says otherwise (Q3.44)."""
    entered = who.stats.get(SHOOTING_SKILL)
    stat = f"stat.{SHOOTING_SKILL}"
    if has_profile(who) and entered is not None:
        yield Term(entered, "as entered", "R3.96", stat)
    else:
        yield Term(1, "to begin with", "R3.24")
        if entered is not None:
            yield Term(entered, "ruling", "QG.8", stat)
    yield from effect_terms(who, "ss")


def initiative_terms(who: Character) -> Iterator[Term]:
    """What is added to the d6 of initiative: Wisdom, or what a profile says (R3.75, R3.96)."""
    entered = who.stats.get(INITIATIVE)
    if entered is None or not has_profile(who):
        yield attribute_term(who, "wis", "R3.7")
    if entered is not None:
        label, rule = ("as entered", "R3.96") if has_profile(who) else ("ruling", "QG.8")
        yield Term(entered, label, rule, f"stat.{INITIATIVE}")
    yield from effect_terms(who, "initiative")
