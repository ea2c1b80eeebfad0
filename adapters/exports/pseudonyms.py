"""Pseudonyms: other names for the people of a campaign, in what is handed on to strangers.

People are seats: GM, Seat 1, Seat 2 by their numbers, which never change and are the same in every format. Characters keep their
names. What people wrote (notes, reasons, titles) is searched for the names of seats, as whole words in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import attrs

from domain.entries import Intent, RecordedEntry
from domain.events import CampaignStarted, DiceRolled, Event, SeatTaken
from domain.records import field_names

REMARK = (
    "People are called GM and Seat 1, 2 … here, in notes and reasons too. A nickname, or a name that a character or a thing "
    "has, stays: read it before you hand it on."
)
"""What somebody who hands it on has to know."""

PERSON = frozenset(("seat",))
"""Fields of events and parameters that name a seat."""

WRITTEN = frozenset(("text", "reason", "why", "title", "detail", "purpose", "expression", "typed", "occasion"))
"""Fields of events and parameters that people wrote, or that are made of what they wrote."""


@attrs.frozen
class Pseudonyms:
    """Other names by seat; without any, everybody is called as they are."""

    names: Mapping[str, str] = attrs.field(factory=dict)

    @classmethod
    def of(cls, entries: Iterable[RecordedEntry]) -> Pseudonyms:
        """Those of everybody in a history: by the number of the seat, and guests who never took one as they came."""
        numbers: dict[str, int] = {}
        guests: dict[str, None] = {}
        for entry in entries:
            numbers |= {event.seat: event.number for event in entry.events if isinstance(event, SeatTaken)}
            guests[entry.seat] = None
        guests.pop("", None)
        taken = {seat: f"Seat {number}" if number else "GM" for seat, number in numbers.items()}
        others = (seat for seat in guests if seat not in taken)
        return cls(taken | {seat: f"Guest {number}" for number, seat in enumerate(others, 1)})

    def person(self, seat: str) -> str:
        """What a seat is called."""
        return self.names.get(seat, seat)

    def text(self, sentence: str) -> str:
        """A text in which the names of seats are others, as whole words in any case."""
        if self._anybody is None:
            return sentence
        return self._anybody.sub(lambda found: self._folded[found[0].casefold()], sentence)

    def of_entry(self, entry: RecordedEntry) -> RecordedEntry:
        """An entry in which nobody is called by name, and without hashes, by which names could be guessed."""
        if not self.names:
            return entry
        return entry._replace(
            seat=self.person(entry.seat),
            visibility=self.person(entry.visibility),
            reason=self.text(entry.reason),
            intent=self._intent(entry.intent),
            events=tuple(map(self._event, entry.events)),
            command="",
            command_digest="",
            previous_public_hash="",
            previous_hash="",
            hash="",
        )

    @cached_property
    def _folded(self) -> dict[str, str]:
        return {seat.casefold(): other for seat, other in self.names.items() if seat.strip()}

    @cached_property
    def _anybody(self) -> re.Pattern[str] | None:
        listed = sorted(map(re.escape, self._folded), key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(listed)})(?!\w)", re.IGNORECASE) if listed else None

    def _event(self, event: Event) -> Event:
        changed = self._changed({name: getattr(event, name) for name in field_names(type(event))})
        if isinstance(event, CampaignStarted):
            changed["name"] = self.text(event.name)
        if isinstance(event, DiceRolled):
            changed["roller"] = self.person(event.roller)
            changed["flat"] = tuple(flat._replace(label=self.text(flat.label)) for flat in event.flat)
        return attrs.evolve(event, **changed) if changed else event

    def _intent(self, intent: Intent) -> Intent:
        params = {name: self._parameter(intent.verb, name, held) for name, held in intent.params.items()}
        thoughts = tuple(
            attrs.evolve(thought, params={**thought.params, **self._changed(thought.params)})
            for thought in intent.second_thoughts
        )
        return attrs.evolve(intent, params=params, second_thoughts=thoughts)

    def _parameter(self, verb: str, name: str, held: Any) -> Any:
        """A parameter as it may be said: several words are somebody's own, whatever the parameter is called."""
        if not isinstance(held, str):
            return held
        if name in PERSON or (verb, name) == ("note", "to"):
            return self.person(held)
        is_written = name in WRITTEN or " " in held or verb == "start-campaign"
        return self.text(held) if is_written else held

    def _changed(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that hold a name, with others in their place."""
        return {
            name: said
            for name, held in fields.items()
            if (how := self._how(name)) is not None and isinstance(held, str) and (said := how(held)) != held
        }

    def _how(self, name: str) -> Callable[[str], str] | None:
        return self.person if name in PERSON else self.text if name in WRITTEN else None
