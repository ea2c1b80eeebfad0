"""Marks on disk cost time where they are wrong or missing, never truth; little of the past is read, and that is checked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.storage.read_model.head_snapshots import unpack_state
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.encoding.codec import CODEC
from rollbook.application.history import verified_ranges
from rollbook.application.history.verified_ranges import EntriesInRanges
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.history import checkpoints
from rollbook.domain.history.event_store import StoredEntry
from rollbook.domain.history.history import History
from tests.support.campaigns import begin_campaign, file_book, spoil
from tests.support.comparison import comparable

EVERY = 8


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a campaign of some hundred actions, projected as it was played, with marks every few."""
    monkeypatch.setattr(checkpoints, "CHECKPOINT_EVERY", EVERY)
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        for number in range(12):
            campaign.do("note", {"text": f"words {number}", "to": "gm"})
            for _ in range(6):
                campaign.do("gain-token", {"who": "robin"})
            campaign.do("scene", {"title": f"scene {number}"})
            campaign.session.project()
    return tmp_path


@pytest.fixture
def reopened(long: Path) -> Iterator[Book]:
    with file_book(long) as book:
        yield book


def is_in_stretches(history: History) -> bool:
    return history.entries.__class__ is EntriesInRanges


def answers(campaign: Campaign, history: History) -> list[object]:
    """What the campaign was at many moments, and what undoing an action would come to."""
    moments = range(1, campaign.head.actions, 5)
    states = [comparable(history.state_before(action)) for action in moments]
    states += [comparable(history.as_known_at(entry)) for entry in moments]
    undone = [campaign.corrections.undo(action, reason="so") for action in (10, 60, campaign.head.actions)]
    return [*states, history.counting(1), *((made.entries, comparable(made.after)) for made in undone)]


def all_in_memory(campaign: Campaign) -> History:
    """The same entries without any marks."""
    return History(list(campaign.session.log.entries()))


def expected(folder: Path) -> list[object]:
    with file_book(folder) as book:
        campaign = book.campaign("sherwood")
        return answers(campaign, all_in_memory(campaign))


WRONG = (
    "DELETE FROM marks",
    "UPDATE marks SET state = x'00'",
    "UPDATE marks SET state = 'text', digest = NULL",
    "UPDATE marks SET state = (SELECT other.state FROM marks other WHERE other.actions > marks.actions LIMIT 1)",
    "UPDATE marks SET actions = actions + 1",
    "UPDATE marks SET course = course - 1",
    "UPDATE marks SET hash = upper(hash)",
    "DELETE FROM noted",
    "DELETE FROM noted WHERE outline != '' AND entry > 20",
    "UPDATE noted SET outline = ''",
    "UPDATE noted SET hash = ''",
    "UPDATE noted SET entry = entry + 1000",
    "UPDATE noted SET outline = x'00', hash = 7",
    "UPDATE campaigns SET noted = ''",
    "UPDATE campaigns SET noted = NULL, noted_hash = NULL",
    "UPDATE campaigns SET noted_entry = noted_entry - 5",
    "DROP TABLE noted",
    "DROP TABLE marks",
)


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_or_missing_marks_never_change_an_answer(wrong: str, long: Path) -> None:
    right = expected(long)
    spoil(long / "rollbook.read.db", wrong)
    for _ in range(2):
        with file_book(long) as book:
            campaign = book.campaign("sherwood")
            assert answers(campaign, campaign.session.history.look_back()) == right
            campaign.session.project()
    with file_book(long) as book:
        assert is_in_stretches(book.campaign("sherwood").session.history.look_back()), (
            "what was wrong has been made again"
        )


def test_a_mark_on_a_course_that_the_store_does_not_have_is_not_used(reopened: Book) -> None:
    """Not even if its digest is right: it was taken at an entry that is another one now."""
    campaign = reopened.campaign("sherwood")
    hash_at, course = campaign.session.log.hash_at, 81
    past = reopened.read_model.past("sherwood", lambda entry: "0" * 64 if entry == course else hash_at(entry))
    assert past is not None
    assert {mark.course for mark in past.marks if mark.state() is None} == {
        mark.course for mark in past.marks if mark.course == course
    }


def read_numbers(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the entries that are decoded from now on."""
    seen: list[int] = []
    read = CODEC.read

    def noting(stored: StoredEntry) -> object:
        seen.append(stored.version)
        return read(stored)

    monkeypatch.setattr(CODEC, "read", noting)
    return seen


def test_undoing_the_last_action_reads_a_stretch(reopened: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = reopened.campaign("sherwood")
    seen = read_numbers(campaign, monkeypatch)
    campaign.corrections.undo(campaign.head.actions, reason="so").apply()
    assert campaign.head.entry > 100
    assert 0 < len(set(seen)) <= 3 * EVERY
    assert min(seen) > campaign.head.entry - 4 * EVERY


def test_an_early_moment_reads_an_early_stretch(reopened: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = reopened.campaign("sherwood")
    seen = read_numbers(campaign, monkeypatch)
    assert campaign.session.history.looking_back(lambda history: history.as_known_at(12)).characters
    assert max(seen) <= 2 * EVERY


def test_whatever_is_looked_at_only_some_stretches_are_in_memory(reopened: Book) -> None:
    history = reopened.campaign("sherwood").session.history.look_back()
    assert len(list(history.entries)) == history.head
    entries = history.entries
    assert isinstance(entries, EntriesInRanges)
    assert len(entries._stretches._read) == verified_ranges.KEPT


DAMAGE = "UPDATE stored_events SET state = replace(state, '\"amount\":1', '\"amount\":9') WHERE originator_version = {}"


def test_damage_in_what_is_read_is_named_and_what_comes_before_it_is_shown(long: Path) -> None:
    with file_book(long) as book:
        head = book.campaign("sherwood").head.entry
    spoil(long / "rollbook.db", DAMAGE.format(head - 3))
    with file_book(long) as book:
        campaign = book.campaign("sherwood")
        with pytest.raises(HistoryDamaged) as damage:
            campaign.corrections.undo(head - 6, reason="so").apply()
        assert damage.value.entry == head - 3
        assert campaign.head.entry == head - 4
        assert f"Entry @{head - 3} is damaged" in campaign.session.damage


def test_damage_further_back_is_found_by_whatever_reads_it(long: Path) -> None:
    spoil(long / "rollbook.db", DAMAGE.format(13))
    with file_book(long) as book:
        campaign = book.campaign("sherwood")
        campaign.corrections.undo(campaign.head.actions, reason="so").apply()
        assert campaign.session.history.looking_back(lambda history: len(list(history.entries))) == 12
        assert "Entry @13 is damaged" in campaign.session.damage
        chain, _, _ = campaign.audit()
        assert chain.verdict is Verdict.FAILED
        assert chain.findings[0].entry == 13


def test_entries_with_hashes_of_their_own_are_not_taken_for_those_that_were_checked(long: Path) -> None:
    """Somebody who can compute changes an entry and every hash after it, but not the ones that were noted."""
    with file_book(long) as book:
        campaign = book.campaign("sherwood")
        history = campaign.session.history.look_back()
        entries = history.entries
        assert isinstance(entries, EntriesInRanges)
        place = entries._stretches.places[3]
        entries._stretches.places = [
            each if each is not place else verified_ranges.VerifiedEntry(place.entry, "0" * 64)
            for each in entries._stretches.places
        ]
        with pytest.raises(HistoryDamaged, match="it is not the entry that was seen here before"):
            history.entry(place.entry)


def test_after_an_early_correction_the_new_course_gets_marks_of_its_own(
    long: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    for action in (9, 10, 11):
        with file_book(long) as book:
            campaign = book.campaign("sherwood")
            campaign.corrections.undo(action, reason="so").apply()
            campaign.session.project()
        for _ in range(2):
            with file_book(long) as book:
                campaign = book.campaign("sherwood")
                seen, last, whole = read_numbers(campaign, monkeypatch), campaign.head.actions, all_in_memory(campaign)
                seen.clear()
                assert comparable(campaign.session.history.look_back().state_before(last)) == comparable(
                    whole.state_before(last)
                )
                read.append(len(set(seen)))
                assert comparable(campaign.session.history.look_back().as_known_at(90)) == comparable(
                    whole.as_known_at(90)
                )
                campaign.session.project()
                of_each = book.read_model.db.execute("SELECT COUNT(*) FROM marks GROUP BY actions").fetchall()
                assert max(of_each) <= (2,)
    assert min(read[::2]) > 80 > 4 * EVERY > max(read[1::2]), "the first folds the new course, the next a stretch of it"


def test_a_correction_by_another_process_is_followed_without_reading_everything(
    long: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with file_book(long) as one, file_book(long) as other:
        late = other.campaign("sherwood")
        one.campaign("sherwood").corrections.undo(one.campaign("sherwood").head.actions, reason="so").apply()
        seen = read_numbers(late, monkeypatch)
        assert comparable(late.refresh().state) == comparable(one.campaign("sherwood").state)
        assert len(set(seen)) <= 4 * EVERY


def test_no_state_that_is_kept_has_words_that_were_removed(long: Path) -> None:
    with file_book(long) as book:
        campaign = book.campaign("sherwood")
        note = next(
            action
            for action, entry in campaign.session.history.look_back().outcomes()
            if entry is not None and entry.intent.verb == "note"
        )
        campaign.redact(note, why="it was private")
        campaign.session.project()
        kept = book.read_model.db.execute("SELECT state FROM marks").fetchall()
        assert kept
        for (state,) in kept:
            assert "words" not in repr(unpack_state(state))
        assert campaign.session.history.look_back().state.scene == "scene 11"


def test_what_is_kept_is_small(long: Path) -> None:
    with file_book(long) as book:
        db = book.read_model.db
        (states,) = db.execute("SELECT SUM(LENGTH(state)) FROM marks").fetchone()
        stored = sum(len(entry.data) for entry in book.campaign("sherwood").session.log.stored())
        assert states < stored / 5, "with marks every few actions"


def test_a_campaign_of_many_people_is_marked_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A state holds everybody who ever came, so all marks together stay as long as the history, and not as its square."""
    monkeypatch.setattr(checkpoints, "CHECKPOINT_EVERY", EVERY)
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        for number in range(20 * EVERY):
            campaign.do("join", {"name": f"Foe {number}", "kind": "npc"})
        campaign.session.project()
        book.read_model.rebuild(book.store, book.rulebook)
        kept = book.read_model.db.execute("SELECT actions, state FROM marks ORDER BY actions").fetchall()
    moments = [actions for actions, _ in kept]
    people = [len(unpack_state(state).characters) for _, state in kept]
    assert moments[0] == EVERY
    steps = zip(moments, moments[1:], people[1:], strict=False)
    assert all(later - sooner >= many // checkpoints.PEOPLE for sooner, later, many in steps)
    assert 5 < len(moments) < 15
