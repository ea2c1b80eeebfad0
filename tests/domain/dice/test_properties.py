"""Whatever is typed, it is read as one thing or refused in a sentence; whatever is rolled lies within the odds."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as some

from domain.dice.errors import DiceError
from domain.dice.evaluation import evaluate
from domain.dice.notation import parse
from domain.dice.odds import distribution
from domain.dice.stream import Stream
from domain.dice.templates import fill
from domain.dice.tree import Expression, show

PIECES = (
    ["1", "2", "6", "20", "0", "007", "1000000000", "d", "D", "d6", "d20", "d%", "kh", "kl1", "dh", "dl2", "adv", "dis"]
    + ["ro<=2", "rr=1", "x", "x>=5", "mi2", "ma5", "cs>=3", ">=", "<", "=", "+", "-", "*", "//", "/^", "/", "(", ")"]
    + [
        "max(",
        "min(",
        ",",
        "[",
        "]",
        "[STR]",
        " STR",
        "é",
        "Z\u0307",
        "٣",
        "²",
        "🎲",
        "!",
        "@a",
        "#",
        "\x00",
        " ",
        "\t",
    ]
)
TYPED = some.lists(some.sampled_from(PIECES), max_size=25).map("".join)

LABELS = some.sampled_from(["", "[fire]", "[Żółw 🎲]", "[a b]"])
MODIFIERS = some.sampled_from(
    ["kh1", "kl2", "dh1", "dl1", "ro<=2", "ro=1", "rr=1", "rr>=4", "mi2", "ma3", "x", "x>=3", ""]
)
DICE = some.builds(
    "{}d{}{}{}{}".format,
    some.integers(0, 4),
    some.integers(4, 8),
    some.lists(MODIFIERS, max_size=2).map("".join),
    some.sampled_from(["", "", "cs>=3"]),
    LABELS,
)
NUMBERS = some.builds("{}{}".format, some.integers(0, 30), LABELS)


def larger(inner: some.SearchStrategy[str]) -> some.SearchStrategy[str]:
    return (
        some.builds("{} {} {}".format, inner, some.sampled_from("+-"), inner)
        | some.builds("({}){}({})".format, inner, some.sampled_from(["*", "+", "-"]), inner)
        | some.builds("({}){}{}".format, inner, some.sampled_from(["//", "/^"]), some.integers(1, 9))
        | some.builds("{}({}, {}){}".format, some.sampled_from(["max", "min"]), inner, inner, LABELS)
        | some.builds("-({}){}".format, inner, LABELS)
        | some.builds("--{}".format, inner)
    )


EXPRESSIONS = some.recursive(DICE | NUMBERS, larger, max_leaves=5).filter(lambda text: len(text) < 250)


def read(text: str) -> Expression | None:
    try:
        return parse(text, division="//")
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
