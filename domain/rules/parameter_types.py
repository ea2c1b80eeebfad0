"""The sorts of values that the parameters of verbs take."""

import enum
from collections.abc import Callable, Mapping
from typing import NamedTuple

from rollbook.domain.base.records import ReadOnly
from rollbook.domain.events import ParameterValue, Scalar

LARGEST = 10**12
"""No number at a table is larger."""


class ParameterType(enum.StrEnum):
    """The sort of value that a parameter takes; forms and completions are made from it."""

    CHARACTER = "character"
    CHARACTERS = "characters"
    SEAT = "seat"
    GEAR = "gear"
    CHOICE = "choice"
    CHOICES = "choices"
    NUMBER = "number"
    NUMBERS = "numbers"
    FLAG = "flag"
    DICE = "dice"
    TEXT = "text"
    TEXTS = "texts"
    USE = "use"
    AMOUNTS = "amounts"
    PAIRS = "pairs"
    SETTINGS = "settings"
    ROWS = "rows"

    @property
    def is_list(self) -> bool:
        """True if several may be given, with commas between."""
        return isinstance(self.nothing, (tuple, Mapping))

    @property
    def value_type(self) -> object:
        """The annotation of a field of this type."""
        return shape_of(self).annotation

    @property
    def nothing(self) -> ParameterValue:
        """The value of this type that says nothing."""
        return shape_of(self).nothing


class Shape(NamedTuple):
    """The values of a type: in code, in words, and how they are known."""

    annotation: object
    nothing: ParameterValue
    said: str
    fits: Callable[[object], bool]


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST


def _is_a(*kinds: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kinds)


def _several(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, tuple) and all(map(fits, value))


def _named(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    is_name = _is_a(str)
    return lambda value: isinstance(value, Mapping) and all(is_name(key) and key and fits(value[key]) for key in value)


_TEXT = Shape(str, "", "a word", _is_a(str))
_NAMES = Shape(tuple[str, ...], (), "a list of names", _several(_is_a(str)))
_SHAPES = {
    ParameterType.NUMBER: Shape(int, 0, "a whole number", _is_number),
    ParameterType.FLAG: Shape(bool, nothing=False, said="yes or no", fits=_is_a(bool)),
    ParameterType.CHARACTERS: _NAMES,
    ParameterType.CHOICES: _NAMES,
    ParameterType.TEXTS: _NAMES,
    ParameterType.USE: _NAMES,
    ParameterType.NUMBERS: Shape(tuple[int, ...], (), "a list of whole numbers", _several(_is_number)),
    ParameterType.AMOUNTS: Shape(Mapping[str, int], ReadOnly(), "written name=number", _named(_is_number)),
    ParameterType.PAIRS: Shape(
        Mapping[str, str], ReadOnly(), "written name=word", _named(lambda of: isinstance(of, str) and of != "")
    ),
    ParameterType.SETTINGS: Shape(Mapping[str, Scalar], ReadOnly(), "written key=value", _named(_is_a(bool, int, str))),
    ParameterType.ROWS: Shape(tuple[tuple[int, ...], ...], (), "rows of numbers", _several(_is_a(tuple))),
}


def shape_of(want: ParameterType) -> Shape:
    """The values of a type of parameter."""
    return _SHAPES.get(want, _TEXT)
