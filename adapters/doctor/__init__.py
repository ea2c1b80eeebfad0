"""An examination of the installation and of everything that a store depends on. It changes nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from rollbook.adapters.doctor import files, installation, store
from rollbook.adapters.doctor.findings import Finding, looked_at
from rollbook.adapters.local_files.paths import read_model_path
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.ports.store_address import Place, ServerAddress
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record

__all__ = ["Finding", "Places", "examine"]


@attrs.frozen(kw_only=True)
class Places(Record):
    """The ``store``, and the folders of ``seeds``, of the user's ``state`` and of ``caches`` of stores on servers.

    ``current`` is the folder in which the program was started.
    """

    store: Place
    seeds: Path
    caches: Path
    state: Path
    current: Path

    @property
    def folder(self) -> Path:
        """The folder of the store, or the folder of caches for a store on a server."""
        return self.store.parent if isinstance(self.store, Path) else self.caches


def examine(places: Places, clock: Callable[[], int]) -> Iterator[Finding]:
    """Run every check. A check that fails is a finding too, and the others continue."""
    yield from looked_at("Python", installation.python)
    yield from looked_at("SQLite", installation.sqlite)
    yield from looked_at("packages", installation.needed_packages)
    yield from looked_at("shadows", installation.shadowed, places.current)
    yield from looked_at("plug-ins", installation.plug_ins)
    yield from looked_at("letters", installation.encodings)
    yield from looked_at("terminal", installation.terminal)
    yield from looked_at("permissions", _permissions, places)
    yield from looked_at("left over", files.unfinished, _written_to(places))
    size = places.store.stat().st_size if isinstance(places.store, Path) and places.store.is_file() else 0
    yield from looked_at("free space", files.room, places.folder.absolute(), size)
    yield from looked_at("store", _store, places, clock)


def _permissions(places: Places) -> Iterator[Finding]:
    own = [places.state, places.seeds]
    if isinstance(places.store, ServerAddress):
        return files.permissions(files.kept_in([*own, places.caches]), [])
    private = (*files.kept(places.store, read_model_path(places.store)), *files.kept_in(own))
    return files.permissions(private, [places.folder])


def _written_to(places: Places) -> Iterator[Path]:
    """The folders in which files are written under a temporary name first, so that they are complete or absent."""
    yield from (places.folder, places.seeds, places.state)
    yield from SeedKeeper(places.seeds).copied_to()


def _store(places: Places, clock: Callable[[], int]) -> Iterator[Finding]:
    """The store and what belongs to it, if there is one that can be opened."""
    if isinstance(places.store, Path) and not places.store.exists():
        yield Finding("store", well=True, says=f"none yet at {places.store}; rollbook new makes one")
        yield from looked_at("clock", installation.clock, clock(), None)
        return
    try:
        book = open_book(places.store, places.seeds, create=False)
    except RollbookError as fault:
        yield Finding("store", well=False, says=str(fault))
        return
    with book:
        if isinstance(places.store, Path):
            yield from _of_file(places.store, book, clock)
        else:
            yield from _of_server(places.store, book, clock)


def _of_server(where: ServerAddress, book: Book, clock: Callable[[], int]) -> Iterator[Finding]:
    yield from looked_at("store", store.answers, where, book)
    yield from looked_at("read model", store.read_model, book)
    yield from looked_at("rules", store.rules_of_server, book)
    yield from looked_at("pictures", store.pictures, book)
    yield from looked_at("seeds", store.seeds_of_server, book)
    yield from looked_at("clock", installation.clock, clock(), None)


def _of_file(path: Path, book: Book, clock: Callable[[], int]) -> Iterator[Finding]:
    if found := list(looked_at("store", store.spoilt, path)):
        yield from found
        return
    yield from looked_at("store", store.whole, path, book)
    yield from looked_at("store", store.may_be_written, path)
    yield from looked_at("read model", store.read_model, book)
    yield from looked_at("pictures", store.pictures, book)
    yield from looked_at("seeds", store.seeds, book)
    yield from looked_at("rulesets", store.rulesets, book)
    yield from looked_at("clock", installation.clock, clock(), book)
