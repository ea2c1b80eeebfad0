"""Single lines of entries, and entries that are written and read."""

from __future__ import annotations

from adapters.storage.codec import CODEC, Codec
from domain.chain import seal
from domain.entries import Entry, RecordedEntry
from domain.event_store import StoredEntry


def line(name: str, data: bytes = b"{}") -> bytes:
    """A line as it is stored."""
    return b'["%s",%s]' % (name.encode(), data)


def read_back(entry: Entry, codec: Codec = CODEC) -> RecordedEntry:
    """An entry, written and read."""
    lines = [*codec.envelopes(entry), *map(codec.encode, entry.events), seal(entry.hash, entry.previous_hash)]
    return codec.read(StoredEntry(entry.number, codec.kind(entry.kind), b"\n".join(lines)))
