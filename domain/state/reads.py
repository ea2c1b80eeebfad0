"""Reads of an action: the parts of the campaign that deciding it looked at, and the short form that its entry keeps.

Parts have the keys of ``CampaignState.part``. An entry keeps ``clock`` for all of a part,
``@robin.lost,pools.tokens.luck`` for three parts of a character, ``@marian,robin.lost`` for the same of two, and
``seats.Ann`` for one seat. ``@robin.lost.14`` is whether 14 hit points or more are lost, and ``@robin.lost.-3`` whether
more than 3 beyond the maximum are not. Older entries name whole characters (``@robin``), which is still valid.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import TypeAlias

from rollbook.domain.state.campaign_state import CampaignState, Character, equal_in_order, inside

WHOLE = ""
"""Stands for a whole field or mapping, with its order."""

Key: TypeAlias = tuple[str, str, str]
"""A look at a part: the key there, which is that of a field and that of an entry in the field, "" for all of it."""

FEW = 4
"""Most keys of a field that an entry names; if more were read, it names the field."""


class Looked:
    """The looks at one part: the ``whole`` fields, and of fields that are mappings the ``keys``.

    ``WHOLE`` among the keys of a mapping stands for all of it. A part that is a mapping itself has the field ``WHOLE``.
    """

    __slots__ = ("keys", "whole")

    def __init__(self) -> None:
        self.whole: set[str] = set()
        self.keys: dict[str, set[str]] = defaultdict(set)

    def add(self, others: "Looked") -> None:
        """Note the same looks."""
        self.whole |= others.whole
        mine = self.keys
        for field, keys in others.keys.items():
            mine[field] |= keys

    def names(self) -> list[str]:
        """The fields, and the keys in them, as an entry names them."""
        found = list(self.whole)
        for field, keys in self.keys.items():
            if keys and field not in self.whole:
                found.append(field if WHOLE in keys or len(keys) > FEW else _name(field, keys))
        found.sort()
        return found


class Reads:
    """The ``parts`` of a campaign that were read in part so far; ``whole`` are those that were read entirely."""

    __slots__ = ("parts", "whole")

    def __init__(self) -> None:
        self.whole: set[str] = set()
        self.parts: dict[str, Looked] = defaultdict(Looked)

    def note(self, part: str, field: str = WHOLE, key: str = WHOLE) -> None:
        """Note a read of a part, of a field of it, or of one entry of the field, even if absent."""
        if key:
            self.parts[part].keys[field].add(key)
        elif field:
            self.parts[part].whole.add(field)
        else:
            self.whole.add(part)

    def written(self) -> tuple[str, ...]:
        """The form that an entry keeps; characters with the same reads stand together."""
        words = list(self.whole)
        alike: dict[str, list[str]] = {}
        for part, looked in self.parts.items():
            names = looked.names() if part not in self.whole else ()
            if not names:
                continue
            if names[0] == WHOLE:
                words.append(part)
            elif part[0] == "@":
                alike.setdefault(",".join(names), []).append(part[1:])
            else:
                words.append(f"{part}.{','.join(names)}")
        words += [f"@{','.join(sorted(people))}.{names}" for names, people in alike.items()]
        words.sort()
        return tuple(words)


def _name(field: str, keys: set[str]) -> str:
    """The name of a few keys of a field; the whole field if a key contains one of the separators."""
    signs = "".join(keys)
    if "," in signs or "." in signs:
        return field
    named = sorted(keys)
    return ".".join((field, *named)) if field else ",".join(named)


def differs(reads: tuple[str, ...], among: AbstractSet[str], one: CampaignState, other: CampaignState) -> bool:
    """True if a read part is not the same in two campaigns, which differ in the parts ``among``."""
    for read in reads:  # each later action of a correction asks, and most read nothing that differs
        parts, keys = _read_parts(read)
        for part in parts:
            if part in among and _differs(keys, one.part(part), other.part(part)):
                return True
    return False


def seen(reads: tuple[str, ...], campaign: CampaignState) -> Mapping[str, object]:
    """The parts that were read, as they are in a campaign."""
    return {part: campaign.part(part) for read in reads for part in _read_parts(read)[0]}


def holds(reads: tuple[str, ...], then: Mapping[str, object], campaign: CampaignState) -> bool:
    """True if all that was read is in a campaign as it was ``then`` (see ``seen``)."""
    for read in reads:
        parts, keys = _read_parts(read)
        for part in parts:
            if _differs(keys, then[part], campaign.part(part)):
                return False
    return True


def _differs(keys: Iterable[Key], mine: object, yours: object) -> bool:
    if mine is yours:
        return False
    are_characters = isinstance(mine, Character) and isinstance(yours, Character)
    for key, field, entry in keys:
        if are_characters and field:
            one, other = getattr(mine, field), getattr(yours, field)
            if one is other:
                continue  # most of what is on a sheet is the very same after a change
            if entry:
                one, other = inside(one, entry), inside(other, entry)
        else:
            one, other = inside(mine, key), inside(yours, key)
        if one is not other and not equal_in_order(one, other):
            return True
    return False


@lru_cache(maxsize=4096)
def _read_parts(read: str) -> tuple[tuple[str, ...], tuple[Key, ...]]:
    """The parts that a read is of (``@robin,marian`` are two), and the keys that it names in each of them."""
    named, _, names = read.partition(".")
    parts = tuple(["@" + who for who in named[1:].split(",")]) if "," in named else (named,)
    return parts, _read_keys(names)


@lru_cache(maxsize=4096)
def _read_keys(names: str) -> tuple[Key, ...]:
    """The keys that a read names in each of its parts; many reads of different people name the same."""
    return tuple((key, *key.partition(".")[::2]) for key in _keys(names))


def covers(reads: Iterable[str], others: Iterable[str]) -> bool:
    """True if ``reads`` include all of ``others``."""
    known = set(reads)
    missing = [read for read in others if read not in known]
    if not missing:
        return True
    apart = {key for read in known for key in _apart(read)}
    return all(any(wider in apart for wider in _wider(key)) for read in missing for key in _apart(read))


def _apart(read: str) -> Iterator[str]:
    """The single reads in a short form: ``@robin.lost,name`` is ``@robin.lost`` and ``@robin.name``."""
    parts, keys = _read_parts(read)
    return (f"{part}.{key}" if key else part for part in parts for key, _, _ in keys)


def _keys(names: str) -> Iterator[str]:
    for name in names.split(","):
        field, *keys = name.split(".")
        yield from (f"{field}.{key}" for key in keys) if keys else (field,)


def _wider(key: str) -> Iterator[str]:
    """A key and the keys that contain it: ``@robin.pools.tokens``, ``@robin.pools``, ``@robin``."""
    while key:
        yield key
        key = key.rpartition(".")[0]
