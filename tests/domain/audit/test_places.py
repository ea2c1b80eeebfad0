"""Where a roll came from and what it was for are worked out from its entry: what the program says of them is only compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.audit.dice_audit import audit_dice
from rollbook.domain.dice.record import Source
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRolled
from tests.support.audits import FAILED, UNPROVEN, VERIFIED, audit_rules
from tests.support.campaigns import begin_campaign, memory_book

Change = Callable[[DiceRolled], DiceRolled]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """Two rolls of a player's, one of the GM's in the open and one behind the screen, and a session that was closed."""
    campaign = begin_campaign(memory_book(tmp_path_factory.mktemp("places")))
    campaign.do("entropy", {"text": "6 2 5"}, seat="mira")
    campaign.do("roll", {"expression": "1d20", "purpose": "first"}, seat="mira")
    campaign.do("roll", {"expression": "1d20", "purpose": "second"}, seat="mira")
    campaign.do("roll", {"expression": "1d20", "purpose": "the GM's"})
    campaign.do("roll", {"expression": "1d20", "purpose": "hidden"}, secret=True)
    campaign.do("close-session")
    campaign.do("reveal-screen", {"session": 1})
    return campaign


def told(campaign: Campaign, purpose: str, change: Change) -> list[RecordedEntry]:
    """The history with one roll told otherwise."""

    def other(entry: RecordedEntry) -> RecordedEntry:
        events = [change(event) if _is(event, purpose) else event for event in entry.events]
        return entry._replace(events=tuple(events))

    return [other(entry) for entry in campaign.history.entries]


def _is(event: object, purpose: str) -> bool:
    return isinstance(event, DiceRolled) and event.purpose == purpose


def at(**fields: object) -> Change:
    """A roll of another place."""

    def change(roll: DiceRolled) -> DiceRolled:
        (source,) = roll.sources
        assert source.place is not None
        return attrs.evolve(roll, sources=(source._replace(place=source.place._replace(**fields)),))

    return change


def test_what_was_played_is_proven(campaign: Campaign) -> None:
    assert [answer.verdict for answer in campaign.audit()] == [VERIFIED] * 3


@pytest.mark.parametrize(
    ("purpose", "fields", "said"),
    [
        ("first", {"seat": 999}, "was taken by mira, whose seat is number 1"),
        ("first", {"seat": 0}, "was taken by mira, whose seat is number 1"),
        ("the GM's", {"seat": 1, "number": 2}, "was taken by Ana, whose seat is number 0"),
        ("first", {"screen": True}, "fell behind the screen, and the roll is called open"),
        ("hidden", {"screen": False}, "fell in the open, and the roll is called secret"),
        ("first", {"number": 3}, "where 0 is next"),
        ("first", {"fork": 1}, "fell in timeline 1"),
    ],
)
def test_a_roll_from_another_place_is_found(
    campaign: Campaign, purpose: str, fields: dict[str, object], said: str
) -> None:
    answer = audit_dice(told(campaign, purpose, at(**fields)))
    assert answer.verdict is FAILED
    assert any(said in finding.text for finding in answer.findings), answer.findings


@pytest.mark.parametrize(
    "fields", [{"occasion": "s1|roll|another"}, {"repeat": 7}, {"purpose": "something else"}, {"roller": "tom"}]
)
def test_a_request_under_another_name_is_found(campaign: Campaign, fields: dict[str, object]) -> None:
    entries = told(campaign, "first", lambda roll: attrs.evolve(roll, **fields))
    answer = audit_rules(entries, campaign.session.rulebook)
    assert answer.verdict is FAILED
    assert answer.findings[0].text.startswith("#10 ")


@pytest.mark.parametrize(
    "source",
    [Source("lucky", 1, 1, None), Source("stream", 1, 1, None), Source("physical", 1), Source("imported", 1)],
    ids=["of a kind that there is not", "of no place", "typed", "imported"],
)
def test_every_die_is_accounted_for(campaign: Campaign, source: Source) -> None:
    answer = audit_dice(told(campaign, "second", lambda roll: attrs.evolve(roll, sources=(source,))))
    assert answer.verdict is FAILED


def test_a_roll_without_an_occasion_is_unproven_and_not_failed(campaign: Campaign) -> None:
    answer = audit_dice(told(campaign, "second", lambda roll: attrs.evolve(roll, occasion="")))
    assert answer.verdict is UNPROVEN
    assert "names no occasion" in answer.findings[0].text


def test_dice_of_an_action_that_was_never_played_are_unproven(campaign: Campaign) -> None:
    entries = [
        entry._replace(provenance="imported") if any(_is(event, "second") for event in entry.events) else entry
        for entry in campaign.history.entries
    ]
    answer = audit_dice(entries)
    assert answer.verdict is UNPROVEN
    assert "was never played" in answer.findings[0].text


def test_another_die_around_one_that_waits_is_found(tmp_path: Path) -> None:
    """Asked for under another name, a request gets the next die; told under its own, it should have met the one that waits."""
    campaign = begin_campaign(memory_book(tmp_path))
    undone = campaign.do("roll", {"expression": "1d20", "purpose": "to hit"}, seat="mira").action
    campaign.corrections.undo(undone, reason="a bad one").apply()
    campaign.do("roll", {"expression": "1d20", "purpose": "once more"}, seat="mira")
    as_asked = told(campaign, "once more", lambda roll: attrs.evolve(roll, purpose="to hit"))
    assert "waits for this very request" in audit_dice(as_asked).findings[0].text
    around = told(campaign, "once more", lambda roll: attrs.evolve(roll, purpose="to hit", occasion="another"))
    assert audit_dice(around).verdict is not FAILED
    assert audit_rules(around, campaign.session.rulebook).verdict is FAILED


def test_dice_that_were_drawn_for_a_correction_are_taken_in_their_order(tmp_path: Path) -> None:
    """A changed program that draws often and takes the die that suits is found."""
    campaign = begin_campaign(memory_book(tmp_path))
    action = campaign.do("roll", {"expression": "1d20", "purpose": "to hit"}, seat="mira").action
    params = {"action": action, "roller": "mira", "purpose": "to hit", "ordinal": 0, "sides": 6}
    for _ in range(3):
        campaign.do("draw-for", params)
    campaign.corrections.amend(action, {"expression": "1d20 + 1d6"}, reason="with a die more").apply()
    entries = list(campaign.history.entries)
    assert audit_dice(entries).verdict is not FAILED
    third = next(event for event in entries[-2].events if isinstance(event, DiceRolled))
    roll = next(event for event in entries[-1].events if isinstance(event, DiceRolled))
    first_source, _ = roll.sources
    picked = attrs.evolve(
        roll,
        dice=(roll.dice[0], roll.dice[1]._replace(face=third.dice[0].face)),
        sources=(first_source, third.sources[0]),
    )
    entries[-1] = entries[-1]._replace(events=(picked,))
    answer = audit_dice(entries)
    assert answer.verdict is FAILED
    assert "is not what #" in answer.findings[0].text
