"""Timelines are made, found and opened; what cannot be is said."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from rollbook.application.book import Book
from rollbook.application.history.timeline_marker import Marker, is_timeline, meant, packed
from rollbook.application.history.timeline_view import TimelineView
from rollbook.application.timelines import forking as timelines
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import HistoryDamaged, NotFound, Refused, RollbookError, StaleHistory
from rollbook.domain.history.event_store import NewEntry, StoredEntry
from tests.support.campaigns import begin_campaign, file_book, new, stored_events
from tests.support.comparison import comparable
from tests.support.memory_store import MemoryEventStore
from tests.support.timelines import forked, shoot


def test_timelines_are_counted_over_the_whole_campaign_and_found_by_name(book: Book) -> None:
    campaign = begin_campaign(book)
    begin_campaign(book, "Other")
    forked(book, campaign)
    forked(book, book.campaign("sherwood~1"))
    assert forked(book, book.campaign("other")).id == "other~1"
    assert forked(book, campaign, 5, "so").id == "sherwood~3"
    assert book.timelines("sherwood") == ("sherwood~1", "sherwood~2", "sherwood~3")
    assert book.campaign("Sherwood~02").id == "sherwood~2"
    assert book.campaign("sherwood~0").id == "sherwood"
    with pytest.raises(NotFound, match="no timeline called 'sherwood~9'"):
        book.campaign("sherwood~9")
    with pytest.raises(NotFound, match="no timeline called"):
        book.campaign("sherwood~../x")
    assert [meant("Robin Hood~3"), is_timeline("a~1"), is_timeline("a-1")] == ["robin-hood~3", True, False]
    found = timelines.summaries(book, "sherwood")
    assert [(one.number, one.parent, one.entry, one.why) for one in found] == [
        (1, "sherwood", campaign.head.entry, ""),
        (2, "sherwood~1", campaign.head.entry, ""),
        (3, "sherwood", 5, "so"),
    ]
    shoot(campaign)
    shoot(book.campaign("sherwood~1"))
    assert [(one.entries, one.moved_on) for one in timelines.summaries(book, "sherwood")] == [(1, 1), (0, 1), (0, 4)]


def test_two_who_fork_at_the_same_moment_do_not_get_one_timeline(book: Book) -> None:
    campaign = begin_campaign(book)
    one, other = timelines.fork(book, campaign), timelines.fork(book, campaign)
    assert one.id == other.id == "sherwood~1"
    shoot(one)
    with pytest.raises(RollbookError, match="just made timeline 1"):
        shoot(other)
    with pytest.raises(RollbookError, match="just made timeline 1"):
        timelines.begin(other)
    assert book.campaign("sherwood~1").head.entry == campaign.head.entry + 1


def test_a_fork_whose_first_action_is_refused_was_never_made(book: Book) -> None:
    campaign = begin_campaign(book)
    made = timelines.fork(book, campaign)
    with pytest.raises(NotFound):
        made.do("attack", {"attacker": "nobody", "target": "guard"})
    assert book.timelines("sherwood") == ()


def test_nobody_forks_in_the_midst_of_a_correction(book: Book) -> None:
    campaign = begin_campaign(book)
    notes = [campaign.do("note", {"text": text}) for text in ("one", "two", "three")]
    campaign.corrections.undo(*(note.action for note in notes), reason="no").apply()
    head = campaign.head.entry
    with pytest.raises(Refused, match=f"@{head - 2} to @{head}.*at @{head - 3}.*at @{head}"):
        timelines.fork(book, campaign, head - 1)
    assert forked(book, campaign, head - 3).head.entry == head - 3
    with pytest.raises(NotFound, match="no entry @999"):
        timelines.fork(book, campaign, 999)


def test_a_timeline_that_was_begun_and_left_opens(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        forked(book, campaign, 8)
        state = comparable(campaign.history.as_known_at(8))
    with file_book(tmp_path) as book:
        fork = book.campaign("sherwood~1")
        assert comparable(fork.state) == state
        assert shoot(forked(book, fork)).number == 9


def test_a_marker_that_cannot_be_read_or_does_not_fit_is_said(book: Book) -> None:
    campaign = begin_campaign(book)
    book.store.append("sherwood~1", 0, [NewEntry("ActionTaken@1", b"{}")])
    book.store.begin("sherwood~2", b'{"number":"two"}', [])
    marker = Marker(number=3, parent="sherwood", entry=4, hash="ab" * 32, at=0)
    book.store.begin("sherwood~3", packed(marker), [])
    far = msgspec.structs.replace(marker, number=4, entry=10_000)
    book.store.begin("sherwood~4", packed(far), [])
    for number, words in (
        (1, "nothing says where it was forked"),
        (2, "cannot be read"),
        (3, "another history"),
        (4, "another history"),
    ):
        with pytest.raises(HistoryDamaged, match=words):
            book.campaign(f"sherwood~{number}")
    assert shoot(campaign).number


def test_a_marker_is_stored_as_canonical_json() -> None:
    marker = Marker(number=1, parent="sherwood", entry=2, hash="ab" * 32, at=5, why="Ünd?")
    assert packed(marker).decode() == (
        '{"at":5,"entry":2,"hash":"' + "ab" * 32 + '","number":1,"parent":"sherwood","ruleset":"","ruleset_version":"",'
        '"why":"Ünd?"}'
    )


def test_damage_in_the_parent_is_damage_of_the_timeline(tmp_path: Path) -> None:
    store = MemoryEventStore()
    with file_book(tmp_path, store) as book:
        campaign = begin_campaign(book)
        fork = forked(book, campaign)
        shoot(fork)
        events = stored_events(campaign)
    broken = [e._replace(data=e.data.replace(b"Robin", b"Rabin")) for e in events]
    assert broken != events
    again = MemoryEventStore()
    again.append("sherwood", 0, new(broken))
    again.begin("sherwood~1", store.marker("sherwood~1") or b"", new(store.read("sherwood~1")))
    with file_book(tmp_path, again) as book:
        fork = book.campaign("sherwood~1")
        assert fork.audit()[0].verdict is Verdict.FAILED
        assert "damaged" in fork.session.damage
        with pytest.raises(HistoryDamaged):
            shoot(fork)


def test_a_view_of_nothing_begins_at_the_first_entry() -> None:
    store = MemoryEventStore()
    marker = Marker(number=1, parent="sherwood", entry=0, hash="0" * 64, at=0, ruleset="toy")
    view = TimelineView(store, "sherwood~1", marker, store, is_new=True)
    assert view.head("sherwood~1") == 0
    assert view.campaigns() == ()
    view.append("sherwood~1", 0, [NewEntry("A@1", b"{}"), NewEntry("B@1", b"{}")])
    assert list(view.read("sherwood~1")) == [StoredEntry(1, "A@1", b"{}"), StoredEntry(2, "B@1", b"{}")]
    with pytest.raises(StaleHistory):
        view.append("sherwood~1", 0, [NewEntry("C@1", b"{}")])
