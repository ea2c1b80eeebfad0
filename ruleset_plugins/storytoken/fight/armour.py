"""Armour class: armour, shield, cover, heritage and role (R0.39–R0.45)."""

from collections.abc import Iterator

from rollbook.kit import data, equipment, stat_entry
from rollbook.plugin import Character, Term
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character.abilities import ability_term
from rollbook.rulesets.storytoken.character.heritages import HUMAN_FORM, form_of, heritage_of
from rollbook.rulesets.storytoken.character.roles import role_terms
from rollbook.rulesets.storytoken.settings import Settings

HIDDEN = "hidden"
"""The condition of entering a fight motionless and partly hidden; moving or attacking ends it (Q0.64)."""

SHIELD_TERM = Term(1, "shield", "R0.44", "gear.shield")
COVER_TERM = Term(1, "partial cover", "R0.44")


class Armour(equipment.Armour):
    """A row of the armour table; ``speed`` is in feet per round."""

    speed: int


ARMOURS = data.by_key(__package__, "armour.json", Armour)


def armour_terms(who: Character, settings: Settings, *, cover: bool = False) -> list[Term]:
    """The terms of an armour class."""
    return [*lasting_armour_terms(who, settings, cover=cover), *_passing_armour_terms(who, settings)]


def lasting_armour_terms(who: Character, settings: Settings, *, cover: bool = False) -> list[Term]:
    """The terms of an armour class that do not end with a fight."""
    terms = equipment.armour_terms(who, ARMOURS, ability_term(who, "dex"), rule="R0.45")
    shield = equipment.shield_of(who)
    if shield:
        terms.append(SHIELD_TERM)
    if cover and (settings.shield_and_cover_stack or not shield):
        terms.append(COVER_TERM)
    heritage = heritage_of(who)
    is_soft = heritage.forms and settings.were_ac_forms == "hybrid_animal" and form_of(who) == HUMAN_FORM
    if heritage.armour_class and not is_soft:  # a werebeast's form may have no bonus (Q0.59)
        terms.append(Term(heritage.armour_class, heritage.name, heritage.rule, f"trait.{heritage.key}"))
    return [*terms, *stat_entry.terms(who, "ac", "ruling")]


def _passing_armour_terms(who: Character, settings: Settings) -> Iterator[Term]:
    if who.has(HIDDEN):
        yield from role_terms(who, "hidden_armour_class", settings)
    if who.has(conditions.EVASIVE):
        strength = conditions.number(who.conditions[conditions.EVASIVE], conditions.STRENGTH)
        yield Term(strength, "evasive", "R0.172", f"condition.{conditions.EVASIVE}")


def armour_class(who: Character, settings: Settings, *, cover: bool = False) -> int:
    """The total that an attack must reach."""
    return sum([term.amount for term in armour_terms(who, settings, cover=cover)])
