"""On a timeline its own words can be removed, and older ones on canon."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.redaction import redact
from rollbook.application.timelines import forking as timelines
from rollbook.application.timelines.rerun import rerun
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused, RollbookError
from tests.support.campaigns import begin_campaign, file_book, spoil, stored_events
from tests.support.exports import full_export, verdicts
from tests.support.redacting import WORDS, note_of, words_on_disk


def test_on_a_timeline_its_own_words_can_be_removed_and_older_ones_on_canon(tmp_path: Path) -> None:
    book = file_book(tmp_path)
    canon = begin_campaign(book)
    before = note_of(canon)
    fork = timelines.fork(book, canon, canon.head.entry, "what if")
    timelines.begin(fork)
    fork.do("note", {"text": f"{WORDS} on the timeline"})
    own = fork.history.actions
    with pytest.raises(Refused, match="before the fork.*-c sherwood"):
        fork.redact(before, why="x")
    fork.redact(own, why="x")
    assert fork.audit()[0].verdict is Verdict.VERIFIED
    assert b"on the timeline" not in b"".join(event.data for event in stored_events(fork))
    canon.redact(before, why="x")
    book.close()
    with file_book(tmp_path) as again:
        assert again.campaign("sherwood").audit()[0].verdict is Verdict.VERIFIED
        found = again.campaign("sherwood~1")
        full_export(found, tmp_path / "timeline.jsonl")
        assert verdicts(tmp_path / "timeline.jsonl")[0] == "UNPROVEN"  # the record is on canon
        assert found.session.damage == ""
        assert found.audit()[0].verdict is Verdict.VERIFIED
        again.read_model.rebuild(again.store, again.rulebook)
    assert words_on_disk(tmp_path) == []


def test_words_from_before_the_fork_are_refused_before_anything_is_removed_elsewhere(tmp_path: Path) -> None:
    book = file_book(tmp_path)
    canon = begin_campaign(book)
    note = note_of(canon)
    fork = timelines.fork(book, canon)
    timelines.begin(fork)
    again = rerun(book, canon, "toy")
    before = [stored_events(each) for each in (canon, again)]
    with pytest.raises(Refused, match="before the fork.*-c sherwood"):
        redact(book, book.campaign(fork.id), note, why="x")
    assert [stored_events(book.campaign(each.id)) for each in (canon, again)] == before


def test_words_that_canon_has_removed_since_are_gone_from_a_timeline_too_and_the_record_is_canons(
    tmp_path: Path,
) -> None:
    book = file_book(tmp_path)
    canon = begin_campaign(book)
    note = note_of(canon)
    fork = timelines.fork(book, canon)
    timelines.begin(fork)
    removed = redact(book, canon, note, why="x")
    again = redact(book, book.campaign(fork.id), note, why="x")
    assert (removed.is_new, again.is_new) == (True, False)
    assert again.entry == removed.entry


def test_a_campaign_that_was_played_again_has_its_own_copy_of_the_words(tmp_path: Path) -> None:
    book = file_book(tmp_path)
    canon = begin_campaign(book)
    action = note_of(canon)
    again = rerun(book, canon, "toy")
    assert redact(book, canon, action, why="x").copies == (again.id,)
    left = [
        book.campaign(stream).id
        for stream in book.timelines("sherwood")
        if WORDS in str(stored_events(book.campaign(stream)))
    ]
    assert left == []
    assert book.campaign(again.id).audit()[0].verdict is Verdict.VERIFIED


def test_a_copy_on_a_timeline_that_cannot_be_read_is_named_and_the_rest_is_removed(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        canon = begin_campaign(book)
        note = note_of(canon)
        rerun(book, canon, "toy")
    sql = "UPDATE stored_events SET state = replace(state, 'Robin', 'Robyn') WHERE originator_id = 'sherwood~1'"
    spoil(tmp_path / "rollbook.db", sql)
    with file_book(tmp_path) as again:
        with pytest.raises(RollbookError, match="stays in sherwood~1. Entry @5 is damaged.* gone from everywhere else"):
            redact(again, again.campaign("sherwood"), note, why="x")
        assert WORDS not in str(stored_events(again.campaign("sherwood")))
