"""The six stats, as what they add to a roll: the rules know bonuses and no scores (R4.5).

Other numbers can be entered on a sheet: some add to what a class gives, ``armour_class`` and ``speed`` replace it.
"""

from __future__ import annotations

from ruleset_plugins import ABILITIES, ABILITY_NAMES, Character, Term

STATS = ABILITIES
ARMOUR_CLASS, MAX_HP, ATTACK, DAMAGE, SPEED = "armour_class", "max_hp", "attack", "damage", "speed"
SAVES = ("fort", "ref", "will")
ENTERED = (MAX_HP, ARMOUR_CLASS, ATTACK, DAMAGE, SPEED, *SAVES)
"""Numbers that a sheet can carry besides the stats and skills."""


def bonus(who: Character, stat: str) -> int:
    """What a stat adds to a roll; 0 if nobody said."""
    return who.stats.get(stat, 0)


def stat_term(who: Character, stat: str) -> Term:
    """A stat as a summand."""
    return Term(bonus(who, stat), ABILITY_NAMES[stat], "R4.5", f"stat.{stat}")


def entered_terms(who: Character, stat: str, rule: str) -> tuple[Term, ...]:
    """A number that was entered on top of what follows from the class; none if there is none."""
    return (Term(who.stats[stat], "as entered", rule, f"stat.{stat}"),) if who.stats.get(stat) else ()


def total(terms: tuple[Term, ...]) -> int:
    """What terms come to."""
    return sum(term.amount for term in terms)
