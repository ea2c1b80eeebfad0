"""A history that is read page by page, while somebody adds to it or removes words from it, is not taken for a damaged one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.storage.sqlite import store as sqlite
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.campaign import Campaign
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import StaleHistory
from rollbook.domain.history.event_store import StoredEntry
from tests.support.campaigns import begin_campaign, file_book, memory_book

NOTES = 30
OF_NOTES: list[int] = []
"""The actions that are notes."""


class SlowlyRead(SQLiteEventStore):
    """A store in which something happens once, when so many entries of a reading have been read, after so many readings."""

    happens: Callable[[], object] | None = None
    at = after = 0

    def read(self, stream: str, after: int = 0, until: int | None = None) -> Iterator[StoredEntry]:
        for number, stored in enumerate(super().read(stream, after, until)):
            if self.happens and number == self.at:
                self.after -= 1
                if self.after < 0:
                    act, self.happens = self.happens, None
                    act()
            yield stored


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Campaign]:
    """A campaign with thirty notes, which somebody reads five entries at a time."""
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        OF_NOTES[:] = [campaign.do("note", {"text": f"words {number}"}).action for number in range(NOTES)]
    monkeypatch.setattr(sqlite, "PAGE", 5)
    with file_book(tmp_path, SlowlyRead(tmp_path / "rollbook.db")) as book:
        yield book.campaign("sherwood")


def meanwhile(reader: Campaign, folder: Path, act: Callable[[Campaign], object], *, at: int, after: int = 0) -> None:
    """Somebody else acts once so many entries have been read, after so many readings that went as far."""
    store = reader.session.log.store
    assert isinstance(store, SlowlyRead)

    def happens() -> None:
        with file_book(folder) as book:
            act(book.campaign("sherwood"))

    store.happens, store.at, store.after = happens, at, after


def redacting(note: int) -> Callable[[Campaign], object]:
    """Remove the words of a note, counted back from the last."""
    return lambda campaign: campaign.redact(OF_NOTES[-note - 1], why="a private matter")


def happened(reader: Campaign) -> bool:
    store = reader.session.log.store
    assert isinstance(store, SlowlyRead)
    return store.happens is None


@pytest.mark.parametrize("note", [0, 4, NOTES - 1])
@pytest.mark.parametrize("at", [0, 3, 12, NOTES])
def test_words_that_are_removed_meanwhile_are_no_damage(reader: Campaign, tmp_path: Path, note: int, at: int) -> None:
    meanwhile(reader, tmp_path, redacting(note), at=at)
    history, damage = reader.session.log.load()
    assert happened(reader) and damage is None and history.head == reader.session.log.version()
    meanwhile(reader, tmp_path, redacting(note + 1 if note < 9 else 9), at=at)
    chain, _, rules = reader.audit()
    assert happened(reader) and chain.entries == reader.session.log.version()
    assert (chain.verdict, rules.verdict) == (Verdict.VERIFIED, Verdict.VERIFIED), chain


@pytest.mark.parametrize("at", [3, 12, NOTES])
def test_an_export_during_which_words_are_removed_is_whole_or_there_is_none(
    reader: Campaign, tmp_path: Path, at: int
) -> None:
    target = tmp_path / "all.jsonl"
    meanwhile(reader, tmp_path, redacting(1), at=at)
    export_campaign(reader.session.log, target)
    assert import_campaign(memory_book(tmp_path / "first"), target).entries == reader.session.log.version()
    meanwhile(reader, tmp_path, redacting(2), at=at, after=1)
    with pytest.raises(StaleHistory, match="Nothing was exported; try again"):
        export_campaign(reader.session.log, target, overwrite=True)
    assert import_campaign(memory_book(tmp_path / "second"), target).entries == reader.session.log.version() - 1


@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.parametrize("at", [3, 12, NOTES])
def test_an_export_during_which_somebody_plays_is_whole(reader: Campaign, tmp_path: Path, at: int, after: int) -> None:
    target = tmp_path / "all.jsonl"
    meanwhile(reader, tmp_path, lambda campaign: campaign.do("note", {"text": "and on"}), at=at, after=after)
    report = export_campaign(reader.session.log, target)
    assert happened(reader) and reader.session.log.version() - report.entries <= 1
    assert import_campaign(memory_book(tmp_path / "first"), target).entries == report.entries
