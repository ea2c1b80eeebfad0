"""A reader that follows everything misses nothing, although positions are committed out of their order."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep

import psycopg
import pytest

from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.adapters.storage.postgres.upkeep import note_set_back
from rollbook.domain.history.event_store import START, Cursor, NewEntry
from tests.support.postgres import PostgresServer

ROOT = Path(__file__).parents[5]
WRITERS = 8
EACH = 120
WRITER = """
import sys
from contextlib import closing
import psycopg
from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.domain.history.event_store import NewEntry
INSERT = "INSERT INTO rollbook.stored_events (originator_id, originator_version, topic, state) VALUES (%s, %s, 'tick@1', 'x')"
address, stream, turns = sys.argv[1:]
with closing(PostgresEventStore(address)) as store, psycopg.connect(address) as slow:
    print("ready", flush=True)
    sys.stdin.readline()
    for turn in range(0, int(turns), 2):
        store.append(stream, turn, [NewEntry("tick@1", b"%d" % turn, ("Ticked",))])
        slow.execute(INSERT, [stream, turn + 2])
        slow.execute("SELECT pg_sleep(random() / 100)")
        slow.commit()
"""
NAIVE = (
    "SELECT notification_id, originator_id, originator_version FROM rollbook.stored_events WHERE notification_id > %s"
)

Seen = list[tuple[str, int]]


class NaiveTail:
    """What a reader sees who asks for positions after the last one that it has seen."""

    def __init__(self, address: str) -> None:
        self.line = psycopg.connect(address, autocommit=True)
        self.seen: Seen = []
        self._last = 0

    def look(self) -> None:
        for position, stream, version in sorted(self.line.execute(NAIVE, [self._last]).fetchall()):
            self.seen.append((stream, version))
            self._last = position


class Tail:
    """What a reader sees who follows the store by its cursor."""

    def __init__(self, address: str) -> None:
        self.store = PostgresEventStore(address)
        self.seen: Seen = []
        self._cursor: Cursor = START

    def look(self) -> None:
        for change in self.store.changes(self._cursor):
            self.seen.append((change.stream, change.entry.version))
            self._cursor = change.cursor


INSERT = """\
INSERT INTO rollbook.stored_events (originator_id, originator_version, topic, state) VALUES (%s, 1, 'tick@1', 'x')"""


def test_a_slow_writer_delays_the_tail_and_never_tears_it(postgres_store: str) -> None:
    naive, tail = NaiveTail(postgres_store), Tail(postgres_store)
    with closing(naive.line), closing(tail.store), psycopg.connect(postgres_store) as slow:
        slow.execute(INSERT, ["slow"])  # has the first position, and is not committed yet
        tail.store.append("quick", 0, [NewEntry("tick@1", b"x")])
        naive.look()
        tail.look()
        assert naive.seen == [("quick", 1)]
        assert tail.seen == []
        assert tail.store.last_position() == START
        assert tail.store.head("quick") == 1  # who asks for the campaign itself waits for nobody
        slow.commit()
        naive.look()
        tail.look()
        assert naive.seen == [("quick", 1)], "positions alone lose the slow one's entry for ever"
        assert tail.seen == [("slow", 1), ("quick", 1)]
        assert [end.stream for end in tail.store.ends()] == ["quick", "slow"]


def test_a_transaction_in_another_database_of_the_server_delays_the_tail_too(
    postgres_server, postgres_store: str
) -> None:
    other = postgres_server.dsn("rollbook", postgres_server.new_database())
    tail = Tail(postgres_store)
    with closing(tail.store), psycopg.connect(other) as elsewhere:
        elsewhere.execute(INSERT, ["elsewhere"])
        tail.store.append("quick", 0, [NewEntry("tick@1", b"x")])
        tail.look()
        assert tail.seen == []
        elsewhere.rollback()
        tail.look()
        assert tail.seen == [("quick", 1)]


@pytest.mark.slow
def test_under_eight_writing_processes_the_tail_misses_nothing(postgres_store: str) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, postgres_store, f"campaign-{number}", str(EACH)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for number in range(WRITERS)
    ]
    naive, tail = NaiveTail(postgres_store), Tail(postgres_store)
    with closing(naive.line), closing(tail.store):
        for writer in writers:
            assert writer.stdout
            assert writer.stdout.readline() == b"ready\n"
        for writer in writers:
            assert writer.stdin
            writer.stdin.write(b"go\n")
            writer.stdin.flush()
        until = monotonic() + 120
        while any(writer.poll() is None for writer in writers) and monotonic() < until:
            naive.look()
            tail.look()
            sleep(0.001)
        assert [writer.wait(timeout=5) for writer in writers] == [0] * WRITERS
        naive.look()
        tail.look()
        everything = {(f"campaign-{number}", turn + 1) for number in range(WRITERS) for turn in range(EACH)}
        assert len(tail.seen) == len(everything)
        assert {*tail.seen} == everything
        assert {*naive.seen} != everything, "no commit overtook another, so this run shows nothing"
        for number in range(WRITERS):
            versions = [version for stream, version in tail.seen if stream == f"campaign-{number}"]
            assert versions == sorted(versions)
        assert tail.store.count() == len(everything)


def test_after_the_owner_said_that_the_database_was_set_back_every_cursor_is_of_before(
    postgres_server: PostgresServer, postgres_store: str
) -> None:
    with closing(PostgresEventStore(postgres_store)) as store:
        store.append("sherwood", 0, [NewEntry("tick@1", b"1")])
        before = store.last_position()
        note_set_back(postgres_server.dsn("rollbook_owner", postgres_store.rpartition("/")[2]))
    with closing(PostgresEventStore(postgres_store)) as store:
        assert store.is_set_back_since(before)
        assert not store.is_set_back_since(store.last_position()) and not store.is_set_back_since(START)
        assert [change.stream for change in store.changes(before)] == ["sherwood"]
