"""What a verb is: a frozen class of parameters with a ``resolve``, typed well enough to build every form from.

Front ends know no ruleset. They ask ``parameters`` what a verb wants and ``read`` to turn what a person typed into it;
``build`` makes the action out of stored or typed parameters and is the one gate: an action that exists is well-formed.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import attrs

from domain.errors import Refused, not_found
from domain.events import Intent, Scalar

if TYPE_CHECKING:
    from domain.table import Table

_METADATA = "rollbook"

LARGEST = 10**12
"""No number at a table is larger."""


class Want(enum.StrEnum):
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
        return self in (Want.CHARACTERS, Want.CHOICES, Want.TEXTS)


@attrs.frozen(kw_only=True)
class Parameter:
    """One parameter of a verb. ``hidden`` ones are filled in by the engine, never asked of a person."""

    name: str
    want: Want
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
        if self.want is Want.NUMBER:
            self._check_number(value)
        elif self.want is Want.FLAG:
            if not isinstance(value, bool):
                raise Refused(f"{self.name} is yes or no, not {value!r}.")
        elif self.want.is_list:
            if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
                raise Refused(f"{self.name} is a list of names, not {value!r}.")
            for item in value if self.choices else ():
                self._check_choice(item)
        elif not isinstance(value, str):
            raise Refused(f"{self.name} is a word, not {value!r}.")
        elif self.want is Want.CHOICE and (value or self.required):
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
        """What a person typed, as the value of this parameter. Raises Refused with the reason it is none."""
        value: Scalar
        if self.want is Want.NUMBER:
            try:
                value = int(text)
            except ValueError:
                raise Refused(f"{self.name} is a whole number, not {text!r}.") from None
        elif self.want is Want.FLAG:
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


@attrs.frozen(kw_only=True)
class Action:
    """What somebody does, as the table would say it.

    ``verb`` is the word for it. ``gm_only`` verbs are the GM's. A ``final`` action cannot be taken back or amended:
    it bound somebody outside the history (a dice commitment that was shown, an X-card that was raised).
    ``questions`` are for a verb called join: what a person is asked, in the order of the game's own procedure, by the ``kind``
    of newcomer; where a kind is missing, everything is asked.
    """

    verb: ClassVar[str] = ""
    gm_only: ClassVar[bool] = False
    final: ClassVar[bool] = False
    anonymous: ClassVar[bool] = False
    questions: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    @property
    def visibility(self) -> str:
        """Who may see it: "" the whole table, "gm", or one seat's name."""
        return ""

    def resolve(self, table: Table) -> None:
        """Play the action out at the table: roll, decide, record. Raises Refused if the rules say no."""
        raise Refused(f"{type(self).__name__} says nothing about how it is resolved.")


def _field(want: Want, text: str, default: Any, **more: Any) -> Any:
    metadata = {_METADATA: {"want": want, "help": text, **more}}
    if default is None:
        return attrs.field(metadata=metadata)
    return attrs.field(default=default, metadata=metadata)


def character(text: str, *, default: str | None = None, actor: bool = False) -> Any:
    """A parameter that names a character. The ``actor`` is who acts: a player's seat must control it."""
    return _field(Want.CHARACTER, text, default, actor=actor)


def characters(text: str, *, default: tuple[str, ...] | None = None) -> Any:
    """A parameter that names several characters."""
    return _field(Want.CHARACTERS, text, default)


def seat(text: str, *, default: str | None = None) -> Any:
    """A parameter that names a seat."""
    return _field(Want.SEAT, text, default)


def gear(text: str, *, default: str | None = None, choices: tuple[str, ...] = ()) -> Any:
    """A parameter that names a thing the actor holds, or one of the ruleset's own names for such things."""
    return _field(Want.GEAR, text, default, choices=choices)


def choice(text: str, choices: tuple[str, ...], *, default: str | None = None) -> Any:
    """A parameter that is one of a few words."""
    return _field(Want.CHOICE, text, default, choices=choices)


def choices(text: str, among: tuple[str, ...], *, default: tuple[str, ...] | None = None) -> Any:
    """A parameter that is several of a few words."""
    return _field(Want.CHOICES, text, default, choices=among)


def number(
    text: str, *, default: int | None = None, minimum: int | None = None, maximum: int | None = None, unit: str = ""
) -> Any:
    """A parameter that is a whole number, in ``unit``."""
    return _field(Want.NUMBER, text, default, minimum=minimum, maximum=maximum, unit=unit)


def flag(text: str, *, default: bool = False) -> Any:
    """A parameter that is yes or no."""
    return _field(Want.FLAG, text, default)


def dice(text: str, *, default: str | None = None) -> Any:
    """A parameter that is a dice expression."""
    return _field(Want.DICE, text, default)


def words(text: str, *, default: str | None = None) -> Any:
    """A parameter that is free text."""
    return _field(Want.TEXT, text, default)


def names(text: str, *, default: tuple[str, ...] | None = None) -> Any:
    """A parameter that is several free texts."""
    return _field(Want.TEXTS, text, default)


def supplied(want: Want, text: str, *, default: Any = None) -> Any:
    """A parameter that the engine fills in: a commitment, a count."""
    return _field(want, text, default, hidden=True)


_PARAMETERS: dict[type[Action], tuple[Parameter, ...]] = {}


def parameters(action: type[Action]) -> tuple[Parameter, ...]:
    """The parameters of a verb, in the order in which a person names them."""
    if action not in _PARAMETERS:
        _PARAMETERS[action] = tuple(_described(action))
    return _PARAMETERS[action]


def _described(action: type[Action]) -> Iterator[Parameter]:
    for field in attrs.fields(action):
        described = field.metadata.get(_METADATA)
        if described is not None:
            default = None if field.default is attrs.NOTHING else field.default
            yield Parameter(name=field.name, default=default, **described)


def build(action: type[Action], params: Mapping[str, Scalar]) -> Action:
    """The action with these parameters. Raises Refused for a parameter it does not have, lacks or cannot take."""
    known = {parameter.name: parameter for parameter in parameters(action)}
    for name, value in params.items():
        if name not in known:
            raise Refused(str(not_found(f"parameter of {action.verb}", name, known)))
        known[name].check(value)
    missing = [parameter.name for parameter in known.values() if parameter.required and parameter.name not in params]
    if missing:
        raise Refused(f"{action.verb} also needs: {', '.join(missing)}. It is written {usage(action)}")
    return action(**params)


def intent_of(action: Action) -> Intent:
    """The action as it is stored: its verb and every parameter, so that no later default changes what was meant."""
    params = {parameter.name: getattr(action, parameter.name) for parameter in parameters(type(action))}
    return Intent(verb=action.verb, params=params)


def usage(action: type[Action]) -> str:
    """How the verb is typed: ``attack ATTACKER TARGET WEAPON [--distance NUMBER]``."""
    parts = [action.verb]
    for parameter in parameters(action):
        if parameter.hidden:
            continue
        if parameter.required:
            parts.append(parameter.name.upper())
        elif parameter.want is Want.FLAG:
            parts.append(f"[--{parameter.name.replace('_', '-')}]")
        else:
            parts.append(f"[--{parameter.name.replace('_', '-')} {parameter.want.upper()}]")
    return " ".join(parts)


def characters_named(action: Action) -> tuple[str, ...]:
    """Everybody whom the action's parameters name, sorted: the targets in a request for dice."""
    found: set[str] = set()
    for parameter in parameters(type(action)):
        value = getattr(action, parameter.name)
        if parameter.want is Want.CHARACTER and value:
            found.add(value)
        elif parameter.want is Want.CHARACTERS:
            found.update(value)
    return tuple(sorted(found))
