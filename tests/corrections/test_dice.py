"""A corrected action keeps its dice; those that were never rolled are typed or drawn, and go on record at once."""

from __future__ import annotations

import pytest

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.changes import Amend, CorrectionOptions, Undo
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.record import Source, StreamPlace
from rollbook.domain.dice.supply import DiceNeeded, PhysicalDice
from rollbook.domain.entries import EntryKind
from rollbook.domain.events import DiceRolled
from tests.support.campaigns import begin_campaign, every_change
from tests.support.dice import rolls
from tests.support.toy_table import ToyTable


def test_an_amended_action_keeps_its_dice_and_wants_only_new_ones() -> None:
    table = ToyTable()
    bet = table.do("bet", who="robin", dice=2).action
    faces = [die.face for die in rolls(table.history.entries[-1])[0].dice]
    with pytest.raises(DiceNeeded) as wanted:
        table.preview({bet: Amend({"dice": 3})})
    assert (wanted.value.action, wanted.value.sides, wanted.value.request.ordinal) == (bet, 6, 0)
    made = table.preview({bet: Amend({"dice": 3})}, dice=PhysicalDice((5,)))
    (roll,) = [event for event in made.entries[0].events if isinstance(event, DiceRolled)]
    assert [die.face for die in roll.dice] == [*faces, 5]
    assert [(source.kind, source.dice) for source in roll.sources] == [("stream", 2), ("physical", 1)]


def test_a_wrong_die_for_a_later_action_is_said_and_makes_no_orphan() -> None:
    table = ToyTable()
    table.do("adjust", who="robin", what="skill", by=-100, reason="blindfolded")
    table.do("attack", attacker="robin", target="guard")
    for faces, said in (((9,), "not a face of a d6"), ((), "needs another d6"), ((1, 1), "left over")):
        with pytest.raises(DiceError, match=said):
            table.preview({9: Amend({"by": 100})}, dice=PhysicalDice(faces))


def test_dice_that_are_left_over_are_refused() -> None:
    table = ToyTable()
    wound = table.hurt("robin", 5)
    with pytest.raises(DiceError, match="left over"):
        table.preview({wound: Undo()}, dice=PhysicalDice((3,)))


def test_only_real_dice_can_be_typed_again() -> None:
    table = ToyTable()
    drawn = table.do("bet", who="robin", dice=1).action
    typed = table.do("bet", who="robin", dice=1, typed=(2,)).action
    with pytest.raises(Refused, match="came from the committed stream"):
        table.preview({drawn: Amend({}, (3,))})
    for faces in ((7,), (1, 1)):
        with pytest.raises(DiceError):
            table.preview({typed: Amend({}, faces)})


def test_dice_drawn_for_a_correction_go_on_record_at_once(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("bet", {"who": "robin", "dice": 1})
    bet = campaign.head.actions
    made = campaign.corrections.amend(bet, {"dice": 3}, reason="it was three", options=CorrectionOptions(draw=True))
    drawn = campaign.history.entries[-2:]
    assert [entry.intent.verb for entry in drawn if entry.kind is EntryKind.TAKEN] == ["draw-for"] * 2
    again = campaign.corrections.amend(bet, {"dice": 3}, reason="it was three")
    assert again.entries == made.entries
    again.apply()
    campaign.do("close-session")
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3


def test_dice_drawn_behind_the_screen_stay_behind_it(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("bet", {"who": "robin", "dice": 1}, secret=True)
    made = campaign.corrections.amend(
        campaign.head.actions, {"dice": 2}, reason="two", options=CorrectionOptions(draw=True)
    )
    drawn = campaign.history.entries[-1]
    assert drawn.visibility == "gm"
    assert drawn.salt
    assert made.entries[0].visibility == "gm"


def test_no_dice_are_drawn_from_a_session_that_is_closed(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("bet", {"who": "robin", "dice": 1})
    bet = campaign.head.actions
    campaign.do("close-session")
    before = every_change(book)
    with pytest.raises(Refused, match="No session is open"):
        campaign.corrections.amend(bet, {"dice": 2}, reason="two", options=CorrectionOptions(draw=True))
    assert every_change(book) == before
    campaign.corrections.amend(bet, {"dice": 2}, reason="two", options=CorrectionOptions(dice=(6,))).apply()
    campaign.do("open-session")
    campaign.corrections.amend(bet, {"dice": 3}, reason="three", options=CorrectionOptions(draw=True)).apply()
    campaign.do("close-session")
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3


def test_real_dice_for_a_correction_are_typed_as_was_agreed(campaign: Campaign) -> None:
    campaign.do("bet", {"who": "robin", "dice": 1}, seat="mira")
    action = campaign.head.actions
    campaign.do("agree", {"matter": "dice", "value": "stream"})
    with pytest.raises(Refused, match="everybody rolls from the stream"):
        campaign.corrections.amend(action, {"dice": 2}, reason="two", options=CorrectionOptions(dice=(6,)))
    campaign.corrections.amend(action, {"dice": 2}, reason="two", options=CorrectionOptions(draw=True)).apply()


def test_dice_drawn_for_a_correction_are_recorded_and_found_again() -> None:
    table = ToyTable()
    bet = table.do("bet", who="robin", dice=1)
    action = bet.action
    with pytest.raises(DiceNeeded) as wanted:
        table.amend(action, dice=2)
    drawn = table.draw(wanted.value)
    assert drawn.events[0].purpose == "bet"  # type: ignore[attr-defined]
    table.amend(action, dice=2)
    outcome = table.history.latest_outcome(action)
    assert [die.face for die in rolls(outcome)[0].dice] == [
        die.face for entry in (bet, drawn) for die in rolls(entry)[0].dice
    ]
    assert rolls(outcome)[0].sources == tuple(
        Source("stream", 1, 1, StreamPlace(screen=False, fork=0, seat=0, number=number)) for number in (0, 1)
    )
    with pytest.raises(Refused, match="cannot be undone"):
        table.undo(drawn.action)
    table.amend(action, dice=1)
    table.amend(action, dice=2)
    assert rolls(table.history.latest_outcome(action)) == rolls(outcome)
