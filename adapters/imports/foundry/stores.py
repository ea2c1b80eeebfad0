"""Stores of one world: it may have a collection twice, as one version of Foundry left it and as the next one keeps it.

One rule holds for messages, users and actors: the store whose content is newer is read, and documents deleted in it
stay deleted; where neither is newer, both are merged by the ids of their documents.
"""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import attrs

from rollbook.adapters.imports.bounded import MIB, OUTCOME
from rollbook.adapters.imports.foundry.values import Fields, inside, number
from rollbook.adapters.presentation.installing import install
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Changeable

COLLECTIONS = ("messages", "users", "actors")
LATEST = 32_503_680_000_000
"""The year 3000 in milliseconds."""
_STAMPS = (("timestamp",), ("_stats", "modifiedTime"), ("_stats", "createdTime"))
_MOST_PLACES = 3
"""Most places of unreadable documents that are named."""


@attrs.define
class Store(Changeable):
    """The collections in one store.

    ``edited`` and ``removed`` count messages that were changed or deleted later, as the store itself records;
    ``is_living``: the world's version of Foundry writes to it.
    """

    called: str
    is_living: bool = False
    documents: dict[str, dict[str, Fields]] = attrs.field(factory=dict)
    edited: int = 0
    removed: int = 0
    unread: dict[str, list[str]] = attrs.field(factory=dict)

    def add(self, kind: str, document: Fields, where: str = "") -> None:
        """Add a document; it replaces an earlier one of the same id. A document without an id gets its place as id."""
        held = self.documents.setdefault(kind, {})
        key = str(document.get("_id") or document.get("id") or f"without id, {where or len(held)}")
        if document.get("$$deleted") is True:
            was_there = held.pop(key, None) is not None
            self.removed += kind == "messages" and was_there
            return
        if kind == "messages" and key in held and held[key] != document:
            self.edited += 1
        held[key] = document if document.get("_id") else {**document, "_id": key}

    def pass_over(self, file: str, place: str) -> None:
        """Note a place without a readable document."""
        self.unread.setdefault(file, []).append(place)

    @property
    def newest(self) -> float:
        """Time of the last change, in milliseconds since 1970; without any, LATEST for a living store, else 0."""
        times = (_written(document) for held in self.documents.values() for document in held.values())
        return max(times, default=0) or (LATEST if self.is_living and self.documents else 0)

    def warnings(self) -> Iterator[str]:
        """Sentences about unreadable documents."""
        for file, places in self.unread.items():
            more = f" and {len(places) - _MOST_PLACES:,} more" if len(places) > _MOST_PLACES else ""
            are = "are no JSON documents and were" if len(places) > 1 else "is not a JSON document and was"
            yield f"{file}, {', '.join(places[:_MOST_PLACES])}{more} {are} passed over."


@attrs.define
class Joined(Changeable):
    """The collections of a world from its stores, and the sentence about the choice of stores."""

    documents: dict[str, dict[str, Fields]] = attrs.field(factory=dict)
    read: list[Store] = attrs.field(factory=list)
    choice: str = ""


def joined(stores: Sequence[Store], named: Store | None = None) -> Joined:
    """The collections of all stores. Messages are read from the store that the user ``named``, if one is."""
    newest = {store.called: store.newest for store in stores}
    ranked = sorted(stores, key=lambda store: newest[store.called], reverse=True)
    found = Joined()
    doubled: dict[tuple[str, bool, str], list[str]] = {}
    for kind in COLLECTIONS:
        holders = [store for store in ranked if kind in store.documents]
        if kind == "messages" and named is not None:
            holders.sort(key=lambda store: store is not named)
        if not holders:
            continue
        best = holders[0]
        is_named = kind == "messages" and best is named
        equal = [best] if is_named else [store for store in holders if newest[store.called] == newest[best.called]]
        found.documents[kind] = {key: one for store in reversed(equal) for key, one in store.documents[kind].items()}
        found.read += [store for store in equal if store not in found.read]
        others = [store for store in holders[1:] if store.documents[kind]]
        if others:
            sizes = " and ".join(f"{len(store.documents[kind]):,}{_until(store, kind)}" for store in (best, *others))
            which = best.called, len(equal) > 1, " and ".join(store.called for store in others)
            doubled.setdefault(which, []).append(f"{kind} ({sizes})")
    found.choice = " ".join(_choice(named, *key, kinds) for key, kinds in doubled.items())
    return found


def _choice(named: Store | None, best: str, is_union: bool, others: str, kinds: list[str]) -> str:
    """The sentence about which of several stores was read."""
    held = f"Of {', '.join(kinds)} the world has two stores, {best} and {others}: "
    if is_union:
        return f"{held}neither is newer, so both were put together."
    why = "as it was named" if named is not None and named.called == best else "for it is newer"
    return f"{held}the content of {best} was read, {why}, and what is only in {others} was left out."


def _until(store: Store, kind: str) -> str:
    last = max((_written(document) for document in store.documents[kind].values()), default=0)
    return f" until {datetime.fromtimestamp(last / 1_000, UTC):%Y-%m-%d} UTC" if last else ""


def _written(document: Mapping[str, object]) -> float:
    """Time of a document's last change, in milliseconds since 1970; 0 if it has none."""
    times = (number(inside(document, *path)) for path in _STAMPS)
    return max((time for time in times if time is not None and 0 < time < LATEST), default=0)


def in_words(users: int, characters: int) -> str:
    """The numbers of users and of player characters, in words."""
    return f"{counted(users, 'user')} and {counted(characters, 'player character')}"


LARGEST = 512 * MIB
"""Most bytes of a folder."""


def is_level(folder: Path) -> bool:
    """True if a folder is a LevelDB database."""
    return (folder / "CURRENT").is_file()


def level_documents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The keys and values of a copy of a LevelDB folder. Raises RollbookError without plyvel, or if it is damaged."""
    try:
        import plyvel  # type: ignore[import-untyped,import-not-found,unused-ignore]  # noqa: PLC0415 - an extra
    except ImportError:
        raise RollbookError(
            f"{folder} is a LevelDB folder, which Foundry keeps since version 11; reading it needs plyvel: "
            f"{install('foundry')}. {OUTCOME}"
        ) from None
    with tempfile.TemporaryDirectory() as copy:
        _copied(folder, Path(copy))
        try:
            database = plyvel.DB(copy, create_if_missing=False)
        except (plyvel.Error, OSError) as fault:
            raise RollbookError(f"{folder} is damaged: {fault}. {OUTCOME}") from None
        try:
            for key, value in database:
                yield key.decode("utf-8", "replace"), value
        except plyvel.Error as fault:
            raise RollbookError(f"{folder} is damaged: {fault}. {OUTCOME}") from None
        finally:
            database.close()


def _copied(folder: Path, copy: Path) -> None:
    size = 0
    for file in sorted(each for each in folder.iterdir() if each.is_file() and each.name != "LOCK"):
        size += file.stat().st_size
        if size > LARGEST:
            raise RollbookError(f"{folder} holds more than {LARGEST // MIB} MiB. {OUTCOME}")
        try:
            shutil.copyfile(file, copy / file.name)
        except OSError as fault:
            raise RollbookError(f"{file} cannot be read ({fault.strerror}). {OUTCOME}") from None
