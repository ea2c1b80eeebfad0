"""Dice that can be proven: the scheme ``rollbook/dice/1``.

The host commits to a seed before the first roll, players add words of their own, and the seed is shown at the close.
Everybody can then work out every die with HMAC-SHA-256 alone. Nothing free-form enters the computation of a die: only
the key, the seat, the number of the roll at that seat, and a nonce of the player's own program. No byte of this format
may ever change; another computation is another scheme.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
import unicodedata
from collections.abc import Iterable
from typing import Final, TypeAlias

from domain.dice.errors import DiceError

SCHEME: Final = "rollbook/dice/1"
TABLE: Final = 0
"""The class of dice that everybody sees."""
SCREEN: Final = 1
"""The class of dice behind the GM's screen, with a seed of its own."""
NO_HEAD: Final = bytes(32)
"""What the first link of a chain follows on."""

Contribution: TypeAlias = tuple[int, int, bytes]
"""Entropy from the table: kind (0 a player's words, 2 a beacon), seat, data."""

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MISREAD: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": "", " ": ""})
_WORDS_IN_A_BLOCK: Final = 8
_EXACT: Final = 2**53
_WORDS: Final = 2**32


def _counted(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def _tag(use: str) -> bytes:
    return _counted(f"{SCHEME} {use}".encode("ascii"))


_COMMIT, _MIX, _KEY, _FORK, _ROLL, _LINK, _VEIL = map(_tag, ("commit", "mix", "key", "fork", "roll", "link", "veil"))
_BLOCK = struct.Struct(f">{_WORDS_IN_A_BLOCK}I")
_PLACE = struct.Struct(">HQ")
_PLACE_AND_LENGTH = struct.Struct(">HQI")
_LENGTH = struct.Struct(">I")
_INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))


def commitment(cls: int, sid: bytes, seed: bytes) -> bytes:
    """What the host shows at the opening: binds the 32-byte ``seed`` of class ``cls`` to the 16-byte session id."""
    _check(cls, sid, seed)
    return _digest(_COMMIT, struct.pack(">B", cls), _counted(sid), seed)


def contribution(text: str) -> bytes:
    """A player's words as bytes that do not depend on the keyboard they were typed on."""
    return unicodedata.normalize("NFC", text).encode()


def mix(commits: tuple[bytes, bytes], contributions: Iterable[Contribution] = ()) -> bytes:
    """Both commitments and all contributions, in the order of the log, sealed into 32 bytes before the first roll."""
    given = list(contributions)
    data = [struct.pack(">BH", kind, seat) + _counted(words) for kind, seat, words in given]
    return _digest(_MIX, *commits, struct.pack(">H", len(given)), *data)


def session_key(cls: int, sid: bytes, seed: bytes, mixed: bytes) -> bytes:
    """The key from which all dice of class ``cls`` in the session come."""
    _check(cls, sid, seed)
    return _mac(seed, _KEY, struct.pack(">B", cls), _counted(sid), mixed)


def fork_key(key: bytes, fork: int) -> bytes:
    """The key of what-if ``fork``; fork 0 is what really happens and keeps ``key``."""
    return _mac(key, _FORK, struct.pack(">I", fork)) if fork else key


class Stream:
    """All rolls that one key gives."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        if len(key) != hashlib.sha256().digest_size:
            raise ValueError(f"a stream's key has 32 bytes, not {len(key)}")
        padded = key.ljust(64, b"\0")
        self._inner = hashlib.sha256(padded.translate(_INNER_PAD))
        self._outer = hashlib.sha256(padded.translate(_OUTER_PAD))

    def roll(self, seat: int, n: int, nonce: bytes = b"") -> RollBytes:
        """The dice of roll ``n`` of ``seat``, both from 0; ``nonce`` only for a seat whose player's program gives one."""
        return RollBytes(self._inner, self._outer, _ROLL + _PLACE_AND_LENGTH.pack(seat, n, len(nonce)) + nonce)


class RollBytes:
    """One roll's own bytes, and the dice drawn from them. Asked anew it gives the same dice again."""

    __slots__ = ("_blocks", "_inner", "_message", "_outer", "_words")

    def __init__(self, inner: hashlib._Hash, outer: hashlib._Hash, message: bytes) -> None:
        self._inner = inner
        self._outer = outer
        self._message = message
        self._blocks = 0
        self._words: list[int] = []

    def draw(self, sides: int) -> int:
        """A face from 1 to ``sides`` (2 to 2**32), each exactly as likely as the others."""
        if not 2 <= sides <= _WORDS:
            raise DiceError(f"There is no die with {sides} sides. Ask for 2 or more.")
        top = _WORDS - _WORDS % sides
        while True:
            if not self._words:
                self._next_block()
            word = self._words.pop()
            if word < top:
                return word % sides + 1

    @property
    def words_used(self) -> int:
        """How many 32-bit words the dice have taken so far, rejected ones included."""
        return self._blocks * _WORDS_IN_A_BLOCK - len(self._words)

    def _next_block(self) -> None:
        """HMAC-SHA-256 from its two halves: the stream worked the key in once, which saves half the time of a roll."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(self._message + _LENGTH.pack(self._blocks))
        outer.update(inner.digest())
        self._words = list(_BLOCK.unpack(outer.digest()))
        self._words.reverse()
        self._blocks += 1


def canon(value: object) -> bytes:
    """``value`` as the one JSON text that every program writes for it.

    Whole numbers below 2**53, texts (made NFC), truth values, None, lists and dicts with ASCII keys; ValueError for
    anything else.
    """
    return json.dumps(_canonical(value), ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def link(head: bytes, event: object) -> bytes:
    """The head of a chain of events after ``event`` follows on ``head``."""
    return _digest(_LINK, head, _counted(canon(event)))


def veil(key: bytes, seat: int, n: int, payload: object) -> bytes:
    """What the shared log holds of a roll behind the screen; the screen's ``key`` opens it later."""
    salt = _mac(key, _VEIL, _PLACE.pack(seat, n))[:16]
    return _digest(_VEIL, salt, _counted(canon(payload)))


def commit_code(digest: bytes, length: int = 12) -> str:
    """The first ``length`` times five bits of ``digest``, to read aloud: ``TSW0-XZE2-VDGV``."""
    bits = int.from_bytes(digest, "big")
    width = 8 * len(digest)
    letters = [_ALPHABET[bits >> (width - 5 * place) & 31] for place in range(1, length + 1)]
    return "-".join("".join(letters[at : at + 4]) for at in range(0, length, 4))


def receipt(head: bytes) -> str:
    """Eight characters that a player notes to show later what the chain was: ``HX5Z-6R1K``."""
    return commit_code(head, 8)


def code_matches(written: str, digest: bytes) -> bool:
    """Whether a code that somebody noted is that of ``digest``; O is read as 0, I and L as 1, blanks do not count."""
    code = written.upper().translate(_MISREAD)
    return len(code) >= 8 and code == commit_code(digest, min(len(code), 51)).replace("-", "")


def _canonical(value: object) -> object:
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and -_EXACT < value < _EXACT:
        return value
    if isinstance(value, list | tuple):
        return [_canonical(item) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) and key.isascii() for key in value):
        return {key: _canonical(item) for key, item in value.items()}
    raise ValueError(f"{value!r} has no canonical form: only whole numbers, texts, truth values, lists and dicts do")


def _check(cls: int, sid: bytes, seed: bytes) -> None:
    if cls not in {TABLE, SCREEN} or len(sid) != 16 or len(seed) != 32:
        raise ValueError("a class is 0 or 1, a session id has 16 bytes and a seed 32")


def _digest(*pieces: bytes) -> bytes:
    return hashlib.sha256(b"".join(pieces)).digest()


def _mac(key: bytes, *pieces: bytes) -> bytes:
    return hmac.digest(key, b"".join(pieces), "sha256")
