"""The only way for plain text to a terminal: answers, questions, errors, JSON. Drawings go by ``console``.

Stored or typed text may hold escape sequences, control characters, marks that turn the direction of writing, or lone
surrogates. None of them gets out: in text a blank takes its place, in JSON its number, so that no program loses
anything.

A terminal, file or pipe may be full, closed, or without a reader. An answer that cannot be written undoes nothing. A
command that only looks ends there; one that changes something goes on to its end, so that nothing is left half done,
and what was recorded is said on stderr.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, cast

import click

from rollbook.adapters.line_commands.json import escaped
from rollbook.adapters.presentation.plain_text import as_written
from rollbook.domain.base.errors import RollbookError

if TYPE_CHECKING:
    from rollbook.application.after_commit import Act
    from rollbook.domain.entries import RecordedEntry

USUAL = os.terminal_size((80, 25))
NARROWEST, WIDEST = 10, 10_000
"""Columns that a screen may have. Other sizes are not believed: a terminal without a size says 0."""
ENDLESS = re.compile(r"\S{300,}")
CLOSED = "there is nothing to write it to"
STDOUT = "-"


def echo(text: str, *, err: bool = False) -> None:
    """Print a line of text."""
    click.echo(as_written(text), err=err)


def echo_json(text: str, *, err: bool = False) -> None:
    """Print a line of JSON."""
    click.echo(escaped(text), err=err)


def ask(text: str, *, default: str | None = None, show_default: bool = True, **how: Any) -> str:
    """Ask for a text; ``how`` are further arguments of ``click.prompt``."""
    shown = f"{text} [{default}]" if default is not None and show_default else text
    return str(click.prompt(as_written(shown), default=default, show_default=False, **how))


def agree(text: str, *, default: bool, abort: bool = False) -> bool:
    """Ask a question, and return True for yes."""
    return click.confirm(as_written(text), default=default, abort=abort)


def believed(size: tuple[int, int]) -> os.terminal_size:
    """Columns and lines of a screen; the usual ones in the place of impossible ones."""
    columns, lines = size
    return os.terminal_size(
        (columns if NARROWEST <= columns <= WIDEST else USUAL.columns, lines if lines > 0 else USUAL.lines)
    )


def screen() -> os.terminal_size:
    """The size of the user's screen, as far as it is known."""
    return believed(shutil.get_terminal_size(USUAL))


def wrapped(text: str) -> str:
    """Text for this terminal, wrapped at words; its own lines are kept."""
    columns = screen().columns
    said = (textwrap.wrap(line, columns, break_long_words=False, break_on_hyphens=False) for line in text.split("\n"))
    return "\n".join("\n".join(lines) for lines in said)


def without_endless_words(text: str) -> str:
    """Text without endless words: of a word longer than any path or code is, the rest is left out."""
    return ENDLESS.sub(lambda found: f"{found[0][:100]}…", text)


class AnswerLost(Exception):
    """The answer has lost its reader: a command that only looks ends here."""


class AnswerUnseen(RollbookError):
    """The command is done and must not be repeated, but its answer could not be written."""


class Stream:
    """A stream of the program's, None if it was closed before the program began."""

    def __init__(self, stream: TextIO | None) -> None:
        self.stream = stream

    def isatty(self) -> bool:
        try:
            return self.stream is not None and self.stream.isatty()
        except ValueError:  # it was closed
            return False

    def write(self, text: str) -> int:
        self._do(lambda stream: stream.write(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self._do(lambda stream: stream.flush())

    def _do(self, what: Callable[[TextIO], object]) -> None:
        try:
            if self.stream is not None:
                what(self.stream)
        except (OSError, ValueError) as fault:
            self._lose(fault)

    def _lose(self, fault: OSError | ValueError) -> None:
        """Drop a remark that cannot be written: the exit code tells what it would."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class AnswerStream(Stream):
    """Stream of answers. ``fault`` is why one could not be written; ``goes_on``: the command goes on all the same."""

    def __init__(self, stream: TextIO | None) -> None:
        super().__init__(stream)
        self.goes_on = False
        self.fault: OSError | ValueError | None = None

    def _do(self, what: Callable[[TextIO], object]) -> None:
        if self.stream is None:
            self._lose(OSError(errno.EBADF, CLOSED))
        super()._do(what)

    def _lose(self, fault: OSError | ValueError) -> None:
        self.fault = self.fault or fault
        if not self.goes_on:
            raise AnswerLost from fault

    def write_bytes(self, source: BinaryIO) -> None:
        """Write a whole file, after what was written before it."""
        self.flush()
        self._do(lambda stream: shutil.copyfileobj(source, stream.buffer))

    def end(self, run: Act) -> RollbookError | None:
        """Write what waits. Returns the error if some was lost; None if nothing was recorded and the reader left."""
        with suppress(AnswerLost):
            self.flush()
        if self.fault is None:
            return None
        self._let_go()
        if run.has_recorded:
            return AnswerUnseen(f"{_recorded(run.entries)}, but the answer could not be shown: {self._why}.")
        if isinstance(self.fault, BrokenPipeError):  # ``rollbook log | head``
            return None
        if self.goes_on:
            return AnswerUnseen(f"What was asked for is done, but the answer could not be shown: {self._why}.")
        return RollbookError(f"The answer could not be shown: {self._why}.")

    @property
    def _why(self) -> str:
        if isinstance(self.fault, BrokenPipeError):
            return "its reader has gone"
        return str(self.fault.strerror or self.fault) if isinstance(self.fault, OSError) else CLOSED

    def _let_go(self) -> None:
        """Keep Python from trying again, when it ends, to write what waits."""
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            self.flush()


def _recorded(entries: Sequence[RecordedEntry]) -> str:
    """``#7 is recorded``, ``#7–#9 and the correction of #3 are recorded``."""
    if not entries:
        return "It is recorded"
    from rollbook.adapters.presentation.preview_words import number_ranges  # noqa: PLC0415 - answers are rarely lost
    from rollbook.domain.entries import EntryKind  # noqa: PLC0415 - as above

    taken = sorted({entry.action for entry in entries if entry.kind is EntryKind.TAKEN})
    corrected = sorted({entry.action for entry in entries if entry.kind is not EntryKind.TAKEN})
    parts = number_ranges(taken) + ([f"the correction of {', '.join(number_ranges(corrected))}"] if corrected else [])
    said = " and ".join((", ".join(parts[:-1]), parts[-1]) if len(parts) > 1 else parts)
    is_one = len(taken) + bool(corrected) == 1
    return f"{said[:1].upper()}{said[1:]} {'is' if is_one else 'are'} recorded"


@contextmanager
def streams() -> Iterator[AnswerStream]:
    """Replace the standard streams while a command runs; a missing stdin reads as empty."""
    stdin, stdout, stderr = before = sys.stdin, sys.stdout, sys.stderr
    answers = AnswerStream(stdout)
    sys.stdin = stdin or StringIO()
    sys.stdout, sys.stderr = cast("TextIO", answers), cast("TextIO", Stream(stderr))
    try:
        yield answers
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


@contextmanager
def written(file: str) -> Iterator[Path]:
    """Yield the path for a file; that of ``-`` is copied to stdout once whole. Raises RollbookError for a folder."""
    if file != STDOUT:
        yield Path(file)
        return
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - every command imports this, few write to stdout

    with TemporaryDirectory(prefix="rollbook-") as folder:
        path = Path(folder) / "export"
        yield path
        if path.is_dir():
            raise RollbookError("That is a folder of several files, which stdout cannot hold. Name a folder.")
        with path.open("rb") as whole:
            answers = cast("AnswerStream", sys.stdout)
            answers.goes_on = False  # the file is all of the answer
            answers.write_bytes(whole)
