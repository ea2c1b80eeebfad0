"""Imported sessions are called by the day of the table: that of the campaign's time zone, which is the computer's at first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.imports import Imported
from rollbook.adapters.imports.avrae.importer import read_avrae
from rollbook.adapters.imports.recording import known_of, record_import
from rollbook.adapters.imports.tables.importer import read_table
from rollbook.application.book import Book
from rollbook.application.time_zones import zone_of
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.events import SessionOpened

ANGELES = "America/Los_Angeles"
COLUMNS = '[columns]\nid = "id"\nseat = "player"\nroll = "roll"\ntotal = "total"\nwhen = "when"\n'


def days(book: Book, name: str) -> list[str]:
    """What the sessions of a campaign are called."""
    entries = book.campaign(name).session.log.entries()
    return [event.title for entry in entries for event in entry.events if isinstance(event, SessionOpened)]


def table(book: Book, folder: Path, *moments: str) -> list[str]:
    """A table with a roll at each of these moments, imported; the days of all sessions."""
    rows = "".join(f"{number},Mira,1d20,14,{at}\n" for number, at in enumerate(moments, 1))
    (folder / "rolls.csv").write_text(f"id,player,roll,total,when\n{rows}", encoding="utf-8")
    (folder / "columns.toml").write_text(COLUMNS, encoding="utf-8")
    record_import(book, read_again(book, folder), "old")
    return days(book, "old")


def read_again(book: Book, folder: Path) -> Imported:
    """What of the table is new."""
    known = lambda campaign: known_of(book, campaign)  # noqa: E731
    return read_table(folder / "rolls.csv", "old", known=known, columns=folder / "columns.toml")


def test_a_session_of_a_table_is_called_by_the_day_there(
    book: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summer, winter = "2026-07-04T05:00:00Z", "2026-11-21T03:00:00Z"
    monkeypatch.setenv("TZ", ANGELES)
    assert table(book, tmp_path, summer) == ["2026-07-03"]
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert table(book, tmp_path, summer, winter) == ["2026-07-03", "2026-11-20"], "the campaign has kept its zone"
    assert zone_of(book.campaign("old").state).name == ANGELES
    assert book.campaign("old").audit()[0].verdict is Verdict.VERIFIED
    assert not read_again(book, tmp_path).actions, "nothing is new"


def test_in_utc_it_is_the_day_in_utc(book: Book, tmp_path: Path) -> None:
    assert table(book, tmp_path, "2026-07-04T05:00:00Z") == ["2026-07-04"]


@pytest.mark.parametrize(
    ("zone", "day"), [(ANGELES, "2020-09-13"), ("UTC", "2020-09-13"), ("Pacific/Auckland", "2020-09-14")]
)
def test_a_combat_is_called_by_the_day_there(
    log: Any, book: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str, day: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    path = log.over(log.fight()).write(tmp_path / "first.jsonl")
    record_import(book, read_avrae(path, "cellar", lambda name: known_of(book, name)), "cellar")
    assert days(book, "cellar") == [day]
