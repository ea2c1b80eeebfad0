"""Whatever happens to the line or to the server: an act is stored once, or a sentence says within five seconds what is known."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from time import monotonic, sleep
from typing import TYPE_CHECKING

import pytest

from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.domain.base.errors import OutcomeUnknown, RollbookError
from rollbook.domain.history.event_store import NewEntry
from tests.support.faulty_proxy import FaultyProxy

if TYPE_CHECKING:
    from tests.support.postgres import PostgresServer

WITHIN = 7.0
"""Seconds within which there must be a sentence: five, and what a busy machine adds."""


def tick(number: int) -> NewEntry:
    return NewEntry("tick@1", b"%d" % number, ("Ticked",), f"command {number}")


@pytest.fixture
def proxy(postgres_server: PostgresServer) -> Iterator[FaultyProxy]:
    with FaultyProxy(postgres_server.port) as proxy:
        yield proxy


@pytest.fixture
def database(postgres_server: PostgresServer) -> str:
    return postgres_server.new_database()


@pytest.fixture
def far(postgres_server: PostgresServer, proxy: FaultyProxy, database: str) -> Iterator[PostgresEventStore]:
    """A store behind the proxy, which has just written."""
    with closing(PostgresEventStore(postgres_server.dsn("rollbook", database, port=proxy.port))) as store:
        store.append("sherwood", 0, [tick(0)])
        yield store


@pytest.fixture
def near(postgres_server: PostgresServer, database: str) -> Iterator[PostgresEventStore]:
    """The same store without the proxy."""
    with closing(PostgresEventStore(postgres_server.dsn("rollbook", database))) as store:
        yield store


def stored(store: PostgresEventStore) -> list[bytes]:
    return [entry.data for entry in store.read("sherwood")]


def test_a_line_that_was_cut_is_replaced(far: PostgresEventStore, near: PostgresEventStore, proxy: FaultyProxy) -> None:
    proxy.cut()
    assert far.head("sherwood") == 1
    proxy.cut()
    far.append("sherwood", 1, [tick(1)])
    assert stored(near) == [b"0", b"1"]


def test_a_commit_whose_answer_is_lost_is_looked_up_and_not_made_twice(
    far: PostgresEventStore, near: PostgresEventStore, proxy: FaultyProxy
) -> None:
    proxy.swallows = True
    healing = threading.Timer(0.5, proxy.heal)
    healing.start()
    far.append("sherwood", 1, [tick(1), tick(2)])
    healing.join()
    assert proxy.cuts
    assert stored(near) == [b"0", b"1", b"2"]
    assert near.by_command("sherwood", "command 1") == (2,)


def test_where_no_answer_ever_comes_it_is_said_that_nobody_knows(
    far: PostgresEventStore, near: PostgresEventStore, proxy: FaultyProxy
) -> None:
    proxy.swallows = True
    begun = monotonic()
    with pytest.raises(OutcomeUnknown, match="not known whether this was recorded"):
        far.append("sherwood", 1, [tick(1)])
    assert monotonic() - begun < WITHIN
    assert stored(near) == [b"0", b"1"], "this once it was"
    proxy.heal()
    far.append("sherwood", 1, [tick(1)])
    assert stored(near) == [b"0", b"1"]


def test_a_line_that_is_half_open_is_given_up(
    far: PostgresEventStore, near: PostgresEventStore, proxy: FaultyProxy
) -> None:
    proxy.half_open()
    begun = monotonic()
    far.append("sherwood", 1, [tick(1)])
    assert monotonic() - begun < WITHIN
    assert stored(near) == stored(far) == [b"0", b"1"]


def test_a_server_that_is_silent_is_given_up_in_a_sentence(
    postgres_server: PostgresServer, database: str, proxy: FaultyProxy
) -> None:
    proxy.is_silent = True
    begun = monotonic()
    with pytest.raises(RollbookError, match=r"does not answer; it was not opened\."):
        PostgresEventStore(postgres_server.dsn("rollbook", database, port=proxy.port))
    assert monotonic() - begun < WITHIN


def test_backends_that_are_killed_are_replaced(
    postgres_server: PostgresServer, near: PostgresEventStore, database: str
) -> None:
    near.append("sherwood", 0, [tick(0)])
    postgres_server.administer(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
    near.append("sherwood", 1, [tick(1)])
    assert stored(near) == [b"0", b"1"]


@pytest.mark.slow
def test_a_server_with_too_many_connections_says_so(
    postgres_server: PostgresServer, near: PostgresEventStore, database: str
) -> None:
    near.append("sherwood", 0, [tick(0)])
    postgres_server.administer("ALTER ROLE rollbook CONNECTION LIMIT 0")
    try:
        begun = monotonic()
        with pytest.raises(RollbookError, match="too many connections already; it was not opened, try again"):
            PostgresEventStore(postgres_server.dsn("rollbook", database))
        postgres_server.administer(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'"
        )
        with pytest.raises(RollbookError, match=r"too many connections|not known whether"):
            near.append("sherwood", 1, [tick(1)])
        assert monotonic() - begun < 2 * WITHIN
    finally:
        postgres_server.administer("ALTER ROLE rollbook CONNECTION LIMIT -1")
    assert stored(near) == [b"0"]


def test_who_waits_while_connections_are_short_gets_one(postgres_server: PostgresServer, database: str) -> None:
    postgres_server.administer("ALTER ROLE rollbook CONNECTION LIMIT 0")
    relief = threading.Timer(1.0, postgres_server.administer, ["ALTER ROLE rollbook CONNECTION LIMIT -1"])
    relief.start()
    try:
        with closing(PostgresEventStore(postgres_server.dsn("rollbook", database))) as store:
            assert store.head("sherwood") == 0
    finally:
        relief.join()


@pytest.mark.parametrize("immediate", [True, False], ids=["as if the power failed", "in order"])
def test_a_server_that_starts_again_under_load_loses_and_doubles_nothing(
    postgres_server: PostgresServer, near: PostgresEventStore, *, immediate: bool
) -> None:
    said, unknown = [0], 0
    near.append("sherwood", 0, [tick(0)])
    restart = threading.Thread(target=postgres_server.restart, kwargs={"immediate": immediate})
    restart.start()
    until = monotonic() + 60
    number = 0
    while (restart.is_alive() or number < 50) and monotonic() < until:
        number += 1
        head = near.head("sherwood")
        try:
            near.append("sherwood", head, [tick(number)])
            said.append(number)
        except OutcomeUnknown:
            unknown += 1
        except RollbookError:
            sleep(0.1)
    restart.join()
    entries = [int(data) for data in stored(near)]
    assert len(entries) == len({*entries}), "nothing is there twice"
    assert {*said} <= {*entries}, "nothing that was said to be stored is lost"
    assert len(entries) <= len(said) + unknown
    assert number >= 50
