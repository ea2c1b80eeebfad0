"""Whatever is typed, it is read as one thing or refused in a sentence; whatever is rolled lies within the odds."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as some

from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.evaluation import evaluate
from rollbook.domain.dice.notation import fill, parse
from rollbook.domain.dice.odds import distribution
from rollbook.domain.dice.stream import Stream
from rollbook.domain.dice.tree import Expression, show
from tests.support.notations import DICE, EXPRESSIONS, TYPED


def read(text: str) -> Expression | None:
    try:
        return parse(text)
    except DiceError as refused:
        assert refused.sentence.endswith(".")
        return None


@settings(max_examples=250, deadline=None)
@given(some.text(max_size=40) | TYPED)
@example("1d20\ud800")
@example("[" * 300)
@example("-" * 300)
@example("(" * 300)
@example("1d6" * 100)
def test_whatever_is_typed_is_read_again_as_the_same_or_refused_in_a_sentence(text: str) -> None:
    expression = read(text)
    if expression is None:
        return
    assert parse(show(expression)) == expression
    assert show(parse(show(expression))) == show(expression)


@settings(max_examples=80, deadline=None)
@given(EXPRESSIONS)
def test_sound_expressions_are_read_and_written_back_the_same(text: str) -> None:
    expression = parse(text)
    assert parse(show(expression)) == expression
    assert parse(show(expression)).text == show(expression)


@settings(max_examples=100, deadline=None)
@given(TYPED, some.integers(-5, 5))
def test_filling_a_template_raises_nothing_but_a_refusal(text: str, number: int) -> None:
    try:
        fill(text, a=number)
    except DiceError as refused:
        assert refused.sentence.endswith(".")


@settings(max_examples=40, deadline=None)
@given(EXPRESSIONS, some.integers(0, 2**32))
def test_no_roll_leaves_its_exact_odds(text: str, n: int) -> None:
    stream = Stream(bytes(32))
    try:
        odds = distribution(text)
    except DiceError:
        assume(False)
    rolls = [evaluate(text, stream.roll(1, n + more).draw) for more in range(20)]
    assert odds.is_approximate or {roll.total for roll in rolls} <= set(odds)


@settings(max_examples=40, deadline=None)
@given(DICE, some.integers(0, 2**32))
def test_the_kept_dice_of_one_handful_make_its_total(text: str, n: int) -> None:
    roll = evaluate(text, Stream(bytes(32)).roll(1, n).draw)
    assert roll.total == sum(die.value for die in roll.dice)
    assert all(die.cause < place for place, die in enumerate(roll.dice))


@pytest.mark.parametrize("text", ["1d20adv+5", "4d6kh3", "2d6ro<=2", "6d6cs>=5", "max(1,1d6-2)"])
def test_many_rolls_come_to_the_mean_that_was_worked_out(text: str) -> None:
    chances = random.Random(1)
    totals = [evaluate(text, lambda sides: chances.randint(1, sides)).total for _ in range(2000)]
    odds = distribution(text)
    deviation = (float(odds.variance) / len(totals)) ** 0.5
    assert abs(sum(totals) / len(totals) - float(odds.mean)) < 4 * deviation
