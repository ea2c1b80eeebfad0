"""Dash, disengage, dodge, help, hide, search, ready: what each gives, what it costs, and when it is over."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.actions import Dash, Disengage, Dodge, Help, Hide, Ready, Search
from rollbook.rulesets.srd5.fight.movement import DropProne, Move, Stand
from rollbook.rulesets.srd5.fight.reactions import Opportunity
from rollbook.rulesets.srd5.monsters.act import Act
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import Scenario, like, rule
from tests.support.srd5 import condition, end_turn, fight, fighter, monster, post, rolled, swing, table

BEGAN, ENDED, SPENT = events.ConditionBegan, events.ConditionEnded, events.TurnSpent


def dice(played: Scenario) -> str:
    return rolled(played)[0].partition(" + ")[0]


def on_map(**more) -> Scenario:
    """Kara beside an ogre on the map, in a fight; it is her turn."""
    return fight(table(fighter(at=("0", "0"), **more), monster("Ogre", at=("1", "0"))), "kara", "ogre")


@rule("R5.52", "R5.128", "R5.54")
def test_a_turn_has_the_speed_in_feet_and_dash_adds_it_once_more() -> None:
    scene = fight(table()).when(Move(who="kara", feet=20)).go_on()
    scene.when(Move(who="kara", feet=15)).refused("has 10 feet left")
    dashed = scene.when(Dash(who="kara")).go_on().when(Move(who="kara", feet=40))
    dashed.then(like(SPENT, what="feet", amount=40))


@rule("R5.53", "R5.118", "R5.123", "R5.195")
@pytest.mark.parametrize(
    ("move", "cost"),
    [
        ({"feet": 10, "difficult": 10}, 20),
        ({"feet": 10, "mode": "climb"}, 20),
        ({"feet": 10, "mode": "swim"}, 20),
        ({"feet": 10, "mode": "crawl"}, 20),
        ({"feet": 10, "mode": "crawl", "difficult": 5}, 25),
        ({"feet": 10}, 10),
    ],
)
def test_hard_ground_and_crawling_cost_a_foot_more_each(move, cost) -> None:
    fight(table()).when(Move(who="kara", **move)).then(like(SPENT, what="feet", amount=cost))


@rule("R5.118", "R5.195", "R5.191")
def test_a_speed_of_its_own_saves_the_extra_foot() -> None:
    scene = fight(table(fighter(), monster("Crocodile")), "crocodile", "kara")
    scene.when(Move(who="crocodile", feet=10, mode="swim")).then(like(SPENT, what="feet", amount=10))


@rule("R5.55", "R5.179")
def test_lying_down_is_free_and_getting_up_costs_half_the_speed() -> None:
    scene = fight(table()).when(DropProne(who="kara")).never(SPENT).go_on()
    scene.when(Stand(who="kara")).then(like(SPENT, what="feet", amount=15), like(ENDED, condition="prone"))
    held = table().given(condition("kara", "grappled"))
    held.when(DropProne(who="kara")).refused("speed of 0")


@rule("R5.68", "R5.69", "R5.132", "R5.30")
def test_leaving_a_reach_gives_an_opportunity_unless_one_disengages() -> None:
    strike = Opportunity(attacker="ogre", target="kara")
    fled = on_map().when(Move(who="kara", to=("-4", "0"))).then(like(BEGAN, condition="provokes")).go_on()
    hit = fled.when(strike).rolling(15, 3, 4).then(like(events.DamageTaken, amount=11))
    hit.go_on().when(strike).refused("used the reaction already")
    on_map().when(strike).refused("has not left Ogre's reach")
    safe = on_map().given(Disengage(who="kara")).when(Move(who="kara", to=("-4", "0"))).go_on()
    safe.when(strike).refused("disengages")


@rule("R5.30", "R5.132")
def test_reactions_come_back_with_the_own_turn_and_disengaging_ends_with_it() -> None:
    scene = on_map().given(Disengage(who="kara"), condition("kara", "reaction used"))
    after = end_turn(scene)
    assert set(after.character("kara").conditions) == {"reaction used"}
    assert not end_turn(after).character("kara").conditions


@rule("R5.133", "R5.134")
def test_dodging_spoils_attacks_and_helps_dexterity_saves_until_the_next_turn() -> None:
    scene = fight_dodging()
    assert dice(scene.when(Save(who="kara", ability="dex")).rolling(10, 9)) == "2d20kh1[dodging]"
    scene = end_turn(fight_dodging())
    assert dice(scene.when(swing("kara", "ogre")).rolling(2, 3)) == "2d20kl1[target dodges]"
    held = fight_dodging().given(condition("kara", "restrained"))
    assert dice(end_turn(held).when(swing("kara", "ogre")).rolling(2, 3)) == "2d20kh1[target restrained]"
    assert not end_turn(end_turn(fight_dodging())).character("kara").has("dodging")


def fight_dodging() -> Scenario:
    return fight(table(fighter(), monster("Ogre")), "kara", "ogre").given(Dodge(who="kara"))


@rule("R5.151")
def test_help_gives_an_ally_the_next_attack_on_an_enemy_advantage() -> None:
    scene = fight(table(fighter(), fighter(name="Odo"), post()), "odo", "kara", "post").given(
        Help(who="odo", enemy="post")
    )
    scene = end_turn(scene).when(swing()).rolling(2, 3)
    assert dice(scene) == "2d20kh1[help from Odo]"
    scene.then(like(ENDED, condition="distracted"))


@rule("R5.150")
def test_help_with_a_skill_gives_advantage_on_the_next_check_with_it() -> None:
    skilled = fighter(name="Odo", skills=("athletics",))
    scene = table(fighter(), skilled).given(Help(who="odo", ally="kara", skill="athletics"))
    assert dice(scene.when(Check(who="kara", skill="athletics")).rolling(10, 3)) == "2d20kh1[help from Odo]"
    table(fighter(), fighter(name="Odo")).when(Help(who="odo", ally="kara", skill="athletics")).refused(
        "not proficient"
    )


@rule("R5.152", "R5.153", "R5.186", "R5.61")
def test_who_hides_is_found_by_perception_against_the_total() -> None:
    scene = table().when(Hide(who="kara")).rolling(13).then(like(BEGAN, condition="hidden", data={"dc": 15})).go_on()
    table().when(Hide(who="kara")).rolling(12).never(like(BEGAN, condition="hidden"))
    assert dice(scene.when(swing()).rolling(9, 8)) == "2d20kh1[unseen]"
    scene.when(Search(who="post", target="kara")).rolling(15).then(like(ENDED, condition="hidden"))
    scene.when(Search(who="post", target="kara")).rolling(14).never(like(ENDED, condition="hidden"))


@rule("R5.152")
def test_in_2014_hiding_is_against_those_who_might_notice() -> None:
    scene = table(fighter(), monster("Wolf"), edition="2014").when(Hide(who="kara")).rolling(12)
    scene.then(like(events.CheckResolved, target=15, success=False))


@rule("R5.28", "R5.29")
def test_a_bonus_action_needs_something_that_gives_it() -> None:
    scene = fight(table(fighter(), monster("Goblin Warrior")), "goblin-warrior", "kara")
    scene.when(Disengage(who="goblin-warrior", bonus_action=True)).then(like(SPENT, what="bonus action"))
    rogue = table(fighter(name="Tam", class_name="rogue", level=2), post())
    rogue.when(Hide(who="tam", bonus_action=True)).rolling(20).then(like(BEGAN, condition="hidden"))
    tired = fight(table()).given(Act(who="kara", what="waits"))
    tired.when(Dodge(who="kara")).refused("has used the action of this turn")


@rule("R5.181", "R5.30")
def test_what_is_readied_is_done_with_the_reaction() -> None:
    scene = fight(table()).given(Ready(who="kara", what="shoot", trigger="the post moves"))
    later = end_turn(scene)
    shot = later.when(swing(weapon="longbow", distance=30, readied=True)).rolling(5)
    shot.then(like(BEGAN, condition="reaction used"), like(ENDED, condition="readied"))
    again = fight(table()).given(Ready(who="kara", what="shoot", trigger="the post moves"))
    assert not end_turn(end_turn(again)).character("kara").has("readied")


@rule("R5.36", "R5.205")
def test_one_thing_a_turn_is_handled_for_free_and_the_next_costs_the_action() -> None:
    scene = (
        fight(table()).when(Act(who="kara", what="draws a sword", free=True)).never(like(SPENT, what="action")).go_on()
    )
    scene.when(Act(who="kara", what="opens a door", free=True)).then(like(SPENT, what="action"))
    fight(table()).when(Act(who="kara", what="drinks")).then(like(SPENT, what="action"))


@rule("R5.132", "R5.133")
@pytest.mark.parametrize(("verb", "name"), [(Disengage, "disengaged"), (Dodge, "dodging")])
def test_outside_a_fight_the_stance_of_a_turn_lasts_as_long_as_one(verb, name) -> None:
    scene = table().given(verb(who="kara"))
    assert scene.before.characters["kara"].conditions[name].until == 6
    assert not scene.given(PassTime(amount=1, unit="rounds")).before.characters["kara"].has(name)
