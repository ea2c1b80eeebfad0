"""Cursors: how far an edition has come, as a word that a page keeps and shows when it asks for what is new.

A cursor is made of what the entries show, and of nothing that is random or hidden: no hash, no salt, no id. So it is the same in
two campaigns that differ only in secrets, and it is not one any more when something before it is shown otherwise.
"""

from __future__ import annotations

from hashlib import sha256

import attrs

from rollbook.application.encoding.codec import CODEC
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import NoteWritten

LENGTH = 8
"""Bytes of a digest."""
DIGITS = 12
"""Digits of a count at most."""


class Digests:
    """The digest of each entry of an edition and all before it. ``how`` is in all of them: it says how entries are shown."""

    def __init__(self, how: bytes = b"") -> None:
        self._last = how
        self._all = bytearray()

    def follow(self, entry: RecordedEntry) -> RecordedEntry:
        """One more entry, as it is shown. Returns it."""
        self._last = sha256(self._last + CODEC.body(_without_chance(entry))).digest()
        self._all += self._last[:LENGTH]
        return entry

    @property
    def cursor(self) -> str:
        """After the last entry."""
        return self._at(len(self._all) // LENGTH)

    def _at(self, entries: int) -> str:
        return f"{entries}.{self._all[(entries - 1) * LENGTH : entries * LENGTH].hex()}" if entries else "0."

    def known(self, cursor: str) -> int | None:
        """The number of entries when a cursor was given; None if what was shown up to there is not what is shown now."""
        entries = count_of(cursor)
        if entries is None or entries * LENGTH > len(self._all) or self._at(entries) != without_mark(cursor):
            return None
        return entries


def with_mark(cursor: str, mark: str) -> str:
    """A cursor of a reader who sees something besides entries, of which there is a mark, "" for nothing."""
    return f"{cursor}.{mark}" if mark else cursor


def without_mark(cursor: str) -> str:
    """A cursor as the entries alone make it."""
    return ".".join(cursor.split(".", 2)[:2])


def count_of(cursor: str) -> int | None:
    """The number of entries that a cursor says, None if it is no cursor."""
    count = cursor.partition(".")[0]
    return int(count) if count.isascii() and count.isdecimal() and len(count) <= DIGITS else None


def _without_chance(entry: RecordedEntry) -> RecordedEntry:
    events = tuple(attrs.evolve(each, salt="") if isinstance(each, NoteWritten) else each for each in entry.events)
    return entry._replace(
        events=events,
        salt="",
        public_salt="",
        public_number=0,
        previous_public_hash="",
        correction="",
        command="",
        command_digest="",
        previous_hash="",
        hash="",
    )
