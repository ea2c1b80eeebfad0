"""Costs of a PostgreSQL store: against raw inserts, eight writers against one, against a file, and its tail's age.

The server is one of its own, on a disk, with every commit flushed. Both sides of a ratio meet the same load of the machine.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg

from benchmarks.hosting_nodes import over_nodes
from benchmarks.long_fight import CAMPAIGN, EVENTS_PER_BLOW, blows, opening, written
from benchmarks.measures import QUICK, ROOT, Row, Scale, milliseconds, rate, ratio
from benchmarks.postgres_server import PROGRAM, SEED_KEY, PostgresServer
from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.adapters.wiring import open_book
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.application.ports.clock import microseconds
from rollbook.domain.history.event_store import START, Cursor, EventStore, NewEntry
from rollbook.rulesets import storytoken

RAW = "INSERT INTO raw (stream, version, data) VALUES (%s, %s, %b)"
FLUSH = 2_000
"""Microseconds that a flush takes on a disk that is no better than most, or on a standby that is waited for."""
WRITERS = 8
COMMITS_A_SECOND = 1_000
ACTIONS = 5_000


def hosting(folder: Path, scale: Scale) -> Iterator[Row]:
    """All that is measured on one server."""
    with _server(folder) as server:
        yield _appending(server, scale)
        yield _replaying(folder, server, scale)
        yield _opening_cold(folder, server, scale)
        yield _following(server, scale)
        with _environment(folder):
            yield over_nodes(server.dsn(PROGRAM, server.new_database()), folder, scale)
        server.configure(f"commit_delay = {FLUSH}\ncommit_siblings = 0\n")
        server.restart()
        yield _writing_at_once(server, scale)


@contextmanager
def _server(folder: Path) -> Iterator[PostgresServer]:
    folder.chmod(0o755)
    place = folder / "postgres"
    place.mkdir()
    server = PostgresServer(place, fsync=True)
    try:
        yield server.make()
    finally:
        server.close()


def _store(server: PostgresServer) -> PostgresEventStore:
    return PostgresEventStore(server.dsn(PROGRAM, server.new_database()))


def _entries(many: int) -> list[NewEntry]:
    """Entries of five events, as a campaign has them."""

    class Kept:
        """Keeps what a log would store."""

        kept: list[NewEntry]

        def append(self, _: str, __: int, entries: Sequence[NewEntry]) -> None:
            self.kept = list(entries)

    kept = Kept()
    log = EntryLog(kept, CAMPAIGN, microseconds)  # type: ignore[arg-type]
    log.write(Head(), [opening(), *blows(many)])
    return kept.kept


def _appending(server: PostgresServer, scale: Scale) -> Row:
    """An entry a commit, against the same bytes in a row of a plain table; they take turns commit by commit."""
    entries = _entries(scale.commits)
    server.administer("CREATE DATABASE raw OWNER rollbook_owner")
    mine, raws = [], []
    with (
        closing(_store(server)) as store,
        psycopg.connect(server.dsn("rollbook_owner", "raw"), autocommit=True) as line,
    ):
        line.execute("CREATE TABLE raw (stream text, version bigint, data bytea, PRIMARY KEY (stream, version))")
        for round_ in range(scale.rounds):
            stream, ours, theirs = f"{CAMPAIGN}-{round_}", 0.0, 0.0
            for version, entry in enumerate(entries):
                began = time.perf_counter()
                store.append(stream, version, [entry])
                between = time.perf_counter()
                line.execute(RAW, [stream, version, entry.data])
                ours, theirs = ours + between - began, theirs + time.perf_counter() - between
            mine.append(ours)
            raws.append(theirs)
    return Row.of_rates(
        "PostgreSQL: append, an entry of 5 events a commit / the same bytes by a raw insert",
        len(entries),
        mine,
        raws,
        at_least=0.8,
    )


def _fill(store: EventStore, events: int) -> EntryLog:
    log, head = EntryLog(store, CAMPAIGN, microseconds), Head()
    waiting = [opening(storytoken.RULESET), *blows(events // EVENTS_PER_BLOW)]
    for first in range(0, len(waiting), 1_000):
        last = log.write(head, waiting[first : first + 1_000])[-1]
        head = Head(last.number, last.hash, last.action)
    return log


def _by_the_clock(rounds: int, *works: Callable[[], object]) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for taken, work in zip(times, works, strict=True):
            began = time.perf_counter()
            work()
            taken.append(time.perf_counter() - began)
    return times


def _replaying(folder: Path, server: PostgresServer, scale: Scale) -> Row:
    """The state of a long campaign from all its entries: read, checked and folded."""
    in_file = written(folder / "replay.db", scale.events, storytoken.RULESET)
    with closing(_store(server)) as store:
        on_server = _fill(store, scale.events)
        mine, files = _by_the_clock(scale.rounds, on_server.scan, in_file.scan)
    return Row(
        name=f"PostgreSQL: replay of {scale.events:,} events / from a file",
        ours=rate(scale.events, mine),
        other=rate(scale.events, files),
        ratio=1 / ratio(mine, files),
        bound=1.3,
        at_least=False,
    )


def _opening_cold(folder: Path, server: PostgresServer, scale: Scale) -> Row:
    """Opening a campaign that this computer has never seen, from the first connection to its state."""
    address = server.dsn(PROGRAM, server.new_database())
    with closing(PostgresEventStore(address)) as store:
        _fill(store, ACTIONS * EVENTS_PER_BLOW)
    with _environment(folder):
        taken = []
        for _ in range(max(3, scale.rounds)):
            began = time.process_time()
            with open_book(address, folder / "seeds") as book:
                assert book.campaign(CAMPAIGN).head.entry == ACTIONS + 1
            taken.append(time.process_time() - began)
    return Row(
        name=f"PostgreSQL: a cold campaign of {ACTIONS:,} actions opens, processor seconds of the program",
        ours=milliseconds([min(taken)]),
        other="1 s",
        ratio=min(taken),
        bound=1.0,
        at_least=False,
    )


@contextmanager
def _environment(folder: Path) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update({"ROLLBOOK_CACHE": str(folder / "cache"), "ROLLBOOK_SEED_KEY": SEED_KEY})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


WRITER = """
import sys, time
from contextlib import closing
from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.domain.history.event_store import NewEntry
address, stream, count, pause, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
with closing(PostgresEventStore(address)) as store:
    store.append(stream, 0, [NewEntry("tick@1", b"0", ("Ticked",))])
    print("ready", flush=True)
    sys.stdin.readline()
    began = time.perf_counter()
    for turn in range(1, count + 1):
        store.append(stream, turn, [NewEntry("tick@1", b"%d " % time.time_ns() + b"x" * size, ("Ticked",))])
        if pause:
            time.sleep(max(began + turn * pause - time.perf_counter(), 0))
    print(time.perf_counter() - began, flush=True)
"""
"""Appends to one stream so many times, one each ``pause`` seconds; says how long that took."""


class Writers:
    """Processes that write to campaigns of their own, all from the same moment on."""

    def __init__(self, address: str, many: int, count: int, pause: float = 0.0, size: int = 1_000) -> None:
        self._running = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, address, f"writer-{number}", str(count), str(pause), str(size)],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for number in range(many)
        ]
        for each in self._running:
            assert each.stdout
            each.stdout.readline()

    def start(self) -> None:
        """Begin."""
        for each in self._running:
            assert each.stdin
            each.stdin.write("go\n")
            each.stdin.flush()

    @property
    def are_busy(self) -> bool:
        """True if any is still writing."""
        return any(each.poll() is None for each in self._running)

    def seconds(self) -> float:
        """Seconds that the slowest took."""
        return max(float(each.communicate(timeout=300)[0]) for each in self._running)


def _writing_at_once(server: PostgresServer, scale: Scale) -> Row:
    """Commits a second of eight programs on campaigns of their own, against one program's."""
    count = scale.commits

    def rate_of(many: int) -> float:
        writers = Writers(server.dsn(PROGRAM, server.new_database()), many, count)
        writers.start()
        return many * count / writers.seconds()

    turns = [(rate_of(WRITERS), rate_of(1)) for _ in range(scale.rounds)]
    eight, one = (statistics.median(column) for column in zip(*turns, strict=True))
    return Row(
        name=f"PostgreSQL: {WRITERS} writers on campaigns of their own / one, a flush of the disk takes {FLUSH / 1000:g} ms",
        ours=f"{eight:,.0f}/s",
        other=f"{one:,.0f}/s",
        ratio=statistics.median(many / single for many, single in turns),
        bound=4.0,
    )


def _following(server: PostgresServer, scale: Scale) -> Row:
    """Age of entries when a follower of the whole store sees them, while many are written each second."""
    address, many, seconds = server.dsn(PROGRAM, server.new_database()), 4, 3 if scale is QUICK else 20
    writers = Writers(address, many, COMMITS_A_SECOND // many * seconds, many / COMMITS_A_SECOND, 300)
    ages: list[float] = []
    with closing(PostgresEventStore(address)) as store:
        cursor: Cursor = START
        writers.start()
        while writers.are_busy:
            for change in store.changes(cursor):
                cursor = change.cursor
                stamp = change.entry.data.split(b" ")[0]
                if len(stamp) > 1:
                    ages.append((time.time_ns() - int(stamp)) / 1e6)
            time.sleep(0.005)
    taken = writers.seconds()
    p99 = statistics.quantiles(ages, n=100)[98]
    return Row(
        name=f"PostgreSQL: age of the tail, p99 in ms, at {len(ages) / taken:,.0f} commits a second",
        ours=f"{p99:.1f} ms",
        other=f"median {statistics.median(ages):.1f} ms",
        ratio=p99,
        bound=50.0,
        at_least=False,
    )
