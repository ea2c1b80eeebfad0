"""What a timeline has from canon stays whole on it: words that were removed elsewhere, dice that were overridden there."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.timelines import forking as timelines
from rollbook.application.timelines.rerun import rerun
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.corrections.changes import CorrectionOptions, Orphans
from tests.support.campaigns import begin_campaign, memory_book


@pytest.fixture
def book(tmp_path: Path) -> Book:
    """A book in memory."""
    return memory_book(tmp_path)


def forked(book: Book, parent: Campaign, entry: int | None = None) -> Campaign:
    """A timeline that is in the store."""
    made = timelines.fork(book, parent, entry)
    timelines.begin(made)
    return book.campaign(made.id)


def reread(book: Book, *names: str) -> list[Verdict]:
    """What the chain of each says, read again; nothing may be damaged."""
    found = []
    for name in names:
        campaign = book.campaign(name)
        campaign.session.read_again()
        assert campaign.history.head
        assert campaign.session.damage == ""
        found.append(campaign.audit()[0].verdict)
    return found


def test_a_fork_of_a_fork_takes_removals_only_from_where_its_entries_come_from(book: Book) -> None:
    canon = begin_campaign(book)
    first = forked(book, canon, canon.head.entry)
    both = range(canon.head.entry + 1, canon.head.entry + 4)
    for number in both:
        first.do("note", {"text": f"on the timeline {number}"})
    forked(book, first)
    for number in both:
        canon.do("note", {"text": f"on canon {number}"})
    first.redact(both[1], why="private")
    canon.redact(both[1], why="private too")
    canon.redact(both[2], why="private too")
    assert reread(book, "sherwood", "sherwood~1", "sherwood~2") == [Verdict.VERIFIED] * 3


def test_words_from_before_both_forks_are_gone_from_both(book: Book) -> None:
    canon = begin_campaign(book)
    canon.do("note", {"text": "plugh"})
    note = canon.history.actions
    first = forked(book, canon)
    first.do("roll", {"expression": "1d20"})
    forked(book, first)
    canon.redact(note, why="private")
    assert reread(book, "sherwood", "sherwood~1", "sherwood~2") == [Verdict.VERIFIED] * 3


def test_dice_that_canon_overrode_are_no_forgery_on_a_rerun(book: Book) -> None:
    canon = begin_campaign(book)
    rolled = canon.do("roll", {"expression": "1d20"}).action
    shown = canon.state.characters and canon.history.latest_outcome(rolled).events[0].dice[0].face  # type: ignore[attr-defined]
    canon.corrections.override(rolled, (shown % 20 + 1,), reason="the light was bad").apply()
    canon.do("close-session")
    assert canon.audit()[1].verdict is not Verdict.FAILED
    again = rerun(book, canon, canon.state.ruleset)
    dice = again.audit()[1]
    assert dice.verdict is not Verdict.FAILED, dice.findings
    assert "1 die was overridden by the GM; it proves nothing" in dice.remarks


def test_dice_of_a_session_that_only_canon_had_are_not_proven_and_not_accused(book: Book) -> None:
    canon = begin_campaign(book)
    canon.do("roll", {"expression": "1d20"}, seat="mira")
    canon.do("close-session")
    seated = [
        action
        for action in range(1, canon.history.actions)
        if canon.history.intent_of(action).params.get("role") == "gm"
    ]
    canon.corrections.amend(
        seated[0], {"role": "player"}, reason="mistyped", options=CorrectionOptions(orphans=Orphans.KEEP)
    ).apply()
    again = rerun(book, canon, canon.state.ruleset)
    assert again.state.session is None
    dice = again.audit()[1]
    assert dice.verdict is Verdict.UNPROVEN
    assert "session 1, which was never opened" in dice.findings[0].text


def test_secret_rolls_that_have_no_meaning_on_a_rerun_are_not_missed_there(book: Book) -> None:
    canon = begin_campaign(book)
    canon.do("roll", {"expression": "1d20"}, secret=True)
    undone = canon.do("roll", {"expression": "1d6"}, secret=True).action
    canon.do("close-session")
    canon.corrections.undo(undone, reason="never happened").apply()
    canon.do("reveal-screen", {"session": 1})
    assert canon.audit()[1].verdict is Verdict.VERIFIED
    dice = rerun(book, canon, canon.state.ruleset).audit()[1]
    assert dice.verdict is Verdict.VERIFIED, dice.findings
