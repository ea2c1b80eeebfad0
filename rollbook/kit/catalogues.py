"""Catalogues: data files that are read when they are first asked for, and rows found by a name as people type it.

A catalogue is a function that gives its rows by their keys: ``spells = read_once(__package__, "spells.json", Spell)``. The
rows have a ``name``, or are known by their keys alone.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from rollbook.kit import data
from rollbook.plugin import CampaignState, NotFound, not_found, slug

__all__ = ["clear", "find", "is_slip", "key_of", "many_of", "meant", "pick", "read_once", "split_off", "unknown"]

SLIP = 0.85
"""Likeness from which on a name is taken for one that was misspelt."""

_MANY = re.compile(r"(?:(\d+)\s*x?\s+)?(.*?)(?:\s+x?(\d+))?")
_Row = TypeVar("_Row", bound=Any)
Rows: TypeAlias = Callable[[], Mapping[str, _Row]]


def read_once(package: str, file: str, row: type[_Row]) -> Rows[_Row]:
    """A catalogue: a function that reads a data file when it is first called; see ``data.load``."""
    return cache(lambda: MappingProxyType({each.key: each for each in data.load(package, file, row)}))


@cache
def _by_name(rows: Rows[Any]) -> Mapping[str, str]:
    """The keys of rows by what may be typed for each; "Poison, Basic" is basic poison, too."""
    named = {key: getattr(row, "name", key) for key, row in rows().items()}
    turned = {slug(" ".join(reversed(name.split(", ")))): key for key, name in named.items()}
    return {**turned, **{slug(name): key for key, name in named.items()}, **{key: key for key in named}}


def key_of(rows: Rows[Any], typed: str) -> str:
    """The key of the row that somebody means, by its name in any spelling; "" for none."""
    return _by_name(rows).get(slug(typed), "")


def meant(rows: Rows[Any], typed: str) -> str:
    """The key of the row that somebody means, by its name or a clear part of it; "" for none."""
    return clear(_by_name(rows), slug(typed)) or ""


def find(what: str, rows: Rows[_Row], typed: str) -> _Row:
    """The row that somebody means. Raises NotFound with the nearest names; ``what`` says of what sort they are."""
    key = meant(rows, typed)
    if not key:
        raise not_found(what, typed, [getattr(row, "name", key) for key, row in rows().items()])
    return rows()[key]


def unknown(what: str, rows: Rows[Any], typed: str) -> NotFound:
    """The error for a name that no row has, with the nearest: those with the word in their names come first."""
    wanted, known = slug(typed), [row.name for row in rows().values()]
    with_it = [each for each in known if wanted and wanted in slug(each)]
    return not_found(what, typed, with_it or known)


def is_slip(rows: Rows[Any], typed: str) -> bool:
    """True for a name that is nearly a row's, as a slip of the keyboard makes it."""
    known = [slug(row.name) for row in rows().values()]
    return bool(get_close_matches(slug(typed), known, n=1, cutoff=SLIP))


def many_of(typed: str) -> tuple[int, str]:
    """The number and the name of things as they are typed: ``2 ogres``, ``ogres x2``, ``ogre`` alone for one."""
    found = _MANY.fullmatch(typed.strip())
    return (int(found[1] or found[3] or 1), found[2]) if found is not None else (1, typed)


def clear(named: Mapping[str, _Row], wanted: str) -> _Row | None:
    """The one of this name, or else the only one that begins so, or of whose name it is a part; None if several do."""
    if wanted in named or not wanted:
        return named.get(wanted)
    begun = [each for name, each in named.items() if name.startswith(wanted)]
    likely = begun or [each for name, each in named.items() if wanted in name]
    return likely[0] if likely and all(each is likely[0] for each in likely) else None


def pick(
    what: str, named: Mapping[str, _Row], typed: str, *, shown: Iterable[str] = (), spelled: Callable[[str], str] = slug
) -> _Row:
    """The one of some that is meant by its name or a clear part of it. Raises NotFound with the nearest.

    ``named`` are those that there are by their names, ``spelled`` as names are compared; ``shown`` are the names to read.
    """
    found = clear(named, spelled(typed))
    if found is None:
        raise not_found(what, typed, tuple(shown) or tuple(named))
    return found


def split_off(campaign: CampaignState, typed: str, is_known: Callable[[str], object]) -> tuple[str, tuple[str, ...]]:
    """The deed and its targets, of words that name both, as in ``fire breath kara,odo``; nothing if they do not."""
    words = typed.split()
    for cut in range(len(words) - 1, 0, -1):
        named, targets = " ".join(words[:cut]), tuple(map(slug, " ".join(words[cut:]).split(",")))
        there = all(name in campaign.characters and not campaign.characters[name].hidden for name in targets)
        if there and is_known(named):
            return named, targets
    return "", ()
