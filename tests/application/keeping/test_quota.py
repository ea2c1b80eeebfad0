"""A host's limit of entries refuses what would go beyond it, exactly, with a sentence, and lets a table end what it began."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import attrs
import pytest

from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.host_settings import KNOWN, EntryQuota, change_settings, limit_entries
from rollbook.application.playing.request import ActionRequest
from rollbook.application.timelines.forking import fork
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused
from rollbook.domain.rules.action import build
from tests.support.shared_stores import seed_key

__all__ = ["seed_key"]
pytestmark = pytest.mark.usefixtures("seed_key")
ROOM = 3


@pytest.fixture(params=["file", "server"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    return tmp_path / "rollbook.db" if request.param == "file" else request.getfixturevalue("postgres_store")


def node(place: Path | str, folder: Path) -> Book:
    """A program of its own on the store; those that share a file share its seeds."""
    opened = open_book(place, folder / "seeds")
    opened.quota = EntryQuota(opened.seeds, now=lambda: 0.0)  # it knows what it read first
    return opened


@pytest.fixture
def book(place: Path | str, tmp_path: Path) -> Iterator[Book]:
    with closing(node(place, tmp_path)) as opened:
        yield opened


@pytest.fixture
def campaign(book: Book) -> Campaign:
    """A table with room for three more entries; Clara is its host."""
    campaign = book.new("Sherwood", "storytoken")
    campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
    campaign.say("open-session First")
    with closing(book.seeds.links()) as links:
        links.make_for_hosts_page("Clara")
    limited(book, campaign.head.entry + ROOM)
    return campaign


def limited(book: Book, most: int) -> None:
    change_settings(book.seeds.host_notes(), lambda settings: attrs.evolve(settings, most_entries=most))
    book.quota._read_at = None


def filled(campaign: Campaign) -> None:
    for number in range(ROOM):
        campaign.do("roll", {"expression": "1d20"} if not number else {"expression": "1d6"})


def test_the_first_entry_beyond_the_limit_is_refused_in_one_sentence(campaign: Campaign, book: Book) -> None:
    filled(campaign)
    had = campaign.head.entry
    with pytest.raises(Refused) as refused:
        campaign.do("roll", {"expression": "1d20"})
    assert f"sherwood has {had} entries, and the host allows {had}, so nothing was recorded" in str(refused.value)
    assert str(refused.value).endswith("Ask the host for more: Clara.")
    assert book.store.head("sherwood") == had == campaign.refresh().entry
    with pytest.raises(Refused, match="nothing was recorded"):
        campaign.do("note", {"text": "more"})


def test_a_refused_roll_has_cost_no_die(campaign: Campaign, book: Book) -> None:
    filled(campaign)
    with pytest.raises(Refused):
        campaign.do("roll", {"expression": "1d20"})
    limited(book, 0)
    campaign.do("roll", {"expression": "1d20"})
    campaign.do("close-session")
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3


def test_reading_exporting_and_ending_go_on(campaign: Campaign, book: Book, tmp_path: Path) -> None:
    campaign.do("note", {"text": "not this"})
    note = campaign.head.actions
    campaign.do("roll", {"expression": "1d20"})
    rolled = campaign.head.actions
    campaign.do("take-seat", {"seat": "Mira"})
    campaign.corrections.undo(rolled, reason="a slip").apply()
    with pytest.raises(Refused, match="the host allows"):
        campaign.corrections.redo(rolled, reason="no slip").apply()
    campaign.redact(note, why="private")
    campaign.do("x-card")
    campaign.do("after-x-card", {"how": "resume"})
    campaign.say("rename-seat Mira Myra")
    campaign.say("leave-seat Myra")
    campaign.do("close-session")
    with pytest.raises(Refused, match="the host allows"):
        campaign.do("open-session", {"title": "Another"})
    campaign.session.project()
    assert len(campaign.read_model.log("sherwood")) == campaign.head.actions
    assert export_campaign(campaign.session.log, tmp_path / "whole.jsonl").entries == campaign.head.entry
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3


def test_what_ends_something_opens_no_door_for_what_comes_with_it(campaign: Campaign) -> None:
    filled(campaign)
    head = campaign.head.entry
    verbs = campaign.session.rulebook.verbs(campaign.state)
    leaving, more = build(verbs["leave-seat"], {"seat": "Ana"}), build(verbs["note"], {"text": "more"})
    with pytest.raises(Refused, match="the host allows"):
        campaign.session.take(ActionRequest(leaving, ""), ActionRequest(more, ""))
    assert campaign.refresh().entry == head


def test_a_timeline_is_no_way_around_it(campaign: Campaign, book: Book) -> None:
    filled(campaign)
    timeline = fork(book, campaign, campaign.head.entry, "What if?")
    with pytest.raises(Refused, match="sherwood~1 has"):
        timeline.do("roll", {"expression": "1d4"})
    assert book.timelines("sherwood") == ()


def test_a_table_has_a_limit_of_its_own(campaign: Campaign, book: Book) -> None:
    filled(campaign)
    notes = book.seeds.host_notes()
    limit_entries(notes, "sherwood", campaign.head.entry + 1)
    book.quota._read_at = None
    campaign.do("roll", {"expression": "1d20"})
    with pytest.raises(Refused, match="the host allows"):
        campaign.do("roll", {"expression": "1d20"})
    limit_entries(notes, "sherwood", 0)
    book.quota._read_at = None
    campaign.do("roll", {"expression": "1d20"})
    limit_entries(notes, "sherwood", None)
    book.quota._read_at = None
    with pytest.raises(Refused, match="the host allows"):
        campaign.do("roll", {"expression": "1d20"})


def test_two_nodes_together_record_exactly_as_much_as_is_allowed(
    campaign: Campaign, book: Book, place: Path | str, tmp_path: Path
) -> None:
    allowed = campaign.head.entry + 12
    limited(book, allowed)

    def play(_: int) -> tuple[int, int]:
        done = refused = 0
        with closing(node(place, tmp_path)) as other:
            here = other.campaign("sherwood")
            for _ in range(12):
                try:
                    here.do("note", {"text": "more"})
                    done += 1
                except Refused:
                    refused += 1
        return done, refused

    with ThreadPoolExecutor(2) as nodes:
        found = list(nodes.map(play, range(2)))
    assert sum(done for done, _ in found) == sum(refused for _, refused in found) == 12
    assert book.store.head("sherwood") == allowed


def test_a_changed_limit_counts_at_another_node_within_seconds(
    campaign: Campaign, book: Book, place: Path | str, tmp_path: Path
) -> None:
    clock = [0.0]
    with closing(node(place, tmp_path)) as other:
        other.quota = EntryQuota(other.seeds, now=lambda: clock[0])
        here = other.campaign("sherwood")
        here.do("note", {"text": "one"})
        limited(book, here.head.entry)
        clock[0] = KNOWN + 0.1
        with pytest.raises(Refused, match="the host allows"):
            here.do("note", {"text": "two"})
