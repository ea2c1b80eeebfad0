"""The six abilities: names, modifier terms, sheet lines, and rolling scores."""

from collections.abc import Sequence
from functools import lru_cache

from domain.sheet import Term, Value
from domain.table import Table
from ruleset_plugins.kit import stat_entry

ROLLED = "roll"
"""What is typed for scores that are to be rolled."""

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


def are_given(typed: Sequence[str]) -> bool:
    """Whether scores were typed, and are not to be rolled."""
    return bool(typed) and tuple(typed) != (ROLLED,)


def given_or_rolled(
    table: Table, roller: str, typed: Sequence[str], names: Sequence[str], *, order: Sequence[str], dice: str, what: str
) -> dict[str, int]:
    """The scores that were typed, or else rolled, which go to the names in ``order``; in the order of ``names``."""
    if are_given(typed):
        return stat_entry.parse_scores(table, typed, names, what="Scores")
    found = roll_scores(table, roller, dice, order or names, what=what)
    return {name: found[name] for name in names}


def roll_scores(table: Table, roller: str, dice: str, names: Sequence[str], *, what: str) -> dict[str, int]:
    """A roll for each of the ``names``, in their order; purposes count ``what`` they are, as in ``ability 1``."""
    return {
        name: table.roll(dice, roller=roller, purpose=f"{what} {place}").total for place, name in enumerate(names, 1)
    }
