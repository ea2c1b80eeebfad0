"""Speed, and what changes it (R0.46, R0.48, R0.49)."""

from rollbook.kit import equipment, stat_entry
from rollbook.plugin import CampaignState, Character, Table, Term
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character.heritages import heritage_of
from rollbook.rulesets.storytoken.fight.armour import ARMOURS
from rollbook.rulesets.storytoken.settings import Settings

SPEED_BASE = "speed_base"
"""The stat that replaces the usual base of movement, in feet (Q0.12)."""


def speed_terms(who: Character, settings: Settings) -> list[Term]:
    """The terms of the speed in feet per round: first what is added, then what halves it or ends it (Q0.13)."""
    if SPEED_BASE in who.stats:
        terms = [Term(who.stats[SPEED_BASE], "own base", "Q0.12", f"stat.{SPEED_BASE}")]
    else:
        terms = [Term(settings.base_speed_ft, "base", "R0.46")]
    item, armour = equipment.worn(who, ARMOURS)
    if armour.speed:
        terms.append(Term(armour.speed, item, armour.rule, f"gear.{item}"))
    heritage = heritage_of(who)
    if heritage.speed:
        terms.append(Term(heritage.speed, heritage.name, heritage.rule, f"trait.{heritage.key}"))
    terms += stat_entry.terms(who, "speed", "ruling")
    return _slowed(who, terms)


def _slowed(who: Character, terms: list[Term]) -> list[Term]:
    """Each source halves once, rounded down; the immobilised have a speed of 0 (R0.74, R0.76)."""
    for wanted in ("half", "none"):
        for state, _ in conditions.states_of(who):
            feet = sum([term.amount for term in terms])
            if state.speed == wanted and feet > 0:
                lost = feet if wanted == "none" else feet - feet // 2
                terms.append(Term(-lost, state.name.lower(), state.rule, f"condition.{state.key}"))
    return terms


def base_speed(who: Character, settings: Settings) -> int:
    """Feet per round on easy ground, with one action besides."""
    return max(sum([term.amount for term in speed_terms(who, settings)]), 0)


def speed(table: Table | CampaignState, who: Character) -> int:
    """Feet per round on easy ground at this table."""
    return base_speed(who, Settings.of(table))
