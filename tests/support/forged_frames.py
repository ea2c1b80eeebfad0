"""Everything that a page of a replay draws, place by place, and each of them changed as a forger would change it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise
from typing import Any

import attrs

Path = tuple[str | int, ...]
MOMENTS = (("corrected", "changes"), ("corrected", "whole"), ("changes",), ("whole",))
"""Paths of moments; the rest of a path leads to a part of a moment."""
BY_NAME = ("people", "lanes", "are")
"""Keys whose values are kept by the ids of people, or by the names of conditions."""
OFTEN = 3
"""So many places of a field are forged: the first, the last, and one between."""
ELSE = " or otherwise"


@attrs.frozen
class Forgery:
    """One value changed, or taken away: ``field`` is what it is wherever it stands."""

    field: str
    path: Path
    is_gone: bool

    def of(self, frames: dict[str, Any]) -> str:
        """The same drawing with this one changed, as text."""
        forged = deepcopy(frames)
        inside: Any = forged
        for step in self.path[:-1]:
            inside = inside[step]
        last = self.path[-1]
        if self.is_gone:
            del inside[last]
        else:
            inside[last] = another(inside[last], self.field)
        return json.dumps(forged)


def another(value: Any, field: str) -> Any:
    """A value of the same sort that says something else."""
    if field == "moment":
        return {"scene": ELSE}
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else f"{value or ''}{ELSE}"


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """The places of all that is no list or object."""
    if isinstance(value, dict):
        for key, held in value.items():
            yield from places(held, (*path, key))
    elif isinstance(value, list):
        for at, held in enumerate(value):
            yield from places(held, (*path, at))
    else:
        yield path


def field_of(path: Path) -> str:
    """The kind of a place, wherever it is: ``moment.people.*.conditions[][1]``."""
    for begin in MOMENTS:
        if path[: len(begin)] == begin:
            return _named(("moment", *path[len(begin) + 1 :]))
    return _named(path[1:] if path[:2] == ("corrected", "lanes") else path)


def _named(path: Path) -> str:
    said = str(path[0])
    for before, here in pairwise(path):
        if isinstance(here, str):
            said += ".*" if before in BY_NAME else f".{here}"
        else:
            is_part = isinstance(before, int) or path[0] == "people"
            said += f"[{here}]" if is_part else "[]"
    return said


def forgeries(frames: dict[str, Any]) -> list[Forgery]:
    """Each field of a drawing changed at some of its places, and taken away where it stands in an object."""
    known: dict[str, list[Path]] = {}
    for path in filter(_is_read, places(frames)):
        known.setdefault(field_of(path), []).append(path)
    found = []
    for field, paths in known.items():
        some = {0, len(paths) // 2, len(paths) - 1} if len(paths) > OFTEN else range(len(paths))
        for path in (paths[at] for at in sorted(some)):
            found.append(Forgery(field, path, is_gone=False))
            if isinstance(path[-1], str):
                found.append(Forgery(field, path, is_gone=True))
    return found


def _is_read(path: Path) -> bool:
    """True if a page reads what is there: the first moment is whole elsewhere."""
    return path[:2] != ("changes", 0) and path[:3] != ("corrected", "changes", 0)


def fields(frames: dict[str, Any]) -> set[str]:
    """The kinds of places in a drawing."""
    return set(map(field_of, places(frames)))
