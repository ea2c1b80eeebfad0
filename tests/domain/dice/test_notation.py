"""People's notation is read as they mean it, or refused with what to write instead; nothing is guessed."""

from __future__ import annotations

import pytest

from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.notation import fill, parse
from rollbook.domain.dice.tree import show


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("d20", "1d20"),
        ("1D20", "1d20"),
        ("d%", "1d100"),
        ("  2d6 +3 ", "2d6 + 3"),
        ("2d20kh", "2d20kh1"),
        ("1d20adv+2 STR+10 Investigation Expert", "2d20kh1 + 2[STR] + 10[Investigation Expert]"),
        ("1d20dis", "2d20kl1"),
        ("1d20mi2adv", "2d20mi2kh1"),
        ("4d6x", "4d6x=6"),
        ("4d6x5", "4d6x=5"),
        ("4d6X>=5KH3", "4d6x>=5kh3"),
        ("10d6ro<=2mi2ma5cs>=4", "10d6ro<=2mi2ma5cs>=4"),
        ("-3+1d6", "-3 + 1d6"),
        ("1d6 - -3", "1d6 + 3"),
        ("1d6 - (-3)", "1d6 + 3"),
        ("+-+1d6", "-1d6"),
        ("1d6-(1d4+1)", "1d6 - (1d4 + 1)"),
        ("2*(1d8+3)", "2*(1d8 + 3)"),
        ("(1d12-6)*3//2/^4", "(1d12 - 6)*3//2/^4"),
        ("1d6/^(2*3)", "1d6/^(2*3)"),
        ("MAX ( 1,1d6-2 )", "max(1, 1d6 - 2)"),
        ("min(3)", "min(3)"),
        ("(1d6+2) [ cold  fire ]", "(1d6 + 2)[cold fire]"),
        ("(-2)[STR]", "-2[STR]"),
        ("(2[STR])[DEX]", "(2[STR])[DEX]"),
        ("007", "7"),
        ("0d6", "0d6"),
        ("2 thieves' tools", "2[thieves' tools]"),
        ("2 dexterity", "2[dexterity]"),
        ("1d6[Żółw 🎲]", "1d6[Żółw 🎲]"),
        ("1 Z\u0307o\u0301łw", "1[Żółw]"),
    ],
)
def test_what_is_typed_has_one_canonical_form(typed: str, canonical: str) -> None:
    assert show(parse(typed)) == canonical
    assert parse(canonical) == parse(typed)


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("1d6r<2", "ro<=1"),
        ("1d6r2", "rr=2"),
        ("1d6ro>4", "ro>=5"),
        ("1d6rr<3", "rr<=2"),
        ("1d6ro3", "ro=3"),
        ("6d6>=4", "cs>=4"),
        ("6d6>4", "cs>=5"),
        ("6d6=6", "cs=6"),
        ("6d6cs>4", "cs>=5"),
        ("4d6x>5", "x>=6"),
        ("4d6d1", "dl1"),
        ("4d6k3", "kh3"),
        ("4d6p1", "dl1"),
        ("4d6e6", "x=6"),
        ("4d6!", "1d6x"),
        ("4d6!>5", "1d6x"),
        ("1d6min2", "mi2"),
        ("1d20 adv", "directly behind"),
        ("1d20advantage", "Write adv"),
        ("1d20disadvantage", "Write dis"),
        ("1d20+2 adv", "directly behind"),
        ("1d20+2 STR adv", "directly behind"),
        ("4d6 kh3", "directly behind"),
        ("1d20 fire", "in brackets"),
        ("1d", "Write 2d6"),
        ("1 d20", "without blanks"),
        ("1 0d6", "side by side"),
        ("4dF", "4d3-8"),
        ("1d20adv dis", "directly behind"),
        ("1d20advdis", "once, or neither"),
        ("2d20adv", "one die, not 2"),
        ("1d6cs>=3kh1", "counted last"),
        ("1d6/2", "/^"),
        ("1d20+STR", "+2 STR"),
        ("1d20+5>=15", "compare"),
        ("1d20 # firebolt", "brackets"),
        ("{1d6,1d8}", "max("),
        ("@level", "Fill in"),
        ("1.5", "whole numbers"),
        ("2**3", "2*2*2"),
        ("2^3", "2*2*2"),
        ("2(3)", "Write *"),
        ("(5)d6", "plain numbers"),
        ("1d6\N{MINUS SIGN}1", "Write -"),
        ("2\N{MULTIPLICATION SIGN}1d6", "Write *"),
        ("", "1d20+5"),
        (" ", "1d20+5"),
        ("1d6+", "more should follow"),
        ("(1d6", "close the parenthesis"),
        ("1d6)", "closes nothing"),
        ("()", "closes nothing"),
        ("1d6[fire", "Write ]"),
        ("2[]", "1 to 60"),
        ("2 STR[DEX]", "two labels"),
        ("1d6[a][b]", "none yet"),
        ("1,2", "max("),
    ],
)
def test_what_dialects_read_in_two_ways_is_refused_with_what_to_write(typed: str, hint: str) -> None:
    with pytest.raises(DiceError) as refused:
        parse(typed)
    assert hint in refused.value.sentence
    assert refused.value.sentence.endswith(".")
    assert isinstance(refused.value, Refused)


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("1000000d6", "at most 1000 dice"),
        ("600d6+401d6", "at most 1000 dice"),
        ("9" * 200, "up to 1000000000"),
        ("1" + "0" * 9 + "1", "up to 1000000000"),
        ("1d" + "9" * 200, "up to 1000000000"),
        ("1d6kh" + "9" * 200, "up to 1000000000"),
        ("1d1", "2 to 1000000 sides"),
        ("1d0", "2 to 1000000 sides"),
        ("1d1!", "2 to 1000000 sides"),
        ("1d1000001", "2 to 1000000 sides"),
        ("1d6mi7", "no face 7"),
        ("1d6ma0", "no face 0"),
        ("1d6rr<=6", "never ends"),
        ("1d6rr>=1", "never ends"),
        ("1d6x>=1", "never ends"),
        ("1d6x<=9", "never ends"),
        ("1+" * 150 + "1", "301 characters"),
        ("1" + " " * 2000, "mostly blanks"),
        ("(" * 25 + "1" + ")" * 25, "24 parentheses"),
        ("max(" * 25 + "1" + ")" * 25, "24 parentheses"),
        ("1[" + "a" * 61 + "]", "1 to 60"),
        ("1 " + "a" * 61, "1 to 60"),
        ("1[a\x07b]", "cannot be seen"),
        ("1[a\nb]", "cannot be seen"),
        ("1[a\u202eb]", "cannot be seen"),
        ("1[a\ud800b]", "cannot be seen"),
        ("1\x002", "U+0000"),
        ("1d6\n+1", "U+000A"),
        ("٣d6", "digits 0 to 9"),
        ("1d６", "digits 0 to 9"),
        ("1d²", "digits 0 to 9"),
        ("1//0", "can be 0"),
        ("6/^(1d2-1)", "can be 0"),
        ("*".join(["1000000000"] * 20), "too large"),
        ("(900000000*9000000+900000000*9000000)//10", "too large"),
        ("max(900000000*9000000+900000000*9000000,1)//10", "too large"),
    ],
)
def test_what_is_meant_to_do_harm_is_refused_before_a_die_is_drawn(typed: str, hint: str) -> None:
    with pytest.raises(DiceError) as refused:
        parse(typed)
    assert hint in refused.value.sentence


@pytest.mark.parametrize(
    "typed", ["1+" * 149 + "1", "(" * 24 + "1" + ")" * 24, "1000d1000000", "1d2", "1000000000", "1[" + "a" * 60 + "]"]
)
def test_the_limits_themselves_are_still_read(typed: str) -> None:
    assert parse(show(parse(typed))) == parse(typed)


def test_a_caret_stands_under_the_spot() -> None:
    with pytest.raises(DiceError) as refused:
        parse("2d6 + 1d6!")
    sentence, text, caret = str(refused.value).split("\n")
    assert sentence == refused.value.sentence
    assert text[caret.index("^")] == "!"
    assert refused.value.at == 9


def test_the_picture_of_a_long_text_shows_only_what_is_near() -> None:
    with pytest.raises(DiceError) as refused:
        parse("1+" * 60 + "? " + "+1" * 60)
    _, text, caret = str(refused.value).split("\n")
    assert len(text) < 90
    assert text[caret.index("^")] == "?"


def test_wide_characters_take_two_columns_before_the_caret() -> None:
    with pytest.raises(DiceError) as refused:
        parse("1[🎲]?")
    assert str(refused.value).split("\n")[2] == "       ^"


def test_a_template_is_filled_before_it_is_read() -> None:
    filled = fill("(@level)d6 + @level*@con[CON] + @dex DEX", level=5, con=-1, dex=2)
    assert filled == "5d6 + 5*-1[CON] + 2 DEX"
    assert show(parse(filled)) == "5d6 + 5*-1[CON] + 2[DEX]"


def test_labels_in_a_template_are_left_alone() -> None:
    assert fill("@a[mail me @home] + 1[@b", a=1) == "1[mail me @home] + 1[@b"


@pytest.mark.parametrize(
    ("template", "hint"),
    [
        ("1d20 + @str", "no number for @str"),
        ("(@minus)d6", "negative"),
        ("4d6kh@minus", "negative"),
        ("1d6 @minus", "negative"),
        ("1@one", "Write a sign"),
        ("@one@one", "Write a sign"),
        ("@half", "not a whole number"),
        ("@yes", "not a whole number"),
    ],
)
def test_a_number_that_would_change_the_sense_of_a_template_is_refused(template: str, hint: str) -> None:
    values = {"one": 1, "minus": -1, "half": 0.5, "yes": True}
    with pytest.raises(DiceError, match=hint):
        fill(template, **values)  # type: ignore[arg-type]


def test_a_value_may_be_called_template() -> None:
    assert fill("@template", template=3) == "3"
