"""The chain of entries: each carries its own hash and that of the entry before, so nothing in between can be changed.

An entry's hash covers the hash before it and the digest of each of its stored events, the header without its own hash.
A digest can stand in for an event that not everybody may read, and the chain still verifies.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, cast

ROOT = "0" * 64
"""The parent of a campaign's first entry."""

_KEY = b',"witness":"'
_HEX = frozenset(b"0123456789abcdef")


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
    start = len(header) - 66
    witness = header[start:-2]
    if header[start - len(_KEY) : start] != _KEY or header[-2:] != b'"}' or not _HEX.issuperset(witness):
        return header, ""
    return header[:start] + b'"}', witness.decode()


def entry_hash(parent: str, events: Iterable[tuple[str, bytes]], salt: str = "") -> str:
    """The hash of an entry whose events are ``(name, data)``, the header first and still without its own hash."""
    return link(parent, [digest(name, data, salt) for name, data in events])
