"""A node hears at once what others store on a PostgreSQL server; what it does not hear it finds, and no slow writer hides it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from rollbook.adapters.storage.postgres.bell import LOOK_AT_ALL, Listening, TailAge, heard, said
from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.adapters.web.watching import server_watcher, watcher_of
from rollbook.adapters.web.watching.server_watcher import ServerWatcher
from rollbook.adapters.web.watching.watcher import FileWatcher, News
from rollbook.application.ports.store_address import ServerAddress
from rollbook.domain.history.chain import ROOT, seal
from rollbook.domain.history.event_store import NewEntry, Tombstone
from tests.support.postgres import PostgresServer, stuck
from tests.support.web import until


def last_of(stream: str, number: int) -> str:
    return sha256(f"{stream} {number}".encode()).hexdigest()


def entry(stream: str, number: int) -> NewEntry:
    return NewEntry("ActionTaken@1", b'["ActionTaken@1",{}]\n' + seal(last_of(stream, number), ROOT))


class Told:
    """What a watcher tells, and a store that others write to."""

    def __init__(self, address: str, followed: tuple[str, ...]) -> None:
        self.changed: list[tuple[str, str]] = []
        self.at: dict[tuple[str, str], float] = {}
        self.replaced = 0
        news = News(self._note, self._count, lambda: followed)
        watcher = watcher_of(ServerAddress(address), news, Path())
        assert isinstance(watcher, ServerWatcher)
        self.watcher = watcher
        self.store = PostgresEventStore(address)

    def _note(self, stream: str, last: str) -> None:
        self.changed.append((stream, last))
        self.at.setdefault((stream, last), time.monotonic())

    def _count(self) -> None:
        self.replaced += 1

    def append(self, stream: str, number: int) -> tuple[str, str]:
        """Somebody appends; what the watcher then tells."""
        self.store.append(stream, number - 1, [entry(stream, number)])
        return stream, last_of(stream, number)

    def has_heard(self, end: tuple[str, str]) -> Callable[[], bool]:
        return lambda: end in self.at


@contextmanager
def told(address: str, *followed: str) -> Iterator[Told]:
    found = Told(address, followed or ("sherwood",))
    found.watcher.start()
    until(lambda: found.watcher.silence() < 5)
    try:
        yield found
    finally:
        found.store.close()
        found.watcher.stop()
        assert not found.watcher._thread.is_alive()


def test_a_file_has_a_watcher_of_files(tmp_path) -> None:
    assert isinstance(watcher_of(tmp_path / "rollbook.db", News(lambda *_: None), tmp_path / "seeds"), FileWatcher)


def test_what_is_appended_is_told_within_300_milliseconds(postgres_store: str) -> None:
    with told(postgres_store) as all_:
        waits = []
        for number in range(1, 21):
            end = all_.append("sherwood", number)
            began = time.monotonic()
            until(all_.has_heard(end), 3)
            waits.append(all_.at[end] - began)
        assert sorted(waits)[10] < 0.3
        assert [end for end in all_.changed if end[0] != "sherwood"] == []


def test_of_campaigns_that_nobody_follows_here_nothing_is_told(postgres_store: str) -> None:
    with told(postgres_store, "sherwood") as all_:
        all_.append("nottingham", 1)
        until(all_.has_heard(all_.append("sherwood", 1)))
        assert {stream for stream, _ in all_.changed} == {"sherwood"}


def test_what_was_not_rung_for_is_found_within_two_looks(postgres_store: str) -> None:
    with told(postgres_store) as all_:
        all_.store._bell.ring = lambda *_: None  # the program that stored it was killed before it rang
        end = all_.append("sherwood", 1)
        until(all_.has_heard(end), 3 * server_watcher.EVERY)


def test_a_store_rings_before_it_is_closed(postgres_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_watcher, "EVERY", 60.0)
    with told(postgres_store) as all_:
        for number in range(1, 6):
            with closing(PostgresEventStore(postgres_store)) as other:
                other.append("sherwood", number - 1, [entry("sherwood", number)])
            until(all_.has_heard(("sherwood", last_of("sherwood", number))), 3)


def test_a_writer_that_is_stuck_in_any_database_holds_up_the_tail_and_no_campaign_that_is_followed(
    postgres_server: PostgresServer, postgres_store: str
) -> None:
    with told(postgres_store) as all_:
        until(lambda: all_.watcher.tail_age() < 5)
        with stuck(postgres_server, "postgres"):
            all_.store._bell.ring = lambda *_: None  # it has to be found by looking
            end = all_.append("sherwood", 1)
            until(all_.has_heard(end), 3 * server_watcher.EVERY)
            assert [*all_.store.changes()] == [], "the tail waits"
            until(lambda: all_.watcher.tail_age() > 2 * server_watcher.EVERY)
            assert all_.watcher.silence() < 2 * server_watcher.EVERY, "the store answers all the while"
        until(lambda: all_.watcher.tail_age() < 1.5 * server_watcher.EVERY)


def test_a_connection_that_is_lost_is_made_again_and_nothing_is_missed(
    postgres_server: PostgresServer, postgres_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[str] = []
    monkeypatch.setattr(server_watcher, "note", lambda _, event, *__, **___: noted.append(event))
    database = postgres_store.rpartition("/")[2]
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}' AND application_name LIKE 'rollbook%'"
    with told(postgres_store) as all_:
        for number in range(1, 6):
            postgres_server.administer(ended.format(database))
            all_.store.close()
            all_.store = PostgresEventStore(postgres_store)
            until(all_.has_heard(all_.append("sherwood", number)), 5)
        assert all_.watcher.silence() < 3
        assert noted[:2] == ["store_lost", "store_back"]


def test_a_server_that_is_gone_for_a_while_is_found_again(postgres_server: PostgresServer) -> None:
    own = PostgresServer().make()
    try:
        with told(own.dsn("rollbook", own.new_database())) as all_:
            all_.append("sherwood", 1)
            own.stop(immediate=True)
            until(lambda: all_.watcher.silence() > 1.5)
            own.start()
            all_.store.close()
            all_.store = PostgresEventStore(all_.watcher._where.given)
            until(all_.has_heard(all_.append("sherwood", 2)), 10)
            until(lambda: all_.watcher.silence() < 1.5)
    finally:
        own.close()


def test_a_campaign_that_is_deleted_is_told_without_a_hash(postgres_store: str) -> None:
    with told(postgres_store) as all_:
        until(all_.has_heard(all_.append("sherwood", 1)))
        all_.store.delete(["sherwood"], Tombstone("sherwood", 1, last_of("sherwood", 1), "00", 1))
        until(all_.has_heard(("sherwood", "")))


def test_another_store_in_its_place_is_noticed(postgres_server: PostgresServer, postgres_store: str) -> None:
    with told(postgres_store) as all_:
        postgres_server.administer("UPDATE rollbook.store SET epoch = epoch + 1", postgres_store.rpartition("/")[2])
        until(lambda: all_.replaced == 1)
        until(all_.has_heard(all_.append("sherwood", 1)))
        assert all_.replaced == 1


def test_the_bell_is_no_part_of_the_transaction(postgres_store: str) -> None:
    """Were it one, writers of all campaigns would wait for each other's disk."""
    with told(postgres_store) as all_, closing(Listening(postgres_store)) as ear:
        before = [number for _, number in [ear.moment()]]
        rings = 0
        for number in range(1, 201):
            all_.append("sherwood", number)
        while any(True for _ in ear.rings(0.2)):
            rings += 1
        assert before and 0 < rings < 100, "what is stored within a moment is rung for once"


def test_a_ring_that_would_be_too_long_says_to_look_at_everything() -> None:
    short = {"sherwood": "ab" * 32, 'n\u00e4he "x"': ""}
    assert dict(heard(said(short)) or ()) == short
    assert said({f"campaign-{number}": "ab" * 32 for number in range(200)}) == LOOK_AT_ALL
    assert heard(LOOK_AT_ALL) is None
    assert heard("what another program says") is None and heard("[1]") is None


def test_the_age_of_the_tail_counts_from_the_last_look_after_which_nothing_could_come() -> None:
    age = TailAge()
    assert age() == float("inf")
    now = time.monotonic()
    age.looked(10, 10, now - 30)
    assert 29 < age() < 31
    age.looked(10, 14, now - 20)
    age.looked(10, 15, now - 10)
    assert 29 < age() < 31, "transaction 10 is still under way"
    age.looked(14, 16, now - 5)
    assert 19 < age() < 21, "it has ended, and with it all that had begun by the look before"
    age.looked(20, 20, now)
    assert age() < 1


def test_many_writers_at_once_are_all_heard(postgres_store: str) -> None:
    streams = tuple(f"campaign-{number}" for number in range(8))
    with told(postgres_store, *streams) as all_:

        def write(stream: str) -> None:
            with closing(PostgresEventStore(postgres_store)) as store:
                for number in range(1, 31):
                    store.append(stream, number - 1, [entry(stream, number)])

        writing = [threading.Thread(target=write, args=(stream,)) for stream in streams]
        for each in writing:
            each.start()
        for each in writing:
            each.join(30)
        until(lambda: all(last_of(stream, 30) in {last for _, last in all_.changed} for stream in streams), 5)
