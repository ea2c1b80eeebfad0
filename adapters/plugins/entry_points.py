"""Entry points of a group by their names, and the distributions that they come from. Listing them imports nothing.

importlib.metadata gives the same, but importing it takes longer than a short command may take as a whole. So the files
that installers write on the path are read directly; where distributions are found in any other way, that library is
used.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from importlib import import_module
from importlib.machinery import PathFinder
from typing import Any, NamedTuple

from rollbook.domain.base.errors import RollbookError, note_failure

KINDS = (".dist-info", ".egg-info")
"""Endings of the folders in which installers describe a distribution."""


class EntryPoint(NamedTuple):
    """A distribution's named object: ``value`` is ``package.module:OBJECT``, ``described`` the folder declaring it."""

    name: str
    value: str
    described: str

    @property
    def module(self) -> str:
        """The module that contains the object."""
        return self._place[0]

    def load(self) -> Any:
        """Import the object. Raises whatever importing its module raises."""
        module, names = self._place
        return reduce(getattr, filter(None, names.split(".")), import_module(module))

    @property
    def _place(self) -> tuple[str, str]:
        module, _, names = self.value.partition("[")[0].partition(":")
        return module.strip(), names.strip()


def listed(group: str) -> Mapping[str, list[EntryPoint]]:
    """The entry points of a group by name. Several distributions may claim one name."""
    return _by_name(_described(group, tuple(map(_last_change, sys.path))) if _is_plain() else _asked(group))


def _by_name(points: Iterable[EntryPoint]) -> Mapping[str, list[EntryPoint]]:
    found: dict[str, list[EntryPoint]] = defaultdict(list)
    for point in sorted(points):
        if point.value not in {known.value for known in found[point.name]}:
            found[point.name].append(point)
    return dict(found)


def _is_plain() -> bool:
    """True if all distributions are described by folders on the path."""
    finders = (finder for finder in sys.meta_path if finder is not PathFinder)
    if any(hasattr(finder, "find_distributions") for finder in finders):
        return False
    return not any(path.endswith(".egg") or os.path.isfile(path) for path in sys.path)


def _last_change(path: str) -> tuple[str, int]:
    """A folder of the path as it is: an installer that adds or removes a distribution changes its time."""
    folder = os.path.abspath(path)
    try:
        return folder, os.stat(folder).st_mtime_ns
    except OSError:
        return folder, 0


@lru_cache(maxsize=16)
def _described(group: str, folders: tuple[tuple[str, int], ...]) -> tuple[EntryPoint, ...]:
    """Read entry points from installers' files; of two distributions of one name the first on the path counts."""
    found, known = list[EntryPoint](), set[str]()
    for path, _ in folders:
        for folder in _described_in(path):
            name = os.path.basename(folder).partition("-")[0].lower().replace(".", "_")
            if name not in known:
                known.add(name)
                found += _points(folder, group)
    return tuple(found)


def _described_in(path: str) -> list[str]:
    try:
        names = os.listdir(path)
    except OSError:
        return []
    return [os.path.join(path, name) for kind in KINDS for name in names if name.lower().endswith(kind)]


def _points(folder: str, group: str) -> Iterator[EntryPoint]:
    try:
        with open(os.path.join(folder, "entry_points.txt"), encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeError):
        return
    section = ""
    for line in map(str.strip, text.split("\n") if group in text else ()):
        if line.startswith("[") and line.endswith("]"):
            section = line.strip("[]")
        elif section == group and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield EntryPoint(name.strip(), value.strip(), folder)


def _asked(group: str) -> Iterator[EntryPoint]:
    from importlib.metadata import entry_points

    for point in entry_points(group=group):
        yield EntryPoint(point.name, point.value, str(getattr(point.dist, "_path", "")))


def distribution(point: EntryPoint) -> str:
    """The distribution that an entry point comes from, with its version."""
    from importlib.metadata import Distribution

    found = Distribution.at(point.described).metadata
    return f"{found['Name']} {found['Version']}" if "Name" in found else "an unknown distribution"


def origin(point: EntryPoint) -> str:
    """The distribution and the target of an entry point, in words."""
    return f"{distribution(point)}, {point.value}"


def load(points: Sequence[EntryPoint], called: str) -> Any:
    """Import the object of one name's entry points. Raises RollbookError if several claim it, or if the import fails.

    ``called`` is its name in the error: "The ruleset 'grid'".
    """
    if len(points) > 1:
        claimants = "; ".join(map(origin, points))
        raise RollbookError(f"{called} is claimed by several distributions ({claimants}): remove all but one.")
    try:
        return points[0].load()
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}"
        note_failure("plugins", f"{called} fails on import", error)
        raise RollbookError(f"{called} ({origin(points[0])}) fails on import: {what}") from error
