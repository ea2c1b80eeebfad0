"""Files that are no stores, damaged stores and bad disks are named in a sentence, and left as they are."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.domain.base.errors import HistoryDamaged, RollbookError
from rollbook.domain.history.event_store import NewEntry
from tests.support.stores import HIT, NOBODY, answer, events_of, files_of, filled, process


def stranger(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("CREATE TABLE recipes (name TEXT)")


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_bytes(b"Dear diary, today we met the sheriff. " * 500),
        lambda path: path.write_bytes(b"x"),
        stranger,
        lambda path: os.mkfifo(path),
    ],
    ids=["text", "one byte", "another program's database", "pipe"],
)
def test_what_is_not_a_store_is_refused_and_left_as_it_was(path: Path, make: Callable[[Path], object]) -> None:
    make(path)
    before = files_of(path.parent)
    for create in (True, False):
        with pytest.raises(RollbookError, match="is not a rollbook event store; it was left as it is"):
            SQLiteEventStore(path, create=create)
    assert files_of(path.parent) == before


def test_a_stranger_with_a_log_keeps_it(path: Path) -> None:
    stranger(path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("INSERT INTO recipes VALUES ('stew')")
        other.commit()
        before = files_of(path.parent)
        with pytest.raises(RollbookError, match="not a rollbook event store"):
            SQLiteEventStore(path)
        assert files_of(path.parent) == before


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RollbookError, match="is a folder, not an event store"):
        SQLiteEventStore(tmp_path)


def test_a_file_cannot_be_the_folder_of_a_store(path: Path) -> None:
    filled(path)
    with pytest.raises(RollbookError, match="it was not opened"):
        SQLiteEventStore(path / "inside" / "campaigns")


def test_a_store_of_a_later_version_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(filled(path))) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(RollbookError, match="later version of rollbook"):
        SQLiteEventStore(path)


def test_a_store_of_an_earlier_shape_is_refused_in_one_sentence_and_left_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(filled(path))) as other:
        other.execute("PRAGMA user_version = 1")
    before = files_of(path.parent)
    with pytest.raises(RollbookError, match="earlier version of rollbook, which stored campaigns in another shape"):
        SQLiteEventStore(path)
    assert files_of(path.parent) == before


@pytest.mark.parametrize(
    "table", ["TABLE stored_events", "TABLE kind_sets", "TABLE entry_kinds", "TABLE entry_commands", "VIEW events"]
)
def test_a_store_without_one_of_its_tables_is_damaged(path: Path, table: str) -> None:
    with closing(sqlite3.connect(filled(path))) as other:
        other.execute(f"DROP {table}")
    with pytest.raises(HistoryDamaged, match="lost one of its tables"):
        SQLiteEventStore(path)


@pytest.mark.parametrize("kept", [0.02, 0.3, 0.5, 0.9])
def test_a_truncated_store_is_damaged_and_stays_as_it_is(path: Path, kept: float) -> None:
    whole = filled(path, 5000).read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    before = path.read_bytes()
    with pytest.raises(HistoryDamaged, match=r"is damaged .* Restore it from a backup"):
        list(SQLiteEventStore(path).read("sherwood"))
    assert path.read_bytes() == before


def test_damage_in_the_middle_is_reported_while_reading(path: Path) -> None:
    whole = bytearray(filled(path, 5000).read_bytes())
    whole[4096 * 2 :] = os.urandom(len(whole) - 4096 * 2)
    path.write_bytes(whole)
    with closing(SQLiteEventStore(path)) as store, pytest.raises(HistoryDamaged, match="it could not be read"):
        list(store.changes())


def test_a_log_whose_file_was_emptied_is_not_thrown_away(path: Path) -> None:
    filled(path)
    path.write_bytes(b"")
    log = Path(f"{path}-wal")
    log.write_bytes(b"all that is left")
    with pytest.raises(HistoryDamaged, match="is empty, yet the log beside it is not"):
        SQLiteEventStore(path)
    assert log.read_bytes() == b"all that is left"


UNPRIVILEGED = """
    import sqlite3
    import urllib.parse  # what is imported later must be readable to the other user, too
    if os.getuid() == 0:
        os.setgroups([])
        os.setuid(int(sys.argv[2]))
    store = SQLiteEventStore(sys.argv[1])
    print(len(list(store.read("sherwood"))), end=" ")
    try:
        store.append("sherwood", 3, [NewEntry("hit", b"")])
    except RollbookError as refusal:
        print(type(refusal).__name__, refusal, end=" ")
    print(len(list(store.changes())))
    store.close()
"""


@pytest.mark.parametrize("folder_mode", [0o777, 0o555])
def test_a_file_one_may_only_read_can_be_read_and_says_that_it_cannot_be_written(folder_mode: int) -> None:
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    try:
        path = filled(folder / "campaigns")
        before = path.read_bytes()
        path.chmod(0o444)
        folder.chmod(folder_mode)
        said = answer(process(UNPRIVILEGED, path, NOBODY))
        assert said.startswith("3 StoreAway")
        assert "may only be read, not written; nothing was recorded" in said
        assert said.endswith(" 3")
        assert path.read_bytes() == before
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_when_the_disk_takes_no_more_nothing_is_appended_and_room_heals_it(path: Path) -> None:
    filled(path)
    script = """
        import resource
        store = SQLiteEventStore(sys.argv[1])
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
        try:
            store.append("sherwood", 3, [NewEntry("big", b"x" * 1000)] * 1000)
        except RollbookError as refusal:
            print(refusal)
        assert store.head("sherwood") == 3 == store.count()
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        store.append("sherwood", 3, [NewEntry("big", b"x" * 1000)] * 1000)
        store.close()
    """
    said = answer(process(script, path))
    assert "nothing was recorded" in said
    assert [event.version for event in events_of(path)] == list(range(1, 1004))


def test_a_full_database_is_named_as_such(path: Path) -> None:
    page_size = 4096
    filled(path)
    with closing(sqlite3.connect(path)) as other:
        pages = other.execute("PRAGMA page_count").fetchone()[0]
    assert path.stat().st_size == pages * page_size
    with closing(SQLiteEventStore(path)) as store:
        with store._recorder.datastore.turn as cursor:
            cursor.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(RollbookError, match="There is no room left on the disk .* nothing was recorded"):
            store.append("sherwood", 3, [NewEntry("big", b"x" * 100_000)])
        assert store.head("sherwood") == 3
        store.append("sherwood", 3, [HIT])
