"""Pictures as people send them: of every format, and as nobody should."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

from PIL import Image

from rollbook.adapters.pictures.decoding import decoded
from rollbook.application.pictures import Picture

SECRET = b"51.9 north, taken by the Sheriff"


def picture_file(kind: str = "PNG", size: tuple[int, int] = (8, 5), colour: str = "red", **more: Any) -> bytes:
    """A file with a picture."""
    written = io.BytesIO()
    Image.new("RGB", size, colour).save(written, format=kind, **more)
    return written.getvalue()


def picture(colour: str = "red") -> Picture:
    """A picture that may be shown."""
    return decoded(picture_file(colour=colour))


def with_metadata(kind: str) -> bytes:
    """A picture of a camera that says where and by whom it was taken, with something behind the end of the picture."""
    exif = Image.Exif()
    exif[0x013B] = SECRET.decode()
    comment = {"comment": SECRET} if kind == "JPEG" else {}
    return picture_file(kind, exif=exif, **comment) + SECRET


def bomb(width: int, height: int) -> bytes:
    """A PNG of few bytes that unpacks to so many pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(1 + width // 8) * min(height, 1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
