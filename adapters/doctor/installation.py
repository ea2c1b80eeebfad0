"""Checks of the installation and its environment: Python, SQLite, packages, plug-ins, clock, encodings, terminal."""

from __future__ import annotations

import locale
import os
import platform
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime
from importlib.metadata import PackageNotFoundError, packages_distributions, requires, version
from itertools import takewhile
from pathlib import Path

from rollbook.adapters.doctor.findings import Finding, ill, well
from rollbook.adapters.imports import GROUP as IMPORTERS
from rollbook.adapters.plugins.entry_points import listed, load
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.presentation.installing import install
from rollbook.application.book import Book
from rollbook.domain.base.errors import RollbookError

OURS = "rollbook"
OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 38, 0)
"""Since this version JSON is always built in, and integers and texts have the functions that the views use."""
FEATURES = {
    "full-text search (FTS5)": "CREATE VIRTUAL TABLE temp.search USING fts5(words)",
    "JSON": "SELECT json_extract('[1]', '$[0]')",
    "window functions": "SELECT SUM(1) OVER ()",
}
HERE = Path(str(sys.modules[OURS].__file__)).resolve().parents[1]
NEW_ENVIRONMENT = f"install rollbook in an environment of its own: {install(by='pipx install')}"


def python() -> Iterator[Finding]:
    """Check the version of the interpreter."""
    found = platform.python_version()
    if sys.version_info[:2] < OLDEST_PYTHON:
        yield ill(f"this is Python {found}, and rollbook needs 3.11: {NEW_ENVIRONMENT}.")
    else:
        yield well(f"{found} in {sys.prefix}")


def sqlite() -> Iterator[Finding]:
    """Check this Python's SQLite: its version and the features that it was built with."""
    found = tuple(map(int, sqlite3.sqlite_version.split(".")))
    lacks = [name for name, statement in FEATURES.items() if not _does(statement)]
    if found < OLDEST_SQLITE or lacks:
        what = f"lacks {', '.join(lacks)}" if lacks else "is older than 3.38"
        yield ill(f"{sqlite3.sqlite_version} {what}: use a Python with a newer SQLite, such as that of python.org.")
    else:
        yield well(f"{sqlite3.sqlite_version} with {', '.join(FEATURES)}")


def _does(statement: str) -> bool:
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute(statement)
        except sqlite3.Error:
            return False
    return True


def needed_packages() -> Iterator[Finding]:
    """Check that the packages that rollbook needs are installed, in the versions that it needs."""
    wrong = [said for need in requires(OURS) or () if "extra ==" not in need and (said := _unmet(need))]
    if wrong:
        yield ill(f"{'; '.join(wrong)}: run {install(by='pip install --upgrade')}.")
    else:
        count = sum("extra ==" not in need for need in requires(OURS) or ())
        yield well(f"rollbook {version(OURS)} and the {count} packages that it needs")


def _unmet(need: str) -> str:
    """The fault of a needed package (``click>=8.2``), "" if there is none."""
    name, bounds = re.match(r"([\w.-]+)(?:\[.*?\])?\s*\(?([^;)]*)", need.strip()).groups()  # type: ignore[union-attr]
    try:
        found = version(name)
    except PackageNotFoundError:
        return f"{name} is not installed"
    unmet = [bound for bound in bounds.split(",") if bound.strip() and not _meets(found, bound.strip())]
    return f"{name} is {found} and should be {', '.join(unmet)}" if unmet else ""


def _meets(found: str, bound: str) -> bool:
    sign, wanted = re.match(r"([<>=!~]+)\s*(.*)", bound).groups()  # type: ignore[union-attr]
    has, least = _numbers(found), _numbers(wanted)
    length = max(len(has), len(least))
    has, least = (*has, *[0] * (length - len(has))), (*least, *[0] * (length - len(least)))
    return bool(
        {">=": has >= least, "<": has < least, "==": has == least, ">": has > least, "<=": has <= least}.get(sign, True)
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[a-z+]", text)[0]))


def shadowed(folder: Path) -> Iterator[Finding]:
    """Check that no other package is called rollbook: installed, in the current ``folder``, or earlier on the path."""
    others = sorted({owner for owner in packages_distributions().get(OURS, ()) if owner.casefold() != OURS})
    if others:
        yield ill(f"{', '.join(others)} brings a package {OURS!r} too: {NEW_ENVIRONMENT}.")
    elif found := _same_name(OURS, [folder, *_places_before_ours()]):
        yield ill(f"{found} has the name of rollbook's package: start rollbook in another folder, or rename it.")
    else:
        yield well("nothing hides rollbook's package")


def _places_before_ours() -> Iterator[Path]:
    return takewhile(lambda place: place.resolve() != HERE, map(Path, filter(None, sys.path)))


def _same_name(name: str, folders: Sequence[Path]) -> Path | None:
    """The first package or module that Python would import instead; a folder without modules, such as a checkout, is none."""
    found = ((folder / name, (folder / name / "__init__.py", folder / f"{name}.py")) for folder in folders)
    candidates = (path for path, files in found for path in files if path.is_file())
    return next((path for path in candidates if path.resolve().parent != HERE / name), None)


def plug_ins() -> Iterator[Finding]:
    """Load every ruleset and importer that is installed."""
    registry = discover()
    broken = [str(fault) for fault in registry.broken]
    importers = listed(IMPORTERS)
    for name, points in importers.items():
        try:
            load(points, f"The importer {name!r}")
        except RollbookError as fault:
            broken.append(str(fault))
    for fault_said in broken:
        yield ill(f"{fault_said.rstrip('.')}: update or remove the package that brings it.")
    if not registry.keys:
        yield ill("no ruleset is installed, not even rollbook's own: install rollbook again.")
    elif not broken:
        yield well(f"rulesets {', '.join(registry.keys)}; importers {', '.join(importers) or 'none'}")


RELEASED = 2025
"""A clock that shows an earlier year is wrong."""
AHEAD = 5 * 60 * 1_000_000
"""Microseconds by which clocks of two computers may differ."""


def clock(now: int, book: Book | None) -> Iterator[Finding]:
    """Check that ``now``, in microseconds since 1970, is not before this program's release or the last entry."""
    shown = datetime.fromtimestamp(now / 1_000_000).astimezone()
    if shown.year < RELEASED:
        yield ill(f"it shows {shown:%Y-%m-%d %H:%M}, which cannot be: set it, or entries get wrong times.")
    elif (
        book is not None
        and (later := max((_last_time(book, name) for name in book.campaigns()), default=0) - now) > AHEAD
    ):
        yield ill(f"the last entry was recorded {later / 60e6:,.0f} minutes from now: set the clock of this computer.")
    else:
        yield well(f"{shown:%Y-%m-%d %H:%M %Z}")


def _last_time(book: Book, name: str) -> int:
    log = book.campaign(name).session.log
    last = log.version()
    return max((log.read(stored).at for stored in log.stored(last - 1)), default=0)


def encodings() -> Iterator[Finding]:
    """Check that every letter can be shown and typed: all encodings are UTF-8."""
    used = {
        "the terminal": getattr(sys.stdout, "encoding", None) or "ascii",
        "the language setting": locale.getpreferredencoding(do_setlocale=False),
        "file names": sys.getfilesystemencoding(),
    }
    wrong = [f"{what} is in {name}" for what, name in used.items() if name.replace("-", "").casefold() != "utf8"]
    if wrong:
        yield ill(f"{', '.join(wrong)}, so some letters are lost: export LC_ALL=C.UTF-8 PYTHONUTF8=1")
    else:
        yield well("UTF-8 everywhere")


def terminal() -> Iterator[Finding]:
    """Check that the terminal, if there is one, has 80 columns, and name its kind."""
    columns = shutil.get_terminal_size().columns
    if sys.stdout.isatty() and columns < 80:
        yield ill(f"it has {columns} columns, and tables need 80: make the window wider.")
    elif sys.stdout.isatty():
        yield well(f"{os.environ.get('TERM', 'of no known kind')}, {columns} columns")
