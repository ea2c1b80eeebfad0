"""Cursors: positions in an edition, as a word that a page keeps and sends when it asks for what is new.

A cursor is made of the shown content of entries, and of nothing that is random or hidden: no hash, no salt, no id. So
it is the same in two campaigns that differ only in secrets, and it becomes invalid when an entry before it is shown
otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import attrs

from rollbook.application.encoding.codec import CODEC
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import REMOVABLE

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
        """Take in an entry, as it is shown. Returns it."""
        self._last = sha256(self._last + CODEC.body(_without_chance(entry))).digest()
        self._all += self._last[:LENGTH]
        return entry

    @property
    def cursor(self) -> str:
        """The cursor after the last entry."""
        return self.at(len(self._all) // LENGTH)

    def at(self, entries: int) -> str:
        """The cursor after so many entries."""
        return f"{entries}.{self._all[(entries - 1) * LENGTH : entries * LENGTH].hex()}" if entries else "0."

    def known(self, cursor: str) -> int | None:
        """The number of entries when a cursor was given; None if those entries are shown otherwise now."""
        entries = count_of(cursor)
        if entries is None or entries * LENGTH > len(self._all) or self.at(entries) != without_mark(cursor):
            return None
        return entries


def with_mark(cursor: str, mark: str) -> str:
    """A cursor with a mark for what its reader sees besides entries, "" for nothing."""
    return f"{cursor}.{mark}" if mark else cursor


def without_mark(cursor: str) -> str:
    """A cursor without the mark."""
    return ".".join(cursor.split(".", 2)[:2])


def count_of(cursor: str) -> int | None:
    """The number of entries in a cursor, None if it is no cursor."""
    count = cursor.partition(".")[0]
    return int(count) if count.isascii() and count.isdecimal() and len(count) <= DIGITS else None


_UNSALTED: Mapping[str, Any] = {"salt": ""}


def _without_chance(entry: RecordedEntry) -> RecordedEntry:
    events = tuple(attrs.evolve(each, **_UNSALTED) if type(each) in REMOVABLE else each for each in entry.events)
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
