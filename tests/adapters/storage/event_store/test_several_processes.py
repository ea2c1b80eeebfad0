"""A store survives other processes and sudden death."""

from __future__ import annotations

import signal
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.history.event_store import START, StoredChange
from tests.support.stores import HIT, answer, events_of, filled, process


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
