"""Edges of creation: scores, second classes, species, feats, and what two of them make together."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import RollbookError, SecondThought, events
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.growth.levels import LevelUp
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import again, cast, caster, fight, fighter, hp, post, rolled, swing, table
from tests.support.srd5_classes import choose, left, of, use
from tests.support.srd5_edges import dealt, has, is_under, number, spell, total, up

HURT, CHECKED = events.DamageTaken, events.CheckResolved


def made(*dice: int, **said: object) -> Scenario:
    """Kara made by what is said."""
    return table(with_dice(fighter(**{"weapons": (), "scores": (), **said}), *dice))


def scores(*numbers: int) -> tuple[str, ...]:
    return tuple(map(str, numbers))


@rule("R5.212")
@pytest.mark.parametrize(("last", "why"), [("9", "27"), ("7", "7 is not for sale")])
def test_a_point_too_many_and_a_score_below_8_cannot_be_bought(last: str, why: str) -> None:
    assert made(method="points", scores=scores(15, 14, 13, 12, 10, 8)).before.characters["kara"].stats["str"] == 15
    table().when(fighter(name="Bo", method="points", scores=("15", "14", "13", "12", "10", last))).refused(why)


@rule("R5.214")
def test_a_background_raises_no_score_above_20() -> None:
    scene = made(scores=scores(19, 10, 10, 10, 10, 10), background="soldier", increases={"str": 2, "con": 1})
    assert number(scene, "str") == 20


@rule("R5.225")
@pytest.mark.parametrize(
    ("first", "then", "made_of", "fits"),
    [
        ("fighter", "rogue", (10, 14, 10, 10, 10, 10), True),
        ("fighter", "wizard", (10, 12, 10, 16, 10, 10), False),
        ("barbarian", "druid", (13, 10, 10, 10, 13, 10), True),
        ("barbarian", "druid", (13, 10, 10, 10, 12, 10), False),
        ("fighter", "monk", (13, 13, 10, 10, 12, 10), False),
        ("fighter", "ranger", (13, 12, 10, 10, 13, 10), False),
        ("fighter", "paladin", (13, 10, 10, 10, 10, 12), False),
    ],
)
def test_either_ability_will_do_for_a_fighter_and_both_are_needed_of_others(first, then, made_of, fits) -> None:
    scene = of(first, scores=scores(*made_of)).when(LevelUp(who="kara", class_name=then, milestone=True))
    if fits:
        scene.then(events.LevelGained)
    else:
        scene.refused("13")


@rule("R5.228", "R5.321", "R5.234")
def test_a_second_class_trains_for_half_plate_and_not_for_plate_and_teaches_no_saves() -> None:
    plate = up(of("wizard", armour="plate-armor"), fighter=1)
    plate.when(spell("magic missile", "post")).refused("armour")
    half = up(of("wizard", armour="half-plate-armor"), fighter=1)
    half.when(spell("magic missile", "post")).rolling(1, 1, 1).then(HURT)
    assert number(half, "save:con") == 3


@rule("R5.228")
@pytest.mark.parametrize(
    ("then", "offered"), [("bard", ("bard-skill", "bard-tool")), ("ranger", ("ranger-skill",)), ("monk", ())]
)
def test_a_second_class_offers_what_it_lists_for_that(then: str, offered: tuple[str, ...]) -> None:
    choices = up(of("fighter"), **{then: 1}).before.characters["kara"].choices
    found = [name for name in choices if name.startswith(then) and name.split("-")[1] in ("skill", "tool")]
    assert len(found) == len(offered)


@rule("R5.227", "R5.217", "R5.221")
def test_only_the_first_level_of_all_has_the_whole_die() -> None:
    assert hp(up(of("fighter"), wizard=1), "kara") == 13 + 4 + 3
    assert hp(up(of("wizard"), fighter=1), "kara") == 9 + 6 + 3


@rule("R5.229", "R5.230")
def test_a_ranger_and_sorcerer_have_slots_of_the_third_level_and_pact_slots_stand_beside() -> None:
    mixed = up(of("ranger", 4), sorcerer=3)
    assert [number(mixed, f"slots_{level}") for level in (1, 2, 3)] == [4, 3, 2]
    pact = up(of("warlock", 2), sorcerer=3)
    assert [number(pact, key) for key in ("pact_slots", "slots_1", "slots_2")] == [2, 4, 2]


@rule("R5.236", "R5.231")
def test_cantrips_grow_by_all_levels_and_extra_attacks_do_not_add_up() -> None:
    assert dealt(up(of("fighter", 4), wizard=1).when(spell("fire bolt", "post")).rolling(15, 4, 5)) == 9
    beams = up(of("fighter", 4), warlock=1).when(spell("eldritch blast", "post")).rolling(15, 15, 1, 1)
    assert len(beams.events(HURT)) == 2
    scene = fight(up(of("fighter", 11), barbarian=5)).given(*(with_dice(swing(), 2) for _ in range(3)))
    scene.when(swing()).refused("action")


@rule("R5.231", "R5.335", "R5.402")
def test_the_better_of_two_unarmoured_defences_counts() -> None:
    both = up(of("monk", scores=scores(13, 16, 18, 10, 14, 10), weapons=()), barbarian=1)
    assert number(both, "ac") == 10 + 3 + 4
    assert number(of("barbarian", scores=scores(10, 16, 16, 10, 10, 10), shield=True), "ac") == 18


@rule("R5.25", "R5.320")
def test_a_monk_knows_light_martial_weapons_and_no_others() -> None:
    scene = of("monk", 5, weapons=("longsword", "shortsword"), scores=scores(10, 10, 10, 10, 10, 10))
    assert total(again(scene).when(swing(weapon="longsword")).rolling(5)) == 5
    assert total(scene.when(swing(weapon="shortsword")).rolling(5)) == 5 + 3


@rule("R5.298", "R5.222")
def test_an_improvement_stops_at_20_and_constitution_counts_for_the_levels_before() -> None:
    scene = of("fighter", 4, scores=scores(19, 10, 10, 10, 10, 10)).given(
        choose("feat-1", "ability-score-improvement"), choose("ability-score-1", "str")
    )
    with pytest.raises(RollbookError):
        _ = scene.when(choose("ability-score-2", "str")).played
    tough = of("fighter", 8, scores=scores(10, 10, 17, 10, 10, 10))
    feat = next(name for name in tough.before.characters["kara"].choices if name.startswith("feat"))
    before = hp(tough, "kara")
    tough = tough.given(choose(feat, "ability-score-improvement"), choose("ability-score-1", "con"))
    assert hp(tough, "kara") == before + 8


@rule("R5.296", "R5.298", "R5.299")
def test_a_feat_asks_for_13_for_a_feature_and_comes_once() -> None:
    weak = of("fighter", 4, scores=scores(12, 12, 14, 10, 10, 10))
    for scene, picked in ((weak, "grappler"), (of("wizard", 4), "archery")):
        with pytest.raises(RollbookError):
            _ = scene.when(choose("feat-1", picked)).played
    twice = of("fighter", 6).given(choose("feat-1", "grappler"))
    with pytest.raises(RollbookError):
        _ = twice.when(choose("feat-2", "grappler")).played


@rule("R5.297", "R5.163")
def test_the_sheet_shows_what_is_always_added_to_tests() -> None:
    assert number(made(background="criminal", method="array"), "initiative") == 2 + 2


@rule("R5.297")
def test_a_savage_attacker_takes_the_better_of_two_rolls_once_a_turn() -> None:
    scene = fight(of("fighter", 5)).given(has("savage-attacker", "feat"))
    savage = scene.when(swing(features=("savage attacker",))).rolling(15, 3, 7)
    assert dealt(savage) == 7 + 3
    assert dealt(savage.go_on().when(swing(features=("savage attacker",))).rolling(15, 3)) == 6


@rule("R5.299", "R5.259")
def test_archery_is_for_ranged_weapons_and_not_for_what_is_thrown() -> None:
    scene = table(fighter(weapons=("longbow", "handaxe")), post()).given(has("archery", "feat"))
    assert total(again(scene).when(swing(weapon="longbow", distance=30)).rolling(2)) == 2 + 2 + 2 + 2
    assert total(scene.when(swing(weapon="handaxe", distance=20)).rolling(2)) == 2 + 3 + 2


@rule("R5.287", "R5.108")
def test_a_breath_has_the_type_of_the_ancestry_and_grows() -> None:
    for level, many in ((1, 1), (5, 2), (11, 3), (17, 4)):
        scene = of("fighter", level, species="dragonborn").given(choose("draconic-ancestry-1", "red"))
        breath = scene.when(use("breath weapon", "post", chosen=("cone",))).rolling(1, *(4,) * many)
        breath.then(like(HURT, amount=4 * many, tags=("fire",)))


@rule("R5.290", "R5.288", "R5.292")
@pytest.mark.parametrize(
    ("species", "ability", "versus", "helps"),
    [
        *(("gnome", each, (), each != "con") for each in ("int", "wis", "cha", "con")),
        ("dwarf", "con", ("poisoned",), True),
        ("halfling", "wis", ("frightened",), True),
        ("halfling", "wis", (), False),
    ],
)
def test_a_species_saves_better_against_some_things(species, ability, versus, helps) -> None:
    save = Save(who="kara", ability=ability, dc=10, versus=versus)
    scene = table(fighter(species=species)).when(save).rolling(5, *((6,) if helps else ()))
    assert rolled(scene)[0].startswith("2d20kh1") is helps


@rule("R5.289", "R5.248")
def test_magic_puts_no_elf_and_nothing_tireless_to_sleep() -> None:
    elf = table(caster(), fighter(species="elf")).when(cast("sleep", "kara"))
    elf.never(CHECKED, like(events.ConditionBegan, character="kara"))


@rule("R5.289", "R5.127")
def test_a_sheet_says_how_far_somebody_sees_in_the_dark() -> None:
    drow = made(species="elf", method="array").given(choose("elven-lineage-1", "drow"))
    assert dict(drow.sheet("kara").words)["Senses"] == "darkvision 120 ft"


@rule("R5.294", "R5.92")
def test_an_orc_dies_of_massive_damage_all_the_same() -> None:
    assert is_under(table(fighter(species="orc")).given(Harm(who="kara", amount="24")), "dead")


@rule("R5.352", "R5.351")
def test_a_bardic_die_is_one_at_a_time_for_an_hour_and_turns_attacks_too() -> None:
    scene = of("bard", 1, fighter(name="Bo"), scores=scores(10, 10, 10, 10, 10, 8)).given(
        use("bardic inspiration", "bo")
    )
    assert left(scene, "bardic inspiration") == 0
    turned = again(scene).when(swing(attacker="bo"), SecondThought(kind="bardic", character="bo")).rolling(8, 6, 8)
    turned.then(like(CHECKED, success=True))
    assert not is_under(scene.given(PassTime(amount=61, unit="minutes")), "bardic inspiration", "bo")


@rule("R5.353")
def test_half_the_bonus_is_for_skills_that_one_lacks_and_for_no_saves() -> None:
    scene = of("bard", 2)
    assert number(scene, "save:con") == 3
    assert total(scene.when(Check(who="kara", skill="arcana", dc="10")).rolling(10)) == 10 + 3 + 1
