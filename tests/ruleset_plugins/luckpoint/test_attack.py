"""An attack is Maneuvers against armour class, and what it does is the weapon's dice and one ability."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.actions.characters import Give
from rollbook.domain.base.errors import NotFound
from rollbook.plugin import events
from rollbook.rulesets.luckpoint import RULESET
from rollbook.rulesets.luckpoint.arms import ARMOURS, CLASSES, COVERS
from rollbook.rulesets.luckpoint.attack import Attack
from rollbook.rulesets.luckpoint.creation import BringIn, Join
from rollbook.testing.scenarios import Scenario, like, rule, scenario
from tests.support.luckpoint import CHECKED, HURT, ROLLED, at_table, with_damage

STRIKE = Attack(attacker="ada", target="goon", weapon="sword")


# Hitting.


@rule("R1.18")
@pytest.mark.parametrize(("face", "lands"), [(8, False), (9, True)])
def test_a_total_of_the_armour_class_hits_and_one_less_does_not(face: int, lands: bool) -> None:
    game = at_table().when(STRIKE).rolling(face, *[4] * lands)
    game.then(like(CHECKED, check="attack", total=face + 4, target=13, success=lands, against="goon"))
    assert len(game.events(HURT)) == lands


@rule("R1.19", "Q1.17")
@given(armour_class=st.integers(1, 60))
def test_a_natural_20_hits_whatever_the_armour_class_and_does_the_most_it_can(armour_class: int) -> None:
    wall = Join(name="Wall", kind="monster", ac=armour_class, hp=100)
    game = at_table().given(wall).when(Attack(attacker="ada", target="wall", weapon="sword")).rolling(20)
    game.then(like(CHECKED, outcome="natural 20", success=True), like(HURT, character="wall", amount=6 + 3, dealt=9))


@rule("Q1.17", "R1.19")
@pytest.mark.parametrize(
    ("weapon", "most"), [("unarmed", 6 - 2 + 3), ("medium-melee", 9), ("heavy-melee", 15), ("extra-heavy", 18 + 2)]
)
def test_the_most_of_a_weapon_is_all_its_dice_and_what_is_added(weapon: str, most: int) -> None:
    game = at_table().when(Attack(attacker="ada", target="thug", weapon=weapon)).rolling(20)
    game.then(like(HURT, dealt=most))


@rule("R1.20")
@given(bonus=st.integers(0, 60))
def test_a_natural_1_misses_whatever_the_bonus(bonus: int) -> None:
    game = at_table().when(Attack(attacker="ada", target="goon", weapon="sword", bonus=(f"+{bonus} sun",))).rolling(1)
    game.then(like(CHECKED, outcome="natural 1", success=False, total=5 + bonus)).never(HURT)


@rule("QG.3", "R1.5")
def test_only_the_die_that_is_kept_is_natural() -> None:
    easier = Attack(attacker="ada", target="goon", weapon="sword", advantage=("flanked",))
    at_table().when(easier).rolling(1, 20).then(like(CHECKED, outcome="natural 20"))
    harder = Attack(attacker="ada", target="goon", weapon="sword", disadvantage=("dark",))
    at_table().when(harder).rolling(20, 1).then(like(CHECKED, outcome="natural 1")).never(HURT)
    at_table().when(harder).rolling(20, 9, 1).then(like(CHECKED, outcome="hit"))


@rule("Q1.18", "R1.18")
def test_ranged_attacks_are_rolled_with_maneuvers_too() -> None:
    shoot = Attack(attacker="ada", target="goon", weapon="medium-ranged")
    at_table().when(shoot).rolling(9, 1).then(like(CHECKED, total=13, success=True), like(HURT, dealt=1 + 2))


@rule("Q1.35")
def test_a_power_may_name_another_skill_for_its_attack() -> None:
    mage = Join(
        name="Mia", creation="alternate", abilities=("0", "0", "0", "3", "3", "0"), skills={"magic": 1, "lore": 1}
    )
    bolt = Attack(attacker="mia", target="goon", weapon="medium-ranged", skill="magic")
    game = at_table().given(mage).when(bolt).rolling(9, 4)
    game.then(like(CHECKED, total=13, success=True), like(HURT, dealt=4))


@rule("R1.38", "Q1.35")
def test_who_has_no_points_in_that_skill_misses_even_on_a_20() -> None:
    bolt = Attack(attacker="ada", target="goon", weapon="medium-ranged", skill="magic")
    at_table().when(bolt).rolling(20).then(like(CHECKED, success=False, outcome="untrained")).never(HURT)


def test_nobody_attacks_themselves_or_the_dead() -> None:
    at_table().when(Attack(attacker="ada", target="ada", weapon="sword")).refused("Ada cannot attack Ada")
    with_damage(at_table(), "una", 20).when(Attack(attacker="ada", target="una", weapon="sword")).refused("Una is dead")


@rule("R1.46")
def test_nobody_attacks_with_critical_wounds() -> None:
    with_damage(at_table(), "ada", 15).when(STRIKE).refused("Ada is critical")


def test_a_weapon_that_nobody_knows_is_refused_with_what_is_held() -> None:
    with pytest.raises(NotFound, match="sword"):
        at_table().when(Attack(attacker="ada", target="goon", weapon="swrod")).played  # noqa: B018


# Armour and cover.


@rule("R1.23")
@pytest.mark.parametrize(("armour", "expected"), [("none", 12), ("light", 14), ("medium", 15), ("heavy", 17)])
def test_armour_class_by_what_is_worn_and_dexterity_with_little_or_none(armour: str, expected: int) -> None:
    game = scenario(RULESET).given(Join(name="Kit", abilities=("0", "2", "0", "0", "0", "0"), armour=armour))
    assert game.sheet("kit").amount("ac") == expected
    assert set(ARMOURS) == {"none", "light", "medium", "heavy"}


@rule("R1.24", "Q1.29")
@pytest.mark.parametrize(("cover", "goal"), [("none", 12), ("half", 14), ("three-quarters", 17)])
def test_a_shield_and_the_best_cover_add_up(cover: str, goal: int) -> None:
    game = scenario(RULESET).given(Join(name="Kit", shield=True), Join(name="Mob", kind="monster"))
    strike = Attack(attacker="mob", target="kit", weapon="unarmed", cover=cover)
    game.when(strike).rolling(2).then(like(CHECKED, target=goal))
    assert game.sheet("kit").amount("ac") == 12


@rule("R1.24")
def test_behind_total_cover_nobody_can_be_attacked() -> None:
    hidden = Attack(attacker="ada", target="goon", weapon="sword", cover="total")
    at_table().when(hidden).refused("behind total cover and cannot be attacked")
    assert [cover.key for cover in COVERS.values() if cover.hides] == ["total"]


@rule("R1.57")
def test_tough_skin_is_a_point_of_armour_class_under_any_armour() -> None:
    for armour, expected in (("none", 11), ("heavy", 18)):
        game = scenario(RULESET).given(Join(name="Kit", special=("tough-skin",), armour=armour))
        assert game.sheet("kit").amount("ac") == expected


def test_of_two_armours_the_better_is_worn_and_what_is_dropped_protects_nobody() -> None:
    game = scenario(RULESET).given(
        Join(name="Kit", armour="light"),
        Give(who="kit", item="plate", use=("armour", "heavy")),
        Give(who="kit", item="rags", use=("armour", "none")),
    )
    assert game.sheet("kit").amount("ac") == 17
    game.given(events.GearLost(character="kit", item="plate"))
    assert game.sheet("kit").amount("ac") == 12


# Damage.


def of_class(kind: str, *dice: int, **house: bool | int | str) -> Scenario:
    """Ada (Strength +3, Dexterity +2, Maneuvers +4) hits Thug with a weapon of a class."""
    game = at_table(**house).when(Attack(attacker="ada", target="thug", weapon=kind)).rolling(10, *dice)
    return game.then(like(CHECKED, success=True))


@rule("R1.26", "R1.32")
def test_light_weapons_roll_a_die_less_2_and_add_the_better_ability() -> None:
    of_class("light", 4).then(like(ROLLED, purpose="damage", total=4 - 2 + 3), like(HURT, dealt=5))
    ben = Attack(attacker="ben", target="thug", weapon="unarmed")
    at_table().when(ben).rolling(15, 4).then(like(HURT, dealt=4 - 2 + 1))


@rule("R1.26")
@pytest.mark.parametrize("weapon", ["fist", "kick", "club", "dagger"])
def test_fists_feet_clubs_and_daggers_are_light(weapon: str) -> None:
    game = at_table().given(Give(who="ada", item=weapon)).when(Attack(attacker="ada", target="thug", weapon=weapon))
    game.rolling(10, 5).then(like(HURT, dealt=5 - 2 + 3))


@rule("R1.27", "R1.32")
@pytest.mark.parametrize(("weapon", "adds"), [("battleaxe", 3), ("mace", 3), ("sword", 3), ("bow", 2), ("pistol", 2)])
def test_medium_weapons_roll_a_die_and_add_strength_or_at_range_dexterity(weapon: str, adds: int) -> None:
    game = at_table().given(Give(who="ada", item=weapon)).when(Attack(attacker="ada", target="thug", weapon=weapon))
    game.rolling(10, 5).then(like(ROLLED, total=5 + adds), like(HURT, dealt=5 + adds))


@rule("R1.28", "R1.32", "Q1.19")
@pytest.mark.parametrize(("weapon", "adds"), [("two-handed axe", 3), ("two-handed sword", 3), ("rifle", 2)])
def test_heavy_weapons_roll_two_dice_and_rifles_add_dexterity(weapon: str, adds: int) -> None:
    game = at_table().given(Give(who="ada", item=weapon)).when(Attack(attacker="ada", target="thug", weapon=weapon))
    game.rolling(10, 1, 2).then(like(ROLLED, total=3 + adds), like(HURT, dealt=3 + adds))


@rule("R1.29", "Q1.19")
def test_a_machine_gun_rolls_three_dice_and_adds_dexterity() -> None:
    game = at_table().given(Give(who="ada", item="machine gun"))
    game.when(Attack(attacker="ada", target="thug", weapon="machine gun")).rolling(10, 1, 2, 3)
    game.then(like(ROLLED, total=6 + 2), like(HURT, dealt=8))


@rule("R1.31", "Q1.19")
def test_a_rocket_at_one_target_rolls_eight_dice_and_adds_nothing() -> None:
    of_class("rocket", 1, 1, 1, 1, 1, 1, 1, 2).then(like(HURT, dealt=9))


@rule("R1.32")
@given(abilities=st.lists(st.integers(-4, 8), min_size=6, max_size=6), kind=st.sampled_from(sorted(CLASSES)))
def test_what_the_sheet_says_of_a_weapon_is_what_its_hits_add(abilities: list[int], kind: str) -> None:
    mob = Join(name="Mob", kind="monster", abilities=tuple(map(str, abilities)), stats={"to_hit": 30})
    held = Give(who="mob", item="it", use=("weapon", kind))
    game = scenario(RULESET, min_damage_on_hit=0).given(mob, held, Join(name="Wall", kind="monster", hp=500))
    added = game.sheet("mob").amount("damage:it")
    if CLASSES[kind].is_blast:
        assert added == 0
        return
    many = int(CLASSES[kind].dice[0])
    game.when(Attack(attacker="mob", target="wall", weapon="it")).rolling(10, *[3] * many)
    game.then(like(HURT, dealt=max(3 * many + added, 0)))


@rule("QG.11")
def test_what_a_weapon_is_made_of_tags_the_damage() -> None:
    game = at_table().given(Give(who="ada", item="cross", use=("weapon", "light", "silver", "holy")))
    game.when(Attack(attacker="ada", target="thug", weapon="cross", tags=("fire", "silver"))).rolling(10, 3)
    game.then(like(HURT, tags=("silver", "holy", "fire"), source="ada"))


# What tables play differently.


@rule("QG.2")
@pytest.mark.parametrize(("min_damage_on_hit", "dealt"), [(1, 1), (0, 0)])
def test_a_hit_does_at_least_one_point_or_at_some_tables_none(min_damage_on_hit: int, dealt: int) -> None:
    poor = Join(name="Pip", kind="npc", abilities=("-1", "-1", "0", "0", "0", "0"))
    game = at_table(min_damage_on_hit=min_damage_on_hit).given(poor)
    game.when(Attack(attacker="pip", target="thug", weapon="unarmed")).rolling(15, 1)
    game.then(like(ROLLED, purpose="damage", total=-2), like(HURT, character="thug", dealt=dealt))


@rule("Q1.3")
@pytest.mark.parametrize(("light_penalty", "dealt"), [(-2, 5), (0, 7)])
def test_a_light_weapon_takes_2_off_unless_the_table_plays_the_printed_fighter(light_penalty: int, dealt: int) -> None:
    of_class("light", 4, light_penalty=light_penalty).then(like(HURT, dealt=dealt))


@rule("Q1.4", "R1.33")
@pytest.mark.parametrize(("damage_adder", "dealt"), [("ability", 2 + 3), ("maneuvers", 2 + 4)])
def test_heavy_melee_weapons_add_strength_or_all_of_maneuvers(damage_adder: str, dealt: int) -> None:
    of_class("heavy-melee", 1, 1, damage_adder=damage_adder).then(like(HURT, dealt=dealt))
    of_class("medium-melee", 2, damage_adder=damage_adder).then(like(HURT, dealt=5))


@rule("Q1.4")
def test_with_maneuvers_the_fighter_would_do_2d6_and_7() -> None:
    shown = {
        adder: str(scenario(RULESET, damage_adder=adder).given(BringIn(who="fighter")).sheet("fighter").value(AXE))
        for adder in ("ability", "maneuvers")
    }
    assert shown == {"ability": "2d6+4", "maneuvers": "2d6+7"}


AXE = "damage:two-handed axe"


@pytest.mark.parametrize("weapon", ["sword", "SWORD", "Unarmed", "Light"])
def test_weapons_are_named_in_any_case_of_letters(weapon: str) -> None:
    at_table().when(Attack(attacker="ada", target="goon", weapon=weapon)).rolling(2).then(like(CHECKED, success=False))
