"""The chain of entries: each carries its own hash and that of the entry before, so nothing in between can be changed.

An entry's hash covers the hash before it and the digest of each of its stored events, the header without its own hash.
A digest can stand in for an event whose words were removed, and the chain still verifies.

As soon as a campaign has secrets its entries carry a salt, and their hash is made of two halves: what the table may be told,
and what is kept from it (the entry before, the numbers by which hidden entries could be counted, what the rules looked at,
veiled facts). Whoever has only the first half and the digest of the second can still work out the hash; and because the first
half names the last entry that the table saw, nobody can tell whether anything lies between the two.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, cast

ROOT = "0" * 64
"""The parent of a campaign's first entry."""

_KEY = b',"witness":"'
_WAS = b',"~was":"'
_HEX = frozenset(b"0123456789abcdef")

KEPT = ("action", "because", "reads", "salt", "veiled")
"""What a header keeps from the table: numbers that count hidden entries, and names of whom the rules looked at.

The hash of the entry before is kept too, by itself: it can be shown without these.
"""
NUMBERS = ("action", "entries", "rewound")
"""The parameters of verbs that are numbers of this history."""
REASON = -1
"""Stands among the veiled places for the header's reason."""

Stored = tuple[str, bytes]
"""One event by its stored name and bytes."""


class _Begun(dict[str, Any]):
    """Hashes begun with an event's stored name: going on from a copy costs less than to begin anew."""

    def __init__(self, tag: bytes) -> None:
        super().__init__()
        self._tag = tag

    def __missing__(self, name: str) -> Any:
        label = name.encode()
        self[name] = begun = sha256(self._tag + b"%d\0%s" % (len(label), label))
        return begun


_PLAIN = _Begun(b"rollbook/chain/1 event\0")
_SALTED = _Begun(b"rollbook/chain/1 salted event\0")
_ENTRY = sha256(b"rollbook/chain/1 entry\0")
_SALTED_ENTRY = sha256(b"rollbook/chain/2 entry\0")
_TOLD = sha256(b"rollbook/chain/2 told\0")
_NUMBERS = sha256(b"rollbook/chain/2 numbers\0")
_HELD = sha256(b"rollbook/chain/2 held\0")
_KEPT = sha256(b"rollbook/chain/2 kept\0")


def digest(name: str, data: bytes, salt: str = "") -> bytes:
    """The digest of one stored event: 32 bytes over its stored name, its salt if it has one, and its bytes."""
    if salt:
        hashed = _SALTED[name].copy()
        hashed.update(b"%d\0%s" % (len(salt), salt.encode()))
    else:
        hashed = _PLAIN[name].copy()
    hashed.update(data)
    return cast("bytes", hashed.digest())


def link(parent: str, digests: Iterable[bytes]) -> str:
    """The hash of an entry (hexadecimal): over its parent's hash and the digests of its events, header first."""
    hashed = _ENTRY.copy()
    hashed.update(bytes.fromhex(parent) + b"".join(digests))
    return hashed.hexdigest()


def sealed(header: bytes, witness: str) -> bytes:
    """A stored header with its entry's own hash in it: the last key of the JSON object, empty until now."""
    return header[:-2] + witness.encode() + b'"}'


def unsealed(header: bytes) -> tuple[bytes, str]:
    """A stored header without its entry's own hash, and that hash; "" if the header carries none."""
    bare, _ = was(header)
    start = len(bare) - 66
    witness = bare[start:-2]
    if bare[start - len(_KEY) : start] != _KEY or bare[-2:] != b'"}' or not _HEX.issuperset(witness):
        return header, ""
    return bare[:start] + b'"}', witness.decode()


def was(data: bytes) -> tuple[bytes, str]:
    """A stored event without the mark of its redaction, and the digest that it had before; "" if nothing was removed."""
    if data[-75:-66] != _WAS or data[-2:] != b'"}' or not _HEX.issuperset(data[-66:-2]):
        return data, ""
    return data[:-75] + b"}", data[-66:-2].decode()


def marked(data: bytes, before: str) -> bytes:
    """A stored event from which words were removed, with the digest that it had ``before`` as its last key."""
    return data[:-1] + _WAS + before.encode() + b'"}'


def event_digest(name: str, data: bytes, salt: str = "") -> bytes:
    """The digest that an event has in its entry, a header without the entry's hash, also after words were removed."""
    if data[-75:-66] == _WAS:  # hardly ever, and asked for every event that is read or written
        before = was(data)[1]
        return bytes.fromhex(before) if before else digest(name, data, salt)
    return digest(name, data, salt)


def _header_digest(name: str, header: bytes, salt: str = "") -> bytes:
    return event_digest(name, header if was(header)[1] else unsealed(header)[0], salt)


class Halves(NamedTuple):
    """A salted entry as it is hashed: the told header and facts; ``numbers`` and ``veiled`` facts that are kept.

    ``numbers`` is the digest of what the header keeps, and ``told`` that of all that is told.
    """

    header: dict[str, Any]
    facts: tuple[Stored, ...]
    told: bytes
    numbers: bytes
    veiled: tuple[Stored, ...]

    @property
    def held(self) -> bytes:
        """The digest of all that is kept but the entry before."""
        return _hashed(_HELD, self.numbers + b"".join(event_digest(*event) for event in self.veiled))

    def kept(self, parent: str) -> bytes:
        """The digest of all that is kept."""
        return _hashed(_KEPT, self.held + bytes.fromhex(parent))

    def witness(self, parent: str) -> str:
        """The hash of the entry (hexadecimal): over the last entry that the table saw before it, and the two halves."""
        halves = self.told + self.kept(parent)
        return _hashed(_SALTED_ENTRY, bytes.fromhex(self.header.get("follows", "")) + halves).hex()


def is_first_form(name: str) -> bool:
    """Whether an entry whose header bears this stored name is hashed as the first release did it."""
    return name.endswith("@1")


def halves(events: Sequence[Stored]) -> Halves:
    """The two halves of a salted entry, from its stored events with the header (its own hash in it or not) first.

    Raises ValueError for a header that is not as it was written: the same words in other bytes are a change too.
    """
    fields = json.loads(events[0][1])
    if canonical(fields) != events[0][1]:
        raise ValueError(f"the {events[0][0]} is not written as it was")
    for key in ("witness", "parent", "~was"):
        fields.pop(key, "")
    kept = {key: fields.pop(key) for key in KEPT if key in fields}
    params = fields.get("intent", {}).get("params", {})
    kept["params"] = {key: params.pop(key) for key in NUMBERS if key in params}
    places = set(kept.get("veiled", ()))
    if REASON in places:
        kept["reason"] = fields.pop("reason")
    facts = tuple(event for place, event in enumerate(events[1:]) if place not in places)
    veiled = tuple(event for place, event in enumerate(events[1:]) if place in places)
    told = told_digest(events[0][0], fields, facts, was(events[0][1])[1])
    return Halves(fields, facts, told, _hashed(_NUMBERS, canonical(kept)), veiled)


def told_digest(name: str, header: dict[str, Any], facts: Iterable[Stored], before: str = "") -> bytes:
    """The digest of the told half; ``before`` is that of a header from which words were removed."""
    first = bytes.fromhex(before) if before else digest(name, canonical(header))
    return _hashed(_TOLD, first + b"".join(event_digest(*event) for event in facts))


def _hashed(begun: Any, data: bytes) -> bytes:
    hashed = begun.copy()
    hashed.update(data)
    return cast("bytes", hashed.digest())


def canonical(value: object) -> bytes:
    """The one JSON text of a value that was read from JSON: sorted keys, no blanks, letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def digests(events: Sequence[Stored], salt: str = "") -> list[bytes]:
    """The digests over which the hash of an entry in one piece is made, from its stored events, the header first."""
    name, header = events[0]
    return [_header_digest(name, header, salt), *(event_digest(*event, salt) for event in events[1:])]


def has_halves(name: str, salt: str) -> bool:
    """Whether an entry with such a header and salt is hashed as two halves."""
    return bool(salt) and not is_first_form(name)


def entry_hash(parent: str, events: Sequence[Stored], salt: str = "") -> str:
    """The hash of an entry whose events are ``(name, data)``, the header first, with its own hash in it or still without."""
    if has_halves(events[0][0], salt):
        return halves(events).witness(parent)
    return link(parent, digests(events, salt))


def remains(events: Iterable[Stored]) -> str:
    """What is left of an entry from which words were removed, as the record of the removal binds it (hexadecimal)."""
    return sha256(b"".join(digest(*event) for event in events)).hexdigest()
