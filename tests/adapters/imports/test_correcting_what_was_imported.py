"""An imported change that later imported ones rest on is not undone in silence: nobody has 56 of 45 hit points unsaid."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.imports import Imported
from rollbook.adapters.imports.recording import record_import
from rollbook.application.campaign import Campaign
from rollbook.domain import events
from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.changes import CorrectionOptions, Effect, Orphans
from tests.support.campaigns import memory_book
from tests.support.imported import IMPORTED, action

WOUND, REST, LAST = 2, 3, 4


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return record_import(memory_book(tmp_path, ruleset=None), IMPORTED)


def hit_points(campaign: Campaign) -> int:
    return 45 - campaign.state.characters["korva"].lost


def test_the_preview_names_the_later_change_that_rests_on_it(campaign: Campaign) -> None:
    made = campaign.corrections.undo(WOUND, reason="it missed")
    (resting,) = made.of(Effect.RESTS)
    assert (resting.action, resting.is_kept) == (REST, True)
    assert resting.reason == "rests on #2: Korva has 56 of 45 hit points then"


def test_the_log_says_it_for_ever(campaign: Campaign) -> None:
    campaign.corrections.undo(WOUND, reason="it missed").apply()
    campaign.session.project()
    (line,) = campaign.read_model.log(campaign.id, search="rests on")
    assert (line.action, line.revision, line.because) == (REST, 2, 5)
    assert line.reason.endswith("Korva has 56 of 45 hit points then")
    assert hit_points(campaign) == 36, "the events are what they are"
    assert campaign.audit()[0].verdict == "VERIFIED"


def test_both_are_undone_together(campaign: Campaign) -> None:
    both = CorrectionOptions(effects={REST: Orphans.UNDO})
    campaign.corrections.undo(WOUND, reason="it missed", options=both).apply()
    assert hit_points(campaign) == 25
    campaign.corrections.undo_last(reason="it hit").apply()
    assert hit_points(campaign) == 25
    assert campaign.history.effective(REST) is not None


def test_undone_at_once_nothing_rests_on_anything(campaign: Campaign) -> None:
    assert not campaign.corrections.undo(WOUND, REST, reason="it missed").of(Effect.RESTS)
    assert not campaign.corrections.undo(LAST, reason="it missed").of(Effect.RESTS)


def test_a_pool_below_nothing_is_named_too(tmp_path: Path) -> None:
    slots = (
        events.PoolGained(holder="korva", pool="spell slots 1", amount=2),
        events.PoolSpent(holder="korva", pool="spell slots 1", amount=1),
    )
    more = Imported("Cellar", (*IMPORTED.actions, *map(action, slots)), 0, 0, ())
    campaign = record_import(memory_book(tmp_path, ruleset=None), more)
    (resting,) = campaign.corrections.undo(5, reason="no").of(Effect.RESTS)
    assert (resting.action, resting.reason) == (6, "rests on #5: Korva has -1 spell slots 1 then")


def test_when_it_counts_again_the_log_says_it_no_more(campaign: Campaign) -> None:
    campaign.corrections.undo(WOUND, reason="it missed").apply()
    campaign.corrections.redo(WOUND, reason="it hit").apply()
    campaign.session.project()
    lines = {line.action: line for line in campaign.read_model.log(campaign.id)}
    assert (lines[REST].revision, lines[REST].reason) == (1, "")
    assert hit_points(campaign) == 25


def test_a_change_that_is_left_is_nobodys_to_decide_if_it_rests_on_nothing(campaign: Campaign) -> None:
    with pytest.raises(Refused, match="Action #4 is not made impossible"):
        campaign.corrections.undo(WOUND, options=CorrectionOptions(effects={LAST: Orphans.UNDO}))


def test_the_command_line_offers_to_undo_both(campaign: Campaign) -> None:
    campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
    shown = campaign.say("undo 2 --preview").text
    assert "Imported, and rests on that" in shown
    assert (
        "rests on #2: Korva has 56 of 45 hit points then: stays as it is imported; undo it too with --undo 3" in shown
    )
    campaign.say("undo 2 --undo 3 --why 'it missed' --yes")
    assert hit_points(campaign) == 25


def test_it_is_said_too_where_all_that_came_later_is_left_as_it_is(campaign: Campaign) -> None:
    made = campaign.corrections.undo(WOUND, reason="it missed", options=CorrectionOptions(stand=True))
    assert [one.action for one in made.of(Effect.RESTS)] == [REST]
