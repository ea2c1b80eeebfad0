"""A short rest spends hit dice, a long one gives back nearly everything; three things may be attuned to."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.growth.rests import Attune, LongRest, ShortRest
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import again, condition, fight, fighter, hp, post, table

LONG = LongRest(who=("kara",))


def hurt(amount: int = 20, level: int = 5, **settings) -> Scenario:
    """Kara of a level, hurt."""
    return table(fighter(level=level), post(), **settings).given(Harm(who="kara", amount=str(amount)))


def short(dice: int = 0, **more) -> ShortRest:
    return ShortRest(who=("kara",), dice={"kara": dice} if dice else {}, **more)


def wonders(*names: str) -> list[events.GearGained]:
    return [events.GearGained(character="kara", item=name) for name in names]


@rule("R5.188", "R5.227", "R5.221")
def test_each_hit_die_heals_with_constitution_and_1_at_least() -> None:
    scene = hurt().when(short(2)).rolling(6, 1)
    scene.then(like(events.HitPointsRestored, amount=8), like(events.HitPointsRestored, amount=3))
    assert scene.sheet("kara").amount("hit_dice_d10") == 3
    weak = table(fighter(level=2, scores=("10", "10", "3", "10", "10", "10"))).given(Harm(who="kara", amount="3"))
    weak.when(short(1)).rolling(2).then(like(events.HitPointsRestored, amount=1))


@rule("R5.188")
def test_there_are_as_many_hit_dice_as_levels() -> None:
    hurt(level=1, amount=5).when(short(2)).rolling(4).refused("no hit dice left")


@rule("R5.189", "R5.49")
def test_nobody_rests_in_a_fight_or_at_0_and_what_is_interrupted_gives_nothing() -> None:
    fight(hurt()).when(short()).refused("in a fight")
    hurt(amount=44).when(short()).refused("begins with 1 at least")
    scene = hurt().when(short(1, interrupted=True))
    scene.never(events.HitPointsRestored)


@rule("R5.166", "R5.167", "R5.102", "R5.136", "R5.206")
def test_a_long_rest_gives_back_hit_points_hit_dice_and_the_maximum_and_eases_exhaustion() -> None:
    scene = hurt().given(
        with_dice(short(3), 1, 1, 1),
        condition("kara", "exhaustion", level=2),
        events.StatChanged(character="kara", stat="max_hp_reduced", amount=5),
        events.PoolGained(holder="kara", pool="temporary", amount=4),
    )
    scene = scene.given(LONG)
    kara = scene.before.characters["kara"]
    assert hp(scene, "kara") == 44 and scene.sheet("kara").amount("hit_dice_d10") == 5
    assert kara.conditions["exhaustion"].data["level"] == 1
    assert not kara.stats["max_hp_reduced"] and not kara.pools["temporary"]
    assert scene.before.clock == 9 * 3600


@rule("R5.166")
@pytest.mark.parametrize(("edition", "hours"), [("2024", 16), ("2014", 24)])
def test_long_rests_are_hours_apart(edition: str, hours: int) -> None:
    scene = hurt(edition=edition).given(LONG)
    again(scene).given(PassTime(amount=hours - 1, unit="hours")).when(LONG).refused("long rest")
    scene.given(PassTime(amount=hours, unit="hours")).when(LONG).then(like(events.TimePassed))


@rule("R5.167")
def test_in_2014_half_of_the_hit_dice_come_back() -> None:
    scene = hurt(edition="2014").given(with_dice(short(5), 1, 1, 1, 1, 1), LONG)
    assert scene.sheet("kara").amount("hit_dice_d10") == 2


@rule("R5.168", "R5.169")
def test_a_long_rest_broken_off_after_an_hour_is_a_short_one() -> None:
    spent = events.PoolGained(holder="kara", pool="used:action surge", amount=1)
    scene = hurt().given(spent).given(LongRest(who=("kara",), interrupted=1))
    assert scene.sheet("kara").amount("uses:action surge") == 1
    assert hp(scene, "kara") == 24
    none = hurt().given(spent).given(LongRest(who=("kara",), interrupted=0))
    assert none.sheet("kara").amount("uses:action surge") == 0


@rule("R5.289")
def test_an_elf_rests_in_four_hours() -> None:
    assert table(fighter(species="elf")).given(LONG).before.clock == 4 * 3600


@rule("R5.293", "R5.19")
def test_a_human_wakes_inspired_once() -> None:
    scene = table(fighter(species="human")).given(LONG, LongRest(who=("kara",), again=True))
    assert scene.before.characters["kara"].pools["inspiration"] == 1


@rule("R5.235", "R5.487")
def test_slots_come_back_with_a_long_rest() -> None:
    spent = events.PoolGained(holder="kara", pool="slots spent:1", amount=2)
    scene = table(fighter(class_name="wizard")).given(spent)
    assert again(scene).given(short()).sheet("kara").amount("slots_1") == 0
    assert scene.given(LONG).sheet("kara").amount("slots_1") == 2


@rule("R5.280", "R5.281")
def test_three_things_may_be_attuned_to_and_death_ends_it() -> None:
    names = ("Amulet of Health", "Ring of Protection", "Cloak of Protection", "Ring of Evasion")
    scene = table(fighter(), post()).given(wonders(*names))
    for name in names[:3]:
        scene = scene.given(Attune(who="kara", item=name))
    again(scene).when(Attune(who="kara", item=names[3])).refused("3 things are the most")
    scene.given(Attune(who="kara", item=names[0], ends=True)).given(Attune(who="kara", item=names[3]))
    dead = scene.given(Harm(who="kara", amount="500"))
    assert not dead.before.characters["kara"].traits_of("attuned")


@rule("R5.280")
def test_a_thing_works_once_it_is_attuned_to() -> None:
    scene = table(fighter()).given(wonders("Ring of Protection"))
    before = scene.sheet("kara").amount("ac")
    assert scene.given(Attune(who="kara", item="Ring of Protection")).sheet("kara").amount("ac") == before + 1
    table(fighter()).when(Attune(who="kara", item="Longsword")).refused("can attune to")


@rule("R5.311", "R5.206", "Q5.43")
def test_charges_come_back_with_a_new_day() -> None:
    scene = (
        table(fighter())
        .given(wonders("Cloak of Invisibility"))
        .given(events.PoolGained(holder="kara", pool="charges spent:cloak-of-invisibility", amount=3))
    )
    scene.when(PassTime(amount=1, unit="days")).rolling(2).then(like(events.PoolSpent, amount=2))
