"""Commands that carry an id given by the caller: the same one again happens once, and another one under its id is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

import attrs

from domain.chain import canonical
from domain.entries import Entry, RecordedEntry
from domain.errors import Refused
from domain.events import Event, NoteWritten


@attrs.frozen
class Command:
    """What a seat asked for under an id that is its own in this campaign."""

    seat: str
    id: str
    asked: bytes

    @classmethod
    def of(cls, seat: str, id_: str, asked: Mapping[str, object]) -> Command:
        """A command; ``asked`` is everything that makes it this one and no other."""
        return cls(seat, id_, canonical(asked))

    @property
    def key(self) -> str:
        """What the store finds its entries by."""
        return f"{self.seat}\n{self.id}"

    def digest(self, events: Iterable[Event]) -> str:
        """What is kept of what was asked for. The words of a note cannot be guessed from it once their salt is removed."""
        return sha256(b"rollbook/command/1\0" + _salt(events).encode() + b"\0" + self.asked).hexdigest()

    def check(self, made: Iterable[RecordedEntry]) -> None:
        """Raise Refused if these entries were made by another command under the same id.

        Of a note whose words were removed nobody can say, so it counts as the same.
        """
        for entry in made:
            is_same = entry.command_digest == self.digest(entry.events) or _is_removed(entry)
            if not is_same:
                raise Refused(
                    f"The command id {self.id!r} was given to something else already: action #{entry.action}. "
                    f"Give this command an id of its own."
                )


def command_key(entry: RecordedEntry) -> str:
    """What the store finds a recorded entry by, "" if it was made by no command with an id."""
    return Command(entry.seat, entry.command, b"").key if entry.command else ""


def _salt(events: Iterable[Event]) -> str:
    return next((event.salt for event in events if isinstance(event, NoteWritten)), "")


def _is_removed(entry: Entry) -> bool:
    return any(isinstance(event, NoteWritten) and not (event.text or event.salt) for event in entry.events)
