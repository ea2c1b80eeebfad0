"""Entries that were just written or read stay in memory, so that those who follow a campaign do not each ask for them.

Words that others remove go from there with the next look at the store, and no check of the history reads from memory.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from rollbook.application.history.entry_log import RECENT, EntryLog
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.history.event_store import StoredEntry
from tests.support.campaigns import begin_campaign, file_book
from tests.support.redacting import WORDS, note_of


def reads_of(log: EntryLog, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int | None]]:
    """The ranges that a log asks its store for from now on."""
    found, read = list[tuple[int, int | None]](), log.store.read

    def counted(campaign: str, after: int = 0, until: int | None = None) -> object:
        found.append((after, until))
        return read(campaign, after, until)

    monkeypatch.setattr(log.store, "read", counted)
    return found


def test_what_was_just_written_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("note", {"text": "We go on."})
        log, head = campaign.session.log, campaign.head.entry
        stored = list(log.stored(head - 1, head))
        reads = reads_of(log, monkeypatch)
        assert list(log.recent(head - 1, head)) == stored
        assert log.recent_hash(head) == campaign.head.hash
        assert [entry.hash for entry in campaign.session.history.entries_after(head - 1)] == [campaign.head.hash]
        assert log.revealed(head, head - 1) == set()
        assert reads == []


def test_a_range_is_the_same_from_memory_and_from_the_store(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        for number in range(RECENT + 4):
            campaign.do("note", {"text": f"Note {number}."})
        log, head = campaign.session.log, campaign.head.entry
        for after in range(head + 1):
            for until in range(after, head + 1):
                assert list(log.recent(after, until)) == list(log.stored(after, until)), (after, until)
        assert list(log.recent(head, head + 3)) == []
        chance = Random(5)
        for _ in range(300):
            after, until = sorted(chance.choices(range(head + 1), k=2))
            assert list(log.recent(after, until)) == list(log.stored(after, until)), (after, until)
        assert (log.recent_hash(0), log.recent_hash(head + 1)) == ("", "")


def test_words_that_another_program_removed_go_with_the_next_look(tmp_path: Path) -> None:
    with file_book(tmp_path) as book, file_book(tmp_path) as other:
        campaign = begin_campaign(book)
        action = note_of(campaign)
        log, first = campaign.session.log, campaign.head.entry - 1

        def are_there(entries: list[StoredEntry]) -> bool:
            return any(WORDS.encode() in entry.data for entry in entries)

        assert are_there(list(log.recent(first, first + 1)))
        other.campaign("sherwood").redact(action, why="not for the table")
        campaign.refresh()
        assert not are_there(list(log.recent(first, first + 1)))
        mine = note_of(campaign)
        last = campaign.head.entry
        assert are_there(list(log.recent(last - 1, last)))
        campaign.redact(mine, why="nor this")
        assert not are_there(list(log.recent(last - 1, last)))


def test_no_check_of_the_history_reads_from_memory(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("note", {"text": "Seven coins."})
        assert campaign.audit()[0].verdict is Verdict.VERIFIED
        head = campaign.head.entry
        with closing(sqlite3.connect(tmp_path / "rollbook.db")) as connection, connection as stranger:
            for (name,) in stranger.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                stranger.execute(f"DROP TRIGGER {name}")
            changed = "UPDATE stored_events SET state = replace(state, 'Seven', 'Eight') WHERE originator_version = ?"
            assert stranger.execute(changed, [head]).rowcount == 1
        assert b"Seven" in next(iter(campaign.session.log.recent(head - 1, head))).data
        assert campaign.audit()[0].verdict is Verdict.FAILED
