"""Every term of Foundry's is read: its dice with their fates, numbers and functions, in the shapes of its versions."""

from __future__ import annotations

import json

import pytest

from adapters.imports.foundry.rolls import FoundryRoll, read_roll
from domain.dice.record import Die
from projections.luck.bands import odds_of
from tests.support.foundry import die, roll
from tests.support.foundry_messages import ROLLS

PLAIN_SUMS = (
    "percent", "advantage", "exploding", "six times exploding", "reroll", "minimum", "maximum", "successes", "failures taken off",
    "fate", "coins", "pool keep high", "below nothing", "terms as text",
)  # fmt: skip
EXPRESSIONS = {
    "percent": "1d100 + 80",
    "advantage": "2d20kh1 + 4",
    "exploding": "2d6x=6",
    "six times exploding": "1d6x=6",
    "reroll": "2d6ro<=2",
    "minimum": "1d20mi10",
    "maximum": "1d20ma10",
    "successes": "5d10cs>=8",
    "fate": "(4d3 - 8) + 2",
    "coins": "3d2 - 3",
    "pool keep high": "max(1d8, 1d6)",
    "parenthesis of version 12": "(2d4 + 1)*3",
    "taken off": "1d6 - 1d4 - 1",
    "terms as text": "1d6 + 2",
}


def read(name: str) -> FoundryRoll:
    return read_roll(json.dumps(ROLLS[name]))


@pytest.mark.parametrize("name", ROLLS)
def test_every_roll_comes_in_with_its_formula_and_its_total(name: str) -> None:
    found, recorded = read(name), ROLLS[name]
    assert found.formula == recorded["formula"]
    assert found.total == int(recorded["total"])
    assert found.is_as_recorded is (name != "half")
    assert bool(found.dice) is (name != "nothing rolled")


@pytest.mark.parametrize("name", PLAIN_SUMS)
def test_the_dice_and_numbers_of_a_plain_sum_come_to_its_total(name: str) -> None:
    found = read(name)
    assert sum(each.value for each in found.dice) + sum(flat.amount for flat in found.flat) == found.total
    assert not found.remark


@pytest.mark.parametrize(("name", "expression"), EXPRESSIONS.items())
def test_what_our_notation_can_say_is_said_in_it_and_has_the_odds_of_its_total(name: str, expression: str) -> None:
    found = read(name)
    assert found.expression == expression
    odds = odds_of(found.expression)
    assert odds is not None
    assert found.total in odds or odds.is_approximate


def test_what_our_notation_cannot_say_keeps_its_formula() -> None:
    for name in ("failures taken off", "pool of successes", "function", "half", "text"):
        assert read(name).expression == ROLLS[name]["formula"]


def test_the_fate_of_each_die_is_kept() -> None:
    assert read("advantage").dice == (Die(20, 17), Die(20, 3, kept=False, why="dropped"))
    assert read("exploding").dice == (
        Die(6, 6), Die(6, 4), Die(6, 6, why="exploded", cause=0), Die(6, 3, why="exploded", cause=2),
    )  # fmt: skip
    assert read("reroll").dice == (
        Die(6, 1, kept=False, why="rerolled"), Die(6, 5), Die(6, 4, why="replacement", cause=0),
    )  # fmt: skip
    assert read("minimum").dice == (Die(20, 3, counts_as=10),)
    assert [each.value for each in read("successes").dice] == [1, 1, 0, 0, 0]
    assert [each.value for each in read("failures taken off").dice] == [1, -1, 0]
    assert [each.kept for each in read("pool keep high").dice] == [True, False]
    assert [each.face for each in read("fate").dice] == [3, 1, 2, 2]
    assert [(each.sides, each.face) for each in read("parenthesis of version 9").dice] == [(4, 2), (6, 5), (6, 6)]
    assert [(each.sides, each.face) for each in read("dice of dice in version 12").dice] == [(4, 2), (6, 5), (6, 6)]
    assert [(each.sides, each.face) for each in read("function").dice] == [(8, 6)]
    assert [(each.sides, each.face) for each in read("function of version 9").dice] == [(6, 2), (8, 6)]


def test_a_total_of_half_a_point_is_named() -> None:
    assert read("half").remark == "its total is 1.5, of which whole points are kept"


def test_a_total_that_is_not_that_of_the_dice_is_the_recorded_one_and_named() -> None:
    found = read_roll(roll("1d6", 9, die(6, 4)))
    assert (found.total, found.remark) == (9, "its dice and numbers come to 4, recorded are 9")


@pytest.mark.parametrize(
    "value",
    ["", "no roll", "[]", "3", "null", "{}", None, 7, [], {"terms": "x"}, {"terms": [None, 5, [], "+"]}, {"total": "1e400"},
     {"formula": 3, "terms": {}, "total": None}, {"total": True}, {"terms": [{"results": "abc", "faces": 6}], "total": 4},
     roll("1d6", 4, die(6, {"result": 40})), roll("1d6", 4, die(6, {"result": None})), roll("9d9", 4, die(0, 1, 2))],
)  # fmt: skip
def test_what_is_no_roll_is_read_as_one_of_which_nothing_more_is_known(value: object) -> None:
    found = read_roll(value, "12")
    assert isinstance(found.total, int)
    assert found.remark or found.total == 12


def test_terms_inside_one_another_have_an_end() -> None:
    deep = roll("1d6", 3, die(6, 3))
    for _ in range(300):
        deep = roll(f"({deep['formula'][:40]})", 3, {"class": "ParentheticalTerm", "term": "x", "roll": deep})
    found = read_roll(json.dumps(deep))
    assert (found.total, found.dice, found.remark) == (3, (), "its dice could not be read")


def test_a_thousand_and_one_dice_come_in_with_their_total() -> None:
    found = read_roll(roll("1001d2", 1500, die(2, *([1] * 502 + [2] * 499))))
    assert (found.total, found.dice) == (1500, ())
