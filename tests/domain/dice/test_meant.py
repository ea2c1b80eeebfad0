"""A roll that can be read and cannot be meant is refused where it is asked for, with what to write, and nowhere else."""

from __future__ import annotations

import re

import pytest

from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.evaluation import evaluate
from rollbook.domain.dice.notation import check_asked, parse

NO_FACE = [
    f"{change}{face}" for change in ("x=", "x>=", "ro=", "ro<=", "rr=", "rr>=", "cs>=", "cs=") for face in (0, 7)
]
NOT_MEANT = [
    *((f"4d6{change}", "has no face") for change in ("x7", *NO_FACE) if change not in ("x>=0", "rr>=0")),
    *((f"4d6{kind}0", "of 4 dice. Write a number from 1") for kind in ("kh", "kl", "dh", "dl")),
    *((f"4d6{kind}5", "5 of 4 dice. Write a number from 1 to ") for kind in ("kh", "kl", "dh", "dl")),
    ("4d6dl4", "4 of 4 dice. Write a number from 1 to 3"),
    ("4d6dl2dh2", "2 of 2 dice. Write a number from 1 to 1"),
    ("1d6dl1", "1 of 1 dice. Leave it out"),
    ("4d6xkh0", "Write a number from 1."),
    *((f"4d6{one}2{other}1", "Write one of them") for one in ("kh", "kl") for other in ("dh", "dl")),
    *((f"4d6{other}1{one}2", "Write one of them") for one in ("kh", "kl") for other in ("dh", "dl")),
    *((f"4d6{one}=1{other}=2", "Write one ro or rr") for one in ("ro", "rr") for other in ("ro", "rr")),
    ("2*max(1, (1d20 + 1d6kh0)[x])", "kh0 keeps 0 of 1 dice"),
]
MEANT = [
    *("1d20adv", "1d20mi10dis", "4d6kh3", "4d6dl1", "3d6dl1dh1", "3d6kh2kl1", "2d6xkh3", "4d6kh4", "0d6", "d%kh"),
    *("4d6ro<=2", "4d6rr=1", "4d6x6", "4d6x>=2", "6d6cs>=1", "4d6mi1ma6", "1d6ro=6x", "7", "1d6[kh0]"),
]


@pytest.mark.parametrize(("text", "hint"), NOT_MEANT)
def test_what_cannot_be_meant_is_refused_with_what_to_write_and_where(text: str, hint: str) -> None:
    with pytest.raises(DiceError) as refused:
        check_asked(text)
    assert hint in refused.value.sentence
    assert refused.value.sentence.endswith(".")
    assert refused.value.at is not None


@pytest.mark.parametrize(("text", "hint"), NOT_MEANT)
def test_what_is_on_record_is_rolled_as_it_was(text: str, hint: str) -> None:
    assert evaluate(parse(text).text, lambda _: 3).expression == parse(text).text


@pytest.mark.parametrize("text", MEANT)
def test_what_can_be_meant_is_taken(text: str) -> None:
    check_asked(text)
    check_asked(parse(text).text)


@pytest.mark.parametrize("text", ["dragon", "", "1d1", "1d6 kh", "(1d6kh0"])
def test_what_is_no_roll_is_left_to_those_who_read_it(text: str) -> None:
    check_asked(text)


SUGGESTED = re.compile(r"\b(?:kh|kl|dh|dl|mi|ma|ro|rr|cs|x)(?:>=|<=|=)?[0-9]+")
WORDS = ("r", "ra", "k", "p", "d", "e", "min", "max", "ro", "rr", "cs", "x", "mi", "ma", "")


@pytest.mark.parametrize("word", WORDS)
def test_what_a_refusal_says_to_write_can_be_written(word: str) -> None:
    suggested = set()
    for sign in ("", "<", ">", "<=", ">=", "="):
        for number in ("", "0", "1", "2", "5", "6", "7", "00", "999999999"):
            try:
                check_asked(f"8d6{word}{sign}{number}")
                parse(f"8d6{word}{sign}{number}")
            except DiceError as refused:
                suggested |= {*SUGGESTED.findall(refused.sentence)} - {f"{word}{sign}{number}", f"{word}{number}"}
    for each in suggested:
        try:
            check_asked(f"8d6{each}")
            parse(f"8d6{each}")
        except DiceError as refused:
            assert "never ends" in refused.sentence, each
