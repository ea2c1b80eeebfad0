"""Somebody who rolls real dice reads whose the next die is, what it is for, and how many follow it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.campaign import Campaign
from rollbook.domain.events import DiceRolled
from tests.support.campaign_fixtures import refusal
from tests.support.campaigns import memory_book

WOLF = "join wolf --kind monster --hp 4 --ac 12 --weapon light --count 3"


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    campaign = memory_book(tmp_path, ruleset=discover().ruleset("storytoken")).new("Woods", "storytoken")
    campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
    campaign.say(WOLF)
    campaign.say("join Robin --kind npc --hp 10 --weapon light")
    return campaign


def test_a_missing_die_says_whose_it_is_and_how_many_follow(campaign: Campaign) -> None:
    """QG.5, and the dice are those of the characters in the order in which they were named."""
    assert refusal(campaign, "begin-encounter robin,wolf-2,wolf-1,wolf-3 ! 17") == (
        "1 die was typed, and next comes a d20 for wolf 2’s initiative; 2 more after it: 1d20 for wolf 1’s initiative, "
        "1d20 for wolf 3’s initiative. Roll and type all faces in this order."
    )


def test_what_hangs_on_how_a_die_falls_is_not_promised(campaign: Campaign) -> None:
    assert refusal(campaign, 'attack wolf-1 robin "light weapon" --dice=').endswith(
        "next comes a d20 for wolf 1’s to hit; others may follow, by how they fall. Roll and type all faces in this order."
    )
    assert "next comes a d6 for wolf 1’s damage. Roll" in refusal(campaign, 'attack wolf-1 robin "light weapon" ! 19')


def test_the_dice_of_somebody_new_are_counted_together(campaign: Campaign) -> None:
    """R0.108: six times 3d6 and a hit die are nineteen dice, and five of them are here."""
    said = refusal(campaign, "join Sam --heritage human --roles thieving,wilderness,noble ! 3,4,5,6,6")
    assert (
        "next comes a d6 for Sam’s ability 2; 13 more after it: 4 × 3d6 for Sam’s ability 3 to 6, 1d6 for Sam’s hit dice"
        in said
    )


def test_without_a_session_the_dice_that_it_takes_are_named(campaign: Campaign) -> None:
    assert refusal(campaign, "begin-encounter robin,wolf-1").endswith(
        "It takes 1d20 for Robin’s initiative, 1d20 for wolf 1’s initiative."
    )


def test_a_great_many_rolls_are_counted_rather_than_listed(campaign: Campaign) -> None:
    campaign.say(f"{WOLF} --count 9")
    named = ",".join(who for who in campaign.state.characters if who != "robin")
    assert refusal(campaign, f"begin-encounter robin,{named}").endswith(" and 7 more rolls.")


def test_nothing_is_recorded_by_asking(campaign: Campaign) -> None:
    before = campaign.head.entry
    refusal(campaign, "begin-encounter robin,wolf-1 ! 3")
    assert campaign.refresh().entry == before


def test_a_tie_that_may_not_come_is_not_promised(tmp_path: Path) -> None:
    """Seven d20s, or four d6s: nobody has to be level with anybody."""
    for game, many, join in (
        ("storytoken", 7, "join wolf --kind monster --hp 4 --ac 12 --count 7"),
        ("russell", 4, "join wolf --kind monster --profile 'HD 1' --hp 4 --count 4"),
    ):
        campaign = memory_book(tmp_path / game, ruleset=discover().ruleset(game)).new("Woods", game)
        campaign.say(join)
        said = refusal(campaign, f"begin-encounter {','.join(campaign.state.characters)} --dice=")
        assert f"; {many - 1} more after it: " in said
        assert "others may follow" in said


def amended(campaign: Campaign, line: str) -> tuple[str, list[list[int]]]:
    """What an amendment says, and the faces of the last action after it."""
    said = campaign.say(line).text
    events = campaign.history.latest_outcome(campaign.head.actions).events
    return said, [[die.face for die in event.dice] for event in events if isinstance(event, DiceRolled)]


@pytest.mark.parametrize(
    ("typed", "faces"), [("2 19 4", [[2, 19], [4]]), ("19 2 4", [[19, 2], [4]]), ("2 3", [[2, 3]]), ("2 3 4", [[2, 3]])]
)
def test_dice_after_the_mark_of_an_amendment_are_all_of_the_new_roll(
    campaign: Campaign, typed: str, faces: list[list[int]]
) -> None:
    campaign.say('attack wolf-1 robin "light weapon" ! 2')
    said, found = amended(campaign, f'amend {campaign.head.actions} advantage="from above" --why forgotten ! {typed}')
    assert found == faces
    assert ("the 4 that you typed is not used" in said) is (typed == "2 3 4")


def test_dice_of_the_stream_stay_and_only_what_is_missing_is_typed(campaign: Campaign) -> None:
    campaign.say("open-session")
    rolled = campaign.say("roll 1d6").entries[0].events[0]
    assert isinstance(rolled, DiceRolled)
    _, found = amended(campaign, f"amend {campaign.head.actions} expression=2d6 --why more ! 3")
    assert found == [[rolled.dice[0].face, 3]]


def test_dice_that_are_typed_for_what_follows_an_adjustment_are_new_ones(campaign: Campaign) -> None:
    adjusted = campaign.say("scene Night").entries[0].action
    campaign.say('attack wolf-1 robin "light weapon" ! 9')
    said = campaign.say(f'amend {adjusted} --adjust "wolf-1 to_hit=+9" --why bless ! 3').text
    assert "Robin −" in said
