"""Words that are removed are gone on canon and on every timeline."""

from __future__ import annotations

import pytest

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused
from tests.support.campaigns import begin_campaign
from tests.support.timelines import forked, shoot


def test_words_that_are_removed_on_canon_are_gone_on_its_timelines(book: Book) -> None:
    campaign = begin_campaign(book)
    note = campaign.do("note", {"text": "a private matter"}).action
    fork = forked(book, campaign)
    campaign.redact(note, why="private")
    with pytest.raises(Refused, match="removed already"):
        fork_of(book, fork).redact(note, why="private")
    again = fork_of(book, fork)
    assert again.session.damage == ""
    assert again.audit()[0].verdict is Verdict.VERIFIED
    assert "private matter" not in str(again.history.entries)
    assert shoot(again).number
    assert b"private matter" not in b"".join(event.data for event in fork.session.log.store.read(fork.id))


def fork_of(book: Book, fork: Campaign) -> Campaign:
    """The timeline, opened once more."""
    book._open.pop(fork.id)
    return book.campaign(fork.id)


def test_words_from_before_the_fork_are_removed_where_they_were_written(book: Book) -> None:
    campaign = begin_campaign(book)
    note = campaign.do("note", {"text": "a private matter"}).action
    fork = forked(book, campaign)
    with pytest.raises(Refused, match="Remove them there"):
        fork.redact(note, why="private")
    own = fork.do("note", {"text": "only here"}).action
    fork.redact(own, why="private")
    assert fork_of(book, fork).audit()[0].verdict is Verdict.VERIFIED
