"""A campaign that is deleted is gone from every file; that it was there, and how it ended, is still known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.storage.sqlite.recorder import CampaignRecorder
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.keeping.deleting import delete_campaign, stone_of
from rollbook.application.timelines.forking import fork
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import NotFound, Refused, StaleHistory
from tests.support.campaigns import begin_campaign, file_book
from tests.support.memory_store import MemoryEventStore
from tests.support.read_models import Killed, rebuilt, rows
from tests.support.redacting import note_of, words_on_disk


def two_campaigns(folder: Path) -> tuple[Book, Campaign]:
    """A campaign with words in it, on a timeline too, and another one beside it."""
    book = file_book(folder)
    begin_campaign(book, "Nottingham")
    campaign = begin_campaign(book)
    note_of(campaign)
    timeline = fork(book, campaign)
    note_of(timeline)
    campaign.do("roll", {"expression": "1d20"})
    campaign.session.project()
    book.campaign("nottingham").do("note", {"text": "stays"})
    return book, campaign


def delete(book: Book, name: str = "sherwood") -> object:
    return delete_campaign(book, stone_of(book, name))


def is_gone(folder: Path) -> None:
    """Nothing of it is anywhere, and all else is as it was."""
    assert words_on_disk(folder) == []
    with file_book(folder) as book:
        assert book.campaigns() == ("nottingham",)
        assert book.store.campaigns() == ("nottingham",)
        assert book.campaign("nottingham").audit()[0].verdict is Verdict.VERIFIED
        book.campaign("nottingham").session.project()
        assert rows(book.read_model) == rows(rebuilt(book))
        session = book.campaign("nottingham").state.session
        assert session
        assert [path.stem for path in (folder / "seeds").glob("*.json")] == [session.identity]


def test_nothing_of_a_deleted_campaign_is_left_in_any_file(tmp_path: Path) -> None:
    book, campaign = two_campaigns(tmp_path)
    entries, last = campaign.head.entry, campaign.head.hash
    assert words_on_disk(tmp_path)
    delete(book)
    book.close()
    is_gone(tmp_path)
    with file_book(tmp_path) as book:
        (stone,) = book.store.tombstones()
        assert (stone.campaign, stone.entries, stone.hash) == ("sherwood", entries, last)
        with pytest.raises(NotFound, match=rf"sherwood was deleted for good on .* {entries} entries.* {last}"):
            book.campaign("sherwood")


@pytest.mark.parametrize(
    ("where", "name"),
    [(Book, "finish_removals"), (CampaignRecorder, "wipe")],
    ids=["after the entries", "before the file is wiped"],
)
def test_who_opens_the_store_next_finishes_a_deletion_that_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: type, name: str
) -> None:
    def stopped(*_: Any) -> Any:
        raise Killed

    book, _ = two_campaigns(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(where, name, stopped)
        with pytest.raises(Killed):
            delete(book)
    book.close()
    assert words_on_disk(tmp_path)
    file_book(tmp_path).close()
    is_gone(tmp_path)


def test_who_has_it_open_elsewhere_records_nothing_in_it_any_more(tmp_path: Path) -> None:
    book, _ = two_campaigns(tmp_path)
    other = file_book(tmp_path)
    campaign = other.campaign("sherwood")
    campaign.do("note", {"text": "one more"})
    delete(book)
    with pytest.raises(StaleHistory):
        campaign.do("note", {"text": "and another"})
    assert book.store.campaigns() == ("nottingham",)
    other.close()
    book.close()
    is_gone(tmp_path)


def test_what_was_played_meanwhile_is_not_deleted_unseen(tmp_path: Path) -> None:
    book, campaign = two_campaigns(tmp_path)
    stone = stone_of(book, "sherwood")
    campaign.do("note", {"text": "one more"})
    with pytest.raises(StaleHistory, match="Nothing was removed"):
        delete_campaign(book, stone)
    assert book.campaign("sherwood").audit()[0].verdict is Verdict.VERIFIED


def test_an_export_brings_it_back_and_its_dice_are_its_own_no_more(tmp_path: Path) -> None:
    book, campaign = two_campaigns(tmp_path)
    (tmp_path / "out").mkdir()
    export_campaign(campaign.session.log, tmp_path / "out" / "all.jsonl")
    last = campaign.head.hash
    delete(book)
    import_campaign(book, tmp_path / "out" / "all.jsonl")
    again = book.campaign("sherwood")
    assert again.head.hash == last
    assert again.audit()[0].verdict is Verdict.VERIFIED
    with pytest.raises(Refused, match="their seeds are not here"):
        again.do("roll", {"expression": "1d20"})
    again.do("close-session")
    again.do("open-session")
    again.do("roll", {"expression": "1d20"})
    book.finish_removals()
    again.do("roll", {"expression": "1d20"})


def test_a_store_in_memory_forgets_it_as_well(tmp_path: Path) -> None:
    book = file_book(tmp_path, MemoryEventStore())
    begin_campaign(book, "Nottingham").session.project()
    begin_campaign(book).session.project()
    delete(book)
    assert book.store.campaigns() == ("nottingham",)
    book.campaign("nottingham").do("note", {"text": "stays"})
    book.campaign("nottingham").session.project()
    assert rows(book.read_model) == rows(rebuilt(book))


def test_a_timeline_goes_with_its_campaign_only(tmp_path: Path) -> None:
    book, _ = two_campaigns(tmp_path)
    with pytest.raises(Refused, match="it goes when sherwood is deleted"):
        stone_of(book, "sherwood~1")
    with pytest.raises(NotFound):
        stone_of(book, "oz")
