"""At a real store the engine knows which dice wait, how each seat rolls, and tells nobody how often the GM rolled in secret."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.audit.dice_audit import dice_list
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.dice.ledger import dice_by_place
from rollbook.domain.dice.record import RollCount, StreamPlace
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRolled, FreshDiceGranted, ScreenCounted, SessionClosed
from tests.support.campaigns import begin_campaign, file_book


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with file_book(tmp_path) as book:
        yield begin_campaign(book)


def roll(campaign: Campaign, expression: str = "1d20", seat: str = "mira", **more: object) -> DiceRolled:
    entry = campaign.do("roll", {"expression": expression}, seat=seat, **more)  # type: ignore[arg-type]
    return next(event for event in entry.events if isinstance(event, DiceRolled))


def places(rolled: DiceRolled) -> list[StreamPlace]:
    return [drawn.place for drawn in dice_by_place(rolled)]


def place(number: int) -> StreamPlace:
    return StreamPlace(screen=False, fork=0, seat=1, number=number)


def count(rolls: int, *, seat: int, screen: bool) -> RollCount:
    return RollCount(screen=screen, fork=0, seat=seat, rolls=rolls)


def undo(campaign: Campaign, action: int = 0) -> None:
    campaign.corrections.undo(action or campaign.head.actions, reason="oops").apply()


def events_of(entry: RecordedEntry, kind: type) -> list[object]:
    return [event for event in entry.events if isinstance(event, kind)]


def test_a_grant_finds_the_dice_that_wait(campaign: Campaign) -> None:
    first = roll(campaign)
    action = campaign.head.actions
    undo(campaign)
    assert places(roll(campaign)) == places(first)
    undo(campaign)
    granted = campaign.do("grant-dice", {"action": action, "why": "the wrong one rolled"})
    assert events_of(granted, FreshDiceGranted) == [
        FreshDiceGranted(session=1, places=(place(0),), why="the wrong one rolled")
    ]
    assert places(roll(campaign)) == [place(1)]
    campaign.do("close-session")
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3


def test_a_grant_is_known_after_the_book_was_opened_again(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        roll(campaign)
        undo(campaign)
    with file_book(tmp_path) as book:
        campaign = book.campaign("Sherwood")
        campaign.do("grant-dice", {"action": campaign.head.actions, "why": "so"})
        campaign.session.project()
    with file_book(tmp_path) as book:
        assert places(roll(book.campaign("Sherwood"))) == [place(1)]


def test_places_that_somebody_names_are_not_believed(campaign: Campaign) -> None:
    roll(campaign)
    action = campaign.head.actions
    with pytest.raises(Refused, match="wait to be met again"):
        campaign.do("grant-dice", {"action": action, "why": "so", "session": 1, "places": (place(0),)})
    with pytest.raises(NotFound, match="There is no action #99"):
        campaign.do("grant-dice", {"action": 99, "why": "so"})


def test_nothing_is_granted_when_the_session_is_over(campaign: Campaign) -> None:
    roll(campaign)
    action = campaign.head.actions
    undo(campaign)
    campaign.do("close-session")
    with pytest.raises(Refused, match="wait to be met again"):
        campaign.do("grant-dice", {"action": action, "why": "so"})


def test_a_seat_that_rolls_from_the_stream_types_nothing_and_one_with_real_dice_draws_nothing(
    campaign: Campaign,
) -> None:
    campaign.do("agree", {"matter": "dice", "value": "stream", "whose": "mira"})
    action = campaign.head.actions
    with pytest.raises(Refused, match=f"Since action #{action} mira rolls from the stream.*--whose mira"):
        roll(campaign, dice=(20,))
    assert roll(campaign, seat="Ana", dice=(20,)).total == 20
    campaign.do("agree", {"matter": "dice", "value": "physical"})
    assert roll(campaign).sources[0].kind == "stream"
    with pytest.raises(Refused, match=r"everybody rolls real dice.*agree dice either\). Type them with --dice"):
        roll(campaign, seat="Ana")
    assert campaign.do("note", {"text": "no dice are needed for this"}).events
    campaign.do("agree", {"matter": "dice", "value": "either"})
    assert roll(campaign, seat="Ana").sources[0].kind == "stream"
    listed = [one.text for one in dice_list(campaign.history.entries) if one.kind == "agreed"]
    assert listed == ["dice of mira: stream", "dice: physical", "dice: either, before that physical"]


def test_the_close_says_nothing_of_secret_rolls_and_the_reveal_counts_them(campaign: Campaign) -> None:
    roll(campaign)
    campaign.do("hide", {"who": "robin"}, seat="mira")
    campaign.do("hide", {"who": "marian"})
    campaign.do("hide", {"who": "marian"})
    closed = campaign.do("close-session")
    assert events_of(closed, SessionClosed) == [SessionClosed(session=1, counts=(count(1, seat=1, screen=False),))]
    revealed = campaign.do("reveal-screen", {"session": 1})
    assert events_of(revealed, ScreenCounted) == [
        ScreenCounted(session=1, counts=(count(2, seat=0, screen=True), count(1, seat=1, screen=True)))
    ]
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3


def test_a_reveal_of_a_session_without_secrets_counts_none(campaign: Campaign) -> None:
    roll(campaign)
    campaign.do("close-session")
    assert events_of(campaign.do("reveal-screen", {"session": 1}), ScreenCounted) == []
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3
