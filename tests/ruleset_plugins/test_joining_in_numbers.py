"""In all games several come in at once, each with hit points of their own where these are given or rolled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import Refused
from rollbook.domain.events import DiceRolled
from tests.support.casts import campaign_of
from tests.support.games import INSTALLED_RULESETS

ROLLED: Mapping[str, tuple[str, str]] = {
    "russell": ("--profile 'HD 2' --hp-by roll", "6,6,1,2,5,5,3,4"),
    "srd5": ("--rolled", "6,6,1,2,5,5,3,4"),
    "storytoken": ("--level 2", "6,5,1,2,4,4,3,1"),
}
"""What else is said so that hit points are rolled, and dice for four."""


@pytest.fixture(params=INSTALLED_RULESETS)
def campaign(request: pytest.FixtureRequest, tmp_path: Path) -> Campaign:
    return campaign_of(request.param, tmp_path)


def most(campaign: Campaign) -> Iterator[tuple[str, int]]:
    """Everybody's maximum of hit points, by name."""
    for who in campaign.state.characters:
        sheet = campaign.sheet(who)
        yield sheet.name, next(int(str(each).split()[-1]) for each in sheet.values if each.key == "hp")


def test_hit_points_are_given_for_each(campaign: Campaign) -> None:
    campaign.say("join wolf --kind monster --count 4 --hp 9,7,11,8")
    assert dict(most(campaign)) == {"wolf 1": 9, "wolf 2": 7, "wolf 3": 11, "wolf 4": 8}


def test_as_many_come_in_as_hit_points_are_given_for(campaign: Campaign) -> None:
    campaign.say("join wolf --kind monster --hp 9,7")
    assert dict(most(campaign)) == {"wolf 1": 9, "wolf 2": 7}


def test_one_number_is_everybodys(campaign: Campaign) -> None:
    campaign.say("join wolf --kind monster --count 3 --hp 9")
    campaign.say("join wolf --kind monster --hp 4")
    assert dict(most(campaign)) == {"wolf 1": 9, "wolf 2": 9, "wolf 3": 9, "wolf 4": 4}


def test_other_hit_points_than_there_are_newcomers_are_refused(campaign: Campaign) -> None:
    with pytest.raises(Refused, match=r"Hit points are given for 2, and --count is 3\."):
        campaign.say("join wolf --kind monster --count 3 --hp 9,7")
    assert not campaign.state.characters


@pytest.mark.parametrize("game", ROLLED)
def test_hit_points_are_rolled_for_each_where_the_game_rolls_them(game: str, tmp_path: Path) -> None:
    """R0.108, R3.97: hit dice are everybody's own."""
    campaign = campaign_of(game, tmp_path)
    how, dice = ROLLED[game]
    entry = campaign.say(f"join wolf --kind monster --count 4 {how} --dice {dice}").entry
    assert entry is not None
    rolls = [event for event in entry.events if isinstance(event, DiceRolled)]
    assert [roll.roller for roll in rolls] == ["wolf-1", "wolf-2", "wolf-3", "wolf-4"]
    assert len({number for _, number in most(campaign)}) > 1


def test_several_stand_in_a_row_on_the_grid(tmp_path: Path) -> None:
    campaign = campaign_of("grid", tmp_path)
    campaign.say("join wolf --kind monster --count 3 --hp 9 --at 3,4")
    assert [who.position[:2] for who in campaign.state.characters.values()] == [(3, 4), (4, 4), (5, 4)]
