"""An attack is a d20 and its modifiers against armour class; what it deals depends on weapon, luck and place."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.fight.movement import Move
from rollbook.rulesets.srd5.fight.reactions import Opportunity
from rollbook.rulesets.srd5.fight.weapons import Recover
from rollbook.testing.scenarios import like, rule
from tests.support.srd5 import condition, fight, fighter, hp, monster, post, rolled, swing, table

CHECK, HURT, ROLLED = events.CheckResolved, events.DamageTaken, events.DiceRolled


@rule("R5.9", "R5.10", "R5.25", "R5.59", "R5.78", "R5.79")
def test_a_weapon_adds_its_ability_and_proficiency_to_hit_and_its_ability_to_damage() -> None:
    assert rolled(table().when(swing()).rolling(10, 5)) == ("1d20 + 3[STR] + 2[proficiency]", "1d8 + 3[STR]")
    shot = table().when(swing(weapon="longbow", distance=60)).rolling(11, 5)
    assert rolled(shot) == ("1d20 + 2[DEX] + 2[proficiency]", "1d8 + 2[DEX]")


@rule("R5.9", "R5.13", "R5.14", "R5.80")
@pytest.mark.parametrize(
    ("face", "ac", "outcome"),
    [(10, 15, "hit"), (9, 15, "miss"), (20, 60, "critical hit"), (1, 3, "miss"), (19, 60, "miss"), (19, 15, "hit")],
)
def test_reaching_the_armour_class_is_enough_and_a_one_and_a_twenty_decide_alone(face, ac, outcome) -> None:
    dice = {"hit": (5,), "critical hit": (5, 4)}.get(outcome, ())
    played = table(fighter(), post(ac=ac)).when(swing()).rolling(face, *dice)
    played.then(like(CHECK, check="attack", target=ac, outcome=outcome, success=bool(dice)))
    assert [event.amount for event in played.events(HURT)] == ([sum(dice) + 3] if dice else [])


@rule("R5.80")
def test_a_critical_hit_rolls_all_dice_twice_and_modifiers_once() -> None:
    played = table().when(swing()).rolling(20, 5, 6)
    assert rolled(played)[1] == "2d8 + 3[STR]"
    played.then(like(HURT, amount=14))
    ogre = table(fighter(), monster("Ogre")).when(swing("kara", "ogre", weapon="greatclub")).rolling(20, 1, 2, 3, 4)
    assert rolled(ogre)[1] == "4d8 + 4"


@rule("R5.62", "R5.64", "R5.63")
def test_cover_raises_armour_class_and_total_cover_allows_no_attack() -> None:
    table().when(swing(cover="half")).rolling(12, 1).then(like(CHECK, target=17, success=True))
    table().when(swing(cover="three-quarters")).rolling(12).then(like(CHECK, target=20, success=False))
    table().when(swing(cover="total")).refused("total cover")


@rule("R5.65", "R5.67")
def test_a_shot_beyond_the_first_range_is_harder_and_none_goes_beyond_the_second() -> None:
    assert rolled(table().when(swing(weapon="longbow", distance=200)).rolling(4, 5))[0].startswith(
        "2d20kl1[long range]"
    )
    table().when(swing(weapon="longbow", distance=601)).refused("601 feet away", "600 feet")
    table().when(swing(distance=10)).refused("10 feet away", "5 feet in melee")


@rule("R5.66")
def test_an_enemy_beside_the_archer_spoils_a_shot() -> None:
    shot = swing(weapon="longbow", distance=30, pressed=True)
    assert rolled(table().when(shot).rolling(4, 5))[0].startswith("2d20kl1[enemy within 5 feet]")
    beside = table(fighter(at=("0", "0")), post(at=("1", "0"))).when(swing(weapon="longbow")).rolling(4, 5)
    assert rolled(beside)[0].startswith("2d20kl1[enemy within 5 feet]")


@rule("R5.60")
def test_an_unseen_attacker_strikes_easier_and_an_unseen_target_is_harder_to_hit() -> None:
    assert rolled(table().when(swing(unseen="attacker")).rolling(9, 8))[0].startswith("2d20kh1[unseen]")
    assert rolled(table().when(swing(unseen="target")).rolling(9, 8))[0].startswith("2d20kl1[target unseen]")


@rule("R5.15", "R5.16")
def test_any_number_of_advantages_and_one_disadvantage_cancel() -> None:
    attack = swing(advantage=("high ground", "a feint"), disadvantage=("rain",))
    assert rolled(table().when(attack).rolling(9))[0].startswith("1d20[high ground, a feint, against, rain]")


@rule("R5.61")
def test_an_attack_gives_away_who_was_hidden() -> None:
    scene = table().given(condition("kara", "hidden"))
    scene.when(swing()).rolling(9, 8).then(like(events.ConditionEnded, condition="hidden"))


@rule("R5.198")
def test_an_unarmed_strike_deals_one_and_strength() -> None:
    played = table().when(swing(weapon="unarmed")).rolling(10)
    played.then(like(HURT, amount=4, tags=("bludgeoning",)))
    assert rolled(played) == ("1d20 + 3[STR] + 2[proficiency]",)


@rule("R5.158")
def test_what_is_no_weapon_strikes_without_proficiency_for_a_d4() -> None:
    scene = table().given(events.GearGained(character="kara", item="chair"))
    assert rolled(scene.when(swing(weapon="chair")).rolling(15, 2)) == ("1d20 + 3[STR]", "1d4 + 3[STR]")


@rule("R5.255")
def test_finesse_takes_the_better_ability_for_both_rolls() -> None:
    nimble = fighter(scores=("10", "18", "14", "10", "12", "8"), weapons=("rapier",))
    assert rolled(table(nimble, post()).when(swing()).rolling(15, 2)) == (
        "1d20 + 4[DEX] + 2[proficiency]",
        "1d8 + 4[DEX]",
    )
    chosen = table(nimble, post()).when(swing(ability="str")).rolling(15, 2)
    assert rolled(chosen) == ("1d20 + 2[proficiency]", "1d8")


@rule("R5.108", "R5.46", "R5.27")
def test_one_attack_action_in_a_turn_and_more_attacks_with_extra_attack() -> None:
    once = fight(table()).given()
    once = once.when(swing()).rolling(2).go_on()
    once.when(swing()).refused("has used the action of this turn")
    twice = fight(table(fighter(level=5), post())).when(swing()).rolling(2).go_on().when(swing()).rolling(2).go_on()
    twice.when(swing()).refused("has used the action of this turn")


@rule("R5.89")
def test_a_melee_attack_may_knock_out_instead_of_killing() -> None:
    guard = post(name="Guard", hp=5, ac=10)
    scene = table(fighter(), guard).when(swing("guard", knock_out=True)).rolling(15, 8)
    scene.then(like(HURT, amount=4), like(events.ConditionBegan, condition="unconscious"))
    assert hp(scene, "guard") == 1
    old = table(fighter(), guard, edition="2014").when(swing("guard", knock_out=True)).rolling(15, 8, 2)
    old.then(like(HURT, amount=5), like(events.ConditionBegan, condition="stable"))


@rule("R5.73", "R5.74", "R5.75")
def test_under_water_most_weapons_are_hard_to_use() -> None:
    assert rolled(table().when(swing(under_water=True)).rolling(4, 5))[0].startswith("2d20kl1[under water]")
    spear = table(fighter(weapons=("spear",)), post()).when(swing(under_water=True)).rolling(4)
    assert rolled(spear)[0].startswith("1d20 ")
    table().when(swing(weapon="longbow", distance=151, under_water=True)).refused("Under water")


@rule("R5.254")
def test_ammunition_is_used_up_and_half_of_it_found_again() -> None:
    scene = table()
    for _ in range(3):
        scene = scene.when(swing(weapon="longbow", distance=30)).rolling(2).go_on()
    assert scene.character("kara").gear["arrows"].count == 17
    assert scene.when(Recover(who="kara")).character("kara").gear["arrows"].count == 18
    none = table(fighter(weapons=()), post()).given(events.GearGained(character="kara", item="longbow"))
    none.when(swing(weapon="longbow", distance=30)).refused("no arrows left")


@rule("R5.256")
def test_a_heavy_weapon_is_hard_to_use_for_weak_hands() -> None:
    weak = fighter(scores=("12", "14", "14", "10", "12", "8"), weapons=("greatsword", "longbow"))
    assert rolled(table(weak, post()).when(swing()).rolling(2, 3))[0].startswith("2d20kl1[heavy]")
    shot = swing(weapon="longbow", distance=30)
    assert rolled(table(weak, post()).when(shot).rolling(2))[0].startswith("1d20 ")
    small = fighter(weapons=("greatsword",), species="halfling")
    assert rolled(table(small, post(), edition="2014").when(swing()).rolling(2, 3))[0].startswith("2d20kl1[heavy]")


@rule("R5.258")
def test_a_weapon_that_must_be_loaded_shoots_once_an_action() -> None:
    scene = fight(table(fighter(level=5, weapons=("light-crossbow", "dagger")), post()))
    shot = swing(weapon="light-crossbow", distance=30)
    scene = scene.when(shot).rolling(2).go_on()
    scene.when(shot).refused("shoots once an action")
    scene.when(swing(weapon="dagger")).rolling(2).then(CHECK)


@rule("R5.259")
def test_a_thrown_weapon_keeps_its_ability_and_is_gone() -> None:
    scene = table(fighter(weapons=("handaxe",)), post()).when(swing(distance=20)).rolling(10, 3)
    assert rolled(scene)[0] == "1d20 + 3[STR] + 2[proficiency]"
    scene.then(like(events.GearLost, item="Handaxe"))
    table(fighter(weapons=("handaxe",)), post()).when(swing(distance=65)).refused("60 feet")


@rule("R5.260", "R5.261")
def test_two_hands_deal_more_and_leave_none_for_a_shield() -> None:
    assert rolled(table().when(swing(two_handed=True)).rolling(12, 3))[1] == "1d10 + 3[STR]"
    table(fighter(shield=True), post()).when(swing(two_handed=True)).refused("takes both hands")
    table(fighter(shield=True, weapons=("greatsword",)), post()).when(swing()).refused("takes both hands")


@rule("R5.66")
def test_a_shot_at_an_enemy_beside_the_archer_is_spoilt_by_that_enemy() -> None:
    near = swing(weapon="longbow", distance=5)
    assert rolled(table().when(near).rolling(4, 5))[0].startswith("2d20kl1[enemy within 5 feet]")
    stunned = table().given(condition("post", "stunned")).when(near).rolling(4, 5)
    assert rolled(stunned)[0].startswith("2d20kh1[target stunned]")


@rule("R5.253")
def test_every_weapon_of_the_catalogue_can_be_carried_and_strikes() -> None:
    for key, row in catalogue.equipment().items():
        if row.weapon is not None:
            scene = table(fighter(weapons=(key,)), post(ac=30)).when(
                swing(distance=5 if row.weapon.form == "melee" else 10)
            )
            assert scene.rolling(2).events(CHECK)[0].outcome == "miss"


@rule("Q5.7", "Q5.8")
def test_those_without_a_class_know_their_weapons_and_monsters_have_enough_to_shoot() -> None:
    armed = table().given(events.GearGained(character="post", item="spear", use=("weapon", "spear")))
    assert rolled(armed.when(swing("kara", "post", weapon="spear")).rolling(2)) == ("1d20 + 2[proficiency]",)
    goblin = table(fighter(), monster("Goblin Warrior"))
    goblin.when(swing("kara", "goblin-warrior", weapon="shortbow", distance=60)).rolling(2).never(events.GearLost)


@rule("R5.521", "R5.67")
@pytest.mark.parametrize(("weapon", "reaches"), [("glaive", True), ("longsword", False)])
def test_a_weapon_of_reach_strikes_5_feet_farther_and_at_who_leaves(weapon, reaches) -> None:
    scene = fight(table(fighter(weapons=(weapon,), at=("0", "0")), post(at=("2", "0"))), "post", "kara")
    left = scene.given(Move(who="post", to=("3", "0")))
    swings = scene.when(swing(out_of_turn=True)), left.when(Opportunity(attacker="kara", target="post"))
    for each in swings:
        if reaches:
            each.rolling(2).then(like(events.CheckResolved, check="attack", success=False))
        else:
            each.refused()
