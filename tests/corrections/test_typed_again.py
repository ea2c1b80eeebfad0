"""Real dice that are typed again, in any order with other amendments: the history is honest, and every proof says so."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.audit.answers import Verdict
from rollbook.rulesets.storytoken import RULESET
from tests.support.campaigns import memory_book
from tests.support.exports import agree

AMENDMENTS = (
    "amend last target=bandit-2 --why mistaken",
    'amend last advantage="from above" --why forgotten ! 9 19 4',
    "amend last --retype 3,2 --why misread",
)


@pytest.fixture
def attacked(tmp_path: Path) -> Campaign:
    """A fight in which Oona has struck once, with a real die that missed."""
    campaign = memory_book(tmp_path, ruleset=RULESET).new("Salt", RULESET.key)
    for line in (
        "take-seat Ana --role gm",
        "open-session",
        "join Oona --kind npc --hp 12 --ac 12 --weapon medium-melee",
        "join Bandit --kind monster --hp 12 --ac 12 --count 2 --weapon light",
        "begin-encounter oona,bandit-1,bandit-2 ! 18 10 9",
        'attack oona bandit-1 "medium weapon" ! 4',
    ):
        campaign.say(line)
    return campaign


@pytest.mark.parametrize("order", [order for many in (1, 2, 3) for order in permutations(AMENDMENTS, many)])
def test_every_proof_holds_after_amendments_in_any_order(
    attacked: Campaign, tmp_path: Path, order: tuple[str, ...]
) -> None:
    for line in order:
        attacked.say(line)
    chain, dice, rules = attacked.audit()
    assert [chain.verdict, rules.verdict] == [Verdict.VERIFIED, Verdict.VERIFIED], rules.findings
    assert dice.verdict is not Verdict.FAILED
    attacked.say("close-session")
    assert agree(attacked, tmp_path / "all.jsonl") != "FAILED"
