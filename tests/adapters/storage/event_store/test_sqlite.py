"""A store in a SQLite file: what it makes, what it leaves alone, and how it is backed up."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.storage.sqlite.kinds import READ_KINDS
from rollbook.adapters.storage.sqlite.recorder import CAMPAIGNS, CampaignRecorder
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.domain.base.errors import NotFound, RollbookError, StaleHistory
from rollbook.domain.history.event_store import NewEntry, Tombstone
from tests.support.stores import HIT, MISS, events_of, files_of, filled, unguarded


def test_a_store_opened_again_holds_all_it_held(path: Path) -> None:
    with closing(SQLiteEventStore(path)) as store:
        store.append("sherwood", 0, [HIT])
        store.append("nottingham", 0, [MISS])
        before = list(store.changes())
    with closing(SQLiteEventStore(str(path), create=False)) as store:
        assert list(store.changes()) == before
        store.append("sherwood", 1, [MISS])
        assert [change.entry.version for change in store.changes(before[-1].cursor)] == [2]


def test_the_folders_of_a_new_store_are_made(tmp_path: Path) -> None:
    odd = tmp_path / "a b" / "100% #1?" / "file:x"
    assert [event.version for event in events_of(filled(odd))] == [1, 2, 3]
    assert [each.name for each in odd.parent.iterdir()] == ["file:x"]


def test_a_missing_store_is_not_found_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no event store at .* yet"):
        SQLiteEventStore(tmp_path / "nowhere" / "campaigns", create=False)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_no_store_yet_but_can_become_one(path: Path) -> None:
    path.touch()
    with pytest.raises(NotFound):
        SQLiteEventStore(path, create=False)
    assert path.read_bytes() == b""
    assert len(events_of(filled(path))) == 3


def test_opening_and_reading_leave_the_file_as_it_was(path: Path) -> None:
    before = files_of(filled(path).parent)
    for create in (True, False):
        with closing(SQLiteEventStore(path, create=create)) as store:
            assert len(list(store.changes())) == store.head("sherwood") == 3
    assert files_of(path.parent) == before


def test_refused_appends_leave_file_and_log_as_they_were(path: Path, store: SQLiteEventStore) -> None:
    store.append("sherwood", 0, [HIT, MISS])
    before = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    for expected in (0, 1, 3):
        with pytest.raises(StaleHistory):
            store.append("sherwood", expected, [NewEntry("heal", b"1")])
    store.append("sherwood", 0, [HIT, MISS])
    store.append("sherwood", 2, [])
    assert (path.read_bytes(), Path(f"{path}-wal").read_bytes()) == before


def test_the_view_shows_one_row_an_event_to_anyone_who_opens_the_file(path: Path) -> None:
    lines = (
        b'["ActionTaken@1",{"at":1800000000000000,"intent":{"verb":"x"},"seat":"Ana"}]',
        b'["Private@1",{"action":1}]',
        '["SceneFramed@3",{"title":"the Müller’s, at dawn"}]'.encode(),
        b'["~NoteWritten@1","%s"]' % (b"ab" * 32),
        b'["Seal@1",{"hash":"%s","previous_hash":"%s"}]' % (b"cd" * 32, b"ef" * 32),
    )
    with closing(SQLiteEventStore(path)) as store:
        store.append("sherwood", 0, [NewEntry("ActionTaken@1", b"\n".join(lines), ("NoteWritten", "SceneFramed"))])
        store.begin("sherwood~1", b'{"number":1}', [])
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT * FROM events ORDER BY campaign, entry, position").fetchall() == [
            ("sherwood", 1, 1800000000000000, "Ana", 0, "SceneFramed", 3, '{"title":"the Müller’s, at dawn"}'),
            ("sherwood", 1, 1800000000000000, "Ana", 1, "~NoteWritten", 1, "ab" * 32),
        ]


def test_campaigns_and_kinds_are_found_without_reading_everything(path: Path) -> None:
    with closing(SQLiteEventStore(filled(path))) as store:
        kinds: dict[str, object] = {"stream": "sherwood", "kinds": "[]", "after": 0, "until": 9, "page": 9}
        for statement, named in ((CAMPAIGNS, {}), (READ_KINDS, kinds)):
            plan = store._recorder.rows(f"EXPLAIN QUERY PLAN {statement}", **named)
            steps = [str(step[-1]) for step in plan]
            assert not [
                step for step in steps if step.startswith("SCAN") and "known" not in step and "json_each" not in step
            ]


def test_the_index_of_kinds_forgets_what_was_not_committed(path: Path) -> None:
    with closing(SQLiteEventStore(filled(path))) as store:
        with store._recorder.datastore.turn as cursor:
            pages = cursor.execute("PRAGMA page_count").fetchone()[0]
            cursor.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(RollbookError, match="There is no room left on the disk"):
            store.append("sherwood", 3, [NewEntry("new@1", b"x" * 100_000, ("Seen",))])
        store.append("sherwood", 3, [NewEntry("new@1", b"x", ("Seen",))])
        for kind in ("new", "Seen"):
            assert [entry.version for entry in store.read_kinds("sherwood", [kind])] == [4]


def test_a_name_that_cannot_be_written_as_text_is_refused_in_a_sentence(store: SQLiteEventStore) -> None:
    with pytest.raises(RollbookError, match="nothing was recorded"):
        store.append("\udcff", 0, [HIT])
    store.append("sherwood", 0, [HIT])
    assert store.campaigns() == ("sherwood",)


def test_a_closed_store_says_so(path: Path, store: SQLiteEventStore) -> None:
    store.append("sherwood", 0, [HIT])
    reading = store.read("sherwood")
    store.close()
    asked: list[Callable[[], object]] = [
        lambda: next(reading),
        lambda: store.append("sherwood", 1, [HIT]),
        lambda: store.head("sherwood"),
        lambda: store.copy_to(path.parent / "elsewhere"),
    ]
    for ask in asked:
        with pytest.raises(RollbookError, match="was closed"):
            ask()


def test_an_older_file_without_a_table_of_removals_has_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(SQLiteEventStore(path)) as store:
        store.append("sherwood", 0, [HIT])
    with closing(sqlite3.connect(path)) as older:
        older.execute("DROP TABLE removals")
    monkeypatch.setattr(CampaignRecorder, "make_noting_removals", lambda _: None)  # it cannot be written
    with closing(SQLiteEventStore(path)) as store:
        assert (store.removals(), store.is_wiped(), store.tombstones()) == (0, True, ())
        assert (store.state().removals, store.stream_state("sherwood").removals) == (0, 0)
        assert store.stream_state("sherwood").head == 1


def test_a_position_is_not_used_again_even_if_someone_deletes_the_newest_events(path: Path) -> None:
    with closing(sqlite3.connect(filled(path))) as other, other:
        unguarded(other).execute("DELETE FROM stored_events WHERE originator_version > 1")
    with closing(SQLiteEventStore(path)) as store:
        store.append("sherwood", 1, [HIT])
        assert [change.cursor for change in store.changes()] == ["1", "4"]


def test_every_connection_waits_for_the_disk_and_uses_the_log(store: SQLiteEventStore) -> None:
    assert store._recorder.rows("PRAGMA synchronous") == [(2,)]
    assert store._recorder.rows("PRAGMA journal_mode") == [("wal",)]
    with store._recorder.datastore.turn as cursor:
        assert cursor.execute("PRAGMA synchronous").fetchone()[0] == 2


def test_a_copy_is_complete_while_the_log_is_not_yet_in_the_file(path: Path, store: SQLiteEventStore) -> None:
    store.append("sherwood", 0, [HIT, MISS])
    target = path.parent / "safe" / "copy"
    target.parent.mkdir()
    store.copy_to(target)
    store.append("sherwood", 2, [HIT])
    assert list(files_of(target.parent)) == ["copy"]
    with closing(SQLiteEventStore(target, create=False)) as copy:
        assert list(copy.changes()) == list(store.changes())[:2]
        copy.append("sherwood", 2, [MISS])


CHANGES = (
    "UPDATE stored_events SET state = x'00'",
    "DELETE FROM stored_events",
    "DELETE FROM stored_events WHERE originator_version = 2",
)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("was_released", [False, True], ids=["a new store", "one from before there were guards"])
def test_no_tool_changes_an_entry_by_mistake(path: Path, change: str, *, was_released: bool) -> None:
    before = events_of(filled(path))
    with closing(sqlite3.connect(path)) as other, other:
        if was_released:
            unguarded(other)
    if was_released:
        with closing(SQLiteEventStore(path)) as store:
            store.append("sherwood", 3, [HIT])
        before = events_of(path)
    with closing(sqlite3.connect(path)) as other, pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        other.execute(change)
    assert events_of(path) == before


def test_a_removal_lifts_the_guards_and_puts_them_back(path: Path) -> None:
    with closing(SQLiteEventStore(filled(path))) as store:
        store.redact("sherwood", 3, [HIT], {1: b"gone"})
        assert next(store.read("sherwood")).data == b"gone"
        store.append("nottingham", 0, [HIT])
        store.delete(["nottingham"], Tombstone("nottingham", 1, "", "", 1))
        assert store.campaigns() == ("sherwood",)
    with closing(sqlite3.connect(path)) as other, pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        other.execute("UPDATE stored_events SET state = x'00'")
