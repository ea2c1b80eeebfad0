"""Bounded reading of files and pipes from outside: a stream that exceeds its bounds is refused.

A file is read line by line, unpacked on the way if it is compressed. An endless device, a pipe without a writer, and a
few bytes that unpack to billions are refused in one sentence, within seconds.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import select
import stat
import time
import tomllib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import attrs

from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.records import Changeable, Record

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MIB = 1024 * 1024
OUTCOME = "Nothing was imported."
"""The last sentence of a refused import."""
PIECE = 64 * 1024
PATIENCE = 10.0
"""Seconds to wait for a pipe, all waits together."""
MOST_UNPACKED = 200
"""Most bytes out of one compressed byte. A recording has up to thirty."""


@attrs.frozen
class Bounds(Record):
    """The limits of a file: bytes (after unpacking), bytes of one line, and lines, blank ones included."""

    size: int = 256 * MIB
    line: int = 4 * MIB
    lines: int = 1_000_000


@attrs.define
class Source(Changeable):
    """A file while it is read: ``taken`` bytes, ``size`` after unpacking; ``number`` is that of the last line read."""

    path: Path
    outcome: str
    bounds: Bounds
    number: int = 0
    size: int = 0
    taken: int = 0
    file: BinaryIO = attrs.field(factory=io.BytesIO, repr=False)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines not yet read, with their numbers and line ends. Raises RollbookError beyond a bound."""
        while line := self._line():
            yield self.number, line

    def header(self, longest: int) -> bytes:
        """The first line. Raises RollbookError if it is longer than the bound for lines."""
        return self._line(longest)

    def text(self) -> str:
        """The rest of the file. Raises UnicodeDecodeError if it is not UTF-8, RollbookError beyond a bound."""
        return b"".join(line for _, line in self.lines()).decode("utf-8")

    def refused(self, what: str) -> RollbookError:
        """The error for a file that goes beyond a bound."""
        return RollbookError(f"{self.path} {what}. {self.outcome}")

    def broken(self, what: str) -> RollbookError:
        """The error for the line that could not be read."""
        return RollbookError(f"{self.path}, line {self.number + 1}: {what}. {self.outcome}")

    def take(self, many: int) -> None:
        """Count bytes read from the file. Raises RollbookError if they unpack to nothing, as empty parts do."""
        self.taken += many
        if self.taken > self.size + self.bounds.line + MIB:
            raise self.refused("is filled with what unpacks to nothing")

    def _line(self, longest: int = 0) -> bytes:
        try:
            line = self.file.readline((longest or self.bounds.line) + 1)
        except EOFError:
            raise self.broken("the compressed file breaks off here") from None
        except (zlib.error, gzip.BadGzipFile):
            raise self.broken("the compression is damaged") from None
        except OSError as fault:
            raise _unreadable(self.path, fault, self.outcome) from None
        self.size += len(line)
        if self.size > self.bounds.size:
            raise self.refused(f"holds more than {self.bounds.size // MIB} MiB")
        if self.size > MIB and self.size > MOST_UNPACKED * self.taken:
            raise self.refused(f"unpacks to more than {MOST_UNPACKED} times its size")
        if len(line) > self.bounds.line:
            raise self.broken(f"it is longer than {self.bounds.line // MIB} MiB")
        self.number += bool(line)
        if self.number > self.bounds.lines:
            raise self.refused(f"has more than {self.bounds.lines:,} lines")
        return line


@contextmanager
def opened(path: Path, outcome: str, bounds: Bounds = Bounds(), *, unpack: bool = False) -> Iterator[Source]:
    """A file or a pipe, open for reading; ``unpack`` one that was compressed by gzip.

    Raises NotFound without the file, RollbookError for a folder, a device, or if it cannot be read. ``outcome`` is the
    sentence that says what was not done.
    """
    check_bounded(path, outcome)
    source = Source(path, outcome, bounds)
    try:
        plain = io.BufferedReader(_Waiting(path, source), PIECE)
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}. {outcome}") from None
    except (OSError, ValueError) as fault:
        raise _unreadable(path, fault, outcome) from None
    with plain:
        source.file = gzip.GzipFile(fileobj=plain) if unpack else plain  # type: ignore[assignment]
        yield source


def first_lines(path: Path, many: int, bounds: Bounds = Bounds()) -> list[bytes]:
    """The first lines of a file; none if it cannot be read."""
    try:
        with opened(path, OUTCOME, bounds) as source:
            return [line for _, line in islice(source.lines(), many)]
    except RollbookError:
        return []


def _unreadable(path: Path, fault: OSError | ValueError, outcome: str) -> RollbookError:
    return RollbookError(
        f"{path} cannot be read ({getattr(fault, 'strerror', '') or 'nothing can be called so'}). {outcome}"
    )


def check_bounded(path: Path, outcome: str = OUTCOME) -> None:
    """Raise RollbookError for a folder, or a device such as /dev/zero. A pipe may be read."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return
    if stat.S_ISDIR(mode):
        raise RollbookError(f"{path} cannot be read: it is a folder and not a file. {outcome}")
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise RollbookError(f"{path} is a device and not a file. {outcome}")


class _Waiting(io.FileIO):
    """The bytes of a file; for those of a pipe it waits at most PATIENCE seconds, all waits together."""

    def __init__(self, path: Path, source: Source) -> None:
        super().__init__(path, opener=_open_at_once)
        self._source = source
        self._left = PATIENCE
        self._has_begun = not stat.S_ISFIFO(os.fstat(self.fileno()).st_mode)

    def readinto(self, into: WriteableBuffer) -> int:
        while True:
            found = super().readinto(into)  # None: the other end is open, and has not written
            if found or (found == 0 and self._has_begun):
                self._has_begun = True
                self._source.take(found)
                return found
            self._wait()  # until the other end of a pipe is opened, reading it gives its end

    def _wait(self) -> None:
        began = time.monotonic()
        ready, _, _ = select.select([self], [], [], self._left)
        self._has_begun |= bool(ready)
        self._left -= time.monotonic() - began
        if not ready or self._left <= 0:
            raise self._source.refused(f"is a pipe that does not end within {PATIENCE:.0f} seconds of waiting")


def _open_at_once(path: str, flags: int) -> int:
    """Open a file, even if it is a pipe to which nobody writes."""
    return os.open(path, flags | os.O_NONBLOCK)


PLACE = re.compile(r"\(at (.+)\)$")
"""The place of a fault in the library's message."""


def read_text(path: Path, outcome: str, bounds: Bounds) -> str:
    """The text of a file in UTF-8. Raises RollbookError, which ends with ``outcome``."""
    with opened(path, outcome, bounds) as source:
        try:
            return source.text()
        except UnicodeDecodeError:
            raise RollbookError(f"{path} is not text in UTF-8. {outcome}") from None


def json_of(text: str, file: object, outcome: str) -> object:
    """A document of JSON. Raises RollbookError, which names the ``file`` and ends with ``outcome``."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as fault:
        raise RollbookError(
            f"{file}, line {fault.lineno}: this is not JSON; it goes wrong at column {fault.colno}. {outcome}"
        ) from None
    except (ValueError, RecursionError):
        raise _too_much(file, outcome) from None


def toml_of(text: str, file: object, outcome: str) -> dict[str, Any]:
    """A document of TOML. Raises RollbookError, which names the ``file`` and ends with ``outcome``."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        place = PLACE.search(str(fault))
        where = f"; it goes wrong at {place[1].replace('end of document', 'the end')}" if place else ""
        raise RollbookError(f"{file} is not written as TOML{where}. {outcome}") from None
    except (ValueError, RecursionError):
        raise _too_much(file, outcome) from None


def _too_much(file: object, outcome: str) -> RollbookError:
    return RollbookError(f"{file} is nested too deeply, or holds a number that is far too long. {outcome}")
