"""Hit points under another maximum, conditions with several causes, scores without a roll, and rests that go on."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.actions import Help
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import SetCondition
from rollbook.rulesets.srd5.fight.grapple import Grapple, Release
from rollbook.rulesets.srd5.fight.hit_points import Heal
from rollbook.rulesets.srd5.fight.places import Place
from rollbook.rulesets.srd5.growth.rests import LongRest
from rollbook.rulesets.srd5.growth.using import Use
from rollbook.rulesets.srd5.monsters.act import Act
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import (
    again,
    cast,
    caster,
    condition,
    end_turn,
    fight,
    fighter,
    hp,
    monster,
    post,
    rolled,
    swing,
    table,
    with_any_dice,
)

BEGAN, ENDED = events.ConditionBegan, events.ConditionEnded


def exhausted(levels: int, hurt: int) -> Scenario:
    """Kara of level 5, with 44 hit points, hurt and exhausted by the rules of 2014."""
    scene = table(fighter(level=5), post(), edition="2014")
    scene = scene.given(Harm(who="kara", amount=str(hurt))) if hurt else scene
    return scene.given(SetCondition(who="kara", condition="exhaustion", levels=levels))


@rule("R5.135", "R5.76", "Q5.1")
@pytest.mark.parametrize(("hurt", "left"), [(0, 22), (15, 22), (30, 14)])
def test_in_2014_the_fourth_level_halves_the_maximum_and_takes_only_what_is_above_it(hurt, left) -> None:
    assert hp(exhausted(4, hurt), "kara") == left
    assert hp(exhausted(4, hurt).given(Harm(who="kara", amount="5")), "kara") == left - 5
    eased = exhausted(4, hurt).given(SetCondition(who="kara", condition="exhaustion", ends=True))
    assert hp(eased, "kara") == left
    assert hp(eased.given(Heal(who="kara", amount="50")), "kara") == 44


@rule("R5.91", "R5.76")
def test_what_drains_the_maximum_costs_no_more_hit_points_than_the_wound() -> None:
    scene = table(fighter(level=5), monster("Wraith"))
    drained = scene.when(Act(who="wraith", what="life drain", targets=("kara",))).rolling(15, 1, 1, 1, 1)
    drained.then(like(events.DamageTaken, amount=7), like(events.StatChanged, stat="max_hp_reduced", amount=7))
    assert hp(drained, "kara") == 37
    assert drained.sheet("kara").amount("max_hp") == 37
    weak = table(fighter(), monster("Wraith")).given(Harm(who="kara", amount="1"))
    with_any_dice(weak, Act(who="wraith", what="life drain", targets=("kara",)), 8).then(like(BEGAN, condition="dead"))


@rule("R5.76", "R5.93")
def test_aid_adds_its_points_once_wakes_the_fallen_and_takes_none_from_the_wounded() -> None:
    scene = table(caster("cleric"), fighter(level=5)).given(Harm(who="kara", amount="10"))
    aided = scene.given(with_dice(cast("aid", "kara")))
    assert hp(aided, "kara") == 39
    assert hp(aided.given(PassTime(amount=9, unit="hours")), "kara") == 39
    whole = table(caster("cleric"), fighter(level=5)).given(with_dice(cast("aid", "kara")))
    assert hp(whole, "kara") == 49
    assert hp(whole.given(PassTime(amount=9, unit="hours")), "kara") == 44
    fallen = table(caster("cleric"), fighter()).given(Harm(who="kara", amount="12"), with_dice(cast("aid", "kara")))
    assert hp(fallen, "kara") == 5
    assert not fallen.before.characters["kara"].has("unconscious")


@rule("R5.203", "R5.180")
def test_who_was_unconscious_lies_on_the_ground_afterwards() -> None:
    asleep = table().given(SetCondition(who="post", condition="unconscious", lasts="1 minute"))
    assert asleep.given(PassTime(amount=2, unit="minutes")).before.characters["post"].has("prone")


@rule("R5.89")
def test_who_was_knocked_out_wakes_after_an_hour() -> None:
    guard = post(name="Guard", hp=5, ac=10)
    scene = table(fighter(), guard).given(with_dice(swing("guard", knock_out=True), 15, 8))
    assert scene.before.characters["guard"].has("unconscious")
    early = again(scene).given(PassTime(amount=50, unit="minutes"))
    assert early.before.characters["guard"].has("unconscious")
    assert not scene.given(PassTime(amount=1, unit="hours")).before.characters["guard"].has("unconscious")


@rule("R5.177")
def test_stone_cannot_be_poisoned() -> None:
    stone = table().given(condition("kara", "petrified"))
    stone.when(SetCondition(who="kara", condition="poisoned")).refused("cannot be poisoned")


@rule("R5.122")
def test_two_causes_of_one_condition_end_each_by_itself() -> None:
    scene = table(fighter(), post(), post(name="Two"))
    scene = scene.given(
        SetCondition(who="kara", condition="frightened", source="post", lasts="1 minute"),
        SetCondition(who="kara", condition="frightened", source="two", lasts="1 hour"),
    )
    scene.when(SetCondition(who="kara", condition="frightened", source="post")).refused("already frightened")
    later = scene.given(PassTime(amount=2, unit="minutes"))
    assert rolled(later.when(swing()).rolling(2, 3))[0].startswith("2d20kl1[frightened]")


@rule("R5.122", "R5.145", "R5.149")
def test_one_of_two_who_hold_somebody_may_let_go() -> None:
    scene = table(fighter(), monster("Ogre"), monster("Brown Bear"))
    for grappler in ("ogre", "brown-bear"):
        scene = scene.given(with_dice(Grapple(attacker=grappler, target="kara"), 1))
    scene = scene.given(Release(who="ogre", target="kara"))
    assert scene.sheet("kara").amount("speed") == 0
    assert scene.given(Release(who="brown-bear", target="kara")).sheet("kara").amount("speed") == 30


@rule("R5.149", "R5.196")
def test_a_grip_does_not_reach_whom_magic_takes_away() -> None:
    held = table(caster(at=("0", "0")), monster("Ogre", at=("1", "0")), fighter(at=("9", "9")))
    held = held.given(with_dice(Grapple(attacker="ogre", target="mira"), 1))
    step = with_any_dice(held, cast("misty step", at=("6", "0")), 5)
    step.then(like(ENDED, character="mira", condition="grappled"))
    blown = with_any_dice(again(held), cast("thunderwave", "ogre"), 1)
    blown.then(like(ENDED, character="mira", condition="grappled"))
    held.when(Place(who="ogre", at=("7", "0"))).then(like(ENDED, character="mira", condition="grappled"))


@rule("R5.176", "Q5.17")
@pytest.mark.parametrize(("state", "score"), [("", 14), ("poisoned", 9), ("frightened", 14), ("exhaustion", 14)])
def test_disadvantage_takes_five_from_passive_perception(state, score) -> None:
    scene = table(fighter(scores=("10", "10", "10", "10", "15", "10"), skills=("perception",)))
    scene = scene.given(condition("kara", state, level=1)) if state else scene
    assert scene.sheet("kara").amount("passive_perception") == score


@rule("R5.26", "R5.150")
def test_a_tool_is_known_by_its_name_as_it_is_written() -> None:
    picks = Check(who="kara", skill="sleight of hand", tool="Thieves' Tools", dc="15")
    thief = table(fighter(class_name="rogue", skills=("sleight of hand",)))
    assert rolled(thief.when(picks).rolling(4, 9))[0].startswith("2d20kh1")
    scene = fight(table(fighter(), fighter(name="Odo", class_name="rogue")), "odo", "kara")
    helped = scene.given(Help(who="odo", ally="kara", skill="thieves' tools"))
    assert rolled(end_turn(helped).when(picks).rolling(4, 9))[0].startswith("2d20kh1[help from Odo]")


@rule("R5.168", "R5.169")
def test_a_long_rest_that_goes_on_takes_an_hour_more_for_each_interruption() -> None:
    assert table().given(LongRest(who=("kara",), resumed=2)).before.clock == 10 * 3600
    assert table(fighter(), post(), edition="2014").given(LongRest(who=("kara",), resumed=2)).before.clock == 8 * 3600


@rule("R5.1", "R5.167")
def test_what_is_taken_from_a_score_comes_back_with_a_long_rest_and_the_last_of_it_is_death() -> None:
    swipe = Act(who="shadow", what="draining swipe", targets=("kara",))
    drained = with_any_dice(table(fighter(level=5), monster("Shadow")), swipe, 15).go_on()
    assert drained.sheet("kara").amount("str") == 12
    assert drained.given(LongRest(who=("kara",))).sheet("kara").amount("str") == 16
    weak = table(fighter(level=5, scores=("3", "10", "10", "10", "10", "10")), monster("Shadow"))
    with_any_dice(weak, swipe, 15).then(like(BEGAN, character="kara", condition="dead"))


def wearing(item: str, **more) -> Scenario:
    """Kara attuned to a thing."""
    gained = events.GearGained(character="kara", item=item)
    return table(fighter(**more), post()).given(
        gained, events.TraitGained(character="kara", trait=item, kind="attuned")
    )


@rule("R5.282", "R5.2")
def test_a_thing_that_sets_a_score_sets_all_that_follows_from_it() -> None:
    weak = wearing("Gauntlets of Ogre Power", scores=("8", "14", "14", "10", "12", "8"))
    assert weak.sheet("kara").amount("str") == 19
    assert rolled(weak.when(swing()).rolling(2))[0] == "1d20 + 4[STR] + 2[proficiency]"
    strong = wearing("Gauntlets of Ogre Power", scores=("20", "14", "14", "10", "12", "8"))
    assert strong.sheet("kara").amount("str") == 20
    assert hp(wearing("Amulet of Health", level=5), "kara") == 54


@rule("R5.282")
def test_a_potion_of_strength_works_for_an_hour() -> None:
    scene = table(fighter()).given(events.GearGained(character="kara", item="Potion of Giant Strength (hill)"))
    drunk = scene.given(Use(who="kara", feature="potion of giant strength"))
    assert drunk.sheet("kara").amount("str") == 21
    assert drunk.given(PassTime(amount=2, unit="hours")).sheet("kara").amount("str") == 16


@rule("R5.97", "R5.101", "Q5.16")
def test_a_blow_on_the_dying_that_temporary_hit_points_take_fails_no_death_save() -> None:
    dying = table().given(Harm(who="kara", amount="12"), Heal(who="kara", amount="5", temporary=True))
    dying.when(Harm(who="kara", amount="5")).never(events.PoolGained)
    dying.when(Harm(who="kara", amount="6")).then(like(events.PoolGained, pool="death failures", amount=1))


@rule("R5.92", "R5.101")
def test_temporary_hit_points_count_against_massive_damage() -> None:
    scene = table().given(Harm(who="kara", amount="6"), Heal(who="kara", amount="5", temporary=True))
    scene.when(Harm(who="kara", amount="22")).never(like(BEGAN, condition="dead"))
    scene.when(Harm(who="kara", amount="23")).then(like(BEGAN, condition="dead"))


@rule("R5.86", "R5.3")
def test_an_odd_amount_is_rounded_down_before_it_is_doubled() -> None:
    skeleton = table(fighter(), monster("Skeleton")).given(condition("skeleton", "petrified"))
    skeleton.when(Harm(who="skeleton", amount="5", tags=("bludgeoning",))).then(like(events.DamageTaken, amount=4))
