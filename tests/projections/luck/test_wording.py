"""Luck is told as shares of whole parties, never more finely than it deserves, and without a verdict."""

from __future__ import annotations

from math import log

import pytest

from rollbook.projections.luck import Luck, Origin, wording
from rollbook.projections.luck.patterns import directional, repeats, runs, shape
from rollbook.projections.luck.report import FaceSeries, Typed


def lying(z: float, rolls: int = 100) -> Luck:
    """Luck so many standard deviations away."""
    return Luck(rolls=rolls, total=1_000 + round(z * 100), mean=1_000, variance=10_000)


@pytest.mark.parametrize(
    ("found", "by", "many", "said"),
    [
        (lying(-2, rolls=29), "seat", 5, "too few to say anything"),
        (lying(0.9), "seat", 5, "as two of three fair series"),
        (lying(-1.5), "seat", 5, "1 of 3 parties of 5 has one this low"),
        (lying(1.5), "character", 1, "1 of 15 fair series is this high"),
        (lying(-1), "seat", 8, "most parties of 8 have one this low"),
        (lying(2), "session", 4, "1 of 11 campaigns of 4 sessions has one this high"),
        (lying(6), "kind", 2, "fewer than 1 of 100 campaigns with 2 kinds of roll have one this high"),
        (lying(-6), "seat", 1, "fewer than 1 of 100 fair series are this low"),
    ],
)
def test_luck_is_a_share_of_parties(found: Luck, by: str, many: int, said: str) -> None:
    assert wording.luck(found, by, many) == said


def typed(faces: list[int], seat: str = "Mira") -> Typed:
    return Typed(
        seat,
        FaceSeries(Origin.TYPED, 20, tuple(faces)),
        directional(faces, 20),
        shape(faces, 20),
        repeats(faces, 20),
        runs(faces, 20),
    )


EVEN = [*range(1, 21)] * 10


def test_an_e_value_is_said_from_twenty_on_however_few_the_dice() -> None:
    few = typed([20] * 14)
    assert few.directional > log(20)
    assert wording.is_said(few)
    assert wording.typed(few, 1)[1].startswith("It leans high: at most 1 honest record in ")


def test_two_hundred_even_dice_are_said_to_be_even_and_one_fewer_are_too_few() -> None:
    assert "nothing uneven shows" in wording.typed(typed(EVEN), 1)[0]
    assert wording.typed(typed(EVEN[:-1]), 1) == ["Mira, 199 d20 typed in; too few to say anything"]


def test_the_band_is_that_of_two_of_three_series_of_this_length() -> None:
    assert "(fair dice: 10.1 to 10.9 in two of three series of this length)" in wording.fair_mean(
        FaceSeries(Origin.TYPED, 20, tuple(EVEN + EVEN[:14]))
    )


def test_many_records_are_expected_to_hold_an_uneven_one() -> None:
    lines = wording.typed(typed(EVEN + [20] * 40), 8)
    assert any(line.startswith("8 records are kept here: up to 1 of ") for line in lines)
    assert lines[-1] == "A worn die does the same. Swap the die, or roll the next session from the stream."


def test_the_value_of_a_hopeless_record_is_not_written_out() -> None:
    assert wording.value(log(26.9)) == "26"
    assert wording.value(5_000) == "a million and more"
