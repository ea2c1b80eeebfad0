"""Eight weapon masteries, and the extra attack with a second light weapon."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.testing.scenarios import Scenario, like, rule
from tests.support.srd5 import end_turn, fight, fighter, monster, post, rolled, swing, table

BEGAN, HURT, CHECK, SPENT = events.ConditionBegan, events.DamageTaken, events.CheckResolved, events.TurnSpent


def master(weapon: str, *others, **more) -> Scenario:
    """Kara with the mastery of a weapon, and a post."""
    kara = fighter(weapons=(weapon,), masteries=(weapon,))
    return table(kara, *(others or (post(),)), **more)


@rule("R5.267")
def test_sap_spoils_the_next_attack_of_the_target() -> None:
    scene = fight(master("longsword", monster("Ogre")), "kara", "ogre").when(swing("ogre")).rolling(10, 1)
    scene.then(like(BEGAN, character="ogre", condition="sap"))
    after = end_turn(scene.go_on()).when(swing("kara", "ogre")).rolling(2, 3)
    assert rolled(after)[0].startswith("2d20kl1[sap]")
    after.then(like(events.ConditionEnded, condition="sap"))


@rule("R5.270")
def test_vex_helps_the_next_attack_on_the_same_target() -> None:
    scene = fight(master("rapier"), "kara", "post").when(swing()).rolling(12, 1)
    scene = end_turn(end_turn(scene.go_on()))
    assert rolled(scene.when(swing()).rolling(2, 3))[0].startswith("2d20kh1[vex]")


@rule("R5.268")
def test_slow_takes_ten_feet_until_the_next_turn() -> None:
    scene = master("longbow", monster("Ogre")).when(swing("ogre", weapon="longbow", distance=30)).rolling(15, 1)
    assert scene.sheet("ogre").amount("speed") == 30


@rule("R5.269")
def test_topple_makes_the_target_save_or_fall() -> None:
    scene = master("quarterstaff").when(swing()).rolling(12, 1, 12)
    scene.then(like(CHECK, check="Constitution save", target=13), like(BEGAN, condition="prone"))


@rule("R5.264")
def test_graze_deals_the_modifier_on_a_miss() -> None:
    master("greatsword").when(swing()).rolling(2).then(like(HURT, amount=3, tags=("slashing",)))


@rule("R5.263")
def test_cleave_goes_on_to_a_second_creature_without_the_modifier() -> None:
    scene = master("greataxe", post(), post(name="Second")).when(swing(second="second")).rolling(12, 5, 13, 6)
    scene.then(like(HURT, character="post", amount=8), like(HURT, character="second", amount=6))


@rule("R5.266")
def test_push_moves_a_target_of_up_to_large_size_away() -> None:
    scene = master("warhammer").when(swing()).rolling(12, 1)
    assert [each for each in scene.played.events if isinstance(each, (events.Moved, events.NoteWritten))]


@rule("R5.262")
@pytest.mark.parametrize("more", [{"plain": True}, {}])
def test_a_mastery_may_be_left_and_the_older_edition_has_none(more) -> None:
    scene = master("longsword", edition="2024" if more else "2014").when(swing(**more)).rolling(12, 1)
    scene.never(BEGAN)


def twin(**more) -> Scenario:
    kara = fighter(weapons=("shortsword", "dagger"), **more)
    return fight(table(kara, post()), "kara", "post").when(swing(weapon="shortsword")).rolling(2).go_on()


@rule("R5.257")
def test_the_extra_attack_of_a_light_weapon_is_a_bonus_action_without_the_modifier() -> None:
    second = twin().when(swing(weapon="dagger", extra=True)).rolling(15, 4)
    second.then(like(SPENT, what="bonus action"), like(HURT, amount=4))
    twin().when(swing(weapon="shortsword", extra=True)).refused("another light weapon")
    fight(table()).when(swing(extra=True)).refused("is none")


@rule("R5.265")
def test_nick_makes_the_extra_attack_a_part_of_the_action() -> None:
    second = twin(masteries=("dagger",)).when(swing(weapon="dagger", extra=True)).rolling(2)
    second.then(like(SPENT, what="nick")).never(like(SPENT, what="bonus action"))
