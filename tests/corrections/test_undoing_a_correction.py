"""A correction is undone whole, orphans and all, and again; what was undone together is redone together."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import CorrectionOptions, Orphans
from rollbook.domain.dice.supply import DiceNeeded
from tests.support.campaigns import begin_campaign, memory_book, play_campaign_steps, token_and_orphan, tokens
from tests.support.comparison import comparable
from tests.support.random_steps import RandomSteps


def test_the_last_correction_is_undone_whole_with_its_orphans_and_again(campaign: Campaign) -> None:
    gained, spent = token_and_orphan(campaign)
    before = comparable(campaign.state)
    undone = campaign.corrections.undo(gained, reason="no").apply()
    assert {entry.action for entry in undone} == {gained, spent}
    without = comparable(campaign.state)
    assert without != before
    redone = campaign.corrections.undo_last(reason="yes").apply()
    assert comparable(campaign.state) == before
    assert {entry.action for entry in redone} == {gained, spent}
    assert len({entry.correction for entry in redone}) == 1
    campaign.corrections.undo_last(reason="no after all").apply()
    assert comparable(campaign.state) == without


def test_an_amendment_is_undone_as_the_last_correction(campaign: Campaign) -> None:
    scene = campaign.do("scene", title="the mill").action
    campaign.corrections.amend(scene, {"title": "the bridge"}, reason="it was").apply()
    campaign.corrections.amend(scene, {"title": "the ford"}, reason="it was").apply()
    campaign.corrections.undo_last(reason="it was not").apply()
    assert campaign.state.scene == "the bridge"
    with pytest.raises(NotFound, match="no correction 'nothing'"):
        campaign.corrections.undo_correction("nothing")


def test_an_action_is_redone_with_all_that_was_undone_together_with_it(campaign: Campaign) -> None:
    gained, spent = token_and_orphan(campaign)
    before = comparable(campaign.state)
    campaign.corrections.undo(gained, reason="no").apply()
    campaign.do("scene", title="later")
    campaign.corrections.redo(gained, reason="yes").apply()
    assert tokens(campaign) == 1, "the orphan stays undone"
    campaign.corrections.undo_last(reason="together").apply()
    campaign.corrections.redo_together(spent, reason="both").apply()
    campaign.do("scene", title="")
    history = campaign.history
    assert None not in (history.effective(gained), history.effective(spent))
    assert dict(before)["characters"] == dict(comparable(campaign.state))["characters"]
    with pytest.raises(Refused, match="not undone"):
        campaign.corrections.redo_together(spent)


def test_an_action_is_redone_along_with_what_its_undoing_took_along(campaign: Campaign) -> None:
    gained, spent = token_and_orphan(campaign)
    other = campaign.do("scene", title="the ford").action
    before = comparable(campaign.state)
    campaign.corrections.undo(gained, other, reason="no").apply()
    made = campaign.corrections.redo_along(gained, reason="yes")
    assert [(one.action, one.effect) for one in made.consequences] == [(gained, "redone"), (spent, "redone")]
    made.apply()
    campaign.corrections.redo_along(other, reason="yes").apply()
    assert comparable(campaign.state) == before


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_undone_and_redone_along_is_as_it_was(seed: int, tmp_path: Path) -> None:
    campaign, chance = begin_campaign(memory_book(tmp_path), drawn=str(seed)), RandomSteps(seed)
    play_campaign_steps(campaign, chance, 25, corrections=0)
    tried = 0
    for action in chance.random.sample(range(2, campaign.head.actions + 1), 12):
        before = comparable(campaign.state)
        with suppress(Refused, DiceNeeded):
            campaign.corrections.undo(action, reason="no").apply()
            campaign.corrections.redo_along(action, reason="yes").apply()
            tried += 1
        assert comparable(campaign.state) == before
    assert tried


def test_kept_orphans_are_as_they_were_before_when_the_correction_is_undone(campaign: Campaign) -> None:
    gained, spent = token_and_orphan(campaign)
    before = comparable(campaign.state)
    kept = CorrectionOptions(orphans=Orphans.KEEP)
    campaign.corrections.undo(gained, reason="no", options=kept).apply()
    assert campaign.history.latest_outcome(spent).provenance == "ruling"
    campaign.corrections.undo_last(reason="yes").apply()
    assert campaign.history.latest_outcome(spent).provenance == "played"
    assert comparable(campaign.state) == before


def test_nothing_is_there_to_undo_before_the_first_correction(campaign: Campaign) -> None:
    with pytest.raises(NotFound, match="Nothing has been corrected yet"):
        campaign.corrections.undo_last()
