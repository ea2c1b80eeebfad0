"""Files that never end, or that become far more than they are: each made in the folder of a test."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

MIB = 1024 * 1024


def packed(path: Path, piece: bytes, times: int) -> None:
    """A gzip file of one piece, many times over. The piece is compressed once: blocks may follow one another as they are."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    block, check = squeeze.compress(piece) + squeeze.flush(zlib.Z_FULL_FLUSH), 0
    for _ in range(times):
        check = zlib.crc32(piece, check)
    size = len(piece) * times % 2**32
    ending = squeeze.flush() + check.to_bytes(4, "little") + size.to_bytes(4, "little")
    path.write_bytes(b"\x1f\x8b\x08" + bytes(7) + block * times + ending)


def newlines(path: Path) -> None:
    packed(path, b"\n" * MIB, 1_536)


def zeros(path: Path) -> None:
    packed(path, bytes(MIB), 1_536)


def blanks_and_letters(path: Path) -> None:
    """It packs only so well that no ratio gives it away."""
    packed(path, os.urandom(8 * 1024) + b"\n" * (MIB - 8 * 1024), 400)


def empty_members(path: Path) -> None:
    path.write_bytes(gzip.compress(b"", mtime=0) * 200_000)


def nested_gzip(path: Path) -> None:
    inner = gzip.compress(bytes(64 * MIB))
    for _ in range(8):
        inner = gzip.compress(inner)
    path.write_bytes(inner)


def nested_zip(path: Path) -> None:
    inner = bytes(4 * MIB)
    for depth in range(6):
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(8):
                archive.writestr(f"{depth}-{number}.zip", inner)
        inner = held.getvalue()
    path.write_bytes(inner)


def a_tar(path: Path) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for number in range(3_000):
            archive.addfile(tarfile.TarInfo(f"{number}"))


def one_line(path: Path) -> None:
    """A line of 3 GiB that takes no room on the disk."""
    with path.open("wb") as file:
        file.truncate(3 * 1024 * MIB)


def many_lines(path: Path) -> None:
    path.write_bytes(b"\n" * (48 * MIB))


def deep(path: Path) -> None:
    path.write_bytes(b'{"a":' * 300_000 + b"1" + b"}" * 300_000 + b"\n")


def deep_toml(path: Path) -> None:
    path.write_bytes(b"a = " + b"[" * 100_000 + b"]" * 100_000 + b"\n")


def digits(path: Path) -> None:
    path.write_bytes(b'{"format": ' + b"9" * 500_000 + b"}\n")


def digits_of_toml(path: Path) -> None:
    path.write_bytes(b"[storytoken.wolf]\nhp = " + b"9" * 5_000 + b"\n")


def small_objects(path: Path) -> None:
    """Text that takes thirty times its room once it is read as JSON."""
    line = b'{"event_type": "combat_end", "timestamp": 1, "author_id": [' + b'{"a":0},' * 230_000 + b"0]}\n"
    path.write_bytes(line * 12)


def a_pipe(path: Path) -> None:
    """Nobody ever opens its other end."""
    os.mkfifo(path)


def a_folder(path: Path) -> None:
    path.mkdir()


def not_utf8(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00\n" * 100)


BOMBS: Mapping[str, Callable[[Path], None]] = {
    made.__name__.replace("_", " "): made
    for made in (
        *(
            newlines,
            zeros,
            blanks_and_letters,
            empty_members,
            nested_gzip,
            nested_zip,
            a_tar,
            one_line,
            many_lines,
            deep,
            deep_toml,
        ),
        *(digits, digits_of_toml, small_objects, a_pipe, a_folder, not_utf8),
    )
}
"""How each is made, by its name."""
