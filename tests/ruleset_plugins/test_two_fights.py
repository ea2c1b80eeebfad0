"""Two fights in two scenes, in every game that has encounters: what happens in one leaves the other as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.campaign import Campaign
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.encounters import Encounter
from tests.support.audits import VERIFIED, verdicts
from tests.support.campaign_fixtures import refusal
from tests.support.campaigns import memory_book

JOINING = {
    "grid": "join {name} --kind {kind} --hp 9 --ac 12 --at {place},0",
    "luckpoint": "join {name} --kind {kind} --hp 9",
    "powers": "join {name} --kind {kind} --hp 9",
    "russell": "join {name} --kind {kind} --profile 'HD 1 AC 6' --hp 4",
    "srd5": "join {name} --kind {kind} --hp 9 --ac 12",
    "storytoken": "join {name} --kind {kind} --hp 10",
}
SIDES = {"luckpoint": {"initiative_mode": "individual"}}
CELLAR, ROOF = ("ann", "bob"), ("cid", "dot")


@pytest.fixture(params=JOINING)
def split(request: pytest.FixtureRequest, tmp_path: Path) -> Campaign:
    """A fight of Ann and Bob in the cellar waits while Cid and Dot fight on the roof."""
    game = request.param
    campaign = memory_book(tmp_path, ruleset=discover().ruleset(game)).new("Split", game, SIDES.get(game, {}))
    for place, name in enumerate((*CELLAR, *ROOF)):
        campaign.say(JOINING[game].format(name=name.title(), kind="npc", place=5 * place))
    campaign.say("open-session")
    campaign.say("scene The cellar")
    campaign.say(f"begin-encounter {','.join(CELLAR)}")
    campaign.say("meanwhile The roof")
    campaign.say(f"begin-encounter {','.join(ROOF)}")
    return campaign


def fight_in(state: CampaignState, scene: int) -> Encounter | None:
    if state.scene_number == scene:
        return state.encounter
    waiting = state.waiting_scene(scene)
    return waiting.encounter if waiting is not None else None


def end_turn(campaign: Campaign) -> None:
    """End the turn at hand, with the next one named where the game wants that."""
    fight = campaign.state.encounter
    assert fight is not None
    waiting = [who for who in fight.waiting() if who != fight.current]
    game = campaign.state.ruleset
    chooses = game == "powers" or (game == "storytoken" and waiting)
    campaign.say(f"end-turn --next {(waiting or fight.order)[0]}" if chooses else "end-turn")


def test_each_fight_has_its_people_its_scene_and_its_rounds(split: Campaign) -> None:
    state = split.state
    cellar, roof = fight_in(state, 1), fight_in(state, 2)
    assert cellar is not None
    assert roof is not None
    assert (set(cellar.order), set(roof.order)) == (set(CELLAR), set(ROOF))
    assert (state.scene, state.scene_number, state.scenes) == ("The roof", 2, 2)
    for _ in range(3):
        end_turn(split)
        assert fight_in(split.state, 1) == cellar
    assert split.state.encounter is not None
    assert split.state.encounter.round == 2
    assert cellar.round == 1


def test_the_other_fight_goes_on_where_it_stopped_and_time_counts_for_each(split: Campaign) -> None:
    cellar, began = fight_in(split.state, 1), split.state.clock
    for _ in range(4):
        end_turn(split)
    later, roof = split.state.clock, split.state.encounter
    split.say("cut-to cellar")
    assert (split.state.scene, split.state.scene_number, split.state.clock) == ("The cellar", 1, began)
    assert split.state.encounter == cellar
    end_turn(split)
    assert fight_in(split.state, 2) == roof
    split.say("cut-to The roof")
    assert (split.state.encounter, split.state.clock) == (roof, later)


def test_to_end_one_fight_leaves_the_other(split: Campaign) -> None:
    cellar = fight_in(split.state, 1)
    split.say("end-encounter")
    assert split.state.encounter is None
    assert fight_in(split.state, 1) == cellar
    split.say("cut-to ann")
    assert split.state.encounter == cellar
    split.say("end-encounter")
    split.say("scene Home")
    assert split.state.elsewhere == ()
    assert not any(who.elsewhere for who in split.state.characters.values())


def test_a_scene_that_is_begun_takes_its_fight_along_as_ever(split: Campaign) -> None:
    roof = split.state.encounter
    split.say("scene The street")
    assert split.state.encounter == roof
    assert [scene.number for scene in split.state.elsewhere] == [1]


def test_who_fights_elsewhere_is_told_where_and_what_goes_on_with_it(split: Campaign) -> None:
    said = split.session.rulebook.available(split.state, "ann")
    assert "attack" in said or "use-power" in said
    of_ann = {why for verb, why in said.items() if "fight in The cellar" in why}
    assert of_ann == {"Ann is in the fight in The cellar, which waits. The GM goes on with it: cut-to ann"}
    before = split.state
    split.say("harm ann 1")
    assert fight_in(split.state, 1) == fight_in(before, 1)


def test_who_comes_over_leaves_the_fight_that_waits(split: Campaign) -> None:
    split.say("join-encounter ann")
    assert split.state.encounter is not None
    assert "ann" in split.state.encounter.order
    cellar = fight_in(split.state, 1)
    assert cellar is not None
    assert cellar.order == ("bob",)
    assert cellar.current in ("bob", "")
    assert not split.state.characters["ann"].elsewhere


def test_a_second_fight_in_one_scene_is_refused_with_the_way_to_two(split: Campaign) -> None:
    assert "meanwhile TITLE" in refusal(split, "begin-encounter cid,dot")


def test_all_that_is_recorded_is_verified(split: Campaign) -> None:
    for line in ("cut-to 1", "harm ann 1", "cut-to 2", "harm cid 1", "end-encounter", "cut-to 1"):
        split.say(line)
        if split.state.encounter is not None:
            end_turn(split)
    split.say("close-session")
    assert verdicts(split.audit()) == [VERIFIED] * 3


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("undo 11", 1),
        ("undo 13", 2),
        ("undo 10", 1),
        ("undo 8", 2),
        ("amend 9 'title=The attic'", 1),
        ("amend 9 'title=The attic'", 2),
        ("insert 10 harm bob 1", 2),
        ("insert 11 meanwhile The well", 1),
    ],
)
def test_a_correction_in_one_fight_leaves_the_other_as_it_was(split: Campaign, line: str, same: int) -> None:
    end_turn(split)
    split.say("cut-to cellar")
    end_turn(split)
    before = fight_in(split.state, same)
    split.say(f"{line} --why so" if not line.startswith("insert") else line)
    assert fight_in(split.state, same) == before
    assert split.session.history.look_back().state == split.state
    assert split.audit()[2].verdict is VERIFIED
