"""A roll is read as the bot writes it: every die with its fate, every number, and the total that was recorded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.adapters.imports.avrae.rolls import RecordedRoll, find_rolls, read_roll
from rollbook.domain.dice.record import Die, Flat


def roll(text: str) -> RecordedRoll:
    found = read_roll(text)
    assert found is not None
    return found


def test_a_die_and_a_number() -> None:
    read = roll("1d20 (4) + 5 = `9`")
    assert (read.expression, read.total, read.natural) == ("1d20 + 5", 9, 4)
    assert read.dice == (Die(20, 4),)
    assert read.flat == (Flat(5),)


def test_a_struck_die_of_a_keep_was_dropped() -> None:
    read = roll("2d20kh1 (**20**, ~~**1**~~) + 7 [luck] = `27`")
    assert read.expression == "2d20kh1 + 7 [luck]"
    assert read.dice == (Die(20, 20), Die(20, 1, kept=False, why="dropped"))
    assert read.natural == 20
    assert read.adds_up


def test_a_struck_die_of_a_reroll_was_rerolled_for_the_next() -> None:
    read = roll("2d6ro<3 (~~2~~, 5, **6**) + 1 [fire^] = `12`")
    assert read.dice == (Die(6, 2, kept=False, why="rerolled"), Die(6, 5, why="replacement", cause=0), Die(6, 6))
    assert read.flat == (Flat(1, "fire"),)
    assert read.adds_up


def test_an_exploded_die_brings_another() -> None:
    read = roll("1d6e6 (**6**!, 2) = `8`")
    assert read.dice == (Die(6, 6), Die(6, 2, why="exploded", cause=0))


def test_a_raised_die_counts_as_more_than_its_face() -> None:
    read = roll("2d6mi2 (1 -> 2, 4) = `6`")
    assert read.dice == (Die(6, 1, counts_as=2), Die(6, 4))
    assert read.adds_up


def test_terms_are_told_apart_and_kinds_of_damage_collected() -> None:
    read = roll("1d8 (3) + 2 [magical cold] + 2d6 (1, 4) [acid] - 1 = `9`")
    assert [die.term for die in read.dice] == [0, 1, 1]
    assert read.flat == (Flat(2, "magical cold"), Flat(-1))
    assert read.labels == ("magical cold", "acid")
    assert read.adds_up


@pytest.mark.parametrize("text", ["(1d8 (3) + 2 [cold]) / 2 = `2`", "10 - 1d4 (2) = `8`", "3 * 1d4 (2) = `6`"])
def test_beyond_a_plain_sum_the_expression_says_what_the_numbers_do(text: str) -> None:
    read = roll(text)
    assert len(read.dice) == 1
    assert read.flat == ()
    assert read.adds_up


def test_a_struck_part_of_a_choice_drops_its_dice() -> None:
    read = roll("(1d8 (7) + 5, ~~2d4 (1, 2)~~)kh1 = `12`")
    assert read.expression == "(1d8 + 5, 2d4)kh1"
    assert [die.kept for die in read.dice] == [True, False, False]


def test_a_number_alone_is_a_roll_without_dice() -> None:
    assert roll("-3 [heal] = `-3`") == RecordedRoll(
        "-3 [heal]", -3, (), (Flat(-3, "heal"),), ("heal",), is_plain_sum=True
    )


def test_a_sum_that_does_not_add_up_is_noticed() -> None:
    assert not roll("1d20 (4) + 5 = `10`").adds_up


@pytest.mark.parametrize("text", ["", "no roll", "1d20 (4) + 5", "1d20 (x) = `3`", "2d6 (1, 2) * 100 = `1,234 coins`"])
def test_what_is_no_roll_is_not_read(text: str) -> None:
    assert read_roll(text) is None


def test_rolls_are_found_behind_headings() -> None:
    found = find_rolls("**DC 10**\n 1d20 (9) + 1 = `10`; Success!\n**Damage**: 1d4 (2) = `2`")
    assert [read.total for read in found] == [10, 2]


@given(st.text(alphabet="0123456789d()[]~*`=+- ,!>khro<", max_size=60))
def test_no_text_is_too_strange(text: str) -> None:
    read_roll(text + " = `3`")
    find_rolls(text)
