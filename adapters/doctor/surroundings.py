"""The computer around rollbook: its clock, its language settings, and the terminal."""

import locale
import os
import shutil
import sys
from collections.abc import Iterator
from datetime import datetime

from rollbook.adapters.doctor.findings import Finding, ill, well
from rollbook.application.book import Book

RELEASED = 2025
"""A clock that shows an earlier year is wrong."""
AHEAD = 5 * 60 * 1_000_000
"""Microseconds by which clocks of two computers may differ."""


def clock(now: int, book: Book | None) -> Iterator[Finding]:
    """Whether the clock can be right: not before this program, nor before what was recorded. In microseconds since 1970."""
    shown = datetime.fromtimestamp(now / 1_000_000).astimezone()
    if shown.year < RELEASED:
        yield ill("clock", f"it shows {shown:%Y-%m-%d %H:%M}, which cannot be: set it, or entries get wrong times.")
    elif (
        book is not None
        and (later := max((_last_time(book, name) for name in book.campaigns()), default=0) - now) > AHEAD
    ):
        yield ill(
            "clock",
            f"the last entry was recorded {later / 60e6:,.0f} minutes from now: set the clock of this computer.",
        )
    else:
        yield well("clock", f"{shown:%Y-%m-%d %H:%M %Z}")


def _last_time(book: Book, name: str) -> int:
    log = book.campaign(name).log
    last = log.version()
    return max((log.read(stored).at for stored in log.stored(last - 1)), default=0)


def encodings() -> Iterator[Finding]:
    """Whether every letter can be shown and typed."""
    used = {
        "the terminal": getattr(sys.stdout, "encoding", None) or "ascii",
        "the language setting": locale.getpreferredencoding(do_setlocale=False),
        "file names": sys.getfilesystemencoding(),
    }
    wrong = [f"{what} is in {name}" for what, name in used.items() if name.replace("-", "").casefold() != "utf8"]
    if wrong:
        yield ill("letters", f"{', '.join(wrong)}, so some letters are lost: export LC_ALL=C.UTF-8 PYTHONUTF8=1")
    else:
        yield well("letters", "UTF-8 everywhere")


def terminal() -> Iterator[Finding]:
    """How wide the terminal is, and whether it knows colours."""
    columns = shutil.get_terminal_size().columns
    if sys.stdout.isatty() and columns < 80:
        yield ill("terminal", f"it has {columns} columns, and tables need 80: make the window wider.")
    elif sys.stdout.isatty():
        yield well("terminal", f"{os.environ.get('TERM', 'of no known kind')}, {columns} columns")
