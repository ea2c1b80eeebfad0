"""``rollbook store``: a whole store copied to another one, and everything in a store audited at once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.cli.errors import Exit
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.domain.history.event_store import NewEntry
from tests.support.stores import unguarded
from tests.support.terminal import RunRollbook, Terminal


@pytest.fixture
def copied(table: RunRollbook, home: Path) -> RunRollbook:
    """A second store, ``other.db``, that the small campaign was copied to."""
    assert table(f"store copy {home}/books/rollbook.db {home}/other.db").code == 0
    return table


def test_a_copy_says_what_it_holds_and_that_it_was_compared(table: RunRollbook, home: Path) -> None:
    said = table(f"store copy {home}/books/rollbook.db {home}/other.db").out
    assert f"{home}/other.db holds 1 campaign: 9 entries, of which 9 are new." in said
    assert f"Compared byte for byte with {home}/books/rollbook.db: the same." in said
    assert "The dice of 1 session fall there from now on, and here no more." in said
    assert "Links to seats stay behind. Make them again there: rollbook seat-link CAMPAIGN SEAT" in said
    assert table(f"log --json --store {home}/other.db").lines == table("log --json").lines
    again = table(f"store copy {home}/books/rollbook.db {home}/other.db --json").data
    assert (again["copied"]["new"], again["copied"]["entries"], again["sessions"]) == (0, 9, 0)
    assert again["copied"]["digest"] in said


def test_what_cannot_be_copied_is_said_in_a_sentence_and_nothing_is_made(table: RunRollbook, home: Path) -> None:
    assert table(f"backup {home}/kept.db").code == 0
    (home / "text").write_text("not a store")
    for source, said in (
        ("nothing.db", "There is no event store"),
        ("text", "not"),
        ("kept.db", "is a backup, with seeds in it"),
    ):
        answer = table(f"store copy {home}/{source} {home}/other.db")
        assert answer.code and said in answer.err and answer.err.count("\n") == 1
        assert not (home / "other.db").exists()
    assert table(f"store copy {home}/books/rollbook.db {home}/text").code == Exit.ERROR
    assert (home / "text").read_text() == "not a store"


def test_a_copy_of_a_store_that_has_moved_on_is_refused(copied: RunRollbook, home: Path) -> None:
    assert copied(f"do note here --store {home}/other.db").code == 0
    answer = copied(f"store copy {home}/books/rollbook.db {home}/other.db")
    assert answer.code == Exit.ERROR
    assert "test-table is in" in answer.err and "with another history; nothing was copied" in answer.err


@pytest.mark.parametrize("processes", [1, 2])
def test_everything_in_a_store_is_audited(table: RunRollbook, home: Path, processes: int) -> None:
    table("new Second --ruleset storytoken")
    table("fork -c test-table --at 5")
    said = table(f"store verify --processes {processes}")
    assert said.code == 0
    assert said.out.startswith(
        "Audited 2 campaigns and 1 timeline with 10 entries: none failed; of 2 something is not proven yet"
    )
    spoil(home / "books" / "rollbook.db")
    failed = table(f"store verify --processes {processes}")
    assert failed.code == Exit.INTEGRITY
    assert failed.out.splitlines()[0].startswith("test-table FAILED. chain: @4 ")
    assert "Audited 2 campaigns and 1 timeline with 10 entries: 2 of them failed" in failed.out
    as_json = table(f"store verify --processes {processes} --json")
    assert (as_json.code, [line.get("stream") for line in as_json.lines]) == (
        Exit.INTEGRITY,
        ["test-table", "test-table~1", None],
    )
    assert as_json.lines[-1]["failed"] == 2


def spoil(store: Path) -> None:
    """Change a word of an entry, as somebody might who can write to the file."""
    with closing(sqlite3.connect(store)) as connection, connection:
        changed = unguarded(connection).execute(
            "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), 'First', 'Fifth') AS BLOB)"
            " WHERE originator_version = 4"
        )
        assert changed.rowcount == 1


def test_a_store_that_is_not_there_is_not_made_to_be_verified(rollbook: RunRollbook, home: Path) -> None:
    answer = rollbook(f"store verify --store {home}/none.db")
    assert (answer.code, "There is no store" in answer.err, (home / "none.db").exists()) == (
        Exit.NOT_FOUND,
        True,
        False,
    )


def test_at_a_terminal_it_is_said_how_fast_it_goes_and_ctrl_c_ends_in_a_sentence(home: Path) -> None:
    with closing(SQLiteEventStore(home / "long.db")) as store:
        for at in range(100):
            store.append(f"c{at}", 0, [NewEntry("x@1", b"%d" % n, ("A",)) for n in range(2_000)])
    terminal = Terminal.running("store", "copy", f"{home}/long.db", f"{home}/other.db")
    terminal.shows("/s")
    terminal.interrupt()
    terminal.shows("say the same again to go on.")
    assert terminal.ended() == Exit.ABORTED
    with closing(SQLiteEventStore(home / "other.db")) as store:
        assert 0 < store.count() <= 200_000
