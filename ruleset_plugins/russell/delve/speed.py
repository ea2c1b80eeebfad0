"""How far somebody moves: Movement in a Turn and in a Round (R3.10, R3.11, R3.53, Q3.25)."""

from collections.abc import Iterator

from ruleset_plugins import Character, Term, Value, summed
from ruleset_plugins.russell.character import stat_line
from ruleset_plugins.russell.character.templates import effect, effect_terms
from ruleset_plugins.russell.delve.weariness import WEARIED, is_weary
from ruleset_plugins.russell.settings import Settings

MOVEMENT = stat_line.MOVEMENT
HUMAN = 12
"""The Movement of human size, where no other number is entered (R3.10)."""

FEET_IN_A_TURN = 10
FEET_IN_A_ROUND = 2


def movement_terms(who: Character, settings: Settings) -> tuple[Term, ...]:
    """Movement, what templates add to it, and the half that Weariness takes."""
    size = who.stats.get(MOVEMENT, HUMAN)
    entered = MOVEMENT in who.stats
    first = Term(size, "entered" if entered else "human size", "R3.10", f"stat.{MOVEMENT}" if entered else "")
    terms = (first, *effect_terms(who, MOVEMENT))
    rested = _rested(who)
    if rested > size + effect(who, MOVEMENT):
        terms = (*terms, Term(-size - effect(who, MOVEMENT), "at least 0", "R3.10"))
    if is_weary(who):
        terms = (*terms, Term(settings.half(rested) - rested, "Wearied", "R3.38", f"condition.{WEARIED}"))
    return terms


def _rested(who: Character) -> int:
    return max(who.stats.get(MOVEMENT, HUMAN) + effect(who, MOVEMENT), 0)


def movement(who: Character, settings: Settings) -> int:
    """Somebody's Movement now, 12 for a rested human."""
    rested = _rested(who)
    return settings.half(rested) if is_weary(who) else rested


def turn_feet(who: Character, settings: Settings) -> int:
    """Feet in a Turn of careful exploring: Movement x 10 (R3.53)."""
    return movement(who, settings) * FEET_IN_A_TURN


def round_feet(who: Character, settings: Settings) -> int:
    """Feet in a Round, where a map is used: Movement x 2 (R3.76, Q3.25)."""
    return movement(who, settings) * FEET_IN_A_ROUND


def movement_values(who: Character, settings: Settings) -> Iterator[Value]:
    """Movement and the feet that it makes in a Turn and in a Round (for the sheet)."""
    terms = movement_terms(who, settings)
    yield summed(MOVEMENT, "Movement", terms, group="Movement")
    for key, label, feet in (("turn_feet", "Feet in a Turn", FEET_IN_A_TURN), ("speed", "Speed", FEET_IN_A_ROUND)):
        yield summed(key, label, tuple(_times(term, feet) for term in terms), group="Movement")


def _times(term: Term, feet: int) -> Term:
    return Term(term.amount * feet, f"{term.label} x {feet}", term.rule, term.path)
