"""Each speed has its own feet, the incapacitated may still move, and a mount that is led acts in its rider's turn."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.actions import Dash, Dodge, Help
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import SetCondition
from rollbook.rulesets.srd5.fight.mounts import Dismount, Mount
from rollbook.rulesets.srd5.fight.movement import DropProne, Jump, Move, Stand
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import cast, caster, condition, end_turn, fight, fighter, monster, post, swing, table

SPENT, ENDED = events.TurnSpent, events.ConditionEnded


def eagle(*before) -> Scenario:
    """A giant eagle in a fight, on its turn: 10 feet on foot, 80 in the air."""
    return fight(table(monster("Giant Eagle"), fighter()).given(*before), "giant-eagle", "kara")


def flies(feet: int) -> Move:
    return Move(who="giant-eagle", feet=feet, mode="fly")


@rule("R5.191", "R5.141")
def test_who_changes_from_one_speed_to_another_has_its_feet_less_those_already_moved() -> None:
    eagle().when(Move(who="giant-eagle", feet=15)).refused("10 feet left")
    eagle().when(flies(85)).refused("80 feet left")
    scene = eagle().when(flies(40)).go_on()
    scene.when(Move(who="giant-eagle", feet=5)).refused("0 feet left")
    scene.when(flies(40)).then(like(SPENT, what="feet", amount=40))
    eagle().given(Dash(who="giant-eagle")).when(flies(160)).then(SPENT)


@rule("R5.191", "R5.135", "R5.145")
def test_what_changes_the_speed_changes_every_speed() -> None:
    tired = eagle(SetCondition(who="giant-eagle", condition="exhaustion", levels=2))
    tired.when(flies(75)).refused("70 feet left")
    eagle(condition("giant-eagle", "grappled", source="kara")).when(flies(5)).refused("speed of 0")


@rule("R5.141", "R5.191", "R5.118", "R5.195")
def test_nobody_flies_without_wings_and_magic_gives_them() -> None:
    fight(table()).when(Move(who="kara", feet=10, mode="fly")).refused("no fly speed")
    scene = table(caster(), fighter()).given(with_dice(cast("fly", "kara")))
    fight(scene, "kara", "mira").when(Move(who="kara", feet=60, mode="fly")).then(like(SPENT, amount=60))
    swims = fight(table(monster("Crocodile"), fighter()), "crocodile", "kara")
    swims.when(Move(who="crocodile", feet=30, mode="swim")).then(like(SPENT, amount=30))


@rule("R5.179")
def test_the_prone_crawl_and_neither_jump_nor_fly() -> None:
    fight(table()).given(DropProne(who="kara")).when(Jump(who="kara", feet=5)).refused("is prone")
    eagle(condition("giant-eagle", "prone")).when(flies(10)).refused("is prone")


@rule("R5.159", "R5.193")
@pytest.mark.parametrize(("state", "old"), [("incapacitated", True), ("stunned", False)])
def test_who_cannot_act_may_move_unless_the_speed_is_0(state, old) -> None:
    fight(table()).given(condition("kara", state)).when(Move(who="kara", feet=30)).then(SPENT)
    fight(table()).given(condition("kara", state), condition("kara", "prone")).when(Stand(who="kara")).then(SPENT)
    scene = fight(table(fighter(), post(), edition="2014")).given(condition("kara", state))
    if old:
        scene.when(Move(who="kara", feet=30)).then(SPENT)
    else:
        scene.when(Move(who="kara", feet=30)).refused("speed of 0")
    fight(table()).given(condition("kara", "paralyzed")).when(Move(who="kara", feet=5)).refused("speed of 0")


@rule("R5.55", "Q5.1")
def test_in_2014_even_the_held_may_drop_to_the_ground() -> None:
    held = condition("kara", "grappled", source="post")
    table().given(held).when(DropProne(who="kara")).refused("speed of 0")
    old = table(fighter(), post(), edition="2014").given(held)
    old.when(DropProne(who="kara")).then(like(events.ConditionBegan, condition="prone"))


def riding(*, at: bool = False) -> Scenario:
    """Kara on a warhorse in a fight, on her turn."""
    squares = {"at": ("0", "0")} if at else {}
    people = (fighter(**squares), post(), monster("Warhorse", **({"at": ("1", "0")} if at else {})))
    scene = fight(table(*people), "kara", "post", "warhorse")
    return scene.given(Mount(who="kara", mount="warhorse"))


@rule("R5.71")
def test_a_led_mount_moves_and_dashes_in_its_riders_turn_with_feet_of_its_own() -> None:
    scene = riding().given(Move(who="warhorse", feet=60))
    scene.when(Move(who="warhorse", feet=5)).refused("0 feet left")
    scene.given(Dash(who="warhorse")).when(Move(who="warhorse", feet=60)).then(SPENT)
    scene.when(Dodge(who="warhorse")).refused("has used the action")
    scene.when(Move(who="kara", feet=20)).refused("15 feet left")
    scene.when(swing()).rolling(2).then(events.CheckResolved)


@rule("R5.71")
def test_a_led_mount_does_nothing_but_dash_disengage_and_dodge() -> None:
    scene = riding()
    scene.when(swing("post", "warhorse", weapon="hooves")).refused("Kara's turn")
    scene.when(Help(who="warhorse", enemy="post")).refused("is ridden")
    assert end_turn(scene).before.encounter.current == "post"


@rule("R5.71", "Q5.18")
def test_a_led_mount_takes_its_riders_initiative_and_another_keeps_its_own() -> None:
    fought = riding().before.encounter
    scores = dict(zip(fought.order, fought.scores, strict=True))
    assert scores["warhorse"] == scores["kara"]
    free = fight(table(fighter(), monster("Warhorse"), post()), "kara", "warhorse", "post")
    free = end_turn(free.given(Mount(who="kara", mount="warhorse", independent=True)))
    assert free.before.encounter.current == "warhorse"
    free.when(swing("post", "warhorse", weapon="hooves")).rolling(2).then(events.CheckResolved)


@rule("R5.71", "R5.70")
def test_the_rider_goes_where_the_mount_goes() -> None:
    scene = riding(at=True).when(Move(who="warhorse", to=("7", "0"))).go_on()
    people = scene.before.characters
    assert people["kara"].position == people["warhorse"].position == (7, 0, 0)
    dismounted = scene.when(Dismount(who="kara"))
    dismounted.then(like(ENDED, condition="mounted"), like(ENDED, character="warhorse", condition="ridden"))


@rule("R5.72")
def test_who_rides_a_mount_that_falls_lies_beside_it() -> None:
    fallen = riding().when(Harm(who="warhorse", amount="100"))
    fallen.then(like(ENDED, character="kara", condition="mounted"))
    assert fallen.character("kara").has("prone")
