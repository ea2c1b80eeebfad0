"""A critical hit turns one expression into another that can be read and recorded."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from domain.dice import DiceError, Expression, double_dice, maximise, multiply, parse, show, twice
from domain.dice.odds import distribution


@pytest.mark.parametrize(
    ("critical", "text", "mean"),
    [
        (maximise, "8 + 3", 11),
        (double_dice, "2d8 + 3", 12),
        (twice, "(1d8 + 3) + (1d8 + 3)", 15),
        (lambda expression: multiply(expression, 2), "2*(1d8 + 3)", 15),
    ],
)
def test_a_critical_hit_with_one_d8_and_three(
    critical: Callable[[Expression], Expression], text: str, mean: int
) -> None:
    changed = critical(parse("1d8+3"))
    assert show(changed) == text
    assert distribution(changed).mean == mean


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("4d6kh3[fire]", "18[fire]"),
        ("2d6x", "12"),
        ("2d6rr=6", "12"),
        ("3d6ma4", "12"),
        ("4d6cs>=5", "4"),
        ("-(1d6+max(1,1d4))[acid]*1d2", "-(6 + max(1, 4))[acid]*2"),
    ],
)
def test_maximised_dice_show_their_highest_face_and_no_more(before: str, after: str) -> None:
    assert show(maximise(parse(before))) == after


def test_doubled_dice_are_kept_in_proportion() -> None:
    assert show(double_dice(parse("4d6ro=1kh3[fire] - 1d4"))) == "8d6ro=1kh6[fire] - 2d4"


def test_a_critical_hit_beyond_the_limits_is_refused() -> None:
    with pytest.raises(DiceError, match="1000 dice"):
        double_dice(parse("501d6"))
