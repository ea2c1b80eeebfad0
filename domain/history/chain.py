"""The chain of entries: each carries its own hash and that of the entry before, so nothing in between can be changed.

An entry is stored as lines of JSON: the public envelope, the private one, each event, and the seal with the two hashes. Hashes
cover the raw bytes of each line, so nobody writes JSON again to verify. Of a note, a picture and a person's name
they cover a mark with the digest of its line: the mark can take its place, and the words are gone.

The hash is made of two halves. The public half covers the public envelope and the events that are not hidden; the private one
covers the private envelope (numbers by which hidden entries could be counted, what the rules looked at) and hidden events.
The hash can be worked out from the public half and the digest of the private one alone; and once there are
secrets the hash also covers that of the last entry that the table saw, so nobody can tell whether anything lies between.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hashlib import _Hash

ROOT = "0" * 64
"""The hash before a campaign's first entry."""

NUMBERS = frozenset(("action", "entries", "rewound"))
"""The parameters of verbs that are numbers of this history: they stand in the private envelope."""

PUBLIC, PRIVATE, FIRST_EVENT = 0, 1, 2
"""The places of an entry's lines; the last one is the seal."""

_LINE = sha256(b"rollbook/chain/1 line\0")
_PUBLIC = sha256(b"rollbook/chain/1 public\0")
_PRIVATE = sha256(b"rollbook/chain/1 private\0")
_KEPT = sha256(b"rollbook/chain/1 kept\0")
_ENTRY = sha256(b"rollbook/chain/1 entry\0")

REMOVABLE = (b'["NoteWritten@', b'["PictureShown@', b'["SeatNamed@')
"""Beginnings of the lines that can be removed for good: of a note, a picture and a person's name. No other event ever can be."""
_NOTE, _PICTURE, _NAME = REMOVABLE

_REMOVED = re.compile(rb'\["~([A-Za-z]+)@1","([0-9a-f]{64})"\]')
_SEAL = re.compile(rb'\["Seal@1",\{"hash":"([0-9a-f]{64})","previous_hash":"([0-9a-f]{64})"\}\]')


def lines_of(data: bytes) -> list[bytes]:
    """The lines of a stored entry. No line of JSON has a line break in it."""
    return data.split(b"\n")


def body_of(data: bytes) -> bytes:
    """A stored entry up to its seal: every line with its line break."""
    return data[:-SEAL_LENGTH]


def kind_of(data: bytes) -> str:
    """The stored name of an entry's kind, from its first line. Raises ValueError if it has none."""
    return data[2 : data.index(b'"', 2)].decode()


def digest(line: bytes) -> bytes:
    """The digest of a line: 32 bytes over its raw bytes."""
    return _hashed(_LINE, line)


def removed(line: bytes) -> str:
    """The kind of event that a line stood for before it was removed; "" if it was not."""
    found = _REMOVED.fullmatch(line)
    return found[1].decode() if found else ""


def mark(line: bytes) -> bytes:
    """The line in the place of an event that is removed: the name of its kind, marked, and its digest.

    The version is that of the mark, not of the event: nothing but the digest could say which one that was.
    """
    name = line[2 : line.index(b"@")]
    return b'["~%s@1","%s"]' % (name, digest(line).hex().encode())


class Halves(NamedTuple):
    """The digests of the two halves of an entry."""

    public: bytes
    private: bytes

    def kept(self, previous_hash: str) -> bytes:
        """The digest of the private half together with the hash of the entry before."""
        return _hashed(_KEPT, self.private + bytes.fromhex(previous_hash))

    def hash(self, previous_hash: str, previous_public_hash: str) -> str:
        """The hash of the entry (hexadecimal)."""
        return entry_hash(self.public, self.kept(previous_hash), previous_public_hash)


def halves(body: bytes, hidden_events: Collection[int] = ()) -> Halves:
    """The two halves of an entry, from all of it up to the seal and the positions of hidden events.

    The public one is the digest of the public envelope and the events that are not hidden. The private one is that of the digest
    of the private envelope and of the hidden events: it is revealed without that. Raises ValueError without both envelopes.
    """
    middle = body.index(b"\n")
    first = body.index(b"\n", middle + 1)
    shown, private = body[first:-1], _hashed(_LINE, body[middle + 1 : first])
    if hidden_events:
        shown, hidden = _parted(shown, hidden_events)
        private += _covered(hidden)
    return Halves(_hashed(_PUBLIC, body[:middle] + _covered(shown)), _hashed(_PRIVATE, private))


def _parted(events: bytes, hidden_events: Collection[int]) -> tuple[bytes, bytes]:
    """The lines of events that are not hidden, a line break before each, and of those that are, a line break between them."""
    lines = events.split(b"\n")[1:]
    shown = [line for place, line in enumerate(lines) if place not in hidden_events]
    hidden = [line for place, line in enumerate(lines) if place in hidden_events]
    return b"\n".join((b"", *shown)), b"\n".join(hidden)


def _covered(lines: bytes) -> bytes:
    """Lines as a hash covers them: in the place of a note is its mark, so that its words can be removed and no hash changes."""
    if _NOTE not in lines and _PICTURE not in lines and _NAME not in lines:
        return lines
    return b"\n".join([mark(line) if line.startswith(REMOVABLE) else line for line in lines.split(b"\n")])


def entry_hash(public: bytes, kept: bytes, previous_public_hash: str) -> str:
    """The hash of an entry (hexadecimal), from its two halves and the last entry before it that the table saw."""
    return _hashed(_ENTRY, bytes.fromhex(previous_public_hash) + public + kept).hex()


def seal(hash_: str, previous_hash: str) -> bytes:
    """The last line of an entry."""
    return f'["Seal@1",{{"hash":"{hash_}","previous_hash":"{previous_hash}"}}]'.encode()


SEAL_LENGTH = len(seal(ROOT, ROOT))
"""The length of every seal in bytes."""


def seal_of(line: bytes) -> tuple[str, str]:
    """The hash of an entry and that of the one before, from its last line. Raises ValueError if it is not a seal."""
    found = _SEAL.fullmatch(line)
    if found is None:
        raise ValueError("its last line is not a seal")
    return found[1].decode(), found[2].decode()


def hash_in(data: bytes) -> str:
    """The hash that a stored entry carries, whatever it is worth; "" if it has no seal."""
    try:
        return seal_of(data[data.rfind(b"\n") + 1 :])[0]
    except ValueError:
        return ""


def _hashed(begun: _Hash, data: bytes) -> bytes:
    hashed = begun.copy()
    hashed.update(data)
    return hashed.digest()


def canonical(value: object) -> bytes:
    """The one JSON text of a value that was read from JSON: sorted keys, no blanks, letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
