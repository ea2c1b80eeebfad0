"""How far somebody gets: Movement, its Turn and Round, and athletics against it (R3.10, R3.11, R3.53, Q3.25)."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset_plugins import Character, Term, Value, summed
from ruleset_plugins.russell.settings import Settings
from ruleset_plugins.russell.weariness import is_weary

MOVEMENT = "movement"
HUMAN = 12
"""The Movement of anybody of human size whose sheet does not say (R3.10)."""

FEET_IN_A_TURN = 10
FEET_IN_A_ROUND = 2


def movement_terms(who: Character, settings: Settings) -> tuple[Term, ...]:
    """Movement, and the half of it that Weariness takes."""
    entered = MOVEMENT in who.stats
    base = max(who.stats.get(MOVEMENT, HUMAN), 0)
    terms = (Term(base, "entered" if entered else "human size", "R3.10", f"stat.{MOVEMENT}" if entered else ""),)
    if is_weary(who):
        return (*terms, Term(settings.half(base) - base, "Wearied", "R3.38", "condition.wearied"))
    return terms


def movement(who: Character, settings: Settings) -> int:
    """Somebody's Movement now, 12 for a rested human."""
    base = max(who.stats.get(MOVEMENT, HUMAN), 0)
    return settings.half(base) if is_weary(who) else base


def turn_feet(who: Character, settings: Settings) -> int:
    """Feet in a Turn of careful exploring: Movement x 10 (R3.53)."""
    return movement(who, settings) * FEET_IN_A_TURN


def round_feet(who: Character, settings: Settings) -> int:
    """Feet in a Round, where a map is used: Movement x 2 (R3.76, Q3.25)."""
    return movement(who, settings) * FEET_IN_A_ROUND


def movement_values(who: Character, settings: Settings) -> Iterator[Value]:
    """Movement and the feet that it makes in a Turn and in a Round (for the sheet)."""
    terms = movement_terms(who, settings)
    yield summed(MOVEMENT, "Movement", terms, group="movement")
    for key, label, feet in (("turn_feet", "Feet in a Turn", FEET_IN_A_TURN), ("speed", "Speed", FEET_IN_A_ROUND)):
        yield summed(key, label, tuple(_times(term, feet) for term in terms), group="movement")


def _times(term: Term, feet: int) -> Term:
    return Term(term.amount * feet, f"{term.label} x {feet}", term.rule, term.path)
