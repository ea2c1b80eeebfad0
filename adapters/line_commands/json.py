"""JSON answers: one converter for all that commands print with --json.

A value class is written field by field. Where its JSON says more or less than that, the view that shows the class declares
it with ``json_shape``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache, partial
from operator import is_
from typing import TYPE_CHECKING, Any, TypeVar, get_origin

from rollbook.domain.base.seat_words import by_name

if TYPE_CHECKING:
    from fractions import Fraction

    from cattrs import Converter

    from rollbook.domain.dice.odds import Distribution
    from rollbook.domain.events import Event

T = TypeVar("T")

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
UNPRINTABLE = re.compile(r"[^\x20-\x7e]")

_SHAPES: dict[type, Callable[[Any], object]] = {}


def plain(value: object) -> Any:
    """A value as JSON has it: objects, lists, texts and numbers."""
    return _converter().unstructure(value)


def merged(value: object, **more: object) -> dict[str, object]:
    """The JSON object of a value, with more keys."""
    return {**plain(value), **{name: plain(held) for name, held in more.items()}}


def dumps(value: object) -> str:
    """A value as one line of JSON. A value without a JSON form is written as its text."""
    return json.dumps(plain(value), ensure_ascii=False, default=str)


def sentences_by_name(line: str, person: Callable[[str], str]) -> str:
    """A line of JSON that calls people by name in sentences: a text without a blank is a name that programs compare."""

    def named(found: re.Match[str]) -> str:
        return by_name(found[0], lambda seat: json.dumps(person(seat), ensure_ascii=False)[1:-1])

    return _TEXT.sub(lambda found: named(found) if " " in found[0] else found[0], line) if "seat-" in line else line


def json_hook(cls: type[T], write: Callable[[T], object]) -> None:
    """Have a class written by this function."""
    _SHAPES[cls] = write
    _converter.cache_clear()


def json_shape(cls: type[T], *fields: str, **computed: Callable[[T], object]) -> None:
    """Have a class written with these fields and those computed from it. A field with a ``*`` is merged into it."""

    def unstructure(value: T) -> dict[str, object]:
        data: dict[str, object] = {}
        for name in fields:
            held = plain(getattr(value, name.removeprefix("*")))
            data |= held if name.startswith("*") else {name: held}
        return data | {name: plain(compute(value)) for name, compute in computed.items()}

    json_hook(cls, unstructure)


def _event(event: Event) -> dict[str, object]:
    from rollbook.application.encoding.codec import CODEC

    _, fields = json.loads(CODEC.encode(event))
    return {"event": type(event).__name__, **fields}


def _chance(chance: Fraction) -> dict[str, object]:
    return {"chance": str(chance), "percent": float(chance * 100)}


def _distribution(totals: Distribution) -> dict[str, object]:
    return {
        "mean": str(totals.mean),
        "average": float(totals.mean),
        "totals": [{"total": total, **_chance(chance)} for total, chance in totals.items()],
    }


@cache
def _converter() -> Converter:
    """The converter. cattrs, and the types of odds, are imported here, because most commands print no JSON."""
    from fractions import Fraction

    from cattrs import Converter

    from rollbook.domain.dice.odds import Distribution
    from rollbook.domain.events import Event

    converter = Converter()
    converter.register_unstructure_hook_func(partial(is_, Fraction), _chance)
    converter.register_unstructure_hook_func(partial(is_, Distribution), _distribution)
    converter.register_unstructure_hook_func(lambda cls: isinstance(cls, type) and issubclass(cls, Event), _event)
    converter.register_unstructure_hook_func(lambda cls: frozenset in (cls, get_origin(cls)), sorted)
    for cls, write in _SHAPES.items():
        converter.register_unstructure_hook_func(partial(is_, cls), write)
    return converter


def json_line(value: object) -> str:
    """A plain value as a line of JSON."""
    return escaped(json.dumps(value, ensure_ascii=False))


def escaped(text: str) -> str:
    """JSON with characters that are unsafe on a terminal written as their numbers."""
    return text if text.isprintable() else UNPRINTABLE.sub(_as_number, text)


def _as_number(found: re.Match[str]) -> str:
    letter = found[0]
    return letter if letter.isprintable() else json.dumps(letter)[1:-1] if letter != "\x7f" else "\\u007f"
