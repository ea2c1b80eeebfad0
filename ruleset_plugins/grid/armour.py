"""Armour class: 10, Dexterity as far as armour lets it, armour, and a shield (R4.15, R4.16, R4.53)."""

from collections.abc import Container

from rollbook.kit import conditions, data, equipment
from rollbook.plugin import Character, Term
from rollbook.rulesets.grid.stats import ARMOUR_CLASS, bonus, entered_terms, total

BASE = 10
PRONE = Term(-5, "prone", "R4.47", "condition.prone")
"""The penalty of lying on the ground to armour class, and to attacks and damage in melee (R4.47)."""


class Shield(data.Row):
    """A row of the shields: its bonus, and the classes that are trained in it; it leaves Dexterity alone."""

    name: str
    bonus: int
    classes: tuple[str, ...]


class Armour(Shield):
    """A row of the armour table: also how much Dexterity it leaves, and how heavy it is (Q4.15)."""

    most_dex: int
    weight: str


ARMOURS = data.by_key(__package__, "armour.json", Armour)
SHIELDS = data.by_key(__package__, "shields.json", Shield)


def _worn(who: Character, sort: str, known: Container[str]) -> tuple[str, str]:
    return next(
        ((item, use[0]) for item, use in equipment.used_as(who, sort) if len(use) == 1 and use[0] in known), ("", "")
    )


def armour_of(who: Character) -> tuple[str, Armour]:
    """The armour that is worn: the thing's name and its row."""
    item, key = _worn(who, equipment.ARMOUR, ARMOURS)
    return item, ARMOURS[key or "none"]


def shield_of(who: Character) -> tuple[str, Shield | None]:
    """The shield on the arm: its name and its row, or nothing."""
    item, key = _worn(who, equipment.SHIELD, SHIELDS)
    return item, SHIELDS[key] if key else None


def armour_terms(who: Character, *, touch: bool = False, flanked: bool = False) -> tuple[Term, ...]:
    """Armour class against an attack; ``touch`` passes armour and shield by, and being ``flanked`` costs the Dexterity bonus.

    A penalty of Dexterity stays (Q4.41). A number that was entered counts as the whole, wherever the attack comes from (Q4.2).
    """
    terms = entered_terms(who, ARMOUR_CLASS, "Q4.2") or _by_formula(who, touch=touch, flanked=flanked)
    if touch and who.stats.get(ARMOUR_CLASS):
        terms = min(terms, _by_formula(who, touch=True, flanked=flanked), key=total)
    if who.has(conditions.PRONE):
        terms = (*terms, PRONE)
    return terms


def _by_formula(who: Character, *, touch: bool, flanked: bool) -> tuple[Term, ...]:
    item, armour = armour_of(who)
    name, shield = shield_of(who)
    dex = min(bonus(who, "dex"), armour.most_dex, 0 if flanked else armour.most_dex)
    terms: tuple[Term, ...] = (Term(BASE, "base", "R4.15"), Term(dex, "Dexterity", "R4.15", "stat.dex"))
    if touch:
        return terms
    if armour.bonus:
        terms = (*terms, Term(armour.bonus, armour.name, "R4.53", f"gear.{item}"))
    return (*terms, Term(shield.bonus, shield.name, "R4.53", f"gear.{name}")) if shield else terms
