"""The dice of a session, byte for byte (docs/dice.md), and the codes by which people compare hashes."""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Iterable, Iterator
from hashlib import sha256

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
Place = tuple[bool, int, int, int]
"""Whether it is behind the screen, the timeline, the seat, and the number of the roll."""


def _u(number: int, size: int) -> bytes:
    return number.to_bytes(size, "big")


def _lp(text: bytes) -> bytes:
    return _u(len(text), 4) + text


def _t(use: str) -> bytes:
    return _lp(f"rollbook/dice/1 {use}".encode())


def _mac(key: bytes, *parts: bytes) -> bytes:
    return hmac.new(key, b"".join(parts), "sha256").digest()


def identity_of(campaign: bytes, nonce: bytes) -> bytes:
    """The identity of a session of a campaign."""
    return sha256(b"rollbook/session/1\0" + campaign + nonce).digest()[:16]


def commitment(screen: bool, sid: bytes, seed: bytes) -> bytes:
    return sha256(_t("commit") + _u(screen, 1) + _lp(sid) + seed).digest()


def mixed(commits: Iterable[bytes], lines: Iterable[tuple[int, str]]) -> bytes:
    """M, of both commitments and the lines with their seats."""
    given = [_u(0, 1) + _u(seat, 2) + _lp(unicodedata.normalize("NFC", text).encode()) for seat, text in lines]
    return sha256(b"".join((_t("mix"), *commits, _u(len(given), 2), *given))).digest()


def key_of(screen: bool, sid: bytes, seed: bytes, m: bytes, fork: int) -> bytes:
    """The key of a class and a timeline (0: canon)."""
    key = _mac(seed, _t("key"), _u(screen, 1), _lp(sid), m)
    return _mac(key, _t("fork"), _u(fork, 4)) if fork else key


def words(key: bytes, seat: int, number: int) -> Iterator[int]:
    """The words of one roll."""
    block = 0
    while True:
        data = _mac(key, _t("roll"), _u(seat, 2), _u(number, 8), _lp(b""), _u(block, 4))
        yield from (int.from_bytes(data[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def face(sides: int, source: Iterator[int]) -> int:
    """The next die."""
    top = 2**32 - 2**32 % sides
    return next(word for word in source if word < top) % sides + 1


def code(digest: bytes) -> str:
    """The first 130 bits, in letters: four groups of five and one of six."""
    bits = int.from_bytes(digest, "big")
    letters = "".join(LETTERS[bits >> (8 * len(digest) - 5 * at) & 31] for at in range(1, 27))
    return "-".join((letters[:5], letters[5:10], letters[10:15], letters[15:20], letters[20:]))
