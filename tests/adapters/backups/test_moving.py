"""A campaign that is moved goes on elsewhere with its own dice, and the place that it left knows that it has gone."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from rollbook.adapters.backups.backing_up import make_backup
from rollbook.adapters.backups.moving import is_move, move, take_in
from rollbook.adapters.backups.restoring import restore
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.keeping.deleting import delete_campaign, stone_of
from rollbook.application.ports.seed_store import Moved
from rollbook.application.timelines.forking import fork
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import HistoryDamaged, Refused, RollbookError
from tests.support.campaigns import begin_campaign, file_book, stored_events
from tests.support.read_models import Killed
from tests.support.redacting import WORDS, note_of, words_on_disk

GONE = r"sherwood was moved away from here on .* after entry @\d+, in the file .*carried.db: .* Nothing was recorded"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A computer with a campaign whose session is open, and a timeline."""
    folder = tmp_path / "here"
    folder.mkdir()
    with file_book(folder) as book:
        campaign = begin_campaign(book)
        roll(campaign)
        campaign.do("roll", {"expression": "1d20"}, secret=True)
        fork(book, campaign).do("note", {"text": "elsewhere"})
    return folder


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """Another computer."""
    (tmp_path / "there").mkdir()
    return tmp_path / "there"


def roll(campaign: Campaign) -> None:
    campaign.do("roll", {"expression": "1d20", "purpose": "luck"})


def carry(source: Path, target: Path, name: str = "carried.db") -> Path:
    """Move the campaign from one computer to another."""
    file = source / name
    with file_book(source) as book:
        move(book, book.campaign("sherwood"), file)
    with file_book(target) as book:
        take_in(book, file)
    return file


def seeds(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "seeds").glob("*.json"))


def test_it_goes_on_there_with_its_own_dice_and_all_of_them_are_proven(here: Path, there: Path) -> None:
    with file_book(here) as book:
        before = stored_events(book.campaign("sherwood"))
    sealed = seeds(here)
    file = carry(here, there)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert is_move(file) and not is_move(here / "rollbook.db")
    assert (seeds(here), seeds(there)) == ([], sealed)
    with file_book(there) as book:
        campaign = book.campaign("sherwood")
        assert stored_events(campaign) == before
        assert book.timelines("sherwood") == ("sherwood~1",)
        roll(book.campaign("sherwood~1"))
        roll(campaign)
        campaign.do("close-session")
        campaign.do("reveal-screen", {"session": 1})
        assert [answer.verdict for answer in campaign.audit()][:2] == [Verdict.VERIFIED, Verdict.VERIFIED]


def plays(book: Book) -> None:
    book.campaign("sherwood").do("note", {"text": "still here"})


def plays_a_timeline(book: Book) -> None:
    book.campaign("sherwood~1").do("note", {"text": "still here"})


def closes(book: Book) -> None:
    book.campaign("sherwood").do("close-session")


@pytest.mark.parametrize("play", [plays, plays_a_timeline, closes])
def test_where_it_left_it_can_be_read_and_not_played(here: Path, there: Path, play: Callable[[Book], None]) -> None:
    carry(here, there)
    with file_book(here) as book:
        campaign = book.campaign("sherwood")
        campaign.session.project()
        assert book.read_model.log("sherwood")
        assert campaign.audit()[0].verdict is Verdict.VERIFIED
        with pytest.raises(Refused, match=GONE):
            play(book)
        with pytest.raises(Refused, match="Nothing was moved"):
            move(book, campaign, here / "again.db")


def test_neither_an_older_copy_nor_a_backup_brings_it_back(here: Path, there: Path) -> None:
    shutil.copy(here / "rollbook.db", here / "older.db")
    store = SQLiteEventStore(here / "rollbook.db", create=False)
    make_backup(store, SeedKeeper(here / "seeds"), here / "backup.db")
    store.close()
    carry(here, there)
    for source in ("older.db", "backup.db", "older.db"):
        if source == "older.db":
            shutil.copy(here / "older.db", here / "rollbook.db")
        restore(here / "rollbook.db", SeedKeeper(here / "seeds"), here / source)
        assert seeds(here) == []
        with file_book(here) as book:
            book.read_model.rebuild(book.store, book.rulebook)
            with pytest.raises(Refused, match=GONE):
                plays(book)
    with file_book(there) as book:
        roll(book.campaign("sherwood"))


def test_it_comes_back_with_what_was_played_there(here: Path, there: Path) -> None:
    carry(here, there)
    with file_book(there) as book:
        campaign = book.campaign("sherwood")
        roll(campaign)
        book.campaign("sherwood~1").do("note", {"text": "more of it"})
        fork(book, campaign).do("note", {"text": "another"})
        whole = {stream: stored_events(book.campaign(stream)) for stream in book.store.campaigns()}
    file = there / "back.db"
    carry(there, here, "back.db")
    with file_book(here) as book:
        take_in(book, file)
        assert {stream: stored_events(book.campaign(stream)) for stream in book.store.campaigns()} == whole
        roll(book.campaign("sherwood"))
        book.campaign("sherwood").do("close-session")
        assert book.campaign("sherwood").audit()[1].verdict is not Verdict.FAILED
        assert SeedKeeper(book.seeds.folder).moved() == ()
    with file_book(there) as book, pytest.raises(Refused, match="in the file .*back.db"):
        plays(book)


def test_words_that_were_removed_there_are_removed_here_when_it_comes_back(here: Path, there: Path) -> None:
    with file_book(here) as book:
        action = note_of(book.campaign("sherwood"))
    carry(here, there)
    with file_book(there) as book:
        book.campaign("sherwood").redact(action, why="private")
    carry(there, here, "back.db")
    (here / "carried.db").unlink()
    with file_book(here) as book:
        assert book.campaign("sherwood").audit()[0].verdict is Verdict.VERIFIED
    assert WORDS and words_on_disk(here) == []


def test_a_move_that_was_stopped_before_the_file_had_its_name_can_be_made_again(
    here: Path, there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise Killed

    file = here / "carried.db"
    with file_book(here) as book, monkeypatch.context() as patch:
        patch.setattr("rollbook.adapters.backups.moving.give_name", stopped)
        patch.setattr(Moved, "back", lambda gone: gone)
        with pytest.raises(Killed):
            move(book, book.campaign("sherwood"), file)
    with file_book(here) as book:
        with pytest.raises(Refused, match=GONE):
            plays(book)
        assert move(book, book.campaign("sherwood"), file).sessions == 1
    with file_book(there) as book:
        take_in(book, file)
        roll(book.campaign("sherwood"))


def test_a_file_that_cannot_be_written_lets_the_campaign_stay(here: Path) -> None:
    (here / "taken.db").write_text("precious")
    with file_book(here) as book:
        with pytest.raises(RollbookError, match="nothing was moved"):
            move(book, book.campaign("sherwood"), here / "taken.db")
        with pytest.raises(Refused, match="it goes with its campaign"):
            move(book, book.campaign("sherwood~1"), here / "new.db")
        roll(book.campaign("sherwood"))
    assert (here / "taken.db").read_text() == "precious"


def test_a_copy_of_the_same_name_with_another_history_is_left_alone(here: Path, there: Path) -> None:
    with file_book(there) as book:
        begin_campaign(book, drawn="another")
    with file_book(here) as book:
        move(book, book.campaign("sherwood"), here / "carried.db")
    with file_book(there) as book:
        with pytest.raises(RollbookError, match="is here with another history.*--as"):
            take_in(book, here / "carried.db")
        assert take_in(book, here / "carried.db", "The Old Oak").campaign == "the-old-oak"
        roll(book.campaign("the-old-oak"))
        roll(book.campaign("the-old-oak~1"))
        roll(book.campaign("sherwood"))


def test_a_damaged_file_is_not_taken_in(here: Path, there: Path) -> None:
    with file_book(here) as book:
        move(book, book.campaign("sherwood"), here / "carried.db")
    data = (here / "carried.db").read_bytes()
    (here / "carried.db").write_bytes(data.replace(b"robin", b"robyn"))
    with file_book(there) as book:
        with pytest.raises(HistoryDamaged, match="Nothing was imported"):
            take_in(book, here / "carried.db")
        assert book.campaigns() == ()


def test_after_it_was_deleted_here_a_copy_may_take_its_name(here: Path, there: Path) -> None:
    carry(here, there)
    with file_book(there) as book:
        export_campaign(book.campaign("sherwood").session.log, there / "all.jsonl")
    with file_book(here) as book:
        delete_campaign(book, stone_of(book, "sherwood"))
        import_campaign(book, there / "all.jsonl")
        plays(book)
        with pytest.raises(Refused, match="their seeds are not here"):
            roll(book.campaign("sherwood"))
