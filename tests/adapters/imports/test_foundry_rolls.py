"""Every term of Foundry's is read: its dice with their fates, numbers and functions, in the shapes of its versions."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable

import pytest

from rollbook.adapters.imports.foundry.rolls import (
    NO_DICE,
    ODD_DICE,
    OTHER_SUM,
    TOO_LARGE,
    UNKNOWN,
    FoundryRoll,
    read_roll,
)
from rollbook.domain.dice.record import Die, Flat
from rollbook.projections.luck.against_odds import odds_of
from tests.support.foundry import die, roll
from tests.support.foundry_messages import ROLLS, expression, grouping, instance, instances, number, operator

PLAIN_SUMS = (
    "percent", "advantage", "exploding", "six times exploding", "reroll", "minimum", "maximum", "successes", "failures taken off",
    "fate", "coins", "pool keep high", "below nothing", "terms as text", "instances", "persistent", "tens and units", "two tens",
    "tiebreaker", "taken off a fraction", "two halves",
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
    "instances": "(2d6 + 4) + 1d6",
    "doubled": "2*(1d8 + 3)",
    "intermediate": "2d6",
}


def read(name: str) -> FoundryRoll:
    return read_roll(json.dumps(ROLLS[name]))


@pytest.mark.parametrize("name", ROLLS)
def test_every_roll_comes_in_with_its_formula_and_its_total(name: str) -> None:
    found, recorded = read(name), ROLLS[name]
    assert found.formula == recorded["formula"]
    assert found.total == math.floor(recorded["total"])
    assert found.is_as_recorded
    assert found.seen == len(found.dice)
    assert bool(found.dice) is (name != "nothing rolled")


@pytest.mark.parametrize("name", PLAIN_SUMS)
def test_the_dice_and_numbers_of_a_plain_sum_come_to_its_total(name: str) -> None:
    found = read(name)
    assert sum(each.value for each in found.dice) + sum(flat.amount for flat in found.flat) == found.total
    assert not found.reason


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


@pytest.mark.parametrize(
    ("name", "flat"),
    [
        ("tiebreaker", (Flat(2, "and 0.14, so 16.14"),)),
        ("taken off a fraction", (Flat(-2, "and 0.75, so 8.75"),)),
        ("times a half", (Flat(0, "so 10.5"),)),
        ("half", (Flat(0, "so 1.5"),)),
        ("two halves", (Flat(3, "1.5 and 1.5"),)),
        ("tens and units", (Flat(-10, "for 00"),)),
    ],
)
def test_a_fraction_stands_in_a_label_beside_the_dice(name: str, flat: tuple[Flat, ...]) -> None:
    assert (read(name).flat, read(name).reason) == (flat, "")


def test_a_fraction_without_dice_stands_in_what_was_typed() -> None:
    found = read_roll(roll("5 / 2", 2.5, {"class": "NumericTerm", "number": 2.5}))
    assert (found.total, found.rolled("", "roll").typed) == (2, "5 / 2 (2.5)")


def test_the_dice_of_nested_terms_are_all_there_and_what_comes_later_does_not_count() -> None:
    assert [(one.sides, one.face) for one in read("instances").dice] == [(6, 3), (6, 6), (6, 6)]
    assert read("instances").flat == (Flat(4),)
    assert [(one.sides, one.face) for one in read("intermediate").dice] == [(6, 4), (6, 5)]
    assert [one.kept for one in read("persistent").dice] == [True, False]
    assert [one.value for one in read("two tens").dice] == [0, 30, 7]


@pytest.mark.parametrize(
    "around",
    [
        lambda handful: {"class": "NewTerm", "inner": handful},
        lambda handful: {"class": "NewTerm", "parts": [{"class": "Other", "left": handful, "right": 4}]},
        lambda handful: {"class": "NewTerm", "inner": json.dumps(handful)},
        lambda handful: {"class": "NewTerm", "total": 9, "within": {"deeper": {"die": handful}}},
    ],
)
def test_dice_in_a_term_of_unknown_shape_come_in_and_it_is_said(around: Callable[[object], dict[str, object]]) -> None:
    found = read_roll(json.dumps(roll("new", 9, around(die(6, 4, 5)))))
    assert ([one.face for one in found.dice], found.total, found.seen) == ([4, 5], 9, 2)
    assert found.reason == UNKNOWN


def test_a_term_of_unknown_shape_without_dice_is_said() -> None:
    found = read_roll(roll("1d6 + new", 9, die(6, 4), {"class": "OperatorTerm", "operator": "+"}, {"class": "NewTerm"}))
    assert (found.reason, found.detail, found.total) == (UNKNOWN, "NewTerm", 9)


def test_dice_that_are_asked_for_and_nowhere_on_record_are_said() -> None:
    assert read_roll({"formula": "2d6 + 4", "terms": [], "total": 9}).reason == NO_DICE


def test_a_total_that_is_not_that_of_the_dice_is_the_recorded_one_and_named() -> None:
    found = read_roll(roll("1d6", 9, die(6, 4)))
    assert (found.total, found.reason, found.detail) == (9, OTHER_SUM, "4 instead of 9")


def test_dice_that_count_in_a_way_of_their_own_are_a_reason_of_their_own() -> None:
    found = read_roll(roll("2ds", 1, die(8, 3, 4, **{"class": "SymbolDie"})))
    assert (found.total, len(found.dice), found.reason, found.detail) == (1, 2, ODD_DICE, "SymbolDie, 7 instead of 1")


@pytest.mark.parametrize("total", [2.5e16, 1e153, -(2**60)])
def test_a_total_that_is_too_large_is_said(total: float) -> None:
    found = read_roll(roll("1d6", total, die(6, 4)))
    assert (found.total, found.reason, found.detail) == (4, TOO_LARGE, f"{total:.6g}")


@pytest.mark.parametrize(
    "value",
    ["", "no roll", "[]", "3", "null", "{}", None, 7, [], {"terms": "x"}, {"terms": [None, 5, [], "+"]}, {"total": "1e400"},
     {"formula": 3, "terms": {}, "total": None}, {"total": True}, {"terms": [{"results": "abc", "faces": 6}], "total": 4},
     roll("1d6", 4, die(6, {"result": 40})), roll("1d6", 4, die(6, {"result": None})), roll("9d9", 4, die(0, 1, 2))],
)  # fmt: skip
def test_what_is_no_roll_is_read_as_one_of_which_nothing_more_is_known(value: object) -> None:
    found = read_roll(value, "12")
    assert isinstance(found.total, int)
    assert found.reason or found.total == 12


def test_terms_inside_one_another_have_an_end() -> None:
    deep = roll("1d6", 3, die(6, 3))
    for _ in range(300):
        deep = roll(f"({deep['formula'][:40]})", 3, {"class": "ParentheticalTerm", "term": "x", "roll": deep})
    found = read_roll(json.dumps(deep))
    assert (found.total, found.dice, found.reason) == (3, (), NO_DICE)


def test_a_thousand_and_one_dice_come_in_with_their_total() -> None:
    found = read_roll(roll("1001d2", 1500, die(2, *([1] * 502 + [2] * 499))))
    assert (found.total, found.dice) == (1500, ())


# Terms inside one another, as chance makes them.


def a_term(chance: random.Random, depth: int) -> tuple[dict[str, object], int, int]:
    """A term, what it comes to, and how many dice are in it."""
    sort = chance.choice(("die", "number", "group", "add", "parenthesis", "pool", "instances")) if depth else "die"
    if sort == "die":
        faces = [chance.randint(1, 6) for _ in range(chance.randint(1, 3))]
        return die(6, *faces), sum(faces), len(faces)
    if sort == "number":
        amount = chance.randint(0, 9)
        return number(amount), amount, 0
    inner, total, dice = a_term(chance, depth - 1)
    if sort == "group":
        return grouping(inner), total, dice
    if sort == "add":
        other, more, others = a_term(chance, depth - 1)
        return expression("+", inner, other), total + more, dice + others
    if sort == "parenthesis":
        return {"class": "ParentheticalTerm", "term": "…", "roll": roll("…", total, inner)}, total, dice
    if sort == "pool":
        return {"class": "PoolTerm", "modifiers": [], "rolls": [roll("…", total, inner)], "results": []}, total, dice
    return instances(instance("…", total, inner), counted=(total,)), total, dice


@pytest.mark.parametrize("seed", range(150))
def test_no_die_of_terms_inside_one_another_is_lost(seed: int) -> None:
    chance = random.Random(seed)
    first, total, dice = a_term(chance, 5)
    second, more, others = a_term(chance, 5)
    found = read_roll(json.dumps(roll("…", total + more, first, operator("+"), second)))
    assert (found.total, len(found.dice), found.seen, found.reason) == (total + more, dice + others, dice + others, "")
    if found.dice:
        assert sum(each.value for each in found.dice) + sum(flat.amount for flat in found.flat) == found.total
    strange = read_roll(json.dumps(roll("…", total, {"class": "NewTerm", "within": [{"deep": first}]})))
    assert (strange.total, len(strange.dice), strange.seen) == (total, dice, dice)
    assert strange.reason == UNKNOWN
