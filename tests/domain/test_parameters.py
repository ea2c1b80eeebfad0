"""Parameters: what a person types becomes a value, and what is no value is refused with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.base.errors import Refused
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.spelling import typed

NAMES = st.from_regex(r"[a-z][a-z0-9_ ]*[a-z0-9]", fullmatch=True)


def of_type(want: ParameterType, **more: object) -> Parameter:
    return Parameter(name="this", want=want, help="a parameter", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("want", "text", "value"),
    [
        (ParameterType.AMOUNTS, "to_hit=4, damage = -1,magic=+2", {"to_hit": 4, "damage": -1, "magic": 2}),
        (ParameterType.AMOUNTS, "", {}),
        (ParameterType.PAIRS, "ida=party,una=the cult", {"ida": "party", "una": "the cult"}),
        (
            ParameterType.SETTINGS,
            "rounding=floor,sneak_dice=3,name=",
            {"rounding": "floor", "sneak_dice": "3", "name": ""},
        ),
        (ParameterType.NUMBERS, "3,-4, 5", (3, -4, 5)),
    ],
)
def test_what_is_typed_becomes_a_value(want: ParameterType, text: str, value: ParameterValue) -> None:
    assert of_type(want).read(text) == value


@given(st.dictionaries(NAMES, st.integers(-(10**12), 10**12)))
def test_amounts_are_typed_as_they_are_shown(amounts: dict[str, int]) -> None:
    assert of_type(ParameterType.AMOUNTS).read(typed(amounts)) == amounts


def test_a_name_alone_counts_what_its_parameter_says() -> None:
    assert of_type(ParameterType.AMOUNTS, alone=1).read("awareness,magic=3") == {"awareness": 1, "magic": 3}
    with pytest.raises(Refused, match="this is written name=number, not 'awareness'"):
        of_type(ParameterType.AMOUNTS).read("awareness,magic=3")


@pytest.mark.parametrize(
    ("want", "text"),
    [
        *((ParameterType.AMOUNTS, text) for text in ("a=", "=4", "a=four", "a=+-4", "a=५", "a=1e3", "a=" + "9" * 5000)),
        *((ParameterType.PAIRS, text) for text in ("ida", "ida=", "=party")),
        *((ParameterType.SETTINGS, text) for text in ("rounding", "=floor")),
        *((ParameterType.NUMBERS, text) for text in ("x", "1,two")),
    ],
)
def test_what_is_not_written_so_is_refused(want: ParameterType, text: str) -> None:
    with pytest.raises(Refused, match="^this is (written (name|key)=(number|word|value)|a whole number), not '"):
        of_type(want).read(text)


def test_a_name_that_is_typed_twice_is_refused() -> None:
    for want in (ParameterType.AMOUNTS, ParameterType.SETTINGS):
        with pytest.raises(Refused, match="this names a twice"):
            of_type(want).read("a=1,b=2,a=3")


@pytest.mark.parametrize(
    ("want", "value"),
    [
        *(
            (ParameterType.AMOUNTS, value)
            for value in (("a=1",), {"a": "1"}, {"a": True}, {"": 1}, {"a": 10**13}, "a=1")
        ),
        *((ParameterType.PAIRS, value) for value in ({"a": 1}, {"a": ""}, ("a=b",))),
        *((ParameterType.SETTINGS, value) for value in ({"a": ()}, ("a=b",))),
        *((ParameterType.NUMBERS, value) for value in (("1",), (True,), 1)),
        (ParameterType.ROWS, (1, 2)),
    ],
)
def test_another_value_is_refused(want: ParameterType, value: ParameterValue) -> None:
    with pytest.raises(Refused, match="^this is .*, not "):
        of_type(want).check(value)


def test_dice_in_the_place_of_a_number_are_told_where_they_go() -> None:
    damage = Parameter(
        name="damage", want=ParameterType.NUMBER, help="what is added; the dice are the weapon's", default=0
    )
    with pytest.raises(Refused, match="damage is a whole number, not '1d6': what is added; the dice are the weapon's"):
        damage.read("1d6")
    with pytest.raises(Refused, match=r"damage is a whole number, not 'much'\.$"):
        damage.read("much")
    numbers = Parameter(
        name="stats", want=ParameterType.AMOUNTS, help="further numbers; dice are the weapon's", default={}
    )
    with pytest.raises(Refused, match="not 'damage=2d4': further numbers; dice are the weapon's"):
        numbers.read("damage=2d4")
