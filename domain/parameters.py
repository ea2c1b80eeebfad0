"""The parameters of a verb, typed well enough to build every form from.

What a person may give, how text becomes a value, and what is refused.
"""

import enum
from typing import Any, cast

import attrs

from domain.errors import Refused, not_found
from domain.events import Scalar

METADATA = "rollbook"

LARGEST = 10**12
"""No number at a table is larger."""


class ParameterType(enum.StrEnum):
    """What a parameter is."""

    CHARACTER = "character"
    CHARACTERS = "characters"
    SEAT = "seat"
    GEAR = "gear"
    CHOICE = "choice"
    CHOICES = "choices"
    NUMBER = "number"
    FLAG = "flag"
    DICE = "dice"
    TEXT = "text"
    TEXTS = "texts"

    @property
    def is_list(self) -> bool:
        """Whether several may be named."""
        return self in (ParameterType.CHARACTERS, ParameterType.CHOICES, ParameterType.TEXTS)

    @property
    def value_type(self) -> object:
        """The annotation of a field of this type."""
        if self.is_list:
            return tuple[str, ...]
        return {ParameterType.NUMBER: int, ParameterType.FLAG: bool}.get(self, str)


@attrs.frozen(kw_only=True)
class Parameter:
    """One parameter of a verb. ``hidden`` ones are filled in by the engine, never asked of a person."""

    name: str
    want: ParameterType
    help: str
    default: Scalar | None = None
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    unit: str = ""
    actor: bool = False
    hidden: bool = False

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is None

    def check(self, value: Scalar) -> None:
        """Raise Refused if the value is not one that this parameter can have."""
        if self.want is ParameterType.NUMBER:
            self._check_number(value)
        elif self.want is ParameterType.FLAG:
            if not isinstance(value, bool):
                raise Refused(f"{self.name} is yes or no, not {value!r}.")
        elif self.want.is_list:
            if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
                raise Refused(f"{self.name} is a list of names, not {value!r}.")
            for item in value if self.choices else ():
                self._check_choice(item)
        elif not isinstance(value, str):
            raise Refused(f"{self.name} is a word, not {value!r}.")
        elif self.want is ParameterType.CHOICE and (value or self.required):
            self._check_choice(value)

    def _check_number(self, value: Scalar) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise Refused(f"{self.name} is a whole number, not {value!r}.")
        if abs(value) > LARGEST:
            raise Refused(f"{self.name} is {value}, which is more than anybody can count to.")
        if (self.minimum is not None and value < self.minimum) or (self.maximum is not None and value > self.maximum):
            low = "" if self.minimum is None else f" at least {self.minimum}"
            high = "" if self.maximum is None else f" at most {self.maximum}"
            both = " and" if low and high else ""
            raise Refused(
                f"{self.name} is {value}, but it must be{low}{both}{high}{' ' + self.unit if self.unit else ''}."
            )

    def _check_choice(self, value: str) -> None:
        if value not in self.choices:
            raise Refused(str(not_found(self.name, value, self.choices)))

    def read(self, text: str) -> Scalar:
        """What a person typed, as the value of this parameter. Raises Refused with the reason if it is not one."""
        value: Scalar
        if self.want is ParameterType.NUMBER:
            try:
                value = int(text)
            except ValueError:
                raise Refused(f"{self.name} is a whole number, not {text!r}.") from None
        elif self.want is ParameterType.FLAG:
            value = _yes_or_no(self.name, text)
        elif self.want.is_list:
            value = tuple(part.strip() for part in text.split(",") if part.strip())
        elif self.choices:
            value = next((choice for choice in self.choices if choice.casefold() == text.casefold()), text)
        else:
            value = text
        self.check(value)
        return value


_YES = ("yes", "y", "true", "1", "on")
_NO = ("no", "n", "false", "0", "off")


def _yes_or_no(name: str, text: str) -> bool:
    if text.casefold() in _YES:
        return True
    if text.casefold() in _NO:
        return False
    raise Refused(f"{name} is yes or no, not {text!r}.")


def _field(want: ParameterType, text: str, default: Scalar | None, **more: object) -> object:
    metadata = {METADATA: {"want": want, "help": text, **more}}
    if default is None:
        return attrs.field(metadata=metadata)
    return attrs.field(default=default, metadata=metadata)


def character(text: str, *, default: str | None = None, actor: bool = False) -> str:
    """A parameter that names a character. The ``actor`` is who acts: a player's seat must control it."""
    return cast("str", _field(ParameterType.CHARACTER, text, default, actor=actor))


def characters(text: str, *, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """A parameter that names several characters."""
    return cast("tuple[str, ...]", _field(ParameterType.CHARACTERS, text, default))


def seat(text: str, *, default: str | None = None) -> str:
    """A parameter that names a seat."""
    return cast("str", _field(ParameterType.SEAT, text, default))


def gear(text: str, *, default: str | None = None, choices: tuple[str, ...] = ()) -> str:
    """A parameter that names a thing the actor holds, or one of the ruleset's own names for such things."""
    return cast("str", _field(ParameterType.GEAR, text, default, choices=choices))


def choice(text: str, choices: tuple[str, ...], *, default: str | None = None) -> str:
    """A parameter that is one of a few words."""
    return cast("str", _field(ParameterType.CHOICE, text, default, choices=choices))


def choices(text: str, among: tuple[str, ...], *, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """A parameter that is several of a few words."""
    return cast("tuple[str, ...]", _field(ParameterType.CHOICES, text, default, choices=among))


def number(
    text: str, *, default: int | None = None, minimum: int | None = None, maximum: int | None = None, unit: str = ""
) -> int:
    """A parameter that is a whole number, in ``unit``."""
    return cast("int", _field(ParameterType.NUMBER, text, default, minimum=minimum, maximum=maximum, unit=unit))


def flag(text: str, *, default: bool = False) -> bool:
    """A parameter that is yes or no."""
    return cast("bool", _field(ParameterType.FLAG, text, default))


def dice(text: str, *, default: str | None = None) -> str:
    """A parameter that is a dice expression."""
    return cast("str", _field(ParameterType.DICE, text, default))


def words(text: str, *, default: str | None = None) -> str:
    """A parameter that is free text."""
    return cast("str", _field(ParameterType.TEXT, text, default))


def names(text: str, *, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """A parameter that is several free texts."""
    return cast("tuple[str, ...]", _field(ParameterType.TEXTS, text, default))


def engine_parameter(want: ParameterType, text: str, *, default: Scalar | None = None) -> Any:
    """A parameter that the engine fills in: a commitment, a count."""
    return _field(want, text, default, hidden=True)
