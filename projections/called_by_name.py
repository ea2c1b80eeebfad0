"""An entry with what people are called in the place of the seats that its events and parameters name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, get_type_hints

import attrs

from rollbook.domain.actions.campaign import is_word_of_chance
from rollbook.domain.base.identifiers import Naming
from rollbook.domain.entries import Entry
from rollbook.domain.events import Event

Told = TypeVar("Told", bound=Entry)


def with_people(entry: Told, seats: Mapping[str, str]) -> Told:
    """An entry as it is put into words. ``seats`` are names by seat, of those who are called otherwise than their seat.

    Of parameters, which may also be ids of characters, those are replaced that only a seat can have.
    """
    if not seats:
        return entry
    params = {name: _by_chance(value, seats) for name, value in entry.intent.params.items()}
    changed = {} if params == entry.intent.params else {"intent": attrs.evolve(entry.intent, params=params)}
    return entry._replace(events=tuple(_called(event, seats) for event in entry.events), **changed)


def _by_chance(value: Any, seats: Mapping[str, str]) -> Any:
    return seats.get(value, value) if isinstance(value, str) and is_word_of_chance(value) else value


def _called(event: Event, seats: Mapping[str, str]) -> Event:
    found = {name: getattr(event, name) for name in _fields(type(event)) if getattr(event, name) in seats}
    roller = _by_chance(getattr(event, "roller", ""), seats)
    more = {"roller": roller} if roller != getattr(event, "roller", "") else {}
    return (
        attrs.evolve(event, **{name: seats[seat] for name, seat in found.items()}, **more) if found or more else event
    )


@cache
def _fields(kind: type[Event]) -> tuple[str, ...]:
    """The fields of an event that hold the name of a seat alone, but for a name that is being given."""
    hints = get_type_hints(kind, include_extras=True).items()
    return tuple(
        name
        for name, hint in hints
        if Naming.SEAT in getattr(hint, "__metadata__", ()) and name not in ("name", "roller")
    )
