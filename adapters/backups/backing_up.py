"""Backups: a whole store in one file, with the seeds of its dice.

A backup is a store that any rollbook can open, with one more table: the seeds that have not been revealed, without which an
open session could not be played on. So the file is a secret of the GM's, and only its owner may read it.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import starmap
from pathlib import Path

import attrs

from rollbook.adapters.local_files import own_files
from rollbook.adapters.local_files.paths import read_model_path
from rollbook.adapters.local_files.sqlite_faults import FAILURES, in_words, result_code, sentence
from rollbook.adapters.storage.sqlite import copy_and_replace
from rollbook.adapters.storage.sqlite.opening import fixed
from rollbook.adapters.storage.sqlite.schema import APPLICATION_ID
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import open_apart
from rollbook.application.book import Book
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.keeping.verifying import damage_of
from rollbook.application.ports.seed_store import StoreSecrets, can_be_read
from rollbook.domain.base.errors import HistoryDamaged, RollbookError
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.progress import say, told
from rollbook.domain.base.records import Record

OUTCOME = "no backup was made"


@attrs.frozen(kw_only=True)
class CopyReport(Record):
    """The contents of a backup or a restored store: campaigns, and numbers of entries and of sessions with seeds.

    ``damaged`` names the faults of the store that was backed up. ``before`` is the file that keeps the store that was
    replaced, "" if there was none.
    """

    path: str
    campaigns: tuple[str, ...]
    entries: int
    sessions: int
    damaged: tuple[str, ...] = ()
    before: str = ""


def make_backup(store: SQLiteEventStore, seeds: StoreSecrets, target: Path, *, overwrite: bool = False) -> CopyReport:
    """Copy the store as it is at this moment, with its seeds, and read the copy back. Writers may continue meanwhile.

    Raises RollbookError if there is a file of that name and ``overwrite`` is off, or if the copy is not what it should be;
    then there is no new file. A history that is damaged in the store itself is copied as it is, and reported.
    """
    is_ours = is_backup if overwrite else None
    check_apart(store.path, target, "Choose another name for the backup.")
    own_files.check_target(target, OUTCOME, is_ours=is_ours)
    with in_words(target, OUTCOME):
        own_files.make_folder(target.parent)
        with own_files.unfinished(target) as copy, called(copy, target, OUTCOME):
            seeds.note_copy(str(store.path.absolute()), copy)
            copy_with_seeds(store, seeds, copy)
            campaigns, entries, damaged = examined(copy)
            sessions = len(seeds_in(copy))
            copy_and_replace.finish(copy)
            seeds.note_copy(str(store.path.absolute()), target)
            own_files.give_name(copy, target, is_ours=is_ours)
    return CopyReport(path=str(target), campaigns=campaigns, entries=entries, sessions=sessions, damaged=damaged)


def is_backup(path: Path) -> bool:
    """True if a file is a backup: a store with a table of seeds. A store that is played has none."""
    return has_table(path, "unrevealed_seeds")


def has_table(path: Path, name: str) -> bool:
    """True if a file is a store with a table of that name."""
    if int.from_bytes(own_files.begin_of(path, 72)[68:], "big") != APPLICATION_ID:
        return False
    with suppress(sqlite3.Error), closing(sqlite3.connect(fixed(path), uri=True)) as connection:
        return _has(connection, name)
    return False


def check_apart(store: Path, other: Path, instead: str) -> None:
    """Raise RollbookError, with the advice ``instead``, if a file is the store, by any name, or a part of it."""
    with own_files.said_of(other, instead):
        names = {
            f"{one.resolve()}{suffix}" for one in (store, read_model_path(store)) for suffix in ("", *own_files.BESIDE)
        }
        is_it = str(other.resolve()) in names or (other.exists() and store.exists() and other.samefile(store))
    if is_it:
        raise RollbookError(f"{own_files.named(other)} is the store itself, or a part of it. {instead}")


@contextmanager
def called(copy: Path, path: Path, outcome: str) -> Iterator[None]:
    """Rewrite errors about a ``copy`` so that they name ``path``, its source or target, and the ``outcome``."""
    try:
        yield
    except RollbookError as fault:
        said = str(fault).replace(str(copy), str(path))
        raise type(fault)(said if outcome in said else f"{said} {outcome.capitalize()}.") from None


def copy_with_seeds(store: SQLiteEventStore, seeds: StoreSecrets, copy: Path) -> None:
    """Copy a store that is in use into an empty file, with the seeds that it keeps.

    The copy has an identity of its own, so that opening it to look never draws the dice of the store.
    """
    store.copy_to(copy)
    kept = [found for found in seeds.of_store(store.identity()).kept() if can_be_read(*found)]
    copy_and_replace.give_identity(copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        put_seeds(connection, kept)


def put_seeds(connection: sqlite3.Connection, kept: Iterable[tuple[str, str]]) -> None:
    """Put seeds into a copy of a store, in the transaction that is open."""
    connection.execute("CREATE TABLE IF NOT EXISTS unrevealed_seeds (session TEXT PRIMARY KEY, seeds TEXT NOT NULL)")
    connection.executemany("INSERT OR REPLACE INTO unrevealed_seeds VALUES (?, ?)", kept)


def seeds_in(path: Path) -> list[tuple[str, str]]:
    """The seeds in a backup, by session; none in a store that is not a backup. Raises HistoryDamaged if they cannot be read."""
    with closing(sqlite3.connect(path)) as connection:
        if not _has(connection, "unrevealed_seeds"):
            return []
        found = connection.execute("SELECT session, seeds FROM unrevealed_seeds").fetchall()
    if not all(starmap(can_be_read, found)):
        raise HistoryDamaged(f"{path} is damaged (the seeds in it cannot be read).")
    return found


def _has(connection: sqlite3.Connection, table: str) -> bool:
    return bool(connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", [table]).fetchone())


def copied(source: Path, copy: Path, outcome: str) -> tuple[tuple[str, ...], int]:
    """Copy the file of a store, and read the copy. Returns its campaigns and its number of entries.

    Raises RollbookError that names what is at fault: the file, or the disk that it is copied to. Raises HistoryDamaged.
    """
    try:
        copy_and_replace.copy_file(source, copy)
    except FAILURES as failure:
        at_fault = source if result_code(failure) in copy_and_replace.SOURCE_AT_FAULT else copy
        raise sentence(at_fault, failure, outcome) from failure
    with called(copy, source, outcome):
        campaigns, entries, damaged = examined(copy)
    if damaged:
        raise HistoryDamaged(f"{source} is damaged: {'; '.join(damaged)}. {outcome.capitalize()}.")
    return campaigns, entries


def examined(copy: Path) -> tuple[tuple[str, ...], int, tuple[str, ...]]:
    """The campaigns of a copy that no program uses, its number of entries, and the faults of its histories.

    Raises HistoryDamaged if the file itself is damaged.
    """
    copy_and_replace.check_pages(copy)
    with open_apart(copy) as book:
        campaigns, store = book.campaigns(), book.store
        damaged = tuple(f"{stream}: {fault}" for stream, fault in _faults(book))
        return campaigns, sum(store.head(stream) for stream in store.campaigns()), damaged


def _faults(book: Book) -> Iterator[tuple[str, str]]:
    """The first fault of each history of a store, campaigns and timelines."""
    streams = book.store.campaigns()
    total, done = sum(map(book.store.head, streams)), 0
    for stream in streams:
        if stream in book.campaigns():
            log = EntryLog(book.store, stream, lambda: 0)
            audit = log.chain_audit()
            for stored in told(log.stored(), lambda: total, before=done):
                audit.follow(stored)
            yield from ((stream, f"@{fault.entry}: {fault.text}") for fault in audit.answer().findings[:1])
        elif damage := damage_of(book, stream):
            yield stream, damage
        done += book.store.head(stream)
        say(done, total)


def what_it_holds(campaigns: tuple[str, ...], entries: int) -> str:
    """The numbers of campaigns and entries, in words."""
    return f"{counted(len(campaigns), 'campaign')} with {entries:,} {'entry' if entries == 1 else 'entries'}"
