"""Real dice are counted and checked: none is missing, none impossible, none left over."""

from __future__ import annotations

import pytest

from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.evaluation import evaluate
from rollbook.domain.dice.physical import TypedDice, ordinal, parse_faces


@pytest.mark.parametrize("typed", ["14,4", "14 4", " 14 ,  4 ", "14;4", [14, 4], (14, 4)])
def test_faces_are_typed_as_people_like(typed: str | list[int]) -> None:
    assert parse_faces(typed) == (14, 4)


def test_no_dice_are_no_faces() -> None:
    assert parse_faces("") == parse_faces("  ") == parse_faces([]) == ()


@pytest.mark.parametrize("typed", ["14,,4", "14,", "fourteen", "1.5", "-3", "0", "٣", "1\x00", "9" * 5000, "1\n2"])
def test_what_is_not_a_face_is_refused(typed: str) -> None:
    with pytest.raises(DiceError, match="not the face of a die"):
        parse_faces(typed)


@pytest.mark.parametrize("faces", [[0], [-1], [True], [1.0], ["4"]])
def test_what_is_not_a_whole_number_is_refused(faces: list[int]) -> None:
    with pytest.raises(DiceError, match="not the face of a die"):
        parse_faces(faces)


def test_a_thousand_faces_are_enough() -> None:
    with pytest.raises(DiceError, match="at most 1000"):
        parse_faces([1] * 1001)


def test_the_caret_stands_under_the_face_that_is_none() -> None:
    with pytest.raises(DiceError) as refused:
        parse_faces("1, 2, x, 4")
    assert refused.value.at == 6


def test_typed_dice_make_a_roll() -> None:
    dice = TypedDice("14, 4")
    assert evaluate("1d20+1d6+2", dice.draw).total == 20
    dice.finish()


def test_a_missing_die_is_named() -> None:
    with pytest.raises(DiceError, match=r"needs another d6: 2 dice were typed, this is the third\."):
        evaluate("3d6", TypedDice("6,6").draw)
    with pytest.raises(DiceError, match="1 die was typed, this is the second"):
        evaluate("1d6x", TypedDice([6]).draw)
    with pytest.raises(DiceError, match="0 dice were typed, this is the first"):
        evaluate("1d6", TypedDice("").draw)


def test_an_impossible_face_is_refused() -> None:
    with pytest.raises(DiceError, match=r"17 is not a face of a d6\. The second die"):
        evaluate("1d20+1d6", TypedDice("17 17").draw)


def test_dice_that_are_left_over_are_named() -> None:
    dice = TypedDice("3 4 5")
    evaluate("1d6", dice.draw)
    with pytest.raises(DiceError, match="3 dice were typed and the roll took 1: 4, 5 are left over"):
        dice.finish()


@pytest.mark.parametrize(
    ("number", "word"), [(1, "first"), (10, "tenth"), (11, "11th"), (21, "21st"), (112, "112th"), (123, "123rd")]
)
def test_ordinals(number: int, word: str) -> None:
    assert ordinal(number) == word
