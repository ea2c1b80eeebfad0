"""The parameters of a verb, typed well enough to build every form from.

What a person may give, how text becomes a value, and what is refused.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import attrs

from rollbook.domain.base.errors import Refused, not_found
from rollbook.domain.base.records import ReadOnly, Record
from rollbook.domain.events import ParameterValue, Scalar
from rollbook.domain.rules.spelling import USE, as_kept, if_dice, in_own_spelling

if TYPE_CHECKING:
    from rollbook.domain.state.campaign_state import Character

Value = TypeVar("Value")

METADATA = "rollbook"

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
        return _SHAPES.get(self, _TEXT).annotation

    @property
    def nothing(self) -> ParameterValue:
        """The value of this type that says nothing."""
        return _SHAPES.get(self, _TEXT).nothing


class _Shape(NamedTuple):
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


_TEXT = _Shape(str, "", "a word", _is_a(str))
_NAMES = _Shape(tuple[str, ...], (), "a list of names", _several(_is_a(str)))
_SHAPES = {
    ParameterType.NUMBER: _Shape(int, 0, "a whole number", _is_number),
    ParameterType.FLAG: _Shape(bool, nothing=False, said="yes or no", fits=_is_a(bool)),
    ParameterType.CHARACTERS: _NAMES,
    ParameterType.CHOICES: _NAMES,
    ParameterType.TEXTS: _NAMES,
    ParameterType.USE: _NAMES,
    ParameterType.NUMBERS: _Shape(tuple[int, ...], (), "a list of whole numbers", _several(_is_number)),
    ParameterType.AMOUNTS: _Shape(Mapping[str, int], ReadOnly(), "written name=number", _named(_is_number)),
    ParameterType.PAIRS: _Shape(
        Mapping[str, str], ReadOnly(), "written name=word", _named(lambda of: isinstance(of, str) and of != "")
    ),
    ParameterType.SETTINGS: _Shape(
        Mapping[str, Scalar], ReadOnly(), "written key=value", _named(_is_a(bool, int, str))
    ),
    ParameterType.ROWS: _Shape(tuple[tuple[int, ...], ...], (), "rows of numbers", _several(_is_a(tuple))),
}


@attrs.frozen(kw_only=True)
class Parameter(Record):
    """One parameter of a verb. ``hidden`` ones are filled in by the engine, never asked of a person.

    ``gm_only`` ones are rulings: a player's seat may not give them a value. False says that a player decides it, or that the
    rules check what was said; None leaves it to the verb, as for whom it is done to. ``alone`` is the amount of a name that is
    typed without one. ``fits`` names what may be said of one who acts: the weapons they hold, the spells they know. What else
    the rules take is not refused for it. ``is_name`` says that something is called so (see ``value_checks``).
    ``several`` is the parameter that is meant where a list is typed. ``of`` is the subject of words that rules compare (see
    ``rollbook.domain.rules.vocabulary``); of pairs it is that of the names and of the words, as in ``trait=kind``.
    """

    name: str
    want: ParameterType
    help: str
    default: ParameterValue | None = None
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    unit: str = ""
    actor: bool = False
    hidden: bool = False
    gm_only: bool | None = None
    alone: int | None = None
    fits: Callable[[Character], Iterable[str]] | None = None
    is_name: bool = False
    several: str = ""
    of: str = ""

    @property
    def required(self) -> bool:
        """True if it must be given."""
        return self.default is None

    @property
    def option(self) -> str:
        """Its name as an option, without the dashes."""
        return self.name.replace("_", "-")

    def check(self, value: ParameterValue) -> None:
        """Raise Refused if the value is not one that this parameter can have."""
        if self.want is ParameterType.NUMBER:
            self._check_number(value)
            return
        shape = _SHAPES.get(self.want, _TEXT)
        if not shape.fits(value):
            raise self._refusal(f"is {shape.said}, not {_shown(value)}.")
        if self.want is ParameterType.CHOICE and (value or self.required):
            self._check_choice(value)
        for item in value if self.choices and isinstance(value, tuple) else ():
            self._check_choice(item)

    def _check_number(self, value: ParameterValue) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._refusal(f"is a whole number, not {value!r}.")
        if abs(value) > LARGEST:
            raise self._refusal(f"is {_shown(value)}, which is more than anybody can count to.")
        if (self.minimum is not None and value < self.minimum) or (self.maximum is not None and value > self.maximum):
            low = "" if self.minimum is None else f" at least {self.minimum}"
            high = "" if self.maximum is None else f" at most {self.maximum}"
            both = " and" if low and high else ""
            unit = f" {self.unit}" if self.unit else ""
            raise self._refusal(f"is {value}, but it must be{low}{both}{high}{unit}.")

    def _check_choice(self, value: object) -> None:
        if in_own_spelling(value, self.choices) not in self.choices:
            raise Refused(str(not_found(self.name, str(value), self.choices)), parameter=self.name)

    def read(self, text: str) -> ParameterValue:
        """The value of this parameter in a person's text. Raises Refused with the reason if it is not one."""
        value: ParameterValue
        if self.want in _COUNTED:
            text = text.replace(MINUS, "-")
        pieces = re.split("[:,]" if self.want is ParameterType.USE else ",", text) if self.want.is_list else ()
        parts = [piece.strip() for piece in pieces if piece.strip()]
        if self.want is ParameterType.NUMBER:
            value = self._number(text)
        elif self.want is ParameterType.NUMBERS:
            value = tuple(map(self._number, parts))
        elif self.want is ParameterType.FLAG:
            value = _FLAGS.get(text.casefold(), text)
        elif isinstance(self.want.nothing, Mapping):
            value = self._by_name(parts)
        elif self.want.is_list:
            value = tuple(parts)
        else:
            value = text
        value = in_own_spelling(value, self.choices)
        self.check(value)
        return value

    def _number(self, text: str) -> int:
        try:
            return int(text)
        except ValueError:
            raise self._refusal(f"is a whole number, not {text!r}{if_dice(text, self.help)}.") from None

    def _by_name(self, parts: list[str]) -> Mapping[str, Scalar]:
        found: dict[str, Scalar] = {}
        for part in parts:
            name, value = self._pair(part)
            if name in found:
                raise self._refusal(f"names {name} twice.")
            found[name] = value
        return found

    def _pair(self, part: str) -> tuple[str, Scalar]:
        """One ``name=value``."""
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if self.want is ParameterType.SETTINGS and name and sign:
            return name, value
        if self.want is ParameterType.PAIRS and name and value:
            return name, value
        if self.alone is not None and name and not sign:
            return name, self.alone
        if name and sign and _AMOUNT.fullmatch(value):
            return name, int(value)
        raise self._refusal(f"is {_SHAPES[self.want].said}, not {part!r}{if_dice(value, self.help)}.")

    def _refusal(self, what: str) -> Refused:
        return Refused(f"{self.name} {what}", parameter=self.name)


MINUS = "\u2212"
"""The minus sign of print, which people copy; a number may be typed with it."""

_CONVERTED = frozenset(want for want in ParameterType if isinstance(want.nothing, Mapping) or "choice" in want)
"""Types whose values are not kept as they are given."""

_COUNTED = (ParameterType.NUMBER, ParameterType.NUMBERS, ParameterType.AMOUNTS, ParameterType.DICE)

_AMOUNT = re.compile(r"[+-]?[0-9]{1,13}")


def _shown(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        return "a number without end"


_FLAGS = dict.fromkeys(("yes", "y", "true", "1", "on"), True) | dict.fromkeys(("no", "n", "false", "0", "off"), False)


def _field(want: ParameterType, text: str, default: Value | None, **more: Any) -> Value:
    """An attrs field, which type checkers take for its value, as they do attrs' own."""
    found: Any = attrs.field(
        default=attrs.NOTHING if default is None else default,
        metadata={METADATA: {"want": want, "help": text, **more}},
        converter=partial(as_kept, choices=more.get("choices", ())) if want in _CONVERTED else None,
    )
    return cast("Value", found)


def character(text: str, *, default: str | None = None, actor: bool = False, gm_only: bool | None = None) -> str:
    """A parameter that names a character. The ``actor`` is who acts: a player's seat must control it."""
    return _field(ParameterType.CHARACTER, text, default, actor=actor, gm_only=gm_only)


def characters(text: str, *, default: tuple[str, ...] | None = None, gm_only: bool | None = None) -> tuple[str, ...]:
    """A parameter that names several characters."""
    return _field(ParameterType.CHARACTERS, text, default, gm_only=gm_only)


def seat(text: str, *, default: str | None = None, gm_only: bool | None = None) -> str:
    """A parameter that names a seat."""
    return _field(ParameterType.SEAT, text, default, gm_only=gm_only)


def gear(
    text: str,
    *,
    default: str | None = None,
    choices: tuple[str, ...] = (),
    fits: Callable[[Character], Iterable[str]] | None = None,
    gm_only: bool | None = None,
) -> str:
    """A parameter that names a thing the actor holds, or one of the ruleset's own names for such things.

    ``fits`` says which of the actor's things it may be; without it, any.
    """
    return _field(ParameterType.GEAR, text, default, choices=choices, fits=fits, gm_only=gm_only)


def choice(text: str, choices: tuple[str, ...], *, default: str | None = None, gm_only: bool | None = None) -> str:
    """A parameter that is one of a few words."""
    return _field(ParameterType.CHOICE, text, default, choices=choices, gm_only=gm_only)


def choices(
    text: str, among: tuple[str, ...], *, default: tuple[str, ...] | None = None, gm_only: bool | None = None
) -> tuple[str, ...]:
    """A parameter that is several of a few words."""
    return _field(ParameterType.CHOICES, text, default, choices=among, gm_only=gm_only)


def number(
    text: str,
    *,
    default: int | None = None,
    minimum: int | None = None,
    maximum: int | None = None,
    unit: str = "",
    several: str = "",
    gm_only: bool | None = None,
) -> int:
    """A parameter that is a whole number, in ``unit``; a list that is typed is one of another parameter, ``several``."""
    limits = {"minimum": minimum, "maximum": maximum, "unit": unit}
    return _field(ParameterType.NUMBER, text, default, **limits, several=several, gm_only=gm_only)


def numbers(text: str, *, default: tuple[int, ...] | None = None, gm_only: bool | None = None) -> tuple[int, ...]:
    """A parameter that is several whole numbers."""
    return _field(ParameterType.NUMBERS, text, default, gm_only=gm_only)


def flag(text: str, *, default: bool = False, gm_only: bool | None = None) -> bool:
    """A parameter that is yes or no."""
    return _field(ParameterType.FLAG, text, default, gm_only=gm_only)


def dice(text: str, *, default: str | None = None, gm_only: bool | None = None) -> str:
    """A parameter that is a dice expression."""
    return _field(ParameterType.DICE, text, default, gm_only=gm_only)


def words(
    text: str,
    *,
    default: str | None = None,
    fits: Callable[[Character], Iterable[str]] | None = None,
    of: str = "",
    gm_only: bool | None = None,
) -> str:
    """A parameter that is free text; ``fits`` names what it usually is for one who acts, as the spells they know."""
    return _field(ParameterType.TEXT, text, default, fits=fits, of=of, gm_only=gm_only)


def label(text: str, *, default: str | None = None, of: str = "", gm_only: bool | None = None) -> str:
    """A parameter that is what somebody or something is called: a short text on one line."""
    return _field(ParameterType.TEXT, text, default, is_name=True, of=of, gm_only=gm_only)


def names(
    text: str, *, default: tuple[str, ...] | None = None, of: str = "", gm_only: bool | None = None
) -> tuple[str, ...]:
    """A parameter that is several free texts."""
    return _field(ParameterType.TEXTS, text, default, of=of, gm_only=gm_only)


def use(text: str, *, default: tuple[str, ...] | None = None, gm_only: bool | None = None) -> tuple[str, ...]:
    """A parameter that says what a thing is taken for, in a few words that are typed with colons between."""
    return _field(ParameterType.USE, text, default, of=USE, gm_only=gm_only)


def amounts(
    text: str,
    *,
    default: Mapping[str, int] | None = None,
    alone: int | None = None,
    of: str = "",
    gm_only: bool | None = None,
) -> Mapping[str, int]:
    """A parameter that is whole numbers by name, typed name=number; ``alone`` is that of a name by itself."""
    return _field(ParameterType.AMOUNTS, text, default, alone=alone, of=of, gm_only=gm_only)


def pairs(
    text: str, *, default: Mapping[str, str] | None = None, of: str = "", gm_only: bool | None = None
) -> Mapping[str, str]:
    """A parameter that is words by name, typed name=word."""
    return _field(ParameterType.PAIRS, text, default, of=of, gm_only=gm_only)


def settings(
    text: str, *, default: Mapping[str, Scalar] | None = None, of: str = "", gm_only: bool | None = None
) -> Mapping[str, Scalar]:
    """A parameter that is settings by name, as house rules are, typed key=value."""
    return _field(ParameterType.SETTINGS, text, default, of=of, gm_only=gm_only)


def engine_parameter(want: ParameterType, text: str, *, default: ParameterValue | None = None) -> Any:
    """A parameter that the engine fills in: a commitment, a count."""
    return _field(want, text, default, hidden=True)
