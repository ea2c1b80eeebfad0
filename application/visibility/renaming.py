"""What becomes of each field of an event where people are called otherwise: as its type says.

A field whose type says nothing of it is in somebody's own words, in which names are replaced. So one that is added later is safe
before anybody has thought of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import attrs

from rollbook.domain.base.identifiers import Naming
from rollbook.domain.dice.record import Flat
from rollbook.domain.events import Event, Option


class Others(Protocol):
    """Other names for people."""

    def person(self, seat: str) -> str:
        """A seat's."""

    def text(self, sentence: str) -> str:
        """A text with them."""

    def whom(self, said: str) -> str:
        """The id of a character as it is, or a text with them."""


Change: TypeAlias = Callable[[Others, Any], Any]

_BY_NAMING: dict[Naming, Change | None] = {
    Naming.SEAT: lambda others, held: others.person(held),
    Naming.EITHER: lambda others, held: others.whom(held),
    Naming.CHARACTER: None,
    Naming.WORD: None,
}


Recorded = TypeVar("Recorded", Event, Option)


def renamed(others: Others, record: Recorded) -> Recorded:
    """An event, or a part of one, in which people have other names."""
    changes = _fields_of(type(record)).changed
    return attrs.evolve(record, **{name: change(others, getattr(record, name)) for name, change in changes.items()})


def called_in(event: Event) -> Iterator[str]:
    """What characters and things are called in an event, and the words of the rules."""
    for name in _fields_of(type(event)).called:
        held = getattr(event, name)
        yield from held if isinstance(held, tuple) else (held,)


def _flat(others: Others, flat: Flat) -> Flat:
    return flat._replace(label=others.text(flat.label))


class _Fields(NamedTuple):
    """The fields of a class in which names are replaced, with how that is done, and those that hold other names."""

    changed: dict[str, Change]
    called: tuple[str, ...]


_FIELDS: dict[type[object], _Fields] = {}


def _fields_of(cls: type[object]) -> _Fields:
    if cls not in _FIELDS:
        hints = get_type_hints(cls, include_extras=True)
        changes = {name: _change_of(kind) for name, kind in hints.items()}
        called = tuple(name for name, kind in hints.items() if {Naming.CHARACTER, Naming.WORD} & _namings(kind))
        _FIELDS[cls] = _Fields({name: change for name, change in changes.items() if change is not None}, called)
    return _FIELDS[cls]


def _namings(kind: Any) -> set[object]:
    """What a text of a type is a name of, or each of several texts."""
    if get_origin(kind) is tuple:
        kind = get_args(kind)[0]
    return set(getattr(kind, "__metadata__", ()))


def _change_of(kind: Any) -> Change | None:
    if kind is str:
        return lambda others, held: others.text(held)
    for said in getattr(kind, "__metadata__", ()):
        if isinstance(said, Naming):
            return _BY_NAMING[said]
    if kind is Flat:
        return _flat
    if kind is Option:
        return renamed
    if get_origin(kind) is tuple and (each := _change_of(get_args(kind)[0])) is not None:
        return lambda others, held: tuple(each(others, one) for one in held)
    return None
