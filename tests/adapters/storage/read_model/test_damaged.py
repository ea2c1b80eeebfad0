"""A read model may be lost, spoilt or swapped at any moment; it is built again from the history."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.progress import telling
from rollbook.projections import sheet_rows
from tests.support.campaigns import begin_campaign, file_book, memory_book, play_campaign_steps
from tests.support.random_steps import RandomSteps
from tests.support.read_models import Killed, rebuilt, rows


def test_a_deleted_read_model_is_rebuilt(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.session.project()
        whole = rows(book.read_model)
    for path in tmp_path.glob("rollbook.read.db*"):
        path.unlink()
    with file_book(tmp_path) as book:
        book.campaign("sherwood").session.project()
        assert rows(book.read_model) == whole


SPOILS: dict[str, Callable[[bytes], bytes]] = {
    "a broken header": lambda data: b"\0" * 100 + data[100:],
    "cut off": lambda data: data[: len(data) // 2],
    "cut to a few bytes": lambda data: data[:50],
    "noise in every page": lambda data: b"".join(
        data[at : at + 4096] if at == 0 else b"\xa5" * 4096 for at in range(0, len(data), 4096)
    ),
    "another shape": lambda data: data[:60] + (99).to_bytes(4, "big") + data[64:],
    "empty": lambda data: b"",
}


def test_a_read_model_of_another_store_is_rebuilt(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book).do("gain-token", who="robin")
        book.campaign("sherwood").session.project()
    for path in tmp_path.glob("rollbook.db*"):
        path.unlink()
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book, session=False)
        chain = campaign.audit()[0]
        assert chain.verdict is Verdict.UNPROVEN
        assert "once saw" in chain.findings[0].text, "it is a campaign of the same identity"
        campaign.session.project()
        assert rows(book.read_model) == rows(rebuilt(book))
        assert book.read_model.remembered("sherwood") == (campaign.head.entry, campaign.head.hash)
    with file_book(tmp_path) as book:
        assert book.read_model.remembered("sherwood") == (campaign.head.entry, campaign.head.hash), "kept for its own"


@pytest.mark.parametrize("page", range(1, 40))
def test_a_read_model_with_one_spoilt_page_is_rebuilt_and_stops_no_play(page: int, tmp_path: Path) -> None:
    path = tmp_path / "rollbook.read.db"
    with file_book(tmp_path) as book:
        begin_campaign(book).session.project()
        book.read_model.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = path.read_bytes()
    path.write_bytes(data[: page * 4096] + b"\xa5" * 4096 + data[(page + 1) * 4096 :])
    with file_book(tmp_path) as book:
        campaign = book.campaign("sherwood")
        award = campaign.do("award", {"who": ("robin",), "amount": 10})
        campaign.session.project()
        assert book.read_model.log("sherwood", everything=True)
        assert [line.xp for line in book.read_model.xp("sherwood")] == [10]
        campaign.session.history.look_back()
        campaign.corrections.undo(award.action).apply()  # which is noted: that page is met for the first time
        campaign.session.project()
        assert rows(book.read_model) == rows(rebuilt(book))


@pytest.mark.parametrize("spoil", SPOILS)
def test_a_spoilt_read_model_is_rebuilt(spoil: str, tmp_path: Path) -> None:
    path = tmp_path / "rollbook.read.db"
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        play_campaign_steps(campaign, RandomSteps(0), 30)
        campaign.session.project()
        whole = rows(book.read_model)
    for beside in (f"{path}-wal", f"{path}-shm"):
        Path(beside).unlink(missing_ok=True)
    path.write_bytes(SPOILS[spoil](path.read_bytes()))
    with file_book(tmp_path) as book:
        book.campaign("sherwood").session.project()
        assert rows(book.read_model) == whole


FOREIGN: dict[str, Callable[[Path], object]] = {
    "a letter": lambda path: path.write_bytes(b"Dear Marian, " * 100),
    "somebody's database": lambda path: other_database(path),
    "another store": lambda path: SQLiteEventStore(path).close(),
}


def other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE position (store TEXT)")
        connection.execute("PRAGMA user_version = 4")


@pytest.mark.parametrize("foreign", FOREIGN)
def test_what_is_somebody_elses_is_not_taken_for_a_spoilt_read_model(foreign: str, tmp_path: Path) -> None:
    path = tmp_path / "rollbook.read.db"
    FOREIGN[foreign](path)
    before = path.read_bytes()
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        for attempt in (campaign.session.project, lambda: book.read_model.rebuild(book.store, book.rulebook)):
            with pytest.raises(RollbookError, match="another file is there, which was left as it is"):
                attempt()
    assert path.read_bytes() == before


def test_a_read_model_without_a_mark_is_known_by_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "rollbook.read.db"
    with file_book(tmp_path) as book:
        begin_campaign(book).session.project()
        book.read_model.db.execute("PRAGMA application_id = 0")
        book.read_model.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert path.read_bytes()[68:72] == bytes(4)
    with file_book(tmp_path) as book:
        book.campaign("sherwood").session.project()
        assert rows(book.read_model) == rows(rebuilt(book))


def test_a_folder_in_its_place_is_said_and_left(tmp_path: Path) -> None:
    (tmp_path / "rollbook.read.db").mkdir()
    with file_book(tmp_path) as book, pytest.raises(RollbookError, match="cannot be opened"):
        begin_campaign(book).session.project()


@pytest.mark.slow
def test_a_rebuild_swaps_while_another_connection_reads(tmp_path: Path) -> None:
    path = tmp_path / "rollbook.read.db"
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.session.project()
        reader = sqlite3.connect(path)
        reading = reader.execute("SELECT entry FROM session_log")
        first = reading.fetchone()
        whole = rows(book.read_model)
        assert book.read_model.rebuild(book.store, book.rulebook) == len(list(book.store.changes()))
        assert [first, *reading.fetchall()] == [(number,) for number in range(1, campaign.head.entry + 1)]
        assert rows(book.read_model) == whole
        campaign.do("gain-token", {"who": "robin"})
        campaign.session.project()
        reader.close()
        assert rows(book.read_model) == rows(rebuilt(book))
    with file_book(tmp_path) as book:
        assert rows(book.read_model) == rows(rebuilt(book))
    assert sorted(found.name for found in tmp_path.glob("rollbook.read.db*")) == ["rollbook.read.db"]


def test_a_rebuild_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.session.project()
        whole = rows(book.read_model)

        def fail(*_: object, **__: object) -> Any:
            raise Killed

        monkeypatch.setattr(sheet_rows, "write", fail)
        with pytest.raises(Killed):
            book.read_model.rebuild(book.store, book.rulebook)
        assert rows(book.read_model) == whole
        assert list(tmp_path.glob("*.new*")) == []


def test_a_rebuild_in_memory_is_the_same(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    begin_campaign(book).session.project()
    whole = rows(book.read_model)
    said: list[tuple[int, int]] = []
    with telling(lambda done, of: said.append((done, of))):
        book.read_model.rebuild(book.store, book.rulebook)
    assert rows(book.read_model) == whole
    entries = book.campaign("sherwood").head.entry
    assert said == [(entries, entries)]
