"""Formulas of game data: dice that are doubled and grow, words worked out as numbers."""

from __future__ import annotations

import pytest

from rollbook.kit import formulas

KNOWN = {"level": "7", "half level": "3", "luck": "-1", "die": "d8", "two": "2"}


def known(word: str) -> str:
    return KNOWN.get(word, word)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("7", "7"),
        ("level", "7"),
        ("half level + 1", "4"),
        ("1d10 + level", "1d10 + 7"),
        ("two * die", "2d8"),
        ("two * 3d6 + luck", "6d6 - 1"),
        ("5 + 10 * (level - 4)", "35"),
        ("level / 2", "3"),
        ("1d6 + 2 - 1d4", "1d6 + 2 - 1d4"),
        ("-level", "-7"),
        ("mood + 1d6", "mood + 1d6"),
        ("", ""),
    ],
)
def test_a_formula_comes_to_dice_and_one_number_or_stays_as_it_is(text: str, said: str) -> None:
    assert formulas.worked_out(text, known) == said


@pytest.mark.parametrize(("text", "number"), [("2 * level", 14), ("-luck", 1), ("mood", 0), ("1d6", 0), ("8", 8)])
def test_a_number_is_a_number_or_nothing(text: str, number: int) -> None:
    assert formulas.number(text, known) == number


def test_words_are_replaced_and_the_d_of_dice_stays() -> None:
    assert formulas.replaced("2d6 + level + luck", known) == "2d6 + 7 - 1"
    assert formulas.replaced("1d4 + mood", known) == "1d4 + mood"


@pytest.mark.parametrize(
    ("dice", "many", "said"), [("1d8 + 2", 3, "3d8 + 2"), ("4", 3, "12"), ("-2", 2, "-4"), ("target", 2, "target")]
)
def test_dice_so_many_times(dice: str, many: int, said: str) -> None:
    assert formulas.times(dice, many) == said


def test_doubled_dice_leave_numbers_alone() -> None:
    assert formulas.doubled("2d6 + 1d4 + 3") == "4d6 + 2d4 + 3"


@pytest.mark.parametrize(
    ("dice", "more", "many", "said"),
    [("8d6", "1d6", 2, "8d6 + 2d6"), ("8d6", "1d6", 0, "8d6"), ("8d6", "", 2, "8d6"), ("", "5", 2, "10")],
)
def test_dice_grow_by_what_each_level_adds(dice: str, more: str, many: int, said: str) -> None:
    assert formulas.grown(dice, more, many) == said


@pytest.mark.parametrize(("dice", "most"), [("2d6 + 3", 15), ("1d8 - 1", 7), ("4", 4), ("1d4 + 1d6", 10)])
def test_the_most_that_dice_can_come_to(dice: str, most: int) -> None:
    assert formulas.most_of(dice) == most
