"""A removal that was stopped halfway is finished by the next program that opens the store, or by saying it again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.backups.backing_up import make_backup
from rollbook.adapters.storage.sqlite.recorder import CampaignRecorder
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.book import Book
from rollbook.application.redaction import redact
from tests.support.campaigns import begin_campaign, file_book
from tests.support.read_models import Killed, rebuilt, rows
from tests.support.redacting import note_of, words_on_disk


def stopped(*_: Any, **__: Any) -> Any:
    raise Killed


@pytest.mark.parametrize(
    ("where", "name"),
    [(Book, "finish_removals"), (CampaignRecorder, "wipe")],
    ids=["before the read model", "before the file"],
)
def test_opening_the_store_again_finishes_a_removal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: type, name: str
) -> None:
    book = file_book(tmp_path)
    campaign = begin_campaign(book)
    action = note_of(campaign)
    campaign.session.project()
    with monkeypatch.context() as patch:
        patch.setattr(where, name, stopped)
        with pytest.raises(Killed):
            redact(book, campaign, action, why="private")
    assert words_on_disk(tmp_path)
    book.close()
    with file_book(tmp_path) as again:
        assert words_on_disk(tmp_path) == []
        assert again.store.is_wiped()
        again.campaign("sherwood").session.project()
        assert rows(again.read_model) == rows(rebuilt(again))


def test_saying_it_again_finishes_it_too_and_says_that_it_was_done_before(tmp_path: Path) -> None:
    book = file_book(tmp_path)
    campaign = begin_campaign(book)
    action = note_of(campaign)
    campaign.session.project()
    first = redact(book, campaign, action, why="private")
    again = redact(book, campaign, action, why="private")
    assert (first.is_new, again.is_new) == (True, False)
    assert first.entry == again.entry
    assert campaign.head.entry == first.entry.number
    assert words_on_disk(tmp_path) == []


def test_a_program_that_only_follows_the_store_wipes_its_own_copy(tmp_path: Path) -> None:
    """Two programs with a read model each: the one that removes the words cannot reach into the other's."""
    book = file_book(tmp_path)
    campaign = begin_campaign(book)
    action = note_of(campaign)
    campaign.session.project()
    (tmp_path / "elsewhere").mkdir()
    for path in tmp_path.glob("rollbook.read.db*"):
        (tmp_path / "elsewhere" / path.name).write_bytes(path.read_bytes())
    redact(book, campaign, action, why="private")
    assert [Path(path).parent.name for path in words_on_disk(tmp_path)] == ["elsewhere"] * len(words_on_disk(tmp_path))
    for path in (tmp_path / "elsewhere").iterdir():
        path.replace(tmp_path / path.name)
    book.close()
    file_book(tmp_path).close()
    assert words_on_disk(tmp_path) == []


def test_what_stands_on_pages_that_are_not_used_any_more_is_gone_too(tmp_path: Path) -> None:
    """Not every SQLite empties a page that it stops using, so the file is written again as a whole."""
    book = file_book(tmp_path)
    campaign = begin_campaign(book)
    with closing(sqlite3.connect(tmp_path / "rollbook.db")) as other, other:
        other.execute("PRAGMA secure_delete = OFF")
        other.execute("CREATE TABLE scratch (said TEXT)")
        other.execute("INSERT INTO scratch VALUES (?)", ["zyxel and plugh " * 300])
        other.execute("DELETE FROM scratch")
    action = note_of(campaign)
    redact(book, campaign, action, why="private")
    assert words_on_disk(tmp_path) == []


def test_backups_that_hold_the_words_are_named_as_long_as_they_are_there(tmp_path: Path) -> None:
    with file_book(tmp_path, clock=None) as book:
        assert isinstance(book.store, SQLiteEventStore)
        campaign = begin_campaign(book)
        action = note_of(campaign)
        for name in ("kept.db", "deleted.db"):
            make_backup(book.store, book.seeds, tmp_path / "copies" / name)
        (tmp_path / "copies" / "deleted.db").unlink()
        assert redact(book, campaign, action, why="private").backups == (str(tmp_path / "copies" / "kept.db"),)


def test_what_is_refused_removes_nothing_anywhere(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        action = note_of(campaign)
        with pytest.raises(Exception, match="Only the GM"):
            redact(book, campaign, action, why="x", seat="mira")
        assert words_on_disk(tmp_path)
