"""A chat log as read: its messages in order, and the people who wrote them."""

from collections.abc import Mapping
from datetime import datetime, tzinfo

import attrs

from rollbook.adapters.imports.bounded import MIB, OUTCOME, Bounds, Source
from rollbook.adapters.imports.chats.rolls import ChatRoll
from rollbook.adapters.imports.course import Remarks
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record

BOUNDS = Bounds(size=256 * MIB, line=4 * MIB, lines=2_000_000)
GM = "gm"
"""Audience of what only the GM reads."""
UNREAD = "it seems to show a roll, and could not be read"


@attrs.frozen(kw_only=True)
class Message(Record):
    """One message. ``id`` tells it from all others, or is all that it says, with its time as it is written.

    ``at`` is microseconds since 1970 (UTC), 0 if not known. ``person`` is the key of the writer, "" for the GM,
    ``actor`` the name of the character who acts. ``to`` is "" for everybody, ``GM``, or the key of a person.
    """

    line: int
    id: str
    at: int = 0
    person: str = ""
    actor: str = ""
    rolls: tuple[ChatRoll, ...] = ()
    words: str = ""
    to: str = ""

    @property
    def source(self) -> bytes:
        """The part of the log that it was made of."""
        rolls = (f"{roll.formula}={roll.total}{[die.face for die in roll.dice]}" for roll in self.rolls)
        return "\n".join((self.actor, self.to, *rolls, self.words)).encode("utf-8", "replace")


@attrs.frozen(kw_only=True)
class Chat(Record):
    """A chat log. ``people`` are the names of its writers by their keys, ``gm`` the key of the one who leads.

    ``same`` are the keys of writers who are another one as well, and ``plays`` the keys of players by the names of
    their characters. ``unread`` are the lines with a roll that could not be read, by reason. ``gap`` is the time in
    microseconds after which another session begins.
    """

    messages: tuple[Message, ...]
    people: Mapping[str, str]
    gm: str = ""
    same: Mapping[str, str] = attrs.field(factory=dict)
    plays: Mapping[str, str] = attrs.field(factory=dict)
    unread: Remarks = attrs.field(factory=Remarks)
    said: tuple[str, ...] = ()
    gap: int = 0


@attrs.frozen
class Clock(Record):
    """The clock on the wall of the person who saved a log: its zone, and the day on which the file was saved."""

    zone: tzinfo
    saved: datetime

    @classmethod
    def of(cls, source: Source, zone: tzinfo) -> "Clock":
        """The clock for a file: in the time zone of its campaign."""
        try:
            written = source.path.stat().st_mtime
        except OSError:
            written = 0
        return cls(zone, datetime.fromtimestamp(written, zone))

    def at(self, year: int, month: int, day: int, hour: int, minute: int) -> int:
        """Microseconds since 1970 of a time on this clock; 0 if there is none."""
        try:
            moment = datetime(year, month, day, hour, minute, tzinfo=self.zone).timestamp()
        except (ValueError, OverflowError):
            return 0
        return max(int(moment * 1_000_000), 0)


def hours(hour: str, half: str) -> int:
    """An hour of the day from 0 to 23; ``half`` is AM, PM or nothing."""
    return int(hour) % 12 + 12 * (half.upper() == "PM") if half else int(hour)


def lines_of(source: Source) -> list[str]:
    """The lines of a text in UTF-8, without their ends. Raises RollbookError that names a line that is none."""
    found: list[str] = []
    for number, line in source.lines():
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            raise RollbookError(f"{source.path}, line {number}: this is not text in UTF-8. {OUTCOME}")
        found.append(text.rstrip("\r\n"))
    return found
