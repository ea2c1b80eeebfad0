"""While words are removed others read, write or end suddenly: the words are gone from everywhere, or nothing has happened."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.redaction import redact
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused, RollbookError, StaleHistory
from rollbook.domain.events import NoteRedacted, NoteWritten
from tests.support.campaigns import begin_campaign, file_book
from tests.support.redacting import WORDS, note_of, words_on_disk
from tests.support.stores import ROOT


def test_while_somebody_reads_the_removal_stands_and_says_what_is_left_to_do(tmp_path: Path) -> None:
    book = file_book(tmp_path, SQLiteEventStore(tmp_path / "rollbook.db", timeout=0.2))
    campaign = begin_campaign(book)
    action = note_of(campaign)
    reader = sqlite3.connect(tmp_path / "rollbook.db")
    reader.execute("BEGIN")
    reader.execute("SELECT COUNT(*) FROM stored_events").fetchone()
    campaign.session.project()
    with pytest.raises(RollbookError, match="another program is reading"):
        redact(book, campaign, action, why="x")
    assert [Path(path).name for path in words_on_disk(tmp_path)] in (
        ["rollbook.db", "rollbook.db-wal"],
        ["rollbook.db-wal"],
    )
    reader.close()
    book.close()
    with file_book(tmp_path) as again:
        campaign = again.campaign("sherwood")
        assert campaign.audit()[0].verdict is Verdict.VERIFIED
        assert isinstance(campaign.history.entries[-1].events[0], NoteRedacted)
        with pytest.raises(Refused, match="removed already"):
            campaign.redact(action, why="x")
    assert words_on_disk(tmp_path) == []


KILLED = """\
import sys, threading
from pathlib import Path
from tests.support.campaigns import file_book
book = file_book(Path(sys.argv[1]))
campaign = book.campaign("sherwood")
campaign.session.history.load()
print("ready", flush=True)
sys.stdin.readline()
campaign.redact(int(sys.argv[2]), why="x")
print("done", flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("wait", [0.0, 0.002, 0.004, 0.006, 0.01, 0.02, 0.05])
def test_a_process_that_is_killed_in_between_has_done_all_of_it_or_nothing(tmp_path: Path, wait: float) -> None:
    book = file_book(tmp_path)
    campaign = begin_campaign(book)
    action = note_of(campaign)
    head = campaign.head.entry
    book.close()
    run = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path), str(action)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert run.stdin is not None
    assert run.stdout is not None
    assert run.stdout.readline() == "ready\n"
    run.stdin.write("go\n")
    run.stdin.flush()
    time.sleep(wait)
    run.send_signal(signal.SIGKILL)
    run.wait()
    run.stdin.close()
    run.stdout.close()
    with file_book(tmp_path) as again:
        campaign = again.campaign("sherwood")
        assert campaign.audit()[0].verdict is Verdict.VERIFIED
        is_done = campaign.head.entry > head
        texts = [f.text for e in campaign.history.entries for f in e.events if isinstance(f, NoteWritten)]
        assert texts == ([""] if is_done else [WORDS])
        if not is_done:
            campaign.redact(action, why="x")
        again.read_model.rebuild(again.store, again.rulebook)
        assert campaign.audit()[0].verdict is Verdict.VERIFIED
    assert words_on_disk(tmp_path) == []


def at_two_computers(folder: Path) -> tuple[Book, Book, Campaign, Campaign]:
    """A campaign whose last action is a note, opened and read by two programs."""
    one, other = file_book(folder), file_book(folder)
    campaign = begin_campaign(one)
    action = note_of(campaign)
    elsewhere = other.campaign("sherwood")
    assert elsewhere.history.actions == action
    return one, other, campaign, elsewhere


def test_somebody_who_plays_on_meanwhile_is_told_of_it_or_follows(tmp_path: Path) -> None:
    one, other, campaign, elsewhere = at_two_computers(tmp_path)
    action = campaign.head.actions
    campaign.redact(action, why="x")
    elsewhere.do("roll", {"expression": "1d20"})
    assert elsewhere.session.damage == ""
    campaign.do("roll", {"expression": "1d20"})
    assert campaign.audit()[0].verdict is Verdict.VERIFIED
    with pytest.raises(Refused, match="removed already"):
        one.campaign("sherwood").redact(action, why="x")
    one.close()
    other.close()


def test_two_who_remove_the_same_words_remove_them_once(tmp_path: Path) -> None:
    one, other, campaign, elsewhere = at_two_computers(tmp_path)
    action = campaign.head.actions
    campaign.redact(action, why="x")
    with pytest.raises(RollbookError):
        elsewhere.redact(action, why="x")
    one.close()
    other.close()
    with file_book(tmp_path) as again:
        assert again.campaign("sherwood").audit()[0].verdict is Verdict.VERIFIED


def test_words_that_were_rewritten_meanwhile_are_not_forgotten(tmp_path: Path) -> None:
    one, other = file_book(tmp_path), file_book(tmp_path)
    campaign = begin_campaign(one)
    note = campaign.do("note", {"text": WORDS}).action
    elsewhere = other.campaign("sherwood")
    read = campaign.session.log.without_words

    def read_and_wait(numbers: Collection[int]) -> Any:
        found = read(numbers)
        elsewhere.corrections.amend(note, {"text": f"once more {WORDS}"}, reason="better").apply()
        return found

    campaign.session.log.without_words = read_and_wait  # type: ignore[method-assign]
    with pytest.raises(StaleHistory, match=f"#{note} at the same moment. Nothing was removed"):
        campaign.redact(note, why="private")
    campaign.session.log.without_words = read  # type: ignore[method-assign]
    assert words_on_disk(tmp_path)
    campaign.redact(note, why="private")
    assert words_on_disk(tmp_path) == []
    one.close()
    other.close()


def test_a_process_that_read_the_words_before_does_not_write_them_again(tmp_path: Path) -> None:
    one, other = file_book(tmp_path), file_book(tmp_path)
    campaign = begin_campaign(one)
    note = campaign.do("note", {"text": WORDS}).action
    elsewhere = other.campaign("sherwood")
    assert elsewhere.history.actions == note
    campaign.redact(note, why="private")
    assert words_on_disk(tmp_path) == []
    elsewhere.corrections.amend(note, {"to": "gm"}, reason="for the GM alone").apply()
    assert words_on_disk(tmp_path) == []
    assert elsewhere.audit()[0].verdict == "VERIFIED"
    one.close()
    other.close()
