"""What deciding an action looked at, by the keys of ``CampaignState.part``, and in the short form in which its entry keeps it.

An entry keeps ``clock`` for all of a part of the campaign, ``@robin.lost,pools.tokens.luck`` for three parts of a character,
``@marian,robin.lost`` for the same of two, and ``seats.Ann`` for one seat. Older entries name whole characters (``@robin``),
which stays as true as it was.
"""

from collections.abc import Collection, Iterable, Iterator

from domain.state import CampaignState, equal_in_order, inside

WHOLE = ""
"""In place of a field or of a key: all that is there, with its order."""

FEW = 4
"""If more keys of a mapping were looked at than this, the entry names the mapping."""


class Looked:
    """What was looked at of one part: fields as a whole, and of fields that are mappings the keys.

    A part that is a mapping itself has the field ``WHOLE``.
    """

    __slots__ = ("_keys", "whole")

    def __init__(self) -> None:
        self.whole: set[str] = set()
        self._keys: dict[str, set[str]] = {}

    def keys(self, field: str) -> set[str]:
        """What was looked at of a mapping, to be added to: ``WHOLE`` stands for all of it."""
        found = self._keys.get(field)
        if found is None:
            found = self._keys[field] = set()
        return found

    def names(self) -> list[str]:
        """The fields, and the keys in them, as an entry names them."""
        apart = [_name(field, keys) for field, keys in self._keys.items() if keys and field not in self.whole]
        return sorted([*self.whole, *apart])


class Reads:
    """The parts of a campaign that were looked at so far; ``whole`` are those of which all was."""

    __slots__ = ("_parts", "whole")

    def __init__(self) -> None:
        self.whole: set[str] = set()
        self._parts: dict[str, Looked] = {}

    def note(self, part: str, field: str = WHOLE, key: str = WHOLE) -> None:
        """A part was looked at, or a field of it, or one entry of that: an absent one too."""
        if key:
            self.looked(part).keys(field).add(key)
        elif field:
            self.looked(part).whole.add(field)
        else:
            self.whole.add(part)

    def looked(self, part: str) -> Looked:
        """What was looked at of a part, to be added to."""
        found = self._parts.get(part)
        if found is None:
            found = self._parts[part] = Looked()
        return found

    def written(self) -> tuple[str, ...]:
        """As an entry keeps it; characters of whom the same was looked at stand together."""
        words = set(self.whole)
        alike: dict[str, list[str]] = {}
        for part in sorted(self._parts.keys() - words):
            names = self._parts[part].names()
            if WHOLE in names:
                words.add(part)
            elif names and part[0] == "@":
                alike.setdefault(",".join(names), []).append(part[1:])
            elif names:
                words.add(f"{part}.{','.join(names)}")
        words.update([f"@{','.join(people)}.{names}" for names, people in alike.items()])
        return tuple(sorted(words))


def _name(field: str, keys: set[str]) -> str:
    """What was looked at of a field. A key in which a sign has a meaning here is not named, but all that is beside it."""
    if WHOLE in keys or len(keys) > FEW:
        return field
    signs = "".join(keys)
    if "," in signs or "." in signs:
        return field
    named = sorted(keys)
    return ".".join((field, *named)) if field else ",".join(named)


def differs(read: str, among: Collection[str], one: CampaignState, other: CampaignState) -> bool:
    """Whether something that was looked at is not the same in two campaigns, which differ in the parts ``among``."""
    parts, _, names = read.partition(".")
    return any(part in among and _differs(names, one.part(part), other.part(part)) for part in _parts(parts))


def _differs(names: str, mine: object, yours: object) -> bool:
    return mine is not yours and any(not equal_in_order(inside(mine, key), inside(yours, key)) for key in _keys(names))


def covers(reads: Iterable[str], others: Iterable[str]) -> bool:
    """Whether all that ``others`` say was looked at is also said by ``reads``."""
    known = set(reads)
    missing = [read for read in others if read not in known]
    if not missing:
        return True
    apart = {key for read in known for key in _apart(read)}
    return all(any(wider in apart for wider in _wider(key)) for read in missing for key in _apart(read))


def _apart(read: str) -> Iterator[str]:
    """Each thing that was looked at, by a key of its own: ``@robin.lost,name`` is ``@robin.lost`` and ``@robin.name``."""
    parts, _, names = read.partition(".")
    return (f"{part}.{key}" if key else part for part in _parts(parts) for key in _keys(names))


def _parts(parts: str) -> Iterable[str]:
    return [f"@{who}" for who in parts[1:].split(",")] if "," in parts else (parts,)


def _keys(names: str) -> Iterator[str]:
    for name in names.split(","):
        field, *keys = name.split(".")
        yield from (f"{field}.{key}" for key in keys) if keys else (field,)


def _wider(key: str) -> Iterator[str]:
    """A key and those of all that it is in: ``@robin.pools.tokens``, ``@robin.pools``, ``@robin``."""
    while key:
        yield key
        key = key.rpartition(".")[0]
