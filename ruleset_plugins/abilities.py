"""The six abilities as games share them: their names, the summand they give, the dice that scores and levels begin with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from domain.sheet import Term, Value
from domain.table import Table

ABILITY_NAMES = {
    "str": "Strength",
    "dex": "Dexterity",
    "con": "Constitution",
    "int": "Intelligence",
    "wis": "Wisdom",
    "cha": "Charisma",
}

_FACES = ("1", "2", "3", "4", "5", "6")


@lru_cache(maxsize=1024)
def modifier_term(ability: str, amount: int, rule: str) -> Term:
    """An ability's modifier, as a summand that says where it comes from; ``rule`` is the rule's number."""
    return Term(amount, ability.upper(), rule, f"stat.{ability}")


def score_value(ability: str, score: int, modifier: int, rule: str, *, group: str) -> Value:
    """A score as a line of the sheet, with what it adds to a roll: ``STR 16 (+2)``."""
    terms = (Term(score, ABILITY_NAMES[ability], rule, f"stat.{ability}"),)
    return Value(ability, ability.upper(), score, f"{score} ({modifier:+d})", terms, group)


def rolled_scores(table: Table, roller: str, dice: str, names: Sequence[str], *, what: str) -> dict[str, int]:
    """A roll for each of the ``names``, in their order; purposes count ``what`` they are, as in ``ability 1``."""
    return {
        name: table.roll(dice, roller=roller, purpose=f"{what} {place}").total for place, name in enumerate(names, 1)
    }


def hit_dice_typed(table: Table, typed: Sequence[str], wanted: int, *, level: int) -> tuple[int, ...]:
    """Hit dice that were rolled before, 1 to 6 each. Refused unless there are as many as are ``wanted``."""
    if len(typed) != wanted or not all(face in _FACES for face in typed):
        table.refuse(
            f"Level {level} has {wanted} hit dice, each 1 to 6, as in --hit-dice {','.join('4' * wanted)}; "
            f"not {','.join(typed)!r}."
        )
    return tuple(map(int, typed))
