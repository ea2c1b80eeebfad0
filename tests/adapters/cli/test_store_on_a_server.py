"""A store goes from a file to a PostgreSQL server and back byte for byte, and is played on wherever it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.keeping.copying import Copied, Side, StoreCopy
from rollbook.application.keeping.deleting import delete_campaign, stone_of
from rollbook.application.redaction import redact
from rollbook.application.timelines.forking import fork
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.history.event_store import NewEntry
from tests.support.redacting import note_of, words_on_disk
from tests.support.stores import whole
from tests.support.terminal import CommandResult

if TYPE_CHECKING:
    from tests.support.postgres import PostgresServer

Table = Callable[..., CommandResult]


@contextmanager
def book_at(place: str | Path, home: Path) -> Iterator[Book]:
    with open_book(place, home / "state" / "rollbook" / "seeds") as book:
        yield book


def contents(place: str | Path, home: Path) -> dict[str, object]:
    with book_at(place, home) as book:
        return whole(book.store)


def apart(place: str | Path, home: Path) -> tuple[list[tuple[str, str, int]], dict[str, object]]:
    """What tells its tombstones from every other, and all else: one in a copy counts the entries that the copy had."""
    with book_at(place, home) as book:
        stones = [(stone.campaign, stone.identity, stone.at) for stone in book.store.tombstones()]
        return stones, {**whole(book.store), "tombstones": None}


def copied(source: str | Path, target: str | Path, home: Path) -> Copied:
    """Copy a store; its seeds go along."""
    with book_at(source, home) as here, book_at(target, home) as there:
        copying = StoreCopy(side(here, "here"), side(there, "there"))
        copying.make()
        report = copying.compare()
        copying.hand_over()
        return report


def side(book: Book, name: str) -> Side:
    return Side(book.store, book.seeds, name)


@pytest.fixture
def file(table: Table, home: Path) -> Path:
    """A store in a file with an open session, a timeline, removed words and a deleted campaign."""
    path = home / "books" / "rollbook.db"
    with book_at(path, home) as book:
        campaign = book.campaign("test-table")
        campaign.do("roll", {"expression": "1d20"}, command="a name of its own")
        redact(book, campaign, note_of(campaign), why="it was asked for")
        fork(book, campaign).do("note", {"text": "elsewhere"})
        gone = book.new("Locksley", "storytoken")
        delete_campaign(book, stone_of(book, gone.id))
        book.new("Nottingham", "storytoken")
    return path


def test_from_a_file_to_a_server_and_back_to_a_file_everything_is_the_same(
    file: Path, postgres_store: str, home: Path
) -> None:
    back = home / "back.db"
    before = contents(file, home)
    there = copied(file, postgres_store, home)
    assert contents(postgres_store, home) == before
    again = copied(postgres_store, back, home)
    assert contents(back, home) == before
    assert there.digest == again.digest
    assert (there.campaigns, there.timelines, there.tombstones) == (2, 1, 1)


def test_a_session_is_played_on_at_the_server_with_its_own_dice_and_back_here_again(
    file: Path, postgres_store: str, home: Path
) -> None:
    copied(file, postgres_store, home)
    with book_at(postgres_store, home) as book:
        campaign = book.campaign("test-table")
        campaign.do("roll", {"expression": "1d20"})
        assert all(answer.verdict is not Verdict.FAILED for answer in campaign.audit())
    with book_at(file, home) as book, pytest.raises(RollbookError, match="seeds are not here"):
        book.campaign("test-table").do("roll", {"expression": "1d20"})
    assert copied(postgres_store, file, home).new == 1
    with book_at(file, home) as book:
        campaign = book.campaign("test-table")
        campaign.do("roll", {"expression": "1d20"})
        campaign.do("close-session")
        assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3
    with book_at(postgres_store, home) as book, pytest.raises(RollbookError, match="seeds are not here"):
        book.campaign("test-table").do("roll", {"expression": "1d20"})


def test_what_was_removed_since_is_removed_on_the_other_side_too(file: Path, postgres_store: str, home: Path) -> None:
    with book_at(file, home) as book:
        words = note_of(book.campaign("test-table"))
    copied(file, postgres_store, home)
    with book_at(postgres_store, home) as book:
        redact(book, book.campaign("test-table"), words, why="it was asked for")
        delete_campaign(book, stone_of(book, "nottingham"))
    copied(postgres_store, file, home)
    assert contents(file, home) == contents(postgres_store, home)
    assert [path for path in words_on_disk(home / "books") if ".read." not in path] == []


@pytest.mark.parametrize("copies", [(), (1,), (2,), (3,), (1, 2, 3)])
@pytest.mark.parametrize("is_from_file", [True, False])
def test_a_campaign_that_was_deleted_brought_back_and_deleted_again_is_gone_on_the_other_side_too(
    table: Table, file: Path, postgres_store: str, home: Path, copies: tuple[int, ...], *, is_from_file: bool
) -> None:
    assert table(f"export {home}/kept.jsonl --store {file} -c nottingham").code == 0
    here, there = (str(file), postgres_store) if is_from_file else (postgres_store, str(home / "other.db"))
    if not is_from_file:
        copied(file, postgres_store, home)
    steps = (
        "delete-campaign nottingham --yes",
        f"import {home}/kept.jsonl",
        "do note 'once more' -c nottingham",
        "delete-campaign nottingham --yes",
        f"import {home}/kept.jsonl",
    )
    for number, step in enumerate(steps):
        done = table(f"{step} --store '{here}'")
        assert done.code == 0, done
        if number in copies:
            copied(here, there, home)
            assert apart(there, home) == apart(here, home)
    copied(here, there, home)
    stones, others = apart(there, home)
    assert (stones, others) == apart(here, home)
    assert [name for name, _, _ in stones] == ["locksley", "nottingham", "nottingham"]
    assert len({identity for _, identity, _ in stones}) == 2, "it was the same campaign both times"
    third = home / "third.db"
    copied(there, third, home)
    assert contents(third, home) == contents(there, home)


def test_long_streams_and_odd_names_come_too(postgres_store: str, home: Path) -> None:
    with closing(SQLiteEventStore(home / "odd.db")) as store:
        store.append("long", 0, [NewEntry("x@1", b"%d" % n, ("A",), f"k\n{n}") for n in range(3_456)])
        store.append("odd \\0 \N{WHITE SMILING FACE}", 0, [NewEntry("y@2", bytes(range(256)), ("B", "A"), "'; DROP")])
        store.begin("empty~1", b"\x00where", [])
    copied(home / "odd.db", postgres_store, home)
    assert contents(postgres_store, home) == contents(home / "odd.db", home)


def test_the_command_line_names_a_server_without_its_password(
    table: Table, home: Path, file: Path, postgres_store: str
) -> None:
    made = table(f"store copy {file} '{postgres_store}'")
    assert made.code == 0, made.err
    assert "Compared byte for byte" in made.out and "p%40ss" not in made.out + made.err
    verified = table(f"--store '{postgres_store}' store verify --processes 2")
    assert verified.out.startswith("Audited 2 campaigns and 1 timeline with "), verified
    assert "none failed" in verified.out
    assert table(f"--store '{postgres_store}' do roll 1d20 -c test-table").code == 0


def test_a_server_whose_tables_were_never_made_is_said_and_nothing_is_changed(
    table: Table, home: Path, file: Path, postgres_server: PostgresServer
) -> None:
    name = postgres_server.new_database(migrated=False)
    answer = table(f"store copy {file} '{postgres_server.dsn('rollbook', name)}'")
    assert answer.code and "rollbook store migrate" in answer.err and answer.err.count("\n") == 1
    found = postgres_server.administer("SELECT 1 FROM pg_namespace WHERE nspname = 'rollbook'", name)
    assert found == []


def test_a_role_that_may_only_read_is_told_which_rights_it_lacks(
    table: Table, home: Path, file: Path, postgres_server: PostgresServer
) -> None:
    name = postgres_server.new_database()
    for table_ in ("stored_events", "kind_sets"):
        postgres_server.administer(f"REVOKE INSERT ON rollbook.{table_} FROM rollbook", name)
        postgres_server.administer("REVOKE ALL ON ALL SEQUENCES IN SCHEMA rollbook FROM rollbook", name)
    answer = table(f"store copy {file} '{postgres_server.dsn('rollbook', name)}'")
    assert answer.code
    assert "may not do that" in answer.err and "rollbook store migrate" in answer.err, answer.err
