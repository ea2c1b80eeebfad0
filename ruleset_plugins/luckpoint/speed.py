"""How far somebody gets in a round (R1.16, R1.17, R1.46, R1.54)."""

from __future__ import annotations

from ruleset_plugins import Character, Term, number_terms
from ruleset_plugins.luckpoint.special_abilities import specials_of

SPEED_BASE = "speed_base"
"""The stat that replaces the usual 10 metres, for monsters."""

USUAL = 10
CRAWL = 1
"""Metres a round that somebody with critical wounds can crawl (R1.46)."""


def speed_terms(who: Character) -> list[Term]:
    """The summands of the speed in metres a round, with an action besides."""
    fast = next((row for row in specials_of(who) if row.metres), None)
    if SPEED_BASE in who.stats:
        terms = [Term(who.stats[SPEED_BASE], "own base", "QG.8", f"stat.{SPEED_BASE}")]
    elif fast is not None:
        terms = [Term(fast.metres, fast.name, fast.rule, fast.path)]
    else:
        terms = [Term(USUAL, "base", "R1.16")]
    terms += number_terms(who, "speed", "ruling")
    missing = -sum([term.amount for term in terms])
    return [*terms, Term(missing, "at least 0", "QG.8")] if missing > 0 else terms


def speed(who: Character) -> int:
    """Metres a round on easy ground, with an action besides; without one it is twice as much."""
    return sum([term.amount for term in speed_terms(who)])
