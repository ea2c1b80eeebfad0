"""The parameters of a verb, typed well enough to build every form from.

What a person may give, how text becomes a value, and what is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

import attrs

from rollbook.domain.base.errors import Refused, not_found
from rollbook.domain.base.records import Record
from rollbook.domain.events import ParameterValue, Scalar
from rollbook.domain.rules.parameter_types import LARGEST, ParameterType, shape_of
from rollbook.domain.rules.spelling import CHARACTER, USE, as_kept, if_dice, in_own_spelling

if TYPE_CHECKING:
    from rollbook.domain.state.campaign_state import CampaignState, Character

Value = TypeVar("Value")

METADATA = "rollbook"


@attrs.frozen(kw_only=True)
class Parameter(Record):
    """One parameter of a verb. ``hidden`` ones are filled in by the engine, never asked of a person.

    Those that are ``by_program`` are given by the program that takes the action, as a picture's digest is, and are taken
    over with it.
    What is left of a line belongs to a text that is ``to_the_end``, though it may be left out.
    ``gm_only`` ones are rulings: a player's seat may not give them a value. False says that a player decides it, or that the
    rules check what was said; None leaves it to the verb, as for whom it is done to. ``alone`` is the amount of a name that is
    typed without one. ``usual`` names whom the actor may mean where the prompt is told nobody. ``fits`` names what may be said of
    one who acts: the weapons they hold, the spells they know. What else the rules take is not refused for it. ``is_name`` says
    that something is called so (see ``value_checks``). ``known`` looks the ruleset's own names up when one is typed. ``after``
    are words that may introduce it in a line, as in ``on the ogre``.
    ``means`` says of each of the ``choices`` of a setting what then holds, as a sentence.
    ``several`` is the parameter that is meant where a list is typed. ``of`` is the subject of words that rules compare (see
    ``rollbook.domain.rules.vocabulary``); of pairs it is that of the names and of the words, as in ``trait=kind``.
    """

    name: str
    want: ParameterType
    help: str
    default: ParameterValue | None = None
    choices: tuple[str, ...] = ()
    means: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    unit: str = ""
    actor: bool = False
    hidden: bool = False
    by_program: bool = False
    to_the_end: bool = False
    gm_only: bool | None = None
    alone: int | None = None
    fits: Callable[[Character], Iterable[str]] | None = None
    usual: Callable[[CampaignState, Character], Iterable[str]] | None = None
    known: Callable[[], Iterable[str]] | None = None
    is_name: bool = False
    after: tuple[str, ...] = ()
    several: str = ""
    of: str = ""

    @property
    def required(self) -> bool:
        """True if it must be given."""
        return self.default is None

    @property
    def names_people(self) -> bool:
        """True if it is a mapping whose names are characters (``of=CHARACTER``)."""
        return isinstance(self.want.nothing, Mapping) and self.of.partition("=")[0] == CHARACTER

    @property
    def option(self) -> str:
        """Its name as an option, without the dashes."""
        return self.name.replace("_", "-")

    def check(self, value: ParameterValue) -> None:
        """Raise Refused if the value is not one that this parameter can have."""
        if self.want is ParameterType.NUMBER:
            self._check_number(value)
            return
        shape = shape_of(self.want)
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
        raise self._refusal(f"is {shape_of(self.want).said}, not {part!r}{if_dice(value, self.help)}.")

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


def character(
    text: str,
    *,
    default: str | None = None,
    actor: bool = False,
    usual: Callable[[CampaignState, Character], Iterable[str]] | None = None,
    after: tuple[str, ...] = (),
    gm_only: bool | None = None,
) -> str:
    """A parameter that names a character. The ``actor`` is who acts: a player's seat must control it.

    ``usual`` names whom the actor may mean: the only one of these is meant at the prompt where nobody is named. Words ``after``
    which the name may stand ("on") need no dashes.
    """
    return _field(ParameterType.CHARACTER, text, default, actor=actor, usual=usual, after=after, gm_only=gm_only)


def characters(
    text: str, *, default: tuple[str, ...] | None = None, after: tuple[str, ...] = (), gm_only: bool | None = None
) -> tuple[str, ...]:
    """A parameter that names several characters, ``after`` certain words if a line says so."""
    return _field(ParameterType.CHARACTERS, text, default, after=after, gm_only=gm_only)


def seat(text: str, *, default: str | None = None, gm_only: bool | None = None) -> str:
    """A parameter that names a seat."""
    return _field(ParameterType.SEAT, text, default, gm_only=gm_only)


def gear(
    text: str,
    *,
    default: str | None = None,
    choices: tuple[str, ...] = (),
    fits: Callable[[Character], Iterable[str]] | None = None,
    after: tuple[str, ...] = (),
    gm_only: bool | None = None,
) -> str:
    """A parameter that names a thing the actor holds, or one of the ruleset's own names for such things.

    ``fits`` says which of the actor's things it may be; without it, any.
    """
    return _field(ParameterType.GEAR, text, default, choices=choices, fits=fits, after=after, gm_only=gm_only)


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
    after: tuple[str, ...] = (),
    gm_only: bool | None = None,
) -> int:
    """A parameter that is a whole number, in ``unit``; a list that is typed is one of another parameter, ``several``."""
    limits = {"minimum": minimum, "maximum": maximum, "unit": unit}
    return _field(ParameterType.NUMBER, text, default, **limits, several=several, after=after, gm_only=gm_only)


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
    known: Callable[[], Iterable[str]] | None = None,
    of: str = "",
    to_the_end: bool = False,
    gm_only: bool | None = None,
) -> str:
    """A parameter that is free text; ``fits`` names what it usually is for one who acts, as the spells they know.

    ``known`` names all that the rules know of, such as every spell: none of it is offered, but a part of one is understood.
    """
    return _field(
        ParameterType.TEXT, text, default, fits=fits, known=known, of=of, to_the_end=to_the_end, gm_only=gm_only
    )


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


def engine_parameter(
    want: ParameterType, text: str, *, default: ParameterValue | None = None, by_program: bool = False
) -> Any:
    """A parameter that the engine fills in: a commitment, a count; or one that is given ``by_program``, a picture's digest."""
    return _field(want, text, default, hidden=True, by_program=by_program)
