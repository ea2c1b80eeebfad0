"""Grappling and shoving by a save, or by a contest in the older edition, and getting free."""

from __future__ import annotations

from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.encounter import SetCondition
from rollbook.rulesets.srd5.fight.grapple import Escape, Grapple, Release, Shove
from rollbook.rulesets.srd5.fight.mounts import Dismount, KeepSeat, Mount
from rollbook.rulesets.srd5.fight.movement import Move
from rollbook.testing.scenarios import Scenario, like, rule
from tests.support.srd5 import fight, fighter, monster, post, rolled, swing, table

BEGAN, ENDED, CHECK = events.ConditionBegan, events.ConditionEnded, events.CheckResolved


def held(**settings) -> Scenario:
    """Kara holds an ogre."""
    scene = table(fighter(), monster("Ogre"), **settings)
    return scene.given(
        events.ConditionBegan(character="ogre", condition="grappled", source="kara", data={"escape": 13})
    )


@rule("R5.199", "R5.201", "R5.145")
def test_a_grapple_is_a_save_against_eight_strength_and_proficiency() -> None:
    grab = Grapple(attacker="kara", target="ogre")
    caught = table(fighter(), monster("Ogre")).when(grab).rolling(8)
    caught.then(like(CHECK, check="Strength save", target=13), like(BEGAN, condition="grappled", source="kara"))
    assert caught.sheet("ogre").amount("speed") == 0
    table(fighter(), monster("Ogre")).when(grab).rolling(9).never(like(BEGAN, condition="grappled"))
    nimble = Grapple(attacker="kara", target="ogre", ability="dex")
    table(fighter(), monster("Ogre")).when(nimble).rolling(13).then(like(CHECK, check="Dexterity save", total=12))


@rule("R5.199")
def test_in_2014_a_grapple_is_a_contest_that_a_tie_does_not_win() -> None:
    scene = table(fighter(skills=("athletics",)), monster("Ogre"), edition="2014")
    won = scene.when(Grapple(attacker="kara", target="ogre")).rolling(10, 10)
    won.then(like(CHECK, total=15, target=14, success=True), like(BEGAN, condition="grappled"))
    scene.when(Grapple(attacker="kara", target="ogre")).rolling(10, 11).never(like(BEGAN, condition="grappled"))


@rule("R5.200")
def test_a_shove_brings_to_the_ground_or_five_feet_away() -> None:
    table(fighter(), monster("Ogre")).when(Shove(attacker="kara", target="ogre")).rolling(8).then(
        like(BEGAN, condition="prone")
    )
    on_map = table(fighter(at=("0", "0")), monster("Ogre", at=("1", "0")))
    on_map.when(Shove(attacker="kara", target="ogre", how="away")).rolling(8).then(like(events.Moved, east=1))


@rule("R5.202")
def test_nobody_grapples_what_is_two_sizes_larger() -> None:
    giant = table(fighter(), monster("Hill Giant"))
    giant.when(Grapple(attacker="kara", target="hill-giant")).refused("huge, too large")


@rule("R5.147")
def test_a_grapple_needs_a_free_hand_for_each() -> None:
    scene = table(fighter(shield=True), monster("Ogre"), monster("Wolf"))
    scene = scene.when(Grapple(attacker="kara", target="ogre")).rolling(1).go_on()
    scene.when(Grapple(attacker="kara", target="wolf")).refused("no free hand")


@rule("R5.148")
def test_escaping_is_an_action_and_a_check_against_the_escape_dc() -> None:
    held().when(Escape(who="ogre")).rolling(9).then(like(CHECK, target=13, total=13), like(ENDED, condition="grappled"))
    held().when(Escape(who="ogre")).rolling(8).never(like(ENDED, condition="grappled"))
    table().when(Escape(who="kara")).refused("not held")


@rule("R5.149")
def test_a_grapple_ends_with_incapacity_at_will_and_by_distance() -> None:
    held().when(Release(who="kara", target="ogre")).then(like(ENDED, character="ogre", condition="grappled"))
    stunned = held().when(SetCondition(who="kara", condition="stunned"))
    stunned.then(like(ENDED, character="ogre", condition="grappled"))
    fell = held().given(events.StatChanged(character="kara", stat="max_hp", amount=-11))
    fell.when(swing("kara", "ogre")).rolling(15, 4, 4).then(like(ENDED, character="ogre", condition="grappled"))


@rule("R5.108")
def test_a_grapple_takes_the_place_of_one_attack_of_the_action() -> None:
    scene = fight(table(fighter(level=5), post()), "kara", "post")
    scene = scene.when(Grapple(attacker="kara", target="post")).rolling(20).go_on()
    scene = scene.when(swing()).rolling(2).go_on()
    scene.when(swing()).refused("has used the action")


@rule("R5.70", "R5.71", "R5.72")
def test_mounting_costs_half_the_speed_and_who_is_thrown_lies_beside_the_mount() -> None:
    scene = fight(table(fighter(), monster("Riding Horse")), "kara", "riding-horse")
    riding = scene.when(Mount(who="kara", mount="riding-horse"))
    riding.then(like(events.TurnSpent, what="feet", amount=15), like(BEGAN, condition="mounted")).go_on()
    riding = riding.go_on()
    riding.when(Dismount(who="kara")).then(like(ENDED, condition="mounted"))
    riding.when(Move(who="kara", feet=20)).refused("15 feet left")
    riding.when(KeepSeat(who="kara")).rolling(8).never(like(ENDED, condition="mounted"))
    riding.when(KeepSeat(who="kara")).rolling(7).then(like(ENDED, condition="mounted"), like(BEGAN, condition="prone"))
    table(fighter(), monster("Wolf")).when(Mount(who="kara", mount="wolf")).refused("too small")
    assert rolled(riding.when(KeepSeat(who="kara")).rolling(8))[0].startswith("1d20")
