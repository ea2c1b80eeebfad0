"""A campaign file survives other processes, sudden death and bad disks, and says in a sentence what is wrong with it."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from adapters.storage.event_store import SQLiteEventStore
from adapters.storage.event_store.kinds import BLOCK, READ_KINDS
from adapters.storage.event_store.recorder import CAMPAIGNS
from domain.errors import HistoryDamaged, NotFound, RollbookError, StaleHistory
from domain.event_store import START, NewEntry, StoredChange, StoredEntry

ROOT = Path(__file__).parents[3]
HIT = NewEntry("hit", b"5")
MISS = NewEntry("miss", b"")
NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "campaigns"


@pytest.fixture
def store(path: Path) -> Iterator[SQLiteEventStore]:
    store = SQLiteEventStore(path)
    yield store
    store.close()


def filled(path: Path, count: int = 3) -> Path:
    with closing(SQLiteEventStore(path)) as store:
        store.append("sherwood", 0, [NewEntry("tick", b"%d" % n) for n in range(count)])
    return path


def process(script: str, *arguments: object) -> subprocess.Popen[bytes]:
    prelude = "import os, sys\nfrom adapters.storage.event_store import SQLiteEventStore\nfrom domain.errors import *\n"
    prelude += "from domain.event_store import NewEntry\n"
    return subprocess.Popen(
        [sys.executable, "-c", prelude + textwrap.dedent(script), *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def answer(running: subprocess.Popen[bytes]) -> str:
    out, _ = running.communicate(timeout=30)
    assert running.returncode == 0
    return out.decode().strip()


def files_of(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


def events_of(path: Path) -> list[StoredEntry]:
    with closing(SQLiteEventStore(path, create=False)) as store:
        return list(store.read("sherwood"))


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


def test_the_view_shows_one_row_a_fact_to_whoever_opens_the_file(path: Path) -> None:
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
            ("sherwood", 1, 1800000000000000, "Ana", 1, "SceneFramed", 3, '{"title":"the Müller’s, at dawn"}'),
            ("sherwood", 1, 1800000000000000, "Ana", 2, "~NoteWritten", 1, "ab" * 32),
        ]


def test_campaigns_and_kinds_are_found_without_reading_everything(path: Path) -> None:
    with closing(SQLiteEventStore(filled(path))) as store:
        for statement, *parameters in ((CAMPAIGNS,), (READ_KINDS, "sherwood", "[]", 0, 9, BLOCK)):
            plan = store._recorder.rows(f"EXPLAIN QUERY PLAN {statement}", *parameters)
            steps = [str(step[-1]) for step in plan]
            assert not [
                step for step in steps if step.startswith("SCAN") and "known" not in step and "json_each" not in step
            ]


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


def test_a_lock_held_elsewhere_is_waited_for_and_then_named(path: Path) -> None:
    script = """
        import sqlite3
        other = sqlite3.connect(sys.argv[1])
        other.execute("BEGIN IMMEDIATE")
        print("locked", flush=True)
        sys.stdin.read()
    """
    holder = process(script, filled(path))
    assert holder.stdout and holder.stdin
    assert holder.stdout.readline() == b"locked\n"
    with closing(SQLiteEventStore(path, timeout=0.2)) as store:
        started = time.monotonic()
        with pytest.raises(RollbookError, match="Another process is writing to .*; nothing was recorded, try again"):
            store.append("sherwood", 3, [HIT])
        assert 0.15 < time.monotonic() - started < 2
        assert len(list(store.read("sherwood"))) == 3
        with closing(SQLiteEventStore(path, timeout=0.2)) as second:
            assert second.head("sherwood") == 3
        answer(holder)
        store.append("sherwood", 3, [HIT])
        assert [event.version for event in store.read("sherwood")] == [1, 2, 3, 4]


def test_a_lock_that_is_let_go_in_time_is_no_failure(path: Path) -> None:
    filled(path)
    with closing(SQLiteEventStore(path)) as store, closing(sqlite3.connect(path, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(0.2, other.rollback).start()
        store.append("sherwood", 3, [HIT])
        assert store.head("sherwood") == 4


def test_waiting_writers_do_not_keep_readers_of_the_same_program_waiting(path: Path) -> None:
    filled(path)
    with closing(SQLiteEventStore(path, timeout=1.0)) as store, closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        refusals: list[str] = []

        def write() -> None:
            try:
                store.append("sherwood", 3, [HIT])
            except RollbookError as refusal:
                refusals.append(str(refusal))

        writers = [threading.Thread(target=write) for _ in range(3)]
        for writer in writers:
            writer.start()
        time.sleep(0.1)
        started = time.monotonic()
        assert len(list(store.read("sherwood"))) == 3
        assert time.monotonic() - started < 0.5
        for writer in writers:
            writer.join()
        assert len(refusals) == 3
        assert all("nothing was recorded, try again" in refusal for refusal in refusals)


UNPRIVILEGED = """
    import sqlite3
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
        assert said.startswith("3 RollbookError")
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


def test_a_closed_store_says_so(store: SQLiteEventStore) -> None:
    store.append("sherwood", 0, [HIT])
    reading = store.read("sherwood")
    store.close()
    asked: list[Callable[[], object]] = [
        lambda: next(reading),
        lambda: store.append("sherwood", 1, [HIT]),
        lambda: store.head("sherwood"),
        lambda: store.backup("elsewhere"),
    ]
    for ask in asked:
        with pytest.raises(RollbookError, match="was closed"):
            ask()


def test_a_position_is_not_used_again_even_if_someone_deletes_the_newest_events(path: Path) -> None:
    with closing(sqlite3.connect(filled(path))) as other, other:
        other.execute("DELETE FROM stored_events WHERE originator_version > 1")
    with closing(SQLiteEventStore(path)) as store:
        store.append("sherwood", 1, [HIT])
        assert [change.cursor for change in store.changes()] == ["1", "4"]


def test_every_connection_waits_for_the_disk_and_uses_the_log(store: SQLiteEventStore) -> None:
    assert store._recorder.rows("PRAGMA synchronous") == [(2,)]
    assert store._recorder.rows("PRAGMA journal_mode") == [("wal",)]
    with store._recorder.datastore.turn as cursor:
        assert cursor.execute("PRAGMA synchronous").fetchone()[0] == 2


def test_a_backup_is_complete_while_the_log_is_not_yet_in_the_file(path: Path, store: SQLiteEventStore) -> None:
    store.append("sherwood", 0, [HIT, MISS])
    target = path.parent / "safe" / "copy"
    store.backup(target)
    store.append("sherwood", 2, [HIT])
    assert list(files_of(target.parent)) == ["copy"]
    with closing(SQLiteEventStore(target, create=False)) as copy:
        assert list(copy.changes()) == list(store.changes())[:2]
        copy.append("sherwood", 2, [MISS])


def test_a_backup_overwrites_nothing(path: Path, store: SQLiteEventStore) -> None:
    target = path.parent / "copy"
    target.write_bytes(b"precious")
    with pytest.raises(RollbookError, match="already exists; no backup was made"):
        store.backup(target)
    with pytest.raises(RollbookError, match="no backup was made"):
        store.backup(target / "inside")
    with pytest.raises(RollbookError, match="already exists"):
        store.backup(path)
    assert target.read_bytes() == b"precious"
    assert not list(path.parent.glob(".*"))


def test_two_processes_share_a_file_and_every_event_is_there_once(path: Path) -> None:
    script = """
        store, name = SQLiteEventStore(sys.argv[1]), sys.argv[2]
        for turn in range(150):
            store.append(name, turn * 2, [NewEntry("turn", b"%d" % turn), NewEntry("end", b"%d" % turn)])
            while True:
                head = store.head("shared")
                try:
                    store.append("shared", head, [NewEntry(name, b"%d" % turn)])
                except StaleHistory:
                    continue
                break
        store.close()
    """
    with closing(SQLiteEventStore(path)) as store:
        players = [process(script, path, name) for name in ("robin", "marian")]
        seen: list[StoredChange] = []
        while any(player.poll() is None for player in players):
            seen += store.changes(seen[-1].cursor if seen else START)
        for player in players:
            answer(player)
        seen += store.changes(seen[-1].cursor if seen else START)
        assert seen == list(store.changes())
        assert len({change.cursor for change in seen}) == len(seen) == 900
        for name in ("robin", "marian"):
            assert [int(event.data) for event in store.read(name)] == [turn for turn in range(150) for _ in range(2)]
            assert [int(event.data) for event in store.read_kinds("shared", [name])] == list(range(150))


def test_four_processes_can_open_one_fresh_file_at_the_same_moment(tmp_path: Path) -> None:
    script = """
        import time
        folder, name, moment = sys.argv[1], sys.argv[2], float(sys.argv[3])
        for turn in range(10):
            while time.time() < moment + turn * 0.1:
                pass
            store = SQLiteEventStore(f"{folder}/new/{turn}")
            store.append(name, 0, [NewEntry("hit", b"")])
            store.close()
    """
    moment = time.time() + 1.5
    openers = [process(script, tmp_path, name, moment) for name in "abcd"]
    for opener in openers:
        answer(opener)
    for turn in range(10):
        with closing(SQLiteEventStore(tmp_path / "new" / str(turn), create=False)) as store:
            assert sorted(store.campaigns()) == ["a", "b", "c", "d"]
            assert store.count() == 4


def test_a_writer_killed_at_any_moment_leaves_whole_batches_and_loses_nothing_acknowledged(path: Path) -> None:
    script = """
        store = SQLiteEventStore(sys.argv[1])
        head = store.head("sherwood")
        while True:
            store.append("sherwood", head, [NewEntry("part %d" % n, b"%d" % head) for n in range(5)])
            head += 5
            os.write(1, b"%d\\n" % head)
    """
    for delay in (0.0, 0.02, 0.05, 0.1, 0.15):
        writer = process(script, path)
        assert writer.stdout
        first = writer.stdout.readline()
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)
        acknowledged = [int(line) for line in (first + writer.stdout.read()).split()]
        writer.communicate()
        events = events_of(path)
        assert len(events) % 5 == 0
        assert 0 <= len(events) - acknowledged[-1] <= 5
        assert [event.version for event in events] == list(range(1, len(events) + 1))
        assert [int(event.data) for event in events] == [n // 5 * 5 for n in range(len(events))]
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("PRAGMA integrity_check").fetchone() == ("ok",)
