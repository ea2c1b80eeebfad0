"""What is imported is stored as what is played: a note's words where they can be removed, nobody who was never there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports import Imported, ImportedAction
from rollbook.adapters.imports.recording import record_import
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.domain import events
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.entries import Entry, EntryKind, Intent
from tests.support.campaigns import memory_book

WORDS = "she told me in confidence"


def test_words_of_an_imported_note_are_stored_once_with_a_salt_and_can_be_removed(tmp_path: Path) -> None:
    start = events.CampaignStarted(name="Elsewhere", identity="00" * 16)
    seat = events.SeatTaken(seat="Ana", role=events.Role.GM, number=0)
    note = ImportedAction("note", {"text": WORDS}, "Ana", 5, (events.NoteWritten(text=WORDS),))
    made = Imported("Elsewhere", (ImportedAction("start-campaign", {}, "", 5, (start, seat)), note), 0, 0, ())
    campaign = record_import(memory_book(tmp_path, ruleset=None), made)
    assert [entry.data.count(WORDS.encode()) for entry in campaign.session.log.stored()] == [0, 1]
    assert campaign.history.intent_of(2).params["text"] == WORDS
    (words,) = campaign.history.entry(2).events
    assert isinstance(words, events.NoteWritten)
    assert len(words.salt) == 32
    campaign.redact(2, why="a confidence")
    assert not any(WORDS.encode() in entry.data for entry in campaign.session.log.stored())
    assert campaign.audit()[0].verdict is Verdict.VERIFIED


def test_a_record_that_no_reader_would_take_is_refused_and_nothing_is_stored(tmp_path: Path) -> None:
    start = ImportedAction("start-campaign", {}, "", 5, (events.CampaignStarted(name="E", identity="00" * 16),))
    note = ImportedAction("note", {}, "Ana", 5, (events.NoteWritten(text=WORDS),))
    book = memory_book(tmp_path, ruleset=None)
    with pytest.raises(RollbookError, match="Of its action 2: nobody has taken the seat 'Ana'"):
        record_import(book, Imported("E", (start, note), 0, 0, ()))
    assert book.campaigns() == ()


def test_a_record_that_was_once_stored_with_a_seat_that_nobody_took_loads_and_verifies(tmp_path: Path) -> None:
    book = memory_book(tmp_path, ruleset=None)
    start = events.CampaignStarted(name="E", identity="00" * 16)
    said = events.RulingMade(reason="it rained")
    told = [(1, "start-campaign", start), (2, "rule", said)]
    proposals = [
        Entry(EntryKind.TAKEN, action=n, events=(event,), seat="Ana", intent=Intent(verb=verb), provenance="imported")
        for n, verb, event in told
    ]
    EntryLog(book.store, "e", book.surroundings.clock).write(Head(), proposals)
    campaign = book.campaign("e")
    assert not campaign.session.damage
    assert campaign.history.actions == 2
    assert campaign.audit()[0].verdict is Verdict.VERIFIED
    path = tmp_path / "e.jsonl"
    export_campaign(campaign.session.log, path)
    command = [sys.executable, "-I", str(path.with_name("verify_rollbook.py")), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.startswith("chain  VERIFIED"), done.stdout
