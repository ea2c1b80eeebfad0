"""The six attributes and the modifier of a score (R3.1, R3.2)."""

from functools import lru_cache

from rollbook.kit import ability_scores, random_tables
from rollbook.plugin import Character, Term

ATTRIBUTES = ("str", "con", "dex", "int", "wis", "cha")
AVERAGE = 10
"""The score where no other is entered (R3.96)."""


class ModifierBand(random_tables.Band):
    """A row of the modifier table: scores from ``lowest`` to ``highest``."""

    modifier: int


BANDS = random_tables.load(__package__, "modifiers.json", ModifierBand)


@lru_cache(maxsize=256)
def modifier(score: int) -> int:
    """The number that a score adds to a roll (R3.2). Beyond the table, where other games go, every point is one more or less."""
    beyond = max(score - BANDS[-1].highest, 0) + min(score - BANDS[0].lowest, 0)
    return random_tables.row_for(BANDS, score).modifier + beyond


def score(who: Character, attribute: str) -> int:
    """An attribute's score."""
    return who.stats.get(attribute, AVERAGE)


def bonus(who: Character, attribute: str) -> int:
    """An attribute's modifier."""
    return modifier(who.stats.get(attribute, AVERAGE))


def attribute_term(who: Character, attribute: str, rule: str = "R3.2") -> Term:
    """An attribute's modifier, as a summand that says where it comes from."""
    return ability_scores.modifier_term(attribute, bonus(who, attribute), rule)
