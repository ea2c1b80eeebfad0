"""Entries and lines of the log with what people are called in the place of the seats that they name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, get_type_hints

import attrs

from rollbook.domain import events
from rollbook.domain.base.identifiers import Naming, SeatName
from rollbook.domain.base.seat_words import by_name, is_word_of_chance
from rollbook.domain.entries import Entry
from rollbook.domain.events import Event
from rollbook.projections.session_log import LogLine

Told = TypeVar("Told", bound=Entry)


def with_people(entry: Told, seats: Mapping[str, str]) -> Told:
    """An entry as it is put into words. ``seats`` are names by seat, of those who are called otherwise than their seat.

    Of parameters, which may also be ids of characters, those are replaced that only a seat can have.
    """
    if not seats:
        return entry
    params = {name: _by_chance(value, seats) for name, value in entry.intent.params.items()}
    intent = entry.intent if params == entry.intent.params else attrs.evolve(entry.intent, params=params)
    return entry._replace(events=tuple(_called(event, seats) for event in entry.events), intent=intent)


def line_with_people(line: LogLine, people: Mapping[SeatName, str]) -> LogLine:
    """A line of the log as people read it: who acted, who sees it and the reasons. ``people`` are names by seat."""

    def named(text: str) -> str:
        return by_name(text, lambda seat: people.get(seat, seat))

    return line._replace(
        seat=people.get(line.seat, line.seat),
        visibility=people.get(line.visibility, line.visibility),
        reason=named(line.reason),
        why=named(line.why),
    )


def _by_chance(value: Any, seats: Mapping[str, str]) -> Any:
    return seats.get(value, value) if isinstance(value, str) and is_word_of_chance(value) else value


def _called(event: Event, seats: Mapping[str, str]) -> Event:
    found = {name: seats[held] for name in _seats_of(type(event).__name__) if (held := getattr(event, name)) in seats}
    if isinstance(event, events.DiceRolled) and (roller := _by_chance(event.roller, seats)) != event.roller:
        found["roller"] = roller
    return attrs.evolve(event, **found) if found else event


_OTHERS = ("name", "roller")
"""Fields that may hold other names than that of a seat: one that is being given, and the id of a character."""


@cache
def _seats_of(kind: str) -> tuple[str, ...]:
    """The fields of a kind of event that hold the name of a seat."""
    hints = get_type_hints(getattr(events, kind), include_extras=True)
    seats = (name for name, hint in hints.items() if Naming.SEAT in getattr(hint, "__metadata__", ()))
    return tuple(name for name in seats if name not in _OTHERS)
