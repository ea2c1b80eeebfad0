"""Pseudonyms: other names for the people of a campaign, in exports that are passed on to strangers.

People are seats: GM, Seat 1, Seat 2 by their numbers, which never change and are the same in every format. Characters and things
keep their names. People's own words are searched for the names of seats, as whole words in any spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import attrs

from rollbook.application.visibility.folding import NameFinder, folded
from rollbook.domain.base.identifiers import Naming
from rollbook.domain.dice.record import Flat
from rollbook.domain.entries import Intent, RecordedEntry
from rollbook.domain.events import CharacterJoined, Event, Option, SeatNamed, SeatRenamed, SeatTaken
from rollbook.domain.history.secrecy import GM
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import parameters
from rollbook.domain.rules.parameter_types import ParameterType

Change: TypeAlias = Callable[["Pseudonyms", Any], Any]

_BY_NAMING: dict[Naming, Change | None] = {
    Naming.SEAT: lambda others, held: others.person(held),
    Naming.EITHER: lambda others, held: others.whom(held),
    Naming.CHARACTER: None,
    Naming.WORD: None,
}


Recorded = TypeVar("Recorded", Event, Option)


def renamed(others: Pseudonyms, record: Recorded) -> Recorded:
    """An event, or a part of one, with pseudonyms."""
    changes = _fields_of(type(record)).changed
    return attrs.evolve(record, **{name: change(others, getattr(record, name)) for name, change in changes.items()})


def called_in(event: Event) -> Iterator[str]:
    """The names of characters and things in an event, and the words of the rules."""
    for name in _fields_of(type(event)).called:
        held = getattr(event, name)
        yield from held if isinstance(held, tuple) else (held,)


def _flat(others: Pseudonyms, flat: Flat) -> Flat:
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


REMARK = (
    "People are called GM and Seat 1, 2 … here, in notes and reasons too. A nickname, or a name that a character or a thing "
    "has, stays: read it before you hand it on."
)
"""The remark for a person who passes it on."""

IN_OWN_WORDS = frozenset((ParameterType.TEXT, ParameterType.TEXTS, ParameterType.DICE))
"""Types of parameters that are a person's own words, except for names of characters and things."""


@attrs.frozen(slots=False)
class Pseudonyms:
    """Other names by seat; without any, all people keep their names.

    ``characters`` are the ids of all who came in, and ``rulebook`` knows the types of parameters. All parameters of
    unknown verbs count as a person's own words.
    """

    names: Mapping[str, str] = attrs.field(factory=dict)
    characters: frozenset[str] = frozenset()
    rulebook: Rulebook = attrs.field(factory=lambda: Rulebook({}))

    @classmethod
    def of(cls, entries: Iterable[RecordedEntry], rulebook: Rulebook) -> Pseudonyms:
        """The pseudonyms for a history: seats by their numbers, guests who never took one in order of appearance."""
        numbers: dict[str, int] = {}
        guests: dict[str, None] = {}
        called: dict[str, str] = {}
        characters: set[str] = set()
        for entry in entries:
            numbers |= {event.seat: event.number for event in entry.events if isinstance(event, SeatTaken)}
            renamed_to = (event for event in entry.events if isinstance(event, (SeatRenamed, SeatNamed)))
            called |= {event.name: event.seat for event in renamed_to if event.name}
            characters |= {event.character for event in entry.events if isinstance(event, CharacterJoined)}
            guests[entry.seat] = None
        guests.pop("", None)
        taken = {seat: f"Seat {number}" if number else "GM" for seat, number in numbers.items()}
        others = (seat for seat in guests if seat not in taken)
        names = taken | {seat: f"Guest {number}" for number, seat in enumerate(others, 1)}
        names |= {name: names[seat] for name, seat in called.items() if seat in names and name not in names}
        return cls(names, frozenset(characters), rulebook)

    def person(self, seat: str) -> str:
        """The name that a seat has instead."""
        return self.names.get(seat, seat)

    def text(self, sentence: str) -> str:
        """A text with other names for seats, as whole words in any spelling."""
        if sentence in self.names:
            return self.names[sentence]
        return self._finder.replaced(sentence, lambda seat, written: self.names.get(written, self.names[seat]))

    def whom(self, said: str) -> str:
        """The id of a character as it is, or a text with other names."""
        return said if said in self.characters else self.text(said)

    @cached_property
    def secret(self) -> NameFinder:
        """A finder of the names that must not be read any more, except names equal to their pseudonyms."""
        return NameFinder(seat for seat, other in self.names.items() if folded(seat) != folded(other))

    @cached_property
    def _finder(self) -> NameFinder:
        return NameFinder(self.names)

    def of_entry(self, entry: RecordedEntry) -> RecordedEntry:
        """An entry with pseudonyms, and without hashes, by which names could be guessed."""
        if not self.names:
            return entry
        return entry._replace(
            seat=self.person(entry.seat),
            visibility=entry.visibility if entry.visibility == GM else self.person(entry.visibility),
            reason=self.text(entry.reason),
            intent=self._intent(entry),
            events=tuple(renamed(self, event) for event in entry.events),
            reads=(),
            command="",
            command_digest="",
            previous_public_hash="",
            previous_hash="",
            hash="",
        )

    # What was set out to do.

    def _intent(self, entry: RecordedEntry) -> Intent:
        intent, types = entry.intent, self._types(entry)
        called = frozenset(name for event in entry.events for name in called_in(event))
        params = {name: self._parameter(types.get(name), held, called) for name, held in intent.params.items()}
        thoughts = tuple(
            attrs.evolve(
                thought, params={name: self._parameter(None, held, called) for name, held in thought.params.items()}
            )
            for thought in intent.second_thoughts
        )
        return attrs.evolve(intent, params=params, second_thoughts=thoughts)

    def _types(self, entry: RecordedEntry) -> Mapping[str, ParameterType]:
        verb = self.rulebook.known_verb(entry.ruleset, entry.intent.verb)
        return {} if verb is None else {each.name: each.want for each in parameters(verb)}

    def _parameter(self, want: ParameterType | None, held: Any, called: frozenset[str]) -> Any:
        """A parameter as it may be shown. ``called`` are the names of characters and things in the same entry."""
        if isinstance(held, tuple):
            return tuple(self._parameter(want, one, called) for one in held)
        if not isinstance(held, str):
            return held
        if want is ParameterType.SEAT:
            return self.text(held)
        if want is None:
            return self.whom(held)
        return self.text(held) if want in IN_OWN_WORDS and held not in called else held
