"""The six abilities: names, modifier terms, sheet lines, and rolling scores."""

from collections.abc import Sequence
from functools import lru_cache

from rollbook.kit import stat_entry
from rollbook.plugin import Table, Term, Value

__all__ = ["NAMES", "given_or_rolled", "modifier_term", "score_value"]

ROLLED = "roll"
"""Word that is typed for scores that are to be rolled."""

NAMES = {
    "str": "Strength",
    "dex": "Dexterity",
    "con": "Constitution",
    "int": "Intelligence",
    "wis": "Wisdom",
    "cha": "Charisma",
}


@lru_cache(maxsize=1024)
def modifier_term(ability: str, amount: int, rule: str) -> Term:
    """An ability's modifier, as a summand that says where it comes from; ``rule`` is the rule's number."""
    return Term(amount, ability.upper(), rule, f"stat.{ability}")


def score_value(ability: str, score: int, modifier: int, rule: str, *, group: str) -> Value:
    """A score as a line of the sheet, with what it adds to a roll: ``STR 16 (+2)``."""
    terms = (Term(score, NAMES[ability], rule, f"stat.{ability}"),)
    return Value(ability, ability.upper(), score, f"{score} ({modifier:+d})", terms, group)


def given_or_rolled(
    table: Table, roller: str, typed: Sequence[str], names: Sequence[str], *, order: Sequence[str], dice: str, what: str
) -> dict[str, int]:
    """The scores that were typed, or else rolled: each roll goes to the next name in ``order``, or of the ``names``.

    The purposes of the rolls count ``what`` the scores are, as in ``ability 1``.
    """
    if typed and tuple(typed) != (ROLLED,):
        return stat_entry.parse_scores(table, typed, names, what="Scores")
    rolled = {
        name: table.roll(dice, roller=roller, purpose=f"{what} {place}").total
        for place, name in enumerate(order or names, 1)
    }
    return {name: rolled[name] for name in names}
