"""Idempotency keys: a command sent twice under one id happens once, and another command under that id is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

import attrs

from rollbook.domain.base.errors import Refused
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import REMOVABLE, Event
from rollbook.domain.history.chain import canonical

LONGEST_ID = 80


@attrs.frozen
class IdempotencyKey(Record):
    """A command of a seat under an id that is its own in this campaign."""

    seat: str
    id: str
    asked: bytes

    @classmethod
    def of(cls, seat: str, id_: str, asked: Mapping[str, object]) -> IdempotencyKey:
        """A command; ``asked`` is everything that makes it this one and no other. Raises Refused for an id that cannot be one."""
        if not (0 < len(id_) <= LONGEST_ID and id_.isprintable()):
            raise Refused(
                f"A command id has 1 to {LONGEST_ID} characters, and no line break or control character is among them; "
                f"this one has {len(id_)}: {id_[:LONGEST_ID]!r}."
            )
        return cls(seat, id_, canonical(_plain(asked)))

    @property
    def key(self) -> str:
        """The key by which the store finds its entries."""
        return f"{self.seat}\n{self.id}"

    def digest(self, events: Iterable[Event]) -> str:
        """The digest that is kept of what was asked for, by all events that were made of it.

        The words of a note, and a name, cannot be guessed from it once their salt is removed.
        """
        salt = "".join(getattr(event, "salt", "") for event in events if type(event) in REMOVABLE)
        return sha256(b"rollbook/command/1\0" + salt.encode() + b"\0" + self.asked).hexdigest()

    def check(self, made: Sequence[RecordedEntry]) -> None:
        """Raise Refused if these entries, all that one command made, were made by another one under the same id.

        Of a note whose words were removed nobody can say, so it counts as the same.
        """
        events = [event for entry in made for event in entry.events]
        if made[0].command_digest != self.digest(events) and not any(map(has_no_words, events)):
            raise Refused(
                f"The command id {self.id!r} was given to something else already: action #{made[0].action}. "
                f"Give this command an id of its own."
            )


def has_no_words(event: Event) -> bool:
    """True if the words of an event were removed: what it was made of can no longer be compared."""
    words = REMOVABLE.get(type(event))
    return words is not None and not any(getattr(event, name) for name in words)


def command_key(entry: RecordedEntry) -> str:
    """The key by which the store finds a recorded entry, "" if it was made by no command with an id."""
    return IdempotencyKey(entry.seat, entry.command, b"").key if entry.command else ""


def _plain(value: object) -> object:
    """A value as JSON has it; one of a class with the name of its class."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    kind = type(value)
    if attrs.has(kind):
        return {kind.__name__: {field.name: _plain(getattr(value, field.name)) for field in attrs.fields(kind)}}
    return value
