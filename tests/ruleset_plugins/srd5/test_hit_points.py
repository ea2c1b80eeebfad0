"""Damage passes resistance and temporary hit points before it is lost; at 0 a character dies, or saves against death."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.domain.actions.characters import Adjust, ChangeTrait
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.actions import Stabilise
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.dying import DeathSave
from rollbook.rulesets.srd5.fight.hit_points import Heal
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import condition, end_turn, fight, fighter, hp, monster, post, status, swing, table

BEGAN, ENDED, HURT = events.ConditionBegan, events.ConditionEnded, events.DamageTaken


def harm(who: str, amount: int, *tags: str, **more) -> Harm:
    return Harm(who=who, amount=str(amount), tags=tags, **more)


def down(**more) -> Scenario:
    """Kara at 0 hit points, dying."""
    return table(fighter(**more), post()).given(harm("kara", 12))


@rule("R5.217", "R5.221", "R5.222", "R5.2")
def test_the_first_level_has_the_whole_die_and_later_ones_the_fixed_number_each_with_constitution() -> None:
    assert hp(table(), "kara") == 12
    third = table(fighter(level=3))
    assert hp(third, "kara") == 10 + 2 * 6 + 3 * 2
    assert hp(third.given(events.StatChanged(character="kara", stat="con", amount=2)), "kara") == 10 + 2 * 6 + 3 * 3


@rule("R5.84", "R5.85", "R5.86", "R5.87", "R5.3")
@pytest.mark.parametrize(
    ("traits", "taken"), [((), 7), (("resistance",), 3), (("vulnerability",), 14), (("immunity",), 0)]
)
def test_resistance_halves_vulnerability_doubles_and_immunity_takes_all(traits, taken) -> None:
    scene = table()
    for kind in traits:
        scene = scene.given(ChangeTrait(who="post", trait="fire", kind=kind))
    scene.when(harm("post", 7, "fire")).then(like(HURT, amount=taken, dealt=7))


@rule("R5.86")
def test_resistance_comes_before_vulnerability() -> None:
    skeleton = table(fighter(), monster("Skeleton")).given(condition("skeleton", "petrified"))
    skeleton.when(harm("skeleton", 7, "bludgeoning")).then(like(HURT, amount=6))


@rule("R5.84", "R5.87")
def test_a_stat_block_says_what_hurts_a_monster_more_or_not_at_all() -> None:
    scene = table(fighter(), monster("Skeleton"))
    scene.when(harm("skeleton", 5, "bludgeoning")).then(like(HURT, amount=10))
    scene.when(harm("skeleton", 5, "poison")).then(like(HURT, amount=0))
    scene.when(harm("skeleton", 5, "slashing")).then(like(HURT, amount=5))


@rule("R5.101", "R5.103", "R5.104", "R5.88", "Q5.9")
def test_temporary_hit_points_go_first_do_not_add_up_and_wake_nobody() -> None:
    scene = table().given(Heal(who="kara", amount="5", temporary=True), Heal(who="kara", amount="3", temporary=True))
    assert scene.sheet("kara").amount("temporary") == 5
    scene.when(harm("kara", 7)).then(like(events.PoolSpent, pool="temporary", amount=5), like(HURT, amount=2, dealt=7))
    asleep = down().given(Heal(who="kara", amount="5", temporary=True))
    assert status(asleep, "kara").startswith("dying")


@rule("R5.77", "R5.76", "R5.88")
def test_half_the_hit_points_are_bloodied_and_healing_stops_at_the_maximum() -> None:
    assert status(table().given(harm("kara", 5)), "kara") == "hurt"
    scene = table().given(harm("kara", 6))
    assert status(scene, "kara") == "bloodied"
    assert hp(scene.given(Heal(who="kara", amount="50")), "kara") == 12


@rule("R5.90", "Q5.5")
def test_a_monster_dies_at_zero_unless_the_gm_says_that_it_falls() -> None:
    table().when(harm("post", 100)).then(like(BEGAN, condition="dead"))
    spared = table().given(ChangeTrait(who="post", trait="villain", kind="dying"))
    spared.when(harm("post", 100)).then(like(BEGAN, condition="unconscious")).never(like(BEGAN, condition="dead"))
    table(fighter(), post(), monsters_die=False).when(harm("post", 100)).then(like(BEGAN, condition="unconscious"))


@rule("R5.92", "R5.93")
def test_damage_that_goes_on_as_far_as_the_maximum_kills_and_less_makes_unconscious() -> None:
    table().when(harm("kara", 24)).then(like(BEGAN, condition="dead"))
    fell = table().when(harm("kara", 23))
    fell.then(like(HURT, amount=12, dealt=23), like(BEGAN, condition="unconscious"), like(BEGAN, condition="prone"))


@rule("R5.94", "R5.95")
def test_three_death_saves_decide() -> None:
    scene = down()
    for face in (10, 15):
        scene = scene.when(DeathSave(who="kara")).rolling(face).go_on()
    scene.when(DeathSave(who="kara")).rolling(19, 3).then(like(BEGAN, condition="stable"))
    for face in (9, 2):
        scene = scene.when(DeathSave(who="kara")).rolling(face).go_on()
    scene.when(DeathSave(who="kara")).rolling(5).then(like(BEGAN, condition="dead"))


@rule("R5.96")
def test_a_one_fails_twice_and_a_twenty_gives_a_hit_point() -> None:
    down().when(DeathSave(who="kara")).rolling(1).then(like(events.PoolGained, pool="death failures", amount=2))
    up = down().when(DeathSave(who="kara")).rolling(20)
    up.then(like(events.HitPointsRestored, amount=1), like(ENDED, condition="unconscious"))
    assert hp(up, "kara") == 1


@rule("R5.97", "R5.98")
def test_damage_at_zero_fails_death_saves_and_much_of_it_kills() -> None:
    down().when(harm("kara", 3)).then(like(events.PoolGained, pool="death failures", amount=1))
    down().when(harm("kara", 3, critical=True)).then(like(events.PoolGained, pool="death failures", amount=2))
    down().when(harm("kara", 12)).then(like(BEGAN, condition="dead"))


@rule("R5.97", "R5.204")
def test_a_blow_from_beside_who_lies_there_is_critical_and_fails_two_saves() -> None:
    scene = down().when(swing("kara", "post", weapon="unarmed")).rolling(15, 15)
    scene.then(like(events.CheckResolved, outcome="critical hit"), like(events.PoolGained, amount=2))


@rule("R5.94")
def test_in_a_fight_the_death_save_comes_with_the_turn() -> None:
    scene = fight(table(fighter(), post()), "post", "kara").given(harm("kara", 12))
    after = end_turn(scene, 12)
    assert after.character("kara").pools["death successes"] == 1
    assert after.after.encounter.current == "post"


@rule("R5.99", "R5.100")
def test_medicine_or_a_kit_makes_stable_and_hours_later_comes_one_hit_point() -> None:
    helper = table(fighter(), fighter(name="Odo")).given(harm("kara", 12))
    helper.when(Stabilise(who="odo", patient="kara")).rolling(8).never(like(BEGAN, condition="stable"))
    saved = helper.when(Stabilise(who="odo", patient="kara")).rolling(9, 2)
    saved.then(like(BEGAN, condition="stable", detail="comes round in 2 h"))
    kit = helper.when(Stabilise(who="odo", patient="kara", kit=True)).rolling(2).go_on()
    assert hp(kit.given(PassTime(amount=1, unit="hours")), "kara") == 0
    later = kit.given(PassTime(amount=2, unit="hours"))
    assert (hp(later, "kara"), status(later, "kara")) == (1, "bloodied")


@rule("R5.93", "R5.95")
def test_any_healing_wakes_the_dying_and_forgets_their_saves() -> None:
    scene = down().given(harm("kara", 1)).when(Heal(who="kara", amount="1"))
    scene.then(like(events.PoolBecame, pool="death failures", amount=0), like(ENDED, condition="unconscious"))
    assert scene.character("kara").conditions.keys() == {"prone"}


@rule("R5.129")
def test_the_dead_regain_nothing() -> None:
    table().given(harm("kara", 24)).when(Heal(who="kara", amount="5")).refused("Kara is dead")


@rule("R5.91")
def test_a_maximum_of_zero_is_death() -> None:
    scene = table().when(Adjust(who="kara", what="max_hp_reduced", by=12, reason="a vampire"))
    scene.then(like(BEGAN, condition="dead"))


@rule("R5.8")
def test_a_save_may_be_failed_without_a_roll() -> None:
    table().when(Save(who="kara", ability="dex", fails=True)).then(like(events.CheckResolved, success=False))


@given(before=st.integers(0, 30), after=st.integers(0, 60), shield=st.integers(0, 20))
@settings(max_examples=25, deadline=None)
def test_no_damage_takes_more_than_there_is(before, after, shield) -> None:
    scene = table(fighter(level=5), post())
    if shield:
        scene = scene.given(Heal(who="kara", amount=str(shield), temporary=True))
    if before:
        scene = scene.given(harm("kara", before))
    if after and not scene.character("kara").has("dead"):
        scene = scene.given(harm("kara", after))
    assert 0 <= hp(scene, "kara") <= 44
    assert scene.character("kara").lost <= 44


@rule("Q5.2", "R5.221")
def test_a_table_may_roll_the_hit_points_of_a_level() -> None:
    scene = table(with_dice(fighter(level=3), 2, 9), hit_points="rolled")
    assert hp(scene, "kara") == 10 + 2 + 9 + 3 * 2


@rule("Q5.10", "R5.84")
def test_what_is_of_one_type_is_added_up_before_it_is_halved() -> None:
    weapon = events.GearGained(character="post", item="axe", use=("weapon", "battleaxe"))
    scene = table().given(weapon, ChangeTrait(who="kara", trait="slashing", kind="resistance"))
    scene.when(swing("kara", "post", weapon="axe")).rolling(20, 5, 6).then(like(HURT, amount=5, dealt=11))
