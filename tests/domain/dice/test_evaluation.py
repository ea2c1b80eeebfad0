"""Dice are drawn in a fixed order and every one of them is recorded, with what became of it and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.evaluation import evaluate, sides_needed
from rollbook.domain.dice.notation import parse
from rollbook.domain.dice.record import Die, Flat, Roll


def falling(*faces: int) -> Callable[[int], int]:
    given: Iterator[int] = iter(faces)
    return lambda sides: next(given)


def fates(roll: Roll) -> list[tuple[int, bool, str, int]]:
    return [(die.face, die.kept, die.why, die.cause) for die in roll.dice]


def test_a_roll_records_its_dice_and_its_flat_numbers() -> None:
    roll = evaluate("1d20adv+2 STR+10 Investigation Expert", falling(17, 13))
    assert roll == Roll(
        expression="2d20kh1 + 2[STR] + 10[Investigation Expert]",
        typed="1d20adv+2 STR+10 Investigation Expert",
        dice=(Die(20, 17), Die(20, 13, kept=False, why="dropped")),
        flat=(Flat(2, "STR"), Flat(10, "Investigation Expert")),
        total=29,
    )
    assert [die for die in roll.dice if die.kept] == [Die(20, 17)]


def test_what_was_typed_is_kept_beside_the_expression() -> None:
    assert evaluate("d6", falling(3)).typed == "d6"
    assert evaluate(parse("d6"), falling(3)).typed == "1d6"


def test_terms_are_drawn_from_left_to_right_and_modifiers_after_all_dice_of_their_term() -> None:
    asked: list[int] = []

    def draw(sides: int) -> int:
        asked.append(sides)
        return 1

    roll = evaluate("2d6ro=1 + max(1d8, 1d10)*1d12 - 1d4ro=1", draw)
    assert asked == [6, 6, 6, 6, 8, 10, 12, 4, 4]
    assert [die.term for die in roll.dice] == [0, 0, 0, 0, 1, 2, 3, 4, 4]


def test_plain_dice_carry_their_term() -> None:
    assert [die.term for die in evaluate("2d6+1d8+3", falling(1, 2, 3)).dice] == [0, 0, 1]


@pytest.mark.parametrize(
    ("text", "faces", "kept"),
    [
        ("4d6kh3", (2, 5, 2, 6), [2, 5, 6]),
        ("2d20kh1", (7, 7), [7]),
        ("4d6kl2", (3, 3, 3, 1), [3, 1]),
        ("4d6dl1", (2, 5, 2, 6), [2, 5, 6]),
        ("4d6dh1", (6, 5, 6, 1), [6, 5, 1]),
        ("4d6kh9", (1, 2, 3, 4), [1, 2, 3, 4]),
        ("4d6dl9", (1, 2, 3, 4), []),
        ("5d6dl1dh1", (1, 2, 3, 4, 5), [2, 3, 4]),
    ],
)
def test_keep_and_drop(text: str, faces: tuple[int, ...], kept: list[int]) -> None:
    roll = evaluate(text, falling(*faces))
    assert [die.face for die in roll.dice if die.kept] == kept
    assert roll.total == sum(kept)


@pytest.mark.parametrize("text", ["2d6kh1", "2d6kl1", "2d6dl1", "2d6dh1"])
def test_of_equal_dice_the_later_is_dropped(text: str) -> None:
    assert fates(evaluate(text, falling(4, 4))) == [(4, True, "", -1), (4, False, "dropped", -1)]


def test_a_reroll_once_accepts_what_comes() -> None:
    roll = evaluate("1d4+3d6ro<=2", falling(4, 1, 5, 2, 2, 6))
    assert fates(roll)[1:] == [
        (1, False, "rerolled", -1),
        (5, True, "", -1),
        (2, False, "rerolled", -1),
        (2, True, "replacement", 1),
        (6, True, "replacement", 3),
    ]
    assert roll.total == 4 + 5 + 2 + 6


def test_rerolling_until_it_stops_goes_in_rounds() -> None:
    roll = evaluate("2d6rr=1", falling(1, 1, 1, 3, 2))
    assert fates(roll) == [
        (1, False, "rerolled", -1),
        (1, False, "rerolled", -1),
        (1, False, "rerolled", 0),
        (3, True, "replacement", 1),
        (2, True, "replacement", 2),
    ]
    assert roll.total == 5


def test_exploding_dice_go_in_rounds_and_name_their_cause() -> None:
    roll = evaluate("2d6x", falling(6, 6, 6, 2, 1))
    assert fates(roll) == [
        (6, True, "", -1),
        (6, True, "", -1),
        (6, True, "exploded", 0),
        (2, True, "exploded", 1),
        (1, True, "exploded", 2),
    ]
    assert roll.total == 21


def test_a_dropped_explosion_still_names_its_cause() -> None:
    roll = evaluate("1d6xkh1", falling(6, 2))
    assert fates(roll) == [(6, True, "", -1), (2, False, "dropped", 0)]


def test_a_dropped_die_is_not_rerolled() -> None:
    assert evaluate("2d6kh1ro=1", falling(1, 3)).total == 3


def test_a_minimum_changes_what_a_die_counts_but_not_its_face() -> None:
    roll = evaluate("3d6mi2ma5", falling(1, 3, 6))
    assert [(die.face, die.counts_as) for die in roll.dice] == [(1, 2), (3, 0), (6, 5)]
    assert roll.total == 10


def test_successes_are_counted() -> None:
    roll = evaluate("4d6cs>=5", falling(5, 1, 6, 4))
    assert [(die.kept, die.why, die.counts_as) for die in roll.dice] == [
        (True, "", 1),
        (False, "missed", 0),
        (True, "", 1),
        (False, "missed", 0),
    ]
    assert roll.total == 2


def test_a_one_that_is_a_success_counts_one() -> None:
    assert evaluate("1d6cs=1", falling(1)).total == 1


@pytest.mark.parametrize(
    ("text", "total"), [("7//2", 3), ("7/^2", 4), ("-7//2", -4), ("-7/^2", -3), ("2+3*4", 14), ("10-3-2", 5)]
)
def test_arithmetic_rounds_as_it_is_written(text: str, total: int) -> None:
    assert evaluate(text, falling()).total == total


def test_flat_numbers_are_those_that_stand_beside_the_dice() -> None:
    roll = evaluate("1d6 - 2[cold] + 2*3[CON] - (1d4 + 1)[acid] + 3*(1d4+5) + max(1,2)", falling(1, 1, 1))
    assert roll.flat == (Flat(-2, "cold"), Flat(6, "CON"), Flat(-1, "acid"), Flat(2))


@pytest.mark.parametrize("text", ["2d6rr<=5", "999d2x"])
def test_what_never_comes_to_an_end_is_stopped(text: str) -> None:
    with pytest.raises(DiceError, match="beyond 1000 dice"):
        evaluate(text, lambda sides: 1 if "rr" in text else 2)


def test_a_thousand_dice_are_still_rolled() -> None:
    assert evaluate("1000d6kh1", lambda sides: 4).total == 4
    assert evaluate("999d6x", iter_of_one_six()).total == 999 + 5 + 1


def iter_of_one_six() -> Callable[[int], int]:
    return falling(6, *[1] * 999)


def test_the_dice_that_are_certain_are_known_beforehand() -> None:
    assert sides_needed("2d6x + 1d8 - 3 + 1d20adv") == (6, 6, 8, 20, 20)


def test_whatever_the_source_of_dice_raises_comes_through() -> None:
    with pytest.raises(StopIteration):
        evaluate("2d6", falling(1))
