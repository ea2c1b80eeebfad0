"""Squares, spaces, burdens and jumps: where one may go, and what it costs."""

from __future__ import annotations

import pytest

from rollbook.kit import sides
from rollbook.kit.sides import Side
from rollbook.plugin import events, slug
from rollbook.rulesets.srd5.fight import places
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.fight.movement import Jump, Move
from rollbook.rulesets.srd5.fight.places import Place
from rollbook.testing.scenarios import Scenario, like, rule
from tests.support.srd5 import again, condition, fight, fighter, monster, post, swing, table

FEET, SPENT = "feet", events.TurnSpent


def on_map(*others, **more) -> Scenario:
    """Kara at 0,0 in a fight, on her turn."""
    scene = table(fighter(at=("0", "0"), **more), *others)
    return fight(scene, *scene.after.characters)


@rule("R5.50", "R5.51", "R5.52")
def test_a_square_is_five_feet_and_slanted_steps_cost_the_same() -> None:
    assert places.apart((0, 0, 0), (3, 4, 0)) == 20
    on_map(post(at=("9", "9"))).when(Move(who="kara", to=("3", "4"))).then(like(SPENT, what=FEET, amount=20))


@rule("R5.54", "R5.109")
def test_a_move_may_be_broken_up_by_attacks() -> None:
    scene = on_map(post(at=("2", "0")), level=5).when(Move(who="kara", to=("1", "0"))).go_on()
    scene = scene.when(swing()).rolling(2).go_on().when(Move(who="kara", to=("1", "1"))).go_on()
    scene.when(swing()).rolling(2).then(events.CheckResolved)


@rule("R5.57")
def test_spaces_of_allies_and_of_the_much_larger_are_passed_and_others_not() -> None:
    ogre, giant = monster("Ogre", at=("1", "0")), monster("Hill Giant", at=("5", "5"))
    scene = on_map(ogre, giant, fighter(name="Odo", at=("0", "1")))
    scene.when(Move(who="kara", feet=10, through=("ogre",))).refused("cannot pass through the space of Ogre")
    scene.when(Move(who="kara", feet=10, through=("hill-giant",))).then(like(SPENT, what=FEET, amount=15))
    scene.when(Move(who="kara", feet=10, through=("odo",))).then(like(SPENT, what=FEET, amount=10))
    fallen = on_map(monster("Ogre", at=("1", "0"))).given(condition("ogre", "stunned"))
    fallen.when(Move(who="kara", feet=10, through=("ogre",))).then(like(SPENT, what=FEET, amount=15))


@rule("R5.58")
def test_nobody_ends_a_move_on_anothers_square_and_who_must_falls() -> None:
    scene = on_map(post(at=("1", "0")))
    scene.when(Move(who="kara", to=("1", "0"))).refused("is on that square already")
    pushed = scene.given(Place(who="kara", at=("1", "0"))).when(EndTurn())
    pushed.then(like(events.ConditionBegan, character="kara", condition="prone"))


@rule("R5.144")
def test_the_frightened_come_no_closer_to_what_they_fear() -> None:
    scene = on_map(monster("Ogre", at=("4", "0"))).given(condition("kara", "frightened", source="ogre"))
    scene.when(Move(who="kara", to=("1", "0"))).refused("frightened and comes no closer")
    scene.when(Move(who="kara", to=("-1", "0"))).then(events.Moved)


@rule("R5.146")
def test_who_drags_somebody_pays_a_foot_more_each_foot() -> None:
    scene = on_map(monster("Ogre", at=("1", "0"))).given(condition("ogre", "grappled", source="kara"))
    dragged = scene.when(Move(who="kara", to=("-2", "0"), drag=("ogre",)))
    dragged.then(like(SPENT, what=FEET, amount=20), like(events.Moved, character="ogre", east=-2))
    assert dragged.character("ogre").has("grappled")
    left = scene.when(Move(who="kara", to=("-2", "0")))
    left.then(like(events.ConditionEnded, character="ogre", condition="grappled"))


@rule("R5.191", "R5.513")
@pytest.mark.parametrize(
    ("name", "mode", "feet"), [("Giant Eagle", "fly", 80), ("Giant Eagle", "walk", 10), ("Bulette", "burrow", 40)]
)
def test_a_speed_of_its_own_says_how_far(name, mode, feet) -> None:
    who = slug(name)
    scene = fight(table(monster(name), post()), who, "post")
    scene.when(Move(who=who, feet=feet, mode=mode)).then(like(SPENT, what=FEET, amount=feet))
    again(scene).when(Move(who=who, feet=feet + 5, mode=mode)).refused(f"{feet} feet left")
    again(scene).given(condition(who, "grappled", source="post")).when(Move(who=who, feet=5, mode=mode)).refused(
        "speed of 0"
    )


@rule("R5.191", "R5.513")
@pytest.mark.parametrize("mode", ["fly", "burrow"])
def test_nobody_flies_or_burrows_without_a_speed_for_it(mode) -> None:
    fight(table()).when(Move(who="kara", feet=5, mode=mode)).refused(f"no {mode} speed")


@rule("R5.512")
def test_sides_say_who_is_an_ally_and_who_an_enemy() -> None:
    scene = table()
    kara, target = scene.before.characters["kara"], scene.before.characters["post"]
    assert sides.are_enemies(kara, target) and not sides.are_allies(kara, target)
    joined = scene.given(Side(who="post", side="party")).before.characters["post"]
    assert sides.are_allies(kara, joined) and not sides.are_enemies(kara, joined)


@rule("R5.154")
@pytest.mark.parametrize(
    ("jump", "allowed"),
    [
        ({"feet": 16}, True),
        ({"feet": 17}, False),
        ({"feet": 8, "standing": True}, True),
        ({"feet": 9, "standing": True}, False),
        ({"feet": 6, "high": True}, True),
        ({"feet": 7, "high": True}, False),
        ({"feet": 3, "high": True, "standing": True}, True),
    ],
)
def test_strength_says_how_far_and_high_one_jumps(jump, allowed) -> None:
    scene = fight(table()).when(Jump(who="kara", **jump))
    if allowed:
        scene.then(like(SPENT, what=FEET, amount=jump["feet"]))
    else:
        scene.refused("jumps at most")


@rule("R5.155")
def test_an_obstacle_and_rough_ground_take_checks() -> None:
    scene = table().when(Jump(who="kara", feet=10, over=True, rough=True)).rolling(7, 7)
    scene.then(
        like(events.CheckResolved, check="athletics check", success=True),
        like(events.CheckResolved, check="acrobatics check", success=False),
        like(events.ConditionBegan, condition="prone"),
    )


@rule("R5.56", "R5.116")
@pytest.mark.parametrize(
    ("size", "pounds"), [("tiny", 120), ("small", 240), ("medium", 240), ("large", 480), ("huge", 960)]
)
def test_strength_and_size_say_how_much_is_carried(size, pounds) -> None:
    assert table(fighter(size=size)).sheet("kara").amount("carrying") == pounds
