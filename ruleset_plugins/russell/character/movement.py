"""How far somebody moves: Movement in a Turn and in a Round (R3.10, R3.11, R3.53, Q3.25)."""

from rollbook.kit import stat_entry
from rollbook.plugin import Character, Term
from rollbook.rulesets.russell.character import stat_line
from rollbook.rulesets.russell.character.templates import effect_terms
from rollbook.rulesets.russell.delve.weariness import WEARIED
from rollbook.rulesets.russell.settings import Settings

MOVEMENT = stat_line.MOVEMENT
HUMAN = 12
"""The Movement of human size, where no other number is entered (R3.10)."""

FEET_IN_A_TURN = 10
FEET_IN_A_ROUND = 2


def movement_terms(who: Character, settings: Settings) -> tuple[Term, ...]:
    """Movement, what templates add to it, and the half that Weariness takes."""
    entered = stat_entry.terms(who, MOVEMENT, "entered", "R3.10") or (Term(HUMAN, "human size", "R3.10"),)
    terms = (*entered, *effect_terms(who, MOVEMENT))
    rested = sum(term.amount for term in terms)
    if rested < 0:
        terms, rested = (*terms, Term(-rested, "at least 0", "R3.10")), 0
    if who.has(WEARIED):
        terms = (*terms, Term(settings.half(rested) - rested, "Wearied", "R3.38", f"condition.{WEARIED}"))
    return terms


def movement(who: Character, settings: Settings) -> int:
    """Somebody's Movement now, 12 for a rested human."""
    return sum(term.amount for term in movement_terms(who, settings))


def turn_feet(who: Character, settings: Settings) -> int:
    """Feet in a Turn of careful exploring: Movement x 10 (R3.53)."""
    return movement(who, settings) * FEET_IN_A_TURN


def round_feet(who: Character, settings: Settings) -> int:
    """Feet in a Round, where a map is used: Movement x 2 (R3.76, Q3.25)."""
    return movement(who, settings) * FEET_IN_A_ROUND
