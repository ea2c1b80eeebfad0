"""Three answers that do not borrow from one another: an untouched history verifies, and what cannot be proven is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.audit.dice_audit import audit_dice
from tests.support.audits import UNPROVEN, VERIFIED, rules, verdicts
from tests.support.campaigns import begin_campaign, memory_book, play_campaign_steps
from tests.support.random_steps import RandomSteps
from tests.support.toy_table import ToyTable, play_random_steps


@pytest.mark.parametrize("seed", range(10))
def test_an_untouched_history_verifies_whatever_was_played(seed: int, tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    play_campaign_steps(campaign, RandomSteps(seed), 40, corrections=0.3)
    assert verdicts(campaign.audit()) in ([VERIFIED, UNPROVEN, VERIFIED], [VERIFIED, VERIFIED, VERIFIED])
    campaign.do("close-session")
    if any(getattr(event, "secret", False) for entry in campaign.history.entries for event in entry.events):
        assert verdicts(campaign.audit())[1] is UNPROVEN
        campaign.do("reveal-screen", {"session": 1})
    campaign.do("open-session")
    campaign.do("roll", {"expression": "2d6"})
    campaign.do("close-session")
    answers = campaign.audit()
    assert verdicts(answers) == [VERIFIED, VERIFIED, VERIFIED], answers


@pytest.mark.parametrize("seed", range(6))
def test_what_stands_beside_the_rules_is_counted_and_accuses_nobody(seed: int) -> None:
    table = ToyTable()
    play_random_steps(table, RandomSteps(seed), 50, corrections=0.5)
    answer = rules(table.history.entries)
    assert answer.verdict is VERIFIED, answer.findings


def test_an_open_session_is_unproven_and_so_is_what_was_rolled_behind_the_screen(played: Campaign) -> None:
    entries = played.history.entries
    open_still = entries[:-1]
    answer = audit_dice(open_still)
    assert (answer.verdict, answer.checked) == (UNPROVEN, 0)
    assert "not revealed yet" in answer.findings[0].text
    closed = audit_dice(entries)
    assert closed.verdict is UNPROVEN
    assert {finding.text for finding in closed.findings} == {"a secret roll whose seed is not revealed yet"}
    assert "2 real dice were typed in; nobody can prove those" in closed.remarks


def test_a_game_with_real_dice_alone_is_unproven_and_one_without_dice_is_not() -> None:
    table = ToyTable()
    assert audit_dice(table.history.entries).verdict is VERIFIED
    table.do("bet", who="robin", dice=2, typed=(3, 4))
    table.close()
    answer = audit_dice(table.history.entries)
    assert (answer.verdict, answer.checked) == (UNPROVEN, 0)
