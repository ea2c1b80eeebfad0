"""A copy of a store to a server that is cut while rows are written leaves whole entries, and said again it ends equal."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.domain.history.event_store import NewEntry
from tests.support.postgres import PROGRAM, SEED_KEY, PostgresServer, why_not
from tests.support.processes import PipedProcess, piped
from tests.support.stores import whole

pytestmark = pytest.mark.slow
TIMES = 2
"""How often each is cut."""
STREAMS, ENTRIES = 12, 3_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """A server of its own, which may be stopped."""
    if reason := why_not():
        pytest.skip(reason)
    made = PostgresServer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROLLBOOK_SEED_KEY", SEED_KEY)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        try:
            yield made.make()
        finally:
            made.close()


def filled(path: Path) -> Path:
    """A store in a file whose copy takes a few seconds."""
    with closing(SQLiteEventStore(path)) as store:
        for at in range(STREAMS):
            keys = [f"k{n}" if n % 300 == 0 else "" for n in range(ENTRIES)]
            entries = [NewEntry("x@1", b"%d %d %s" % (at, n, b"x" * 900), ("A",), key) for n, key in enumerate(keys)]
            store.append(f"c{at}", 0, entries)
    return path


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("source") / "rollbook.db")


def kill(process: PipedProcess, server: PostgresServer, database: str) -> None:
    """kill -9, which leaves the rest to the next copy."""
    process.kill()


def end_its_connections(process: PipedProcess, server: PostgresServer, database: str) -> None:
    """It asks again on another connection, or says that the store is away."""
    server.administer(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
    process.wait()


def crash(process: PipedProcess, server: PostgresServer, database: str) -> None:
    """The same, once the server has recovered."""
    server.restart(immediate=True)
    process.wait()


CUTS: dict[str, Callable[[PipedProcess, PostgresServer, str], None]] = {
    "the program is killed": kill,
    "its connections end": end_its_connections,
    "PostgreSQL is stopped as if the power failed": crash,
}


def cut_once(cut: str, source: Path, server: PostgresServer, chance: random.Random) -> int:
    """Copy, cut that while rows are written, look at what is there, and copy again. The number of rows at the cut."""
    database = server.new_database()
    address = server.dsn(PROGRAM, database)
    words = ("store", "copy", str(source), address, "--leave-seeds")
    process = piped(*words)
    wanted = chance.randrange(1, STREAMS * ENTRIES * 3 // 4)
    while _rows(server, database) < wanted:
        time.sleep(0.001)
    time.sleep(chance.random() * 0.02)  # in the midst of the next thousand
    at_cut = _rows(server, database)
    CUTS[cut](process, server, database)
    assert 0 < at_cut < STREAMS * ENTRIES, f"{at_cut}: it was not cut while rows were written"
    with closing(PostgresEventStore(address)) as store, closing(SQLiteEventStore(source)) as right:
        for stream in store.campaigns():
            there = list(store.read(stream))
            assert there == list(right.read(stream, until=len(there))), f"{stream} is torn"
    again = piped(*words)
    assert again.wait() == 0, again.stderr.read()
    with closing(PostgresEventStore(address)) as store, closing(SQLiteEventStore(source)) as right:
        assert whole(store) == whole(right)
    return at_cut


def _rows(server: PostgresServer, database: str) -> int:
    for _ in range(600):
        try:
            ((rows,),) = server.administer("SELECT count(*) FROM rollbook.stored_events", database)
        except psycopg.OperationalError:
            time.sleep(0.1)
        else:
            return int(str(rows))
    raise AssertionError("the server never answered")


@pytest.mark.parametrize("cut", CUTS)
def test_said_again_it_ends_equal(cut: str, server: PostgresServer, source: Path, tmp_path: Path) -> None:
    chance = random.Random(29)
    for _ in range(TIMES):
        cut_once(cut, source, server, chance)
