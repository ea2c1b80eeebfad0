"""A timeline has dice of its own, and canon's where canon made the same request."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.book import Book
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.changes import Amend, CorrectionOptions
from rollbook.domain.dice.stream import Stream, contribution, fork_key, mix, session_key
from rollbook.domain.entries import EntryKind
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.timelines import faces, forked, places, shoot, sources


def test_the_same_request_meets_canons_dice_and_another_one_does_not(book: Book) -> None:
    campaign = begin_campaign(book)
    fork = forked(book, campaign)
    on_canon = shoot(campaign)
    same = shoot(fork)
    assert faces(same) == faces(on_canon)
    assert sources(same) == sources(on_canon)
    other = fork.do("roll", {"expression": "8d20", "who": "robin"}, seat="mira")
    assert places(other) == [(1, 0)]
    later = campaign.do("roll", {"expression": "8d20", "who": "guard"})
    assert faces(later) != faces(other)


def test_a_fork_cannot_see_what_canon_will_roll(book: Book) -> None:
    campaign = begin_campaign(book)
    fork = forked(book, campaign)
    foreseen = fork.do("roll", {"expression": "8d20", "who": "robin"}, seat="mira")
    happened = campaign.do("roll", {"expression": "8d20", "who": "robin"}, seat="mira")
    assert faces(foreseen) != faces(happened)
    seeds = book.seeds.of(fork.state.session.identity, fork.state.identity)
    session = fork.state.session
    commits = (bytes.fromhex(session.commit_table), bytes.fromhex(session.commit_screen))
    mixed = mix(commits, [(0, number, contribution(text)) for number, text in session.entropy])
    key = fork_key(session_key(0, seeds.identity, seeds.table, mixed), 1)
    (source,) = sources(foreseen)
    assert source.place is not None
    drawn = Stream(key).roll(source.place.seat, source.place.number)
    assert faces(foreseen) == [(20, drawn.draw(20)) for _ in range(8)]


def test_a_fork_of_a_fork_meets_the_dice_of_both_that_it_comes_from(book: Book) -> None:
    campaign = begin_campaign(book)
    first = forked(book, campaign)
    own = first.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")
    second = forked(book, first, own.number - 1)
    assert second.id == "sherwood~2"
    on_canon = shoot(campaign)
    assert faces(second.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")) == faces(own)
    assert faces(shoot(second)) == faces(on_canon)
    new = second.do("roll", {"expression": "3d20", "who": "guard"})
    assert places(new) == [(2, 0)]
    assert second.audit()[0].verdict is Verdict.VERIFIED


def test_a_roll_undone_on_a_fork_waits_there_even_if_canon_rolls_for_it_meanwhile(book: Book) -> None:
    campaign = begin_campaign(book)
    fork = forked(book, campaign)
    seen = fork.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")
    fork.corrections.undo(seen.action, reason="no").apply()
    campaign.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")
    assert faces(fork.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")) == faces(seen)


def test_closing_canons_session_on_a_fork_reveals_nothing_that_canon_has_not(book: Book) -> None:
    campaign = begin_campaign(book)
    shoot(campaign)
    fork = forked(book, campaign)
    with pytest.raises(Refused, match="opened on canon"):
        forked(book, begin_campaign(book, "Other")).do("entropy", {"text": "x"}, seat="mira")
    closed = fork.do("close-session")
    assert "DiceRevealed" not in {type(event).__name__ for event in closed.events}
    with pytest.raises(Refused, match="revealed there"):
        fork.do("reveal-screen", {"session": 1})
    campaign.do("close-session")
    late = forked(book, campaign, fork.session.timeline.marker.entry)
    assert "DiceRevealed" in {type(event).__name__ for event in late.do("close-session").events}


def test_a_session_opened_on_a_fork_has_seeds_of_its_own(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("close-session")
    fork = forked(book, campaign)
    fork.do("open-session")
    campaign.do("open-session")
    assert fork.state.session.identity != campaign.state.session.identity
    other = campaign.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")
    typed = campaign.do("roll", {"expression": "1d6", "who": "robin"}, dice=(4,))
    assert faces(fork.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")) != faces(other)
    assert faces(fork.do("roll", {"expression": "1d6", "who": "robin"})) == faces(typed)
    fork.do("close-session")
    assert [answer.verdict for answer in fork.audit()] == [Verdict.VERIFIED] * 3


def test_what_canon_has_revealed_is_enough_to_play_on_elsewhere(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    shot = shoot(campaign)
    campaign.do("close-session")
    for kept in (tmp_path / "seeds").iterdir():
        kept.unlink()
    fork = forked(book, campaign, shot.number)
    rolled = fork.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")
    assert [fork for fork, _ in places(rolled)] == [1]
    with pytest.raises(Refused, match="secret dice"):
        fork.do("roll", {"expression": "5d20", "who": "guard"}, secret=True)
    fork.do("close-session")
    assert [answer.verdict for answer in fork.audit()] == [Verdict.VERIFIED] * 3


def test_without_seeds_canons_dice_and_typed_ones_still_work(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    campaign = begin_campaign(book)
    fork = forked(book, campaign)
    shot = shoot(campaign)
    for kept in (tmp_path / "seeds").iterdir():
        kept.unlink()
    assert faces(shoot(fork)) == faces(shot)
    with pytest.raises(Refused, match="seeds are not here"):
        fork.do("roll", {"expression": "1d6", "who": "robin"}, seat="mira")
    assert fork.do("roll", {"expression": "1d6", "who": "robin"}, dice=(4,)).events


def test_the_audit_proves_the_dice_of_both_and_a_roll_of_a_fork_on_canon_fails(book: Book) -> None:
    campaign = begin_campaign(book)
    start = campaign.head.entry
    shoot(campaign)
    campaign.do("close-session")
    fork = forked(book, campaign, start)
    shoot(fork)
    stolen = fork.do("roll", {"expression": "5d20", "who": "robin"}, seat="mira")
    fork.do("close-session")
    assert [answer.verdict for answer in fork.audit()] == [Verdict.VERIFIED] * 3
    campaign.do("open-session")
    head = campaign.head
    assert stolen.kind is EntryKind.TAKEN
    campaign.session.log.write(head, [stolen._replace(action=head.actions + 1)])
    dice = campaign.audit()[1]
    assert dice.verdict is Verdict.FAILED


def test_amending_on_a_fork_keeps_its_dice(book: Book) -> None:
    campaign = begin_campaign(book)
    fork = forked(book, campaign)
    shot = shoot(fork)
    made = fork.corrections.preview(
        {shot.action: Amend({"weapon": "sword"})}, reason="what if", options=CorrectionOptions(draw=True)
    )
    made.apply()
    assert faces(fork.history.effective(shot.action))[0] == faces(shot)[0]
