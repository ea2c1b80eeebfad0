"""What is left of a note: its place, its writer and its digest; the words and the salt are gone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adapters.campaign import Campaign
from domain.chain import entry_hash, remains, was
from domain.errors import NotFound, Refused
from domain.events import NoteWritten
from domain.redaction import Redacted, bound, check_redactable, notes_with, redacted, words_of
from tests.support.campaigns import begin_campaign, events_by_entry, file_book, memory_book, stored_events
from tests.support.golden_logs import FULL_CAMPAIGN, read_log

WORDS = "zyxel"


@pytest.fixture(params=["open", "salted", "first form"])
def campaign(request: pytest.FixtureRequest, tmp_path: Path) -> Campaign:
    if request.param == "first form":
        book = file_book(tmp_path)
        book.store.append("old", 0, read_log(FULL_CAMPAIGN))
        return book.campaign("old")
    made = begin_campaign(memory_book(tmp_path))
    made.do("note", {"text": WORDS, "to": "gm" if request.param == "salted" else "table", "about": "robin"})
    return made


def the_note(campaign: Campaign) -> tuple[int, list[tuple[str, bytes]]]:
    """The number and the stored events of the note's first entry."""
    number = next(e.number for e in campaign.history.entries if any(isinstance(f, NoteWritten) for f in e.facts))
    return number, [(name, data) for _, name, data in events_by_entry(stored_events(campaign))[number - 1]]


def test_what_is_left_gives_the_same_hash_and_no_word(campaign: Campaign) -> None:
    number, events = the_note(campaign)
    header = campaign.history.entry(number).header
    left = redacted(number, events)
    assert entry_hash(header.parent, list(left.events), json.loads(left.events[0][1])["salt"]) == header.witness
    text = str(campaign.history.intent_of(header.action).params["text"]).encode()
    assert all(text not in data and b'"text":""' in data for name, data in left.events if was(data)[1])
    assert redacted(number, left.events) == left


def test_who_wrote_it_when_and_about_whom_is_left(campaign: Campaign) -> None:
    number, events = the_note(campaign)
    before, after = json.loads(events[0][1]), json.loads(redacted(number, events).events[0][1])
    assert after.pop("~was")
    before["intent"]["params"].update(text="", **({"salt": ""} if "salt" in before["intent"]["params"] else {}))
    if events[0][0].endswith("@1"):
        before["salt"] = ""
    assert after == before


def test_the_record_binds_what_is_left() -> None:
    left = [Redacted(7, (("X@1", b"{}"),)), Redacted(12, (("X@1", b"[]"),))]
    assert bound(left) == (f"7={remains([('X@1', b'{}')])}", f"12={remains([('X@1', b'[]')])}")
    assert remains([("X@1", b"{}")]) != remains([("X@1", b"{} ")]) != remains([("X@2", b"{}")])


def test_only_notes_with_words_can_lose_them(campaign: Campaign) -> None:
    history = campaign.history
    number, _ = the_note(campaign)
    action = history.entry(number).header.action
    assert number in check_redactable(history, action)
    for other in range(1, history.actions + 1):
        if history.intent_of(other).verb != "note":
            with pytest.raises(Refused, match=f"#{other} .* is no note. Only the words of a note"):
                check_redactable(history, other)
    with pytest.raises(NotFound):
        check_redactable(history, history.actions + 1)


def test_copies_are_found_by_their_words(campaign: Campaign) -> None:
    history = campaign.history
    number, _ = the_note(campaign)
    words = words_of(history.entry(number))
    assert words
    assert notes_with(history, words) == (history.entry(number).header.action,)
    assert notes_with(history, frozenset(["something else"])) == ()
    assert notes_with(history, frozenset()) == ()
