"""Whatever the line to the server does in the midst of a command, five seconds later there is an answer or a sentence.

The act is stored once, or not at all where the sentence says so; sent again under its id it is never doubled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.ports.deadline import command_deadline
from rollbook.domain.base.errors import OutcomeUnknown, RollbookError, StoreAway
from tests.support.faulty_proxy import FaultyProxy
from tests.support.hosting.checks import marks_of
from tests.support.hosting.tables import set_up
from tests.support.postgres import PROGRAM, PostgresServer

WITHIN = 5.0
BUSY = 0.75
"""Seconds that a busy machine may add."""


@attrs.define
class Table:
    """One campaign: as a node has it, behind the proxy, and as the checks have it, beside it."""

    server: PostgresServer
    database: str
    proxy: FaultyProxy
    here: Campaign
    there: Campaign

    def roll(self, mark: str) -> str:
        """Roll once under an id, and say how that ended. It takes no longer than it may."""
        began = time.monotonic()
        try:
            self.here.say(f"roll 1d20 --purpose {mark}", seat="P1", command=mark)
            ended = "done"
        except OutcomeUnknown as fault:
            assert "not known whether this was recorded. Sent again under the same command id it happens once" in str(
                fault
            )
            ended = "unknown"
        except StoreAway:
            ended = "away"
        took = time.monotonic() - began
        assert took < WITHIN + BUSY, f"{ended} after {took:.1f} s"
        return ended

    def roll_until_done(self, mark: str) -> None:
        """Send it again and again."""
        end = time.monotonic() + 30
        while self.roll(mark) != "done":
            assert time.monotonic() < end, "it is never done"

    def stored(self, mark: str) -> int:
        """How often the roll is in the history."""
        self.there.session.read_again()
        return sum(mark in marks_of(entry) for entry in self.there.history.entries)

    def admit(self, *, many: bool) -> None:
        """Let the program in, or nobody more of it; then all who were in are thrown out."""
        self.server.administer(f"ALTER ROLE {PROGRAM} CONNECTION LIMIT {-1 if many else 0}")
        if not many:
            self.server.administer(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self.database}'"
            )


@pytest.fixture
def table(postgres_server: PostgresServer, tmp_path: Path) -> Iterator[Table]:
    database = postgres_server.new_database()
    direct = postgres_server.dsn(PROGRAM, database)
    with open_book(direct, tmp_path / "seeds") as near, FaultyProxy(postgres_server.port) as proxy:
        set_up(near, 1, 1, 1)
        with opened_through(proxy, postgres_server, database, tmp_path) as far:
            (name,) = near.campaigns()
            table = Table(postgres_server, database, proxy, far.campaign(name), near.campaign(name))
            table.roll("P1-1")
            yield table
            proxy.heal()


def opened_through(proxy: FaultyProxy, server: PostgresServer, database: str, folder: Path) -> Book:
    return open_book(server.dsn(PROGRAM, database, port=proxy.port), folder / "far")


def silence(table: Table) -> None:
    table.proxy.is_silent = True


def swallow(table: Table) -> None:
    table.proxy.swallows = True


def slow_down(table: Table) -> None:
    table.proxy.seconds = 0.45


FOR_A_MOMENT: dict[str, Callable[[Table], object]] = {
    "cut": lambda table: table.proxy.cut(),
    "half open": lambda table: table.proxy.half_open(),
}
FOR_LONG: dict[str, Callable[[Table], object]] = {
    "silent": silence,
    "answers swallowed": swallow,
    "refused": lambda table: table.proxy.refuse(),
    "slow": slow_down,
}


def questions_of_a_roll(table: Table) -> int:
    """How many questions are asked for one roll at a table at which one has just been made, with a few more."""
    before = table.proxy.questions
    table.roll(f"P1-{before}")
    time.sleep(0.1)  # others are rung for afterwards
    return table.proxy.questions - before


def test_a_roll_in_a_campaign_that_is_open_asks_the_server_no_more_than_it_has_to(table: Table) -> None:
    """For the head, whether the campaign was moved, for the command's id, for the marks, the entry, the marks, the bell."""
    assert min(questions_of_a_roll(table) for _ in range(3)) <= 7


@pytest.mark.slow
@pytest.mark.parametrize("fault", FOR_A_MOMENT)
def test_a_line_that_is_lost_at_any_question_of_a_command_is_replaced(fault: str, table: Table) -> None:
    for nth in range(1, questions_of_a_roll(table) + 1):
        mark = f"P1-{100 + nth}"
        table.proxy.at_question(nth, lambda: FOR_A_MOMENT[fault](table))
        assert table.roll(mark) == "done"
        assert table.stored(mark) == 1
        table.roll_until_done(mark)
        assert table.stored(mark) == 1


@pytest.mark.slow
@pytest.mark.parametrize("fault", FOR_LONG)
def test_a_line_that_stays_lost_at_any_question_of_a_command_ends_it_in_a_sentence(fault: str, table: Table) -> None:
    seen = set()
    for nth in range(1, questions_of_a_roll(table) + 1):
        mark = f"P1-{100 + nth}"
        table.proxy.at_question(nth, lambda: FOR_LONG[fault](table))
        ended = table.roll(mark)
        stored = table.stored(mark)
        assert stored in {"done": (1,), "away": (0,), "unknown": (0, 1)}[ended]
        assert ended == "done" or table.roll(mark) in ("away", "unknown", "done")
        table.proxy.heal()
        table.roll_until_done(mark)
        assert table.stored(mark) == 1
        seen.add(ended)
    assert seen & {"away", "unknown"}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FOR_LONG)
def test_a_line_that_is_lost_for_good_ends_a_command_in_time(fault: str, table: Table) -> None:
    FOR_LONG[fault](table)
    assert table.roll("P1-100") in ("away", "unknown")
    table.proxy.heal()
    table.roll_until_done("P1-100")
    assert table.stored("P1-100") == 1


@pytest.mark.slow
def test_a_server_with_too_many_connections_ends_a_command_in_a_sentence(table: Table) -> None:
    table.admit(many=False)
    try:
        assert table.roll("P1-100") in ("away", "unknown")
        with pytest.raises(StoreAway, match="too many connections already"):
            table.here.say("roll 1d20 --purpose P1-101", seat="P1", command="P1-101")
    finally:
        table.admit(many=True)
    for mark in ("P1-100", "P1-101"):
        table.roll_until_done(mark)
        assert table.stored(mark) == 1


def test_what_a_command_needs_of_its_time_is_taken_by_all_its_waits_together(table: Table) -> None:
    """Each answer comes late and none too late, and still the command is given up in time."""
    table.proxy.seconds = 0.6
    assert table.roll("P1-100") == "away"
    table.proxy.heal()
    assert table.stored("P1-100") == 0
    table.roll_until_done("P1-100")
    assert table.stored("P1-100") == 1


@pytest.mark.slow
def test_a_store_is_opened_and_played_in_within_the_time_of_one_command(table: Table, tmp_path: Path) -> None:
    for nth in range(1, 12):
        table.proxy.heal()
        table.proxy.at_question(nth, lambda: silence(table))
        began = time.monotonic()
        try:
            with (
                command_deadline(),
                opened_through(table.proxy, table.server, table.database, tmp_path / f"new-{nth}") as book,
            ):
                book.campaign(table.here.id).say("note late", seat="P1")
        except RollbookError:
            pass
        took = time.monotonic() - began
        assert took < WITHIN + BUSY, f"{took:.1f} s"
