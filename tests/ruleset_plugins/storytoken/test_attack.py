"""An attack meets the armour class or misses; weapons do what their row says; what fells one may go on to the next."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.harm import Harm, Heal
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.testing.scenarios import like, rule

CHECKED, HURT, ROLLED = events.CheckResolved, events.DamageTaken, events.DiceRolled


def shot(target: str = "guard", **more) -> Attack:
    return Attack(attacker="robin", target=target, weapon="longbow", **more)


@rule("R0.23", "R0.36")
def test_an_attack_hits_what_it_meets_or_beats(sherwood) -> None:
    blow = Attack(attacker="marian", target="guard", weapon="medium-melee")
    sherwood().when(blow).rolling(13, 4).then(
        like(CHECKED, check="attack", total=13, target=13, success=True, outcome="hit", against="guard"),
        HURT(character="guard", amount=4, dealt=4, source="marian"),
    )
    sherwood().when(blow).rolling(12).then(like(CHECKED, success=False, outcome="miss")).never(HURT)


@rule("R0.37")
def test_a_natural_one_misses_whatever_the_bonus(sherwood) -> None:
    sherwood().when(shot(bonus=("+50 luck",))).rolling(1).then(
        like(CHECKED, total=62, success=False, outcome="natural 1")
    ).never(HURT)


@rule("R0.38", "Q0.9")
def test_a_natural_20_hits_whatever_the_armour_and_does_the_most_without_rolling(sherwood) -> None:
    played = sherwood().when(shot("deputy", bonus=("-30 blindfold",))).rolling(20)
    played.then(like(CHECKED, total=1, target=18, success=True, outcome="natural 20"), like(HURT, dealt=6 + 3 + 8))
    assert len(played.events(ROLLED)) == 1


@rule("Q0.9")
@pytest.mark.parametrize(
    ("weapon", "most"), [("light", 3), ("dual-light", 6), ("medium-melee", 6), ("heavy-melee", 12)]
)
def test_the_most_of_each_weapon(sherwood, weapon: str, most: int) -> None:
    blow = Attack(attacker="marian", target="guard", weapon=weapon)
    sherwood().when(blow).rolling(20).then(like(HURT, dealt=most))


@rule("R0.58", "Q0.22")
@pytest.mark.parametrize(("face", "up", "down"), [(1, 1, 0), (2, 1, 1), (3, 2, 1), (4, 2, 2), (5, 3, 2), (6, 3, 3)])
def test_a_light_weapon_halves_its_die_upwards_unless_the_table_says_down(
    sherwood, face: int, up: int, down: int
) -> None:
    stab = Attack(attacker="holmes", target="guard", weapon="cane")
    sherwood().when(stab).rolling(18, face).then(like(HURT, dealt=up + 1))
    sherwood(light_half="floor").when(stab).rolling(18, face).then(like(HURT, dealt=down + 1))


@rule("R0.58", "Q0.24")
def test_a_light_weapon_uses_the_better_of_strength_and_dexterity_for_both_rolls(sherwood) -> None:
    sherwood().when(Attack(attacker="holmes", target="guard", weapon="cane")).rolling(18, 2).then(
        like(ROLLED, expression="1d20 + 1[DEX]"), like(ROLLED, expression="1d6/^2 + 1[DEX]")
    )
    sherwood().when(Attack(attacker="dracula", target="guard", weapon="bite")).rolling(18, 2).then(
        like(ROLLED, expression="1d20 + 3[STR] + 12[Fighting Expert]")
    )


@rule("R0.59", "Q0.25")
def test_two_light_weapons_do_a_whole_die_with_dexterity_or_strength_if_the_table_says(sherwood) -> None:
    blades = Attack(attacker="robin", target="guard", weapon="two small blades")
    sherwood().when(blades).rolling(10, 5).then(like(ROLLED, expression="1d6 + 3[DEX] + 8[Fighting Expert]", total=16))
    sherwood(dual_light_ability="str").when(blades).rolling(10, 5).then(like(HURT, dealt=5 + 1 + 8))


@rule("R0.60", "R0.61", "Q0.24")
@pytest.mark.parametrize(
    ("weapon", "dice", "expression"),
    [
        ("medium-melee", (5,), "1d6 + 3[STR]"),
        ("medium-ranged", (5,), "1d6 + 2[DEX]"),
        ("heavy-melee", (5, 6), "2d6 + 3[STR]"),
        ("heavy-ranged", (5, 6), "2d6 + 2[DEX]"),
    ],
)
def test_medium_and_heavy_weapons(sherwood, weapon: str, dice: tuple[int, ...], expression: str) -> None:
    blow = Attack(attacker="dracula", target="deputy", weapon=weapon)
    played = sherwood().when(blow).rolling(15, *dice)
    played.then(like(ROLLED, purpose="damage", expression=f"{expression} + 12[Fighting Expert]"))


@rule("Q0.23")
def test_bare_hands_are_a_light_weapon_and_claws_a_medium_one(sherwood) -> None:
    fists = Attack(attacker="marian", target="guard", weapon="unarmed")
    sherwood().when(fists).rolling(15, 5).then(like(HURT, dealt=3))
    wolf = Join(name="Wolf", id="wolf", kind="monster", heritage="animal", hp=8)
    claws = Attack(attacker="wolf", target="guard", weapon="unarmed")
    sherwood().given(wolf).when(claws).rolling(15, 5).then(like(HURT, dealt=5))


@rule("QG.2")
def test_a_hit_does_at_least_1_unless_the_table_says_0(sherwood) -> None:
    weak = shot(damage_bonus=("-20 padded arrow",))
    sherwood().when(weak).rolling(15, 1).then(like(HURT, dealt=1))
    sherwood(min_damage_on_hit=0).when(weak).rolling(15, 1).then(like(HURT, dealt=0))


@rule("R0.44", "Q0.11")
def test_shield_and_cover_add_1_together_or_1_each(sherwood) -> None:
    shield = events.GearGained(character="guard", item="shield", use=("shield",))
    for given, settings, goal in (((), {}, 14), ((shield,), {}, 14), ((shield,), {"shield_and_cover_stack": True}, 15)):
        sherwood(**settings).given(*given).when(shot(cover=True)).rolling(1).then(like(CHECKED, target=goal))
    sherwood().given(shield).when(shot()).rolling(1).then(like(CHECKED, target=14))


@rule("QG.11")
def test_damage_says_what_sort_it_is(sherwood) -> None:
    silver = events.GearGained(character="robin", item="silver knife", use=("weapon", "light", "throwing", "silver"))
    stab = Attack(attacker="robin", target="guard", weapon="silver knife", tags=("holy",))
    sherwood().given(silver).when(stab).rolling(15, 2).then(like(HURT, tags=("silver", "holy")))


@rule("R0.165", "Q0.54")
def test_what_is_left_of_a_felling_blow_goes_on_while_the_roll_reaches(sherwood) -> None:
    more = Join(name="Archer", id="archer", kind="monster", ac=12, hp=2)
    blow = shot(carry_to=("archer", "deputy"))
    played = sherwood().given(more).when(blow).rolling(6, 6)
    played.then(
        like(CHECKED, total=17, target=13),
        HURT(character="guard", amount=9, dealt=17, source="robin"),
        HURT(character="archer", amount=2, dealt=8, source="robin"),
    )
    assert len(played.events(HURT)) == 2, "17 does not reach the deputy's 18"
    assert played.sheet("guard").amount("hp") == 0


@rule("Q0.54")
def test_without_another_target_all_the_damage_stays(sherwood) -> None:
    sherwood().when(shot()).rolling(15, 6).then(HURT(character="guard", amount=17, dealt=17, source="robin"))


def test_only_fighters_blows_go_on(sherwood) -> None:
    blow = Attack(attacker="marian", target="guard", weapon="light", carry_to=("deputy",))
    sherwood().when(blow).refused("no role whose blows go on")


@rule("R0.157")
def test_a_vampire_feeds_on_a_grappled_victim(sherwood) -> None:
    hungry = events.DamageTaken(character="dracula", amount=20, dealt=20)
    bite = Attack(attacker="dracula", target="holmes", weapon="bite", grappled=True)
    played = sherwood().given(hungry).when(bite).rolling(10, 4)
    played.then(
        like(HURT, character="holmes", amount=17),
        events.HitPointsRestored(character="dracula", amount=8, tags=("blood",), source="dracula"),
    )
    sherwood().when(Attack(attacker="robin", target="guard", weapon="longbow", grappled=True)).refused("only")


def test_nobody_strikes_with_what_they_do_not_have(sherwood) -> None:
    sherwood().when(Attack(attacker="robin", target="guard", weapon="longbough")).refused("Did you mean longbow")
    sherwood().when(Attack(attacker="robin", target="guard", weapon="bite")).refused("no weapon of Robin Hood's")
    sherwood().when(Attack(attacker="robin", target="robin", weapon="longbow")).refused("cannot attack Robin Hood")


@rule("R0.55", "Q0.75")
def test_care_heals_up_to_the_maximum_and_adds_up_below_zero(sherwood) -> None:
    game = sherwood().given(events.DamageTaken(character="marian", amount=11, dealt=11))
    game.when(Heal(who="marian", amount="2d6+1", source="surgeon")).rolling(1, 1).then(
        like(events.HitPointsRestored, amount=3)
    )
    assert game.sheet("marian").amount("hp") == 0
    game.when(Heal(who="marian", amount="30")).then(like(events.HitPointsRestored, amount=11))
    sherwood().when(Heal(who="marian", amount="3")).refused("has lost no hit points")


def test_harm_comes_without_an_attack(sherwood) -> None:
    fall = Harm(who="marian", amount="2d6", source="a fall")
    sherwood().when(fall).rolling(3, 4).then(HURT(character="marian", amount=7, dealt=7, source="a fall"))
