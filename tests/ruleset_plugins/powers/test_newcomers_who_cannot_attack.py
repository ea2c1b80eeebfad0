"""A newcomer without the stat that an attack rolls is told of when they join, and not in the middle of a fight."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.plugin import Refused
from rollbook.rulesets.powers import RULESET
from tests.support.campaigns import memory_book


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    made = memory_book(tmp_path, ruleset=RULESET).new("Woods", "powers")
    made.say("take-seat Ana --role gm")
    return made


def test_a_monster_without_strength_is_remarked_on(campaign: Campaign) -> None:
    said = campaign.say("join Wolf --kind monster --hp 9")
    (remark,) = said.warnings
    assert remark.startswith("Wolf has no Strength, and without it there is no Strike.")
    campaign.say("join Robin --hp 9 --stats strength=2")
    with pytest.raises(Refused, match="no stat called 'str'"):
        campaign.say("attack wolf robin ! 12 3")
    campaign.say(remark.partition("enters it: ")[2].replace("WHY", "it was forgotten"))
    assert campaign.say("attack wolf robin ! 12 3").entry is not None


@pytest.mark.parametrize("stats", ["str=0", "Strength=3", "STR=1,initiative=2"])
def test_who_has_it_is_not(campaign: Campaign, stats: str) -> None:
    assert not campaign.say(f"join Wolf --kind monster --hp 9 --stats {stats}").warnings


def test_who_is_like_somebody_else_has_their_stats(campaign: Campaign) -> None:
    campaign.say("join Wolf --kind monster --hp 9 --stats str=1")
    assert not campaign.say("join Cub --like wolf").warnings
