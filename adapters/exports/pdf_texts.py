"""What a PDF says about itself: its title, its authors, its outline and what is on its pictures.

What is on its pages cannot be read from its bytes, in which letters are shapes by number.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import suppress

_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_STRING = re.compile(rb"\((?:\\.|[^\\()])*\)|<(?:[0-9A-Fa-f]{2})+>", re.DOTALL)
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(.))", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_XMP, _UTF_16 = b"<x:xmpmeta", b"\xfe\xff"


def texts_of_pdf(data: bytes) -> Iterator[str]:
    """The texts of a PDF that are not on its pages."""
    for found in _STREAM.finditer(data):
        content = found[1]
        with suppress(zlib.error):
            content = zlib.decompress(content)
        if _XMP in content:
            yield content.decode(errors="replace")
    for found in _STRING.finditer(_STREAM.sub(b"", data)):
        yield _text(found[0])


def _text(string: bytes) -> str:
    plain = bytes.fromhex(string[1:-1].decode()) if string.startswith(b"<") else _ESCAPE.sub(_letter, string[1:-1])
    return plain[2:].decode("utf-16-be", "replace") if plain.startswith(_UTF_16) else plain.decode("latin-1")


def _letter(found: re.Match[bytes]) -> bytes:
    return bytes([int(found[1], 8) & 0xFF]) if found[1] else _LETTERS.get(found[2], found[2])
