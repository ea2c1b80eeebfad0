"""Dice that are open-ended downwards: a low one subtracts the next, which goes on upwards like any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import pytest

from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.evaluation import evaluate, sides_needed
from rollbook.domain.dice.notation import check_asked, parse, show
from rollbook.domain.dice.odds import distribution
from rollbook.domain.dice.physical import TypedDice
from rollbook.domain.dice.record import Roll
from rollbook.domain.dice.tree import handfuls


def rolled(expression: str, *faces: int) -> Roll:
    """A roll in which just these faces fall."""
    dice = TypedDice(faces)
    roll = evaluate(expression, dice.draw)
    dice.finish()
    return roll


BOTH_WAYS = "1d100x>=96xd<=5"


@pytest.mark.parametrize(
    ("faces", "total"),
    [
        ((50,), 50),
        ((6,), 6),
        ((95,), 95),
        ((96, 4), 100),
        ((97, 96, 20), 213),
        ((5, 1), 4),
        ((3, 37), -34),
        ((1, 100, 98, 2), -199),
        ((1, 5), -4),
    ],
)
def test_a_low_die_subtracts_the_next_and_only_the_first_can_be_low(faces: tuple[int, ...], total: int) -> None:
    roll = rolled(BOTH_WAYS, *faces)
    assert roll.total == total == sum(die.value for die in roll.dice)
    assert [die.face for die in roll.dice] == list(faces)


def test_each_die_says_what_became_of_it_and_because_of_which() -> None:
    roll = rolled("3d10x=10xd=1", 1, 10, 5, 3, 10, 7)
    assert [(die.face, die.why, die.counts_as, die.cause) for die in roll.dice] == [
        (1, "", 0, -1),
        (10, "", 0, -1),
        (5, "", 0, -1),
        (3, "exploded", 0, 1),
        (10, "subtracted", -10, 0),
        (7, "subtracted", -7, 4),
    ]
    assert all(die.kept for die in roll.dice)
    assert roll.natural == 1


def test_without_an_explosion_one_die_is_subtracted_and_it_is_over() -> None:
    assert rolled("1d100xd<=5", 2, 100).total == -98
    assert rolled("1d6xd", 1, 1).total == 0


def test_a_die_that_a_reroll_brought_may_go_down() -> None:
    assert rolled("1d6ro=1xd<=2", 1, 2, 5).total == -3


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("d100xd", "1d100xd=1"),
        ("1D%X>=96XD<=5", BOTH_WAYS),
        ("2d10xxd", "2d10x=10xd=1"),
        ("1d6rr=3xd=1", "1d6rr=3xd=1"),
    ],
)
def test_it_is_written_out_loud(typed: str, canonical: str) -> None:
    assert show(parse(typed)) == canonical == show(parse(canonical))
    assert sides_needed(typed)


def checked(typed: str) -> None:
    """What somebody asks for now."""
    parse(typed)
    check_asked(typed)


@pytest.mark.parametrize("typed", ["3d4xdl1", "3d4xdh1", "1d4xdis", "3d4x=4dl1"])
def test_what_once_followed_an_explosion_still_does(typed: str) -> None:
    assert [each.kind for dice in handfuls(parse(typed).root) for each in dice.modifiers] in (
        ["x", "dl"],
        ["x", "dh"],
        ["x", "kl"],
    )


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("1d100xd<=5x>=96", "Write xd behind the other modifiers"),
        ("1d100xd<=5xd<=2", "Write xd behind the other modifiers"),
        ("4d6kh3xd<=1", "xd goes with rerolls and then one x"),
        ("4d6xd<=1kh3", "Write xd behind the other modifiers"),
        ("4d6mi2xd<=1", "xd goes with rerolls and then one x"),
        ("4d6xd<=1cs>=3", "Write xd behind the other modifiers"),
        ("4d6x=6ro=2xd<=1", "xd goes with rerolls and then one x"),
        ("1d6x=6x=5xd=1", "xd goes with rerolls and then one x"),
        ("1d6xd=7", "A d6 has no face 7"),
        ("1d6xd<=9", "A d6 has no face 9"),
        ("1d6xd>=0", "A d6 has no face 0"),
        ("1d6xd=0", "A d6 has no face 0"),
        ("1d6x>=3xd<=4", "A die that shows 3 cannot go up and down"),
        ("1d6xd<3", "Write xd<=2"),
        ("1d6xd5", "Write xd<=5, or * to multiply"),
        ("1d6xd6", "Write xd<=6, or * to multiply"),
        ("1d6 xd<=2", "stands apart"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_to_write(typed: str, said: str) -> None:
    with pytest.raises(DiceError) as fault:
        checked(typed)
    assert said in fault.value.sentence


def test_a_roll_that_goes_on_for_ever_is_refused() -> None:
    with pytest.raises(DiceError, match="never ends"):
        parse("1d6x>=1xd<=1")
    falling: Iterator[int] = iter([1] + [6] * 2_000)
    with pytest.raises(DiceError, match="went on beyond"):
        evaluate("1d6x=6xd=1", lambda _: next(falling))


# The odds.


def counted_out(expression: str, sides: int, dice: int) -> dict[int, Fraction]:
    """The odds by every way in which so many dice can fall, of which a roll takes as many as it needs."""
    found: Counter[int] = Counter()
    for faces in product(range(1, sides + 1), repeat=dice):
        left = iter(faces)
        found[evaluate(expression, lambda _, left=left: next(left)).total] += 1  # type: ignore[misc]
    return {total: Fraction(many, sides**dice) for total, many in found.items()}


@pytest.mark.parametrize(
    ("expression", "sides", "dice"),
    [
        ("1d6xd", 6, 2),
        ("1d6xd<=2", 6, 2),
        ("2d4xd=1", 4, 4),
        ("1d6ro=1xd<=2", 6, 3),
        ("1d4xd>=3", 4, 2),
        ("1d6xd<=6", 6, 2),
    ],
)
def test_without_an_explosion_the_odds_are_exact(expression: str, sides: int, dice: int) -> None:
    odds = distribution(expression)
    assert dict(odds) == counted_out(expression, sides, dice)
    assert not odds.is_approximate


def open_ended(sides: int, low: Callable[[int], bool], high: Callable[[int], bool]) -> Fraction:
    """The mean of a die that goes on both ways, by hand: up = mean + P(high) × up; all = mean + P(high) × up − P(low) × up."""
    faces = range(1, sides + 1)
    mean = Fraction(sum(faces), sides)
    rising, falling = (Fraction(sum(map(of, faces)), sides) for of in (high, low))
    up = mean / (1 - rising)
    return mean + rising * up - falling * up


def test_both_ways_the_odds_are_those_of_the_rulebook() -> None:
    odds = distribution(BOTH_WAYS)
    assert odds.is_approximate
    assert abs(odds.mean - open_ended(100, lambda face: face <= 5, lambda face: face >= 96)) < Fraction(1, 10**6)
    assert odds[50] == Fraction(1, 100)
    assert sum(odds.values()) == 1
    assert 1 - odds.at_least(1) == _below_one()


def _below_one() -> Fraction:
    """A low die of 1 to 5 and a further one that is at least as large: 1 - 1, 2 - 2 and so on are 0."""
    return Fraction(sum(100 - low + 1 for low in range(1, 6)), 100 * 100)
