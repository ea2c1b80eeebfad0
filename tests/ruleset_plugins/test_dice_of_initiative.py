"""Initiative dice of every round go to those whom the message names, whatever the order of the last round was.

In the first round that is the order in which they were named; later rounds name nobody, and it is the order in which they came
into the campaign. powers rolls initiative once for the whole fight (R2.10).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.campaign import Campaign
from rollbook.testing.scenarios import rolls_in, rule
from tests.support.campaign_fixtures import refusal
from tests.support.campaigns import memory_book

JOINING = {
    "grid": "join {name} --kind npc --hp 9 --ac 12 --at {place},0",
    "luckpoint": "join {name} --kind npc --hp 9",
    "russell": "join {name} --kind npc --profile 'HD 1 AC 6' --hp 4",
    "storytoken": "join {name} --kind npc --hp 10",
}
SIDES = {"luckpoint": {"initiative_mode": "individual"}}
NAMES = ("Ann", "Bob", "Cid")


@pytest.fixture(params=JOINING)
def fight(request: pytest.FixtureRequest, tmp_path: Path) -> Campaign:
    """The last turn of a round in which Cid was first and Ann last, though Bob was named first."""
    game = request.param
    campaign = memory_book(tmp_path, ruleset=discover().ruleset(game)).new("Round", game, SIDES.get(game, {}))
    for place, name in enumerate(NAMES):
        campaign.say(JOINING[game].format(name=name, place=5 * place))
    first = "Bob’s initiative; 2 more after it"
    assert first in refusal(campaign, "begin-encounter bob,ann,cid --dice=")
    campaign.say("begin-encounter bob,ann,cid ! 3 2 5")
    assert campaign.state.encounter is not None
    assert campaign.state.encounter.order == ("cid", "bob", "ann")
    hand_on = " --next {}" if game == "storytoken" else ""
    for who in ("bob", "ann"):
        campaign.say(f"end-turn{hand_on.format(who)}")
    return campaign


@rule("QG.5")
def test_the_message_of_a_later_round_names_them_as_they_came_into_the_campaign(fight: Campaign) -> None:
    said = refusal(fight, "end-turn --dice=")
    assert "for Ann’s initiative; 2 more after it: 1d" in said
    assert said.index("Ann’s") < said.index("Bob’s") < said.index("Cid’s")
    assert "next comes a d" in refusal(fight, "end-turn ! 1")
    assert "Bob’s initiative; 1 more after it" in refusal(fight, "end-turn ! 1")


@rule("QG.5")
def test_the_dice_of_a_later_round_go_to_those_whom_the_message_named(fight: Campaign) -> None:
    fight.say("end-turn ! 6 4 1")
    rolled = rolls_in(fight.history.entries[-1].events)
    assert [(roll.roller, roll.dice[0].face) for roll in rolled] == [("ann", 6), ("bob", 4), ("cid", 1)]
    assert fight.state.encounter is not None
    assert fight.state.encounter.order == ("ann", "bob", "cid")


def test_the_order_is_that_of_arrival_however_often_it_turns(fight: Campaign) -> None:
    game = fight.state.ruleset
    for faces, order in (("1 6 4", "bob cid ann"), ("5 1 3", "ann cid bob"), ("2 3 6", "cid bob ann")):
        fight.say(f"end-turn ! {faces}")
        assert fight.state.encounter is not None
        assert " ".join(fight.state.encounter.order) == order
        for who in fight.state.encounter.order[1:]:
            fight.say(f"end-turn --next {who}" if game == "storytoken" else "end-turn")


@pytest.mark.parametrize("game", ["grid", "luckpoint", "russell"])
def test_a_tie_is_said_before_dice_are_asked_for_and_in_the_log(tmp_path: Path, game: str) -> None:
    campaign = memory_book(tmp_path, ruleset=discover().ruleset(game)).new("Tie", game, SIDES.get(game, {}))
    for place, name in enumerate(NAMES):
        campaign.say(JOINING[game].format(name=name, place=5 * place))
    assert "tie" not in refusal(campaign, "begin-encounter bob,ann,cid ! 3 4")
    said = refusal(campaign, "begin-encounter bob,ann,cid ! 3 3 5")
    assert said.startswith("There is a tie. 3 dice were typed, and next comes a d")
    assert "for Bob’s initiative, to break a tie; 1 more after it: 1d" in said
    campaign.say("begin-encounter bob,ann,cid ! 3 3 5 4 1")
    campaign.session.project()
    (line,) = campaign.read_model.log(campaign.id, last=1)
    assert [part.strip().partition(" 1d")[0] for part in line.dice.split(";")][-2:] == ["Bob (tie)", "Ann (tie)"]
    assert line.dice.count("(tie)") == 2


@pytest.mark.parametrize("game", ["luckpoint", "storytoken"])
def test_a_tie_of_an_opposed_task_is_said_too(tmp_path: Path, game: str) -> None:
    campaign = memory_book(tmp_path, ruleset=discover().ruleset(game)).new("Tie", game)
    for name in NAMES:
        campaign.say(JOINING[game].format(name=name, place=0))
    said = refusal(campaign, "opposed ann str bob str ! 9 9")
    assert said.startswith("There is a tie. 2 dice were typed, and next comes a d20 for Ann’s oppose")
