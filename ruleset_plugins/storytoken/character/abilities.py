"""The six abilities, and the modifier of a score (R0.6–R0.14)."""

from functools import lru_cache

from rollbook.kit import ability_scores, data, random_tables
from rollbook.plugin import Character, Table, Term, events

ABILITY_USES = {
    "str": "lift, carry, swim, climb, jump; blows with weapon, fist or grip; saves against brute force (R0.7)",
    "dex": "sneak, balance, fine handwork, quick reactions; ranged and light weapons; saves by dodging (R0.8)",
    "con": "endure, weather, wounds, concentration; saves against poison (R0.9)",
    "int": "puzzles, lore, analysis, codes; saves against illusion; arcane formulas (R0.10)",
    "wis": "read people, sense danger, notice; saves against assaults on the mind; divine and primal magic (R0.11)",
    "cha": "win people over, inspire, perform, command; saves to stay oneself; magic by pact, song or birth (R0.12)",
}
"""The uses of each ability (R0.7–R0.12)."""

AVERAGE = 10
"""The score of characters without one on their sheets."""


class ScoreBand(random_tables.Band):
    """A row of the modifier table: scores from ``lowest`` to ``highest``, and the ``word`` for such an ability."""

    modifier: int
    word: str


BANDS = data.load(__package__, "modifiers.json", ScoreBand)


@lru_cache(maxsize=256)
def modifier(score: int) -> int:
    """The number that a score adds to a roll (R0.13). Beyond the table: -4 below it, half the score less 6 above it (Q0.2)."""
    band = next((band for band in BANDS if band.lowest <= score <= band.highest), None)
    if band is not None:
        return band.modifier
    return BANDS[0].modifier if score < BANDS[0].lowest else score // 2 - 6


def word(score: int) -> str:
    """The word for such an ability (R0.14)."""
    return random_tables.row_for(BANDS, score).word


def average(name: str, ability: str) -> events.StatChanged:
    """Enters the average score, for a sheet without one, before the score changes."""
    return events.StatChanged(character=name, stat=ability, amount=AVERAGE, reason="average")


def change_score(table: Table, who: Character, ability: str, amount: int, reason: str) -> None:
    """Record the change of a score."""
    if ability not in who.stats:
        table.record(average(who.id, ability))
    table.record(events.StatChanged(character=who.id, stat=ability, amount=amount, reason=reason))


def score(who: Character, ability: str) -> int:
    """An ability score."""
    return who.stats.get(ability, AVERAGE)


def bonus(who: Character, ability: str) -> int:
    """An ability's modifier."""
    return modifier(who.stats.get(ability, AVERAGE))


def ability_term(who: Character, ability: str) -> Term:
    """An ability's modifier as a term."""
    return ability_scores.modifier_term(ability, bonus(who, ability), "R0.13")
