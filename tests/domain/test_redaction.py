"""What is left of a note: its place, its writer and its digest; the words and the salt are gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.application.encoding.codec import CODEC
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import NoteWritten
from rollbook.domain.history.chain import lines_of, removed
from rollbook.domain.history.event_store import StoredEntry
from rollbook.domain.history.redaction import check_redactable, notes_with, without_notes, words_of
from tests.support.campaigns import begin_campaign, memory_book, stored_events
from tests.support.codec_lines import halves_of

WORDS = "zyxel"


@pytest.fixture(params=["open", "salted"])
def campaign(request: pytest.FixtureRequest, tmp_path: Path) -> Campaign:
    made = begin_campaign(memory_book(tmp_path))
    made.do("note", {"text": WORDS, "to": "gm" if request.param == "salted" else "table", "about": "robin"})
    return made


def the_note(campaign: Campaign) -> StoredEntry:
    """The note's first entry as it is stored."""
    number = next(e.number for e in campaign.history.entries if any(isinstance(f, NoteWritten) for f in e.events))
    return stored_events(campaign)[number - 1]


def emptied(note: StoredEntry) -> StoredEntry:
    return note._replace(data=without_notes(note.data))


def hash_of(stored_entry: StoredEntry, entry: RecordedEntry) -> str:
    found = halves_of(lines_of(stored_entry.data)[:-1], entry.hidden_events)
    return found.hash(entry.previous_hash, entry.previous_public_hash)


def test_the_words_stand_in_one_line_alone(campaign: Campaign) -> None:
    note = the_note(campaign)
    assert [WORDS.encode() in line for line in lines_of(note.data)] == [False, False, True, False]
    entry = CODEC.read(note)
    assert "text" not in entry.intent.params
    assert entry.full_intent.params["text"] == WORDS
    assert campaign.history.intent_of(entry.action).params["text"] == WORDS


def test_what_is_left_gives_the_same_hash_and_no_word(campaign: Campaign) -> None:
    note = the_note(campaign)
    entry = campaign.history.entry(note.version)
    left = emptied(note)
    assert hash_of(left, entry) == hash_of(note, entry) == entry.hash
    assert WORDS.encode() not in left.data
    salts = {event.salt for event in entry.events if isinstance(event, NoteWritten)}
    assert all(salt.encode() not in left.data for salt in salts)
    assert emptied(left) == left


def test_the_envelope_is_left_as_it_was_and_so_is_every_other_line(campaign: Campaign) -> None:
    note = the_note(campaign)
    before, after = lines_of(note.data), lines_of(emptied(note).data)
    assert [removed(line) for line in after] == ["", "", "NoteWritten", ""]
    assert [line for line in after if not removed(line)] == [before[0], before[1], before[3]]


def test_who_wrote_it_when_and_about_whom_is_left(campaign: Campaign) -> None:
    note = the_note(campaign)
    before, after = CODEC.read(note), CODEC.read(emptied(note))
    assert after.events == (NoteWritten(text="", about="robin"),)
    assert after._replace(events=before.events) == before


def test_only_notes_with_words_can_lose_them(campaign: Campaign) -> None:
    history = campaign.history
    number = the_note(campaign).version
    action = history.entry(number).action
    assert number in check_redactable(history, action)
    for other in range(1, history.actions + 1):
        if history.intent_of(other).verb != "note":
            with pytest.raises(
                Refused, match=f"#{other} .* is not a note. Only the words of a note|The name in #{other} stands"
            ):
                check_redactable(history, other)
    with pytest.raises(NotFound):
        check_redactable(history, history.actions + 1)


def test_copies_are_found_by_their_words(campaign: Campaign) -> None:
    history = campaign.history
    entry = history.entry(the_note(campaign).version)
    words = words_of(entry)
    assert words
    assert notes_with(history, words) == (entry.action,)
    assert notes_with(history, frozenset(["something else"])) == ()
    assert notes_with(history, frozenset()) == ()
