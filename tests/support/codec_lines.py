"""Single lines of entries, and entries that are written and read."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from rollbook.application.encoding.codec import CODEC, Codec
from rollbook.domain.entries import Entry, RecordedEntry
from rollbook.domain.history.chain import Halves, halves, seal
from rollbook.domain.history.event_store import StoredEntry


def line(name: str, data: bytes = b"{}") -> bytes:
    """A line as it is stored."""
    return b'["%s",%s]' % (name.encode(), data)


def read_back(entry: Entry, codec: Codec = CODEC) -> RecordedEntry:
    """An entry, written and read."""
    data = codec.body(entry) + seal(entry.hash, entry.previous_hash)
    return codec.read(StoredEntry(entry.number, codec.kind(entry.kind), data))


class Envelopes(NamedTuple):
    """The two lines that an entry begins with."""

    public: bytes
    private: bytes


def envelopes_of(entry: Entry) -> Envelopes:
    """The envelopes of an entry, as they are stored."""
    return Envelopes(*CODEC.body(entry).split(b"\n")[:2])


def halves_of(lines: Iterable[bytes], hidden_events: Collection[int] = ()) -> Halves:
    """The two halves of an entry, from its lines without the seal."""
    return halves(b"".join(each + b"\n" for each in lines), hidden_events)
