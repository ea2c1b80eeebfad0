"""The odds are exact: they equal what comes of going through every way in which the dice can fall."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.evaluation import evaluate
from rollbook.domain.dice.odds import chance, distribution


class _MoreDice(Exception):
    def __init__(self, sides: int) -> None:
        self.sides = sides


def every_fall(text: str, unlikely: Fraction = Fraction(0)) -> dict[int, Fraction]:
    """The odds by trying every face for every die that the roll asks for; ``unlikely`` falls are left out."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    open_ways: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while open_ways:
        faces, likely = open_ways.pop()
        left = list(reversed(faces))

        def draw(sides: int, left: list[int] = left) -> int:
            if not left:
                raise _MoreDice(sides)
            return left.pop()

        try:
            found[evaluate(text, draw).total] += likely
        except _MoreDice as more:
            if likely > unlikely:
                open_ways += [((*faces, face), likely / more.sides) for face in range(1, more.sides + 1)]
    return dict(found)


KEEPS = some.builds("{}{}".format, some.sampled_from(["kh", "kl", "dh", "dl"]), some.integers(0, 3))
REROLLS = some.builds("ro{}{}".format, some.sampled_from(["<=", ">=", "="]), some.integers(0, 4))
CLAMPS = some.builds("{}{}".format, some.sampled_from(["mi", "ma"]), some.integers(1, 3))
SUCCESSES = some.builds("cs{}{}".format, some.sampled_from(["<=", ">=", "="]), some.integers(1, 4))
HANDFULS = some.builds(
    "{}d{}{}{}".format,
    some.integers(0, 3),
    some.integers(3, 4),
    some.lists(KEEPS | REROLLS | CLAMPS, max_size=3).map("".join),
    some.just("") | SUCCESSES,
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(HANDFULS)
def test_a_handful_has_the_odds_of_all_its_falls(text: str) -> None:
    assert dict(distribution(text)) == every_fall(text)


@pytest.mark.parametrize(
    "text",
    [
        "2d4 - 1d6*2 + 3",
        "max(1, 1d6-2)",
        "min(1d4, 1d6, 1d8)",
        "(1d12-6)*3//2",
        "7/^1d4 - -(1d3)[cold]",
        "2d20kh1+4",
        "4d6kh3",
        "4d4kh3ro=1kl2",
        "5d3dl1dh1cs>=2",
        "(2d3)*(1d4)",
    ],
)
def test_an_expression_has_the_odds_of_all_its_falls(text: str) -> None:
    assert dict(distribution(text)) == every_fall(text)


def test_figures_that_players_know() -> None:
    assert chance("1d20+5", 15) == Fraction(55, 100)
    assert chance("1d20adv+5", 15) == Fraction(7975, 10000)
    assert chance("1d20dis+5", 15) == Fraction(3025, 10000)
    assert chance("2d20kh1+5+4", 15) == Fraction(9375, 10000)
    assert chance("3d20kh1+5+4", 15) == Fraction(984375, 1000000)
    assert distribution("4d6kh3").mean == Fraction(15869, 1296)
    assert distribution("1d6/^2").mean == 2
    assert distribution("max(1,1d6-2)").mean == 2
    assert distribution("2d6")[2] == Fraction(1, 36)
    assert distribution("3d6").variance == Fraction(35, 4)
    assert distribution("10d10kh4").mean == Fraction(32825767030000000, 10**15)


def test_rerolling_until_it_stops_leaves_the_other_faces() -> None:
    assert dict(distribution("1d6rr<=2")) == {face: Fraction(1, 4) for face in range(3, 7)}
    assert distribution("4d6rr=1kh3mi3").mean == distribution("4d6rr=1mi3kh3").mean


def test_exploding_dice_are_marked_as_approximate() -> None:
    odds = distribution("1d6x")
    assert odds.is_approximate
    assert abs(float(odds.mean) - 4.2) < 1e-5
    assert odds[6 * 8 + 3] == Fraction(1, 6**9)
    assert not distribution("4d6kh3").is_approximate


def test_the_highest_die_is_none_the_higher_for_exploding() -> None:
    assert distribution("3d6xkh1") == distribution("3d6kh1")


@pytest.mark.parametrize("text", ["2d4xkh2", "1d4x>=3dl1", "1d3x=2mi2kl3", "2d3kh1x", "1d4xro=4", "1d3xx", "2d3rr=1x"])
def test_dice_that_explode_have_about_the_odds_of_their_falls(text: str) -> None:
    odds, falls = distribution(text), every_fall(text, Fraction(1, 20_000))
    assert sum(falls.values()) > Fraction(98, 100)
    for total in odds.keys() | falls.keys():
        assert abs(float(odds.get(total, Fraction(0)) - falls.get(total, Fraction(0)))) < 0.006, total


def test_kept_dice_can_explode_afterwards() -> None:
    assert distribution("2d6kh2x") == distribution("2d6x")


def test_nothing_is_certain_and_everything_is_counted_once() -> None:
    for text in ("9d6", "40d6", "6d6cs>=5", "3d6ro=1kh2x>=6", "1d6xx", "3d4xdl1"):
        odds = distribution(text)
        assert sum(odds.values()) == 1
        assert odds.at_least(min(odds)) == 1
        assert list(odds) == sorted(odds)


@pytest.mark.parametrize("text", ["1000d1000", "1d10000*1d10000", "1000d6kh500", "1d1000000kh1", "6d20xkh3"])
def test_what_is_too_big_for_an_exact_answer_is_refused(text: str) -> None:
    with pytest.raises(DiceError, match="too big for an exact answer"):
        distribution(text)


def test_dice_that_explode_again_and_again_are_refused() -> None:
    with pytest.raises(DiceError, match="Leave out an x"):
        distribution("1d6xxx")
