"""The six abilities: names, modifier terms, sheet lines, and rolling scores."""

from collections.abc import Sequence
from functools import lru_cache

from domain.sheet import Term, Value
from domain.table import Table

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


def roll_scores(table: Table, roller: str, dice: str, names: Sequence[str], *, what: str) -> dict[str, int]:
    """A roll for each of the ``names``, in their order; purposes count ``what`` they are, as in ``ability 1``."""
    return {
        name: table.roll(dice, roller=roller, purpose=f"{what} {place}").total for place, name in enumerate(names, 1)
    }
