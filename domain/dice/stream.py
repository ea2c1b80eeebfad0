"""Dice that can be proven: the scheme ``rollbook/dice/1``.

The host commits to a seed before the first roll, players add words of their own, and the seed is shown at the close.
Everybody can then work out every die with HMAC-SHA-256 alone. Nothing free-form enters the computation of a die: only
the key, the seat, the number of the roll at that seat, and a nonce of the player's own program. No byte of this format
may ever change; another computation is another scheme.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final, TypeAlias

from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.record import StreamPlace

SCHEME: Final = "rollbook/dice/1"
TABLE: Final = 0
"""The class of dice that everybody sees."""
SCREEN: Final = 1
"""The class of dice behind the GM's screen, with a seed of its own."""
CODE_LETTERS: Final = 26
"""Number of letters in a code that proves something: 130 bits."""

Contribution: TypeAlias = tuple[int, int, bytes]
"""Entropy from the table: kind (0 a player's words, 2 a beacon), seat, data."""

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MISREAD: Final = str.maketrans("OILU", "011V", "- \u2010\u2011\u2012\u2013\u2014")
"""Letters that look like others, and what does not count: blanks, and hyphens or the dashes that a phone makes of them."""
_GROUPS: Final = (0, 5, 10, 15, 20, CODE_LETTERS)
_WORDS_IN_A_BLOCK: Final = 8
_WORDS: Final = 2**32


def _counted(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


_COMMIT, _MIX, _KEY, _FORK, _ROLL = (
    _counted(f"{SCHEME} {use}".encode("ascii")) for use in ("commit", "mix", "key", "fork", "roll")
)
_SESSION = b"rollbook/session/1\0"
_BLOCK = struct.Struct(f">{_WORDS_IN_A_BLOCK}I")
_PLACE_AND_LENGTH = struct.Struct(">HQI")
_LENGTH = struct.Struct(">I")
_INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))


def session_identity(campaign: bytes, nonce: bytes) -> bytes:
    """The 16-byte id of a session: of one ``campaign`` (its identity) alone, by 16 random bytes."""
    if len(nonce) != 16:
        raise ValueError(f"a session's nonce has 16 bytes, not {len(nonce)}")
    return _digest(_SESSION, campaign, nonce)[:16]


def commitment(cls: int, sid: bytes, seed: bytes) -> bytes:
    """The commitment shown at the opening: it binds the 32-byte ``seed`` of class ``cls`` to the 16-byte session id."""
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


def mix_code(commits: tuple[str, str], lines: Iterable[tuple[int, str]]) -> str:
    """The code of what is mixed: of both commitments (hexadecimal) and the lines with their seats' numbers.

    "" for commitments and numbers that no session can have.
    """
    table, screen = commits
    try:
        contributions = [(0, number, contribution(text)) for number, text in lines]
        return proof_code(mix((bytes.fromhex(table), bytes.fromhex(screen)), contributions))
    except (ValueError, struct.error):
        return ""


def session_key(cls: int, sid: bytes, seed: bytes, mixed: bytes) -> bytes:
    """The key from which all dice of class ``cls`` in the session come."""
    _check(cls, sid, seed)
    return _mac(seed, _KEY, struct.pack(">B", cls), _counted(sid), mixed)


def fork_key(key: bytes, fork: int) -> bytes:
    """The key of timeline ``fork``; fork 0 is what really happens and keeps ``key``."""
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


class Streams:
    """The streams of a session's dice and of its timelines, by the keys of the open dice (False) and the secret ones (True)."""

    def __init__(self, keys: Mapping[bool, bytes]) -> None:
        self._keys = keys
        self._made: dict[tuple[bool, int], Stream] = {}

    def roll(self, place: StreamPlace) -> RollBytes:
        """The dice of the roll at a place."""
        which = place.screen, place.fork
        if which not in self._made:
            self._made[which] = Stream(fork_key(self._keys[place.screen], place.fork))
        return self._made[which].roll(place.seat, place.number)


class RollBytes:
    """One roll's own bytes, and the dice drawn from them: the same roll always gives the same dice."""

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

    def _next_block(self) -> None:
        """HMAC-SHA-256 from its two halves: the stream worked the key in once, which saves half the time of a roll."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(self._message + _LENGTH.pack(self._blocks))
        outer.update(inner.digest())
        self._words = list(_BLOCK.unpack(outer.digest()))
        self._words.reverse()
        self._blocks += 1


def proof_code(digest: bytes) -> str:
    """The first 130 bits of ``digest`` in letters, grouped for the eye: ``TSW0X-ZE2VD-GV6GC-63ZVY-XWWBAM``."""
    bits = int.from_bytes(digest, "big")
    width = 8 * len(digest)
    letters = "".join(_ALPHABET[bits >> (width - 5 * place) & 31] for place in range(1, CODE_LETTERS + 1))
    return "-".join(letters[start:end] for start, end in pairwise(_GROUPS))


def code_letters(written: str) -> str:
    """The letters of a code that was noted: O is read as 0, I and L as 1, U as V; hyphens and blanks do not count."""
    return written.upper().translate(_MISREAD)


def is_whole_code(written: str) -> bool:
    """True if a code that was noted has all of its letters; only then does it prove anything."""
    return len(code_letters(written)) == CODE_LETTERS


def code_agrees(written: str, digest: bytes) -> bool:
    """True if the code of ``digest`` begins with the letters that were noted. Of fewer than all, that is no proof."""
    return code_letters(proof_code(digest)).startswith(code_letters(written))


def _check(cls: int, sid: bytes, seed: bytes) -> None:
    if cls not in {TABLE, SCREEN} or len(sid) != 16 or len(seed) != 32:
        raise ValueError("a class is 0 or 1, a session id has 16 bytes and a seed 32")


def _digest(*pieces: bytes) -> bytes:
    return hashlib.sha256(b"".join(pieces)).digest()


def _mac(key: bytes, *pieces: bytes) -> bytes:
    return hmac.digest(key, b"".join(pieces), "sha256")
