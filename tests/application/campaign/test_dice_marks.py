"""A die that was seen is never rolled again: not by a copy of the campaign, and not by a store that was set back."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest

from rollbook.adapters.backups.backing_up import make_backup
from rollbook.adapters.backups.restoring import restore
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.local_files.seeds import SeedKeeper, raise_marks, read_marks
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.campaign import Campaign
from rollbook.application.playing.request import ActionRequest
from rollbook.application.ports.seed_store import DiceMarks, marks_in
from rollbook.application.timelines.forking import fork
from rollbook.domain.actions.dice import RollDice
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.dice.record import StreamCounter
from rollbook.domain.events import DiceRolled, SessionOpened
from tests.support.campaigns import begin_campaign, file_book

STORE, OLDER = "rollbook.db", "older.db"
PLAYED_FURTHER = "played further than this store has it.*close-session.*open a session of your own"


def roll(campaign: Campaign, times: int = 1, *, secret: bool = False) -> None:
    for _ in range(times):
        campaign.do("roll", {"expression": "1d20", "purpose": "luck"}, secret=secret)


def faces_by_place(campaign: Campaign) -> dict[tuple[str, object], tuple[int, ...]]:
    """Every roll of the stream: the session that it is of, by its identity, and its place there."""
    identities: dict[int, str] = {}
    found: dict[tuple[str, object], tuple[int, ...]] = {}
    for entry in campaign.history.entries:
        for event in entry.events:
            if isinstance(event, SessionOpened):
                identities[event.session] = event.identity
            if isinstance(event, DiceRolled):
                for source in filter(lambda source: source.place, event.sources):
                    found[identities[source.session], source.place] = tuple(die.face for die in event.dice)
    return found


def set_back(folder: Path, how: str) -> None:
    """Put the older copy in the place of the store."""
    if how == "copied":
        shutil.copy(folder / OLDER, folder / STORE)
    else:
        restore(folder / STORE, SeedKeeper(folder / "seeds"), folder / OLDER)


def copy(folder: Path, how: str) -> None:
    if how == "copied":
        shutil.copy(folder / STORE, folder / OLDER)
    else:
        store = SQLiteEventStore(folder / STORE, create=False)
        make_backup(store, SeedKeeper(folder / "seeds"), folder / OLDER)
        store.close()


@pytest.mark.parametrize("how", ["copied", "restored"])
@pytest.mark.parametrize("secret", [False, True])
def test_an_older_copy_rolls_no_die_that_was_seen_and_opens_a_session_of_its_own(
    tmp_path: Path, how: str, *, secret: bool
) -> None:
    with file_book(tmp_path) as book:
        roll(begin_campaign(book), secret=secret)
    copy(tmp_path, how)
    with file_book(tmp_path) as book:
        campaign = book.campaign("sherwood")
        roll(campaign, 3, secret=secret)
        seen = faces_by_place(campaign)
    set_back(tmp_path, how)
    with file_book(tmp_path) as book:
        campaign = book.campaign("sherwood")
        before = faces_by_place(campaign)
        with pytest.raises(Refused, match=PLAYED_FURTHER):
            roll(campaign, secret=secret)
        campaign.do("roll", {"expression": "1d20", "purpose": "luck"}, dice=(4,))
        campaign.do("close-session")
        campaign.do("open-session")
        roll(campaign, 5, secret=secret)
        new = {place: faces for place, faces in faces_by_place(campaign).items() if place not in before}
        assert len(new) == 5
        assert not set(new) & set(seen)
        assert campaign.audit()[1].verdict is not Verdict.FAILED


def test_the_copy_that_knows_of_every_die_plays_on(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        roll(begin_campaign(book), 2)
    copy(tmp_path, "copied")
    with file_book(tmp_path) as book:
        roll(book.campaign("sherwood"), 2)
    shutil.copy(tmp_path / STORE, tmp_path / "newer.db")
    set_back(tmp_path, "copied")
    with file_book(tmp_path) as book, pytest.raises(Refused, match=PLAYED_FURTHER):
        roll(book.campaign("sherwood"))
    shutil.copy(tmp_path / "newer.db", tmp_path / STORE)
    with file_book(tmp_path) as book:
        roll(book.campaign("sherwood"), 2)


def test_a_seed_that_one_copy_has_revealed_is_rolled_from_nowhere(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        roll(begin_campaign(book))
    copy(tmp_path, "copied")
    with file_book(tmp_path) as book:
        book.campaign("sherwood").do("close-session")
    set_back(tmp_path, "copied")
    with file_book(tmp_path) as book, pytest.raises(Refused, match="its seed revealed, so everybody can know its dice"):
        roll(book.campaign("sherwood"))


def test_a_copy_in_the_same_store_neither_rolls_nor_reveals_the_dice_of_the_original(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        original = begin_campaign(book)
        roll(original)
        export_campaign(original.session.log, tmp_path / "all.jsonl")
        import_campaign(book, tmp_path / "all.jsonl", "copy")
        mine = book.campaign("copy")
        with pytest.raises(Refused, match="they are those of sherwood, of which this is a copy"):
            roll(mine)
        mine.do("close-session")
        assert "DiceRevealed" not in str(mine.history.entries[-1].events)
        with pytest.raises(NotFound, match="not kept on this computer"):
            mine.do("reveal-screen", {"session": 1})
        mine.do("open-session")
        roll(mine)
        roll(original)
        assert not set(faces_by_place(mine)) - set(faces_by_place(original)) & set(faces_by_place(original))
        assert len(set(faces_by_place(mine)) & set(faces_by_place(original))) == 1, "what fell before the copy was made"
        original.do("close-session")
        assert original.audit()[1].verdict is Verdict.VERIFIED


def test_what_a_killed_program_rolled_is_noted_before_anybody_can_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book)
    copy(tmp_path, "copied")
    with file_book(tmp_path) as book:
        campaign = book.campaign("sherwood")
        with monkeypatch.context() as patch:
            patch.setattr(SeedKeeper, "raise_marks", lambda *_: None)
            roll(campaign)
    with file_book(tmp_path) as book:
        book.campaign("sherwood").session.history.load()
    set_back(tmp_path, "copied")
    with file_book(tmp_path) as book, pytest.raises(Refused, match=PLAYED_FURTHER):
        roll(book.campaign("sherwood"))


def test_who_rolls_on_a_head_that_is_not_the_newest_is_not_taken_for_an_older_copy(tmp_path: Path) -> None:
    one, other = file_book(tmp_path), file_book(tmp_path)
    mine = begin_campaign(one)
    theirs = other.campaign("sherwood")
    for times in range(1, 4):
        roll(theirs, times)
        mine.session.take(ActionRequest(RollDice(expression="1d20", purpose="luck")))
    assert len(faces_by_place(theirs)) == len(faces_by_place(mine)) - 1 == 8


def test_a_timeline_that_was_lost_with_an_older_copy_gives_its_dice_to_none_that_takes_its_number(
    tmp_path: Path,
) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book)
    copy(tmp_path, "copied")
    for is_again in (False, True):
        with file_book(tmp_path) as book:
            timeline = fork(book, book.campaign("sherwood"))
            assert timeline.id == "sherwood~1"
            if is_again:
                with pytest.raises(Refused, match=PLAYED_FURTHER):
                    roll(timeline)
                roll(book.campaign("sherwood"))
            else:
                roll(timeline, 2)
        if not is_again:
            set_back(tmp_path, "copied")


def test_marks_only_rise_are_their_owners_alone_and_a_torn_line_counts_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.marks"
    open_dice, hidden = StreamCounter(False, 0, 1), StreamCounter(True, 0, 1)
    raise_marks(path, DiceMarks({open_dice: 7}), lasting=True)
    raise_marks(path, DiceMarks({open_dice: 3, hidden: 2}), lasting=False)
    assert read_marks(path) == DiceMarks({open_dice: 7, hidden: 2})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with path.open("a") as file:
        file.write("0 0 1 9")
    assert read_marks(path) == DiceMarks({open_dice: 7, hidden: 2})
    assert marks_in([*read_marks(path).lines(), "closed", "nonsense"]) == DiceMarks({open_dice: 7, hidden: 2}, True)
    assert read_marks(tmp_path / "none") == DiceMarks()


def test_marks_that_others_add_are_read_and_a_file_in_their_place_is_read_from_its_beginning(tmp_path: Path) -> None:
    path, other = tmp_path / "a.marks", tmp_path / "b.marks"
    open_dice, hidden = StreamCounter(False, 0, 1), StreamCounter(True, 0, 1)
    raise_marks(path, DiceMarks({open_dice: 7, hidden: 1}), lasting=False)
    assert read_marks(path) == DiceMarks({open_dice: 7, hidden: 1})
    with path.open("a") as file:
        file.write("0 0 1 9\n0 0 1 8\n1 0 1 1")
    assert read_marks(path) == DiceMarks({open_dice: 9, hidden: 1})
    with path.open("a") as file:
        file.write("2\nclosed\n")
    assert read_marks(path) == DiceMarks({open_dice: 9, hidden: 12}, True)
    raise_marks(other, DiceMarks({open_dice: 3, hidden: 2}), lasting=False)
    other.write_text(other.read_text() * 9)
    other.replace(path)
    assert read_marks(path) == DiceMarks({open_dice: 3, hidden: 2})
    path.write_text("0 0 1 4\n")
    assert read_marks(path) == DiceMarks({open_dice: 4})
