"""People roll the damage with the d20: typed with a miss it is taken and said to be unused. Other dice are not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.campaign import Campaign
from rollbook.domain.dice.physical import FacesLeft
from tests.support.campaigns import memory_book
from tests.support.games import INSTALLED_RULESETS

TABLES: Mapping[str, tuple[str, ...]] = {
    "grid": (
        "join Kess --class-name fighter --scores 3,1,2,0,1,0 --hp 12 --at 0,0",
        "join Wolf --kind monster --hp 9 --ac 12 --attack 3 --at 1,0",
        "attack kess wolf",
    ),
    "luckpoint": (
        "join Kess --abilities 2,2,2,0,1,0 --weapon club",
        "join Wolf --kind npc --hp 9",
        "attack kess wolf club",
    ),
    "powers": (
        "join Kess 20 --stats str=2,dex=1",
        "join Wolf 9 --kind monster --defense 14 --stats str=2",
        "attack kess wolf",
    ),
    "russell": (
        "join Kess --kind monster --profile 'HD 2 Att 2 AC 6 Mrl 8' --hp 9",
        "join Wolf --kind monster --profile 'HD 2 Att 2 AC 6 Mrl 8' --hp 9",
        "attack kess wolf melee",
    ),
    "srd5": (
        "join Kess --class-name fighter --scores 16,14,14,10,12,8 --weapons longsword",
        "join Wolf --kind monster --hp 9 --ac 12",
        "attack kess wolf",
    ),
    "storytoken": (
        "join Kess --kind npc --hp 10 --weapon light",
        "join Wolf --kind monster --hp 4 --ac 15 --weapon light",
        "attack kess wolf 'light weapon'",
    ),
}


@pytest.fixture(params=INSTALLED_RULESETS)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Campaign, str]:
    game = request.param
    campaign = memory_book(tmp_path, ruleset=discover().ruleset(game)).new("Woods", game)
    campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
    *newcomers, attack = TABLES[game]
    for line in newcomers:
        campaign.say(line)
    return campaign, attack


def test_damage_that_was_typed_with_a_miss_is_taken_and_said_to_be_unused(table: tuple[Campaign, str]) -> None:
    campaign, attack = table
    missed = campaign.say(f"{attack} ! 2 3")
    assert "The 3 that you typed is not used: nothing asks for it now." in missed.text
    alone = campaign.say(f"{attack} ! 2")
    assert [*map(type, missed.entries[0].events)] == [*map(type, alone.entries[0].events)]
    assert "not used" not in alone.text


@pytest.mark.parametrize("faces", ["2 3 3 3 3 3", "2 99", "19 1 1 1 1 1 1"])
def test_any_other_face_that_is_left_over_is_refused(table: tuple[Campaign, str], faces: str) -> None:
    campaign, attack = table
    before = campaign.head.entry
    with pytest.raises(FacesLeft, match="left over"):
        campaign.say(f"{attack} ! {faces}")
    assert campaign.head.entry == before


def test_a_die_that_nothing_ever_asks_for_is_refused(table: tuple[Campaign, str]) -> None:
    with pytest.raises(FacesLeft, match="2 dice were typed and the roll took 1: 3 is left over"):
        table[0].say("roll 1d20 ! 2 3")


def test_damage_that_is_typed_again_with_a_miss_is_said_to_be_unused(table: tuple[Campaign, str]) -> None:
    campaign, attack = table
    shot = campaign.say(f"{attack} ! 3").entries[0]
    preview = campaign.corrections.amend(shot.action, retype=(2, 3))
    assert preview.consequences[0].unused_faces == (3,)
    assert "the 3 that you typed is not used" in campaign.say(f"amend {shot.action} --why so --preview ! 2 3").text
