"""Three servers of one store: what a client was told stands in the history once, whichever node was asked or killed.

The checks are checked, too: each of them finds what was put wrong for it.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import attrs
import pytest

from rollbook.adapters.local_files.paths import read_model_path
from rollbook.adapters.local_files.seat_links_file import SeatLinksFile, links_path
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from tests.support.hosting.checks import check_audits, check_history, check_read_model, check_readers
from tests.support.hosting.ledger import Asked, Ledger
from tests.support.hosting.load import Hosted
from tests.support.hosting.nodes import Node
from tests.support.hosting.tables import close_sessions, seated, set_up


def hosted_in_a_file(folder: Path, *, campaigns: int = 4, players: int = 4, each: int = 2) -> Hosted:
    """Three nodes of a store in SQLite."""
    store, seeds = folder / "rollbook.db", folder / "seeds"

    def book() -> Book:
        return open_book(store, seeds)

    with book() as begun:
        seats = set_up(begun, campaigns, players, each)
        with closing(SeatLinksFile(links_path(seeds, begun.store.identity()))) as links:
            seatings = seated(begun, links, seats)
    variables = {"ROLLBOOK_SEEDS": str(seeds), "XDG_STATE_HOME": str(folder / "state")}
    nodes = [Node(number, str(store), folder, variables) for number in (1, 2, 3)]
    return Hosted(book, nodes, seatings, lambda: [read_model_path(store)])


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[Hosted]:
    made = hosted_in_a_file(tmp_path)
    try:
        made.start()
        yield made
    finally:
        made.stop()


def test_players_at_three_nodes_lose_nothing_when_one_is_killed(hosted: Hosted) -> None:
    with hosted.under_load() as ledger:
        time.sleep(1)
        for node in hosted.nodes[:2]:
            node.kill()
            time.sleep(0.5)
            node.start()
        for node in hosted.nodes:
            node.wait()
        time.sleep(1)
    assert len(ledger.acknowledged) > 20
    assert hosted.check().everything == []


@attrs.define
class Played:
    """A store in which some commands were carried out and noted, to be put wrong."""

    folder: Path
    book: Book
    ledger: Ledger
    campaign: str = "table-01"


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds") as book:
        set_up(book, 1, 1, 1)
        ledger, campaign = Ledger(), book.campaign("table-01")
        for number in range(6):
            mark = f"P1-{number:06d}"
            line = f"note {mark}" if number % 2 else f"roll 1d20 --purpose {mark}"
            one = ledger.ask(Asked(mark, "table-01", "P1", line, mark, time.monotonic()))
            said = campaign.say(line, seat="P1", command=mark)
            ledger.acknowledge(one, 0.0, tuple(entry.number for entry in said.entries))
        close_sessions(book)
        campaign.session.project()
        yield Played(tmp_path, book, ledger)


def in_the_file(played: Played, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(played.folder / "rollbook.db", isolation_level=None)) as file:
        for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            file.execute(f"DROP TRIGGER {name}")
        assert file.execute(statement, values).rowcount > 0


def again(played: Played) -> Book:
    return open_book(played.folder / "rollbook.db", played.folder / "seeds")


def test_nothing_is_found_where_nothing_is_wrong(played: Played) -> None:
    assert check_history(played.book, played.ledger).everything == []
    assert check_audits(played.book) == []


def test_an_acknowledged_command_that_is_not_there_is_lost(played: Played) -> None:
    ghost = played.ledger.ask(Asked("P1-000099", "table-01", "P1", "note P1-000099", "P1-000099", time.monotonic()))
    played.ledger.acknowledge(ghost, 0.0)
    assert len(check_history(played.book, played.ledger).lost) == 1


def test_a_dropped_entry_is_lost_and_torn_and_no_audit_verifies(played: Played) -> None:
    in_the_file(played, "DELETE FROM stored_events WHERE originator_version = 8")
    with again(played) as book:
        found = check_history(book, played.ledger)
        assert found.torn
        assert check_audits(book)


def test_a_command_that_was_carried_out_twice_is_doubled(played: Played) -> None:
    played.book.campaign("table-01").say("note P1-000001", seat="P1", command="another id")
    assert len(check_history(played.book, played.ledger).doubled) == 2, "the words twice, and an id that nobody used"


def test_a_part_of_what_a_client_was_told_is_torn(played: Played) -> None:
    played.ledger.asked["P1-000003"].entries = (8, 9)
    assert len(check_history(played.book, played.ledger).torn) == 1


def test_an_open_session_is_not_proven(played: Played) -> None:
    played.book.campaign("table-01").do("open-session")
    played.book.campaign("table-01").do("roll", {"expression": "1d20", "purpose": "luck"})
    assert len(check_audits(played.book)) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE session_log SET result = 'nothing' WHERE entry = 5",
        "DELETE FROM session_log WHERE entry = 6",
        "UPDATE sheet_values SET amount = amount + 1",
        "DELETE FROM sheets",
        "DELETE FROM snapshots",
    ],
)
def test_a_changed_row_of_a_read_model_is_found(played: Played, statement: str) -> None:
    rebuilt, model = SQLiteReadModel(), played.book.read_model
    rebuilt.catch_up(played.book.store, played.book.rulebook)
    assert check_read_model(model, rebuilt, "it", ["table-01"]) == []
    with model.db.conn:
        assert model.db.execute(statement).rowcount > 0
    assert len(check_read_model(model, rebuilt, "it", ["table-01"])) == 1


def test_readers_who_show_other_cards_are_found() -> None:
    cards = {"a1": "one", "a2": "two"}
    same = {"table-01": [("here", cards), ("there", dict(cards))]}
    assert check_readers(same) == []
    assert len(check_readers({"table-01": [("here", cards), ("there", {"a1": "one"})]})) == 1
    assert len(check_readers({"table-01": [("here", cards), ("there", {**cards, "a2": "2"})]})) == 1
