"""An attack is a d20 and a bonus against armour class; what it deals depends on weapon, grip, luck and position."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.attack import Attack
from rollbook.rulesets.grid.checks import Check
from rollbook.rulesets.grid.creation import Join
from rollbook.rulesets.grid.hit_points import SetCondition
from rollbook.testing.scenarios import Scenario, like, rule, scenario

CHECK, ROLLED, HURT = events.CheckResolved, events.DiceRolled, events.DamageTaken


def duel(
    *, at=("1", "0"), bonuses=("3", "2", "0", "0", "0", "0"), name="fighter", foe=None, settings=None, **gear
) -> Scenario:
    """Ann, with her gear, beside a post that takes a hundred hit points to fell."""
    post = foe or Join(name="Post", kind="monster", hp=100, ac=15, at=at)
    ann = Join(name="Ann", at=("0", "0"), class_name=name, scores=bonuses, **gear)
    return scenario(RULESET, **(settings or {})).given(ann, post)


def swing(**more) -> Attack:
    return Attack(attacker="ann", target="post", **more)


@rule("R4.13")
def test_melee_attacks_add_strength_and_ranged_ones_dexterity_to_the_class() -> None:
    duel(weapon="sword").when(swing()).rolling(7, 1).then(
        like(ROLLED, expression="1d20 + 5[fighter] + 3[Strength]", total=15)
    )
    duel(weapon="longbow", at=("20", "0")).when(swing()).rolling(8, 1).then(
        like(ROLLED, expression="1d20 + 5[fighter] + 2[Dexterity]", total=15)
    )


@rule("R4.17", "R4.19", "R4.18", "R4.11")
@pytest.mark.parametrize(
    ("face", "ac", "outcome"),
    [
        (7, 15, "hit"),
        (6, 15, "miss"),
        (19, 15, "critical hit"),
        (1, 3, "fumble"),
        (20, 60, "critical hit"),
        (19, 60, "miss"),
    ],
)
def test_reaching_the_armour_class_is_enough_and_a_one_and_a_twenty_decide_alone(face, ac, outcome) -> None:
    foe = Join(name="Post", kind="monster", hp=100, ac=ac, at=("1", "0"))
    damage = {"hit": (5,), "critical hit": (5, 4)}.get(outcome, ())
    played = duel(foe=foe, weapon="sword").when(swing()).rolling(face, *damage)
    played.then(like(CHECK, check="attack", target=ac, outcome=outcome, success=bool(damage)))
    assert [event.amount for event in played.events(HURT)] == ([sum(damage) + 3 * len(damage)] if damage else [])


@rule("R4.18", "Q4.5", "R4.49")
def test_a_nineteen_is_critical_for_a_sword_if_it_hits_and_for_an_axe_only_a_twenty() -> None:
    duel(weapon="sword").when(swing()).rolling(19, 1, 1).then(like(CHECK, outcome="critical hit"))
    duel(weapon="axe").when(swing()).rolling(19, 1).then(like(CHECK, outcome="hit"))
    hard = Join(name="Post", kind="monster", hp=9, ac=40, at=("1", "0"))
    duel(foe=hard, weapon="sword").when(swing()).rolling(19).then(like(CHECK, outcome="miss"))


@rule("R4.21", "Q4.6", "R4.48")
def test_a_critical_hit_rolls_all_of_the_damage_again_or_three_times_in_all() -> None:
    duel(weapon="sword").when(swing()).rolling(20, 2, 3).then(
        like(ROLLED, expression="1d8[sword] + 3[Strength] + 1d8[sword] + 3[Strength]"), like(HURT, amount=11)
    )
    duel(weapon="axe").when(swing()).rolling(20, 2, 3, 4).then(like(HURT, amount=18))


@rule("R4.20", "Q4.11")
@pytest.mark.parametrize(
    ("strength", "gear", "amount"),
    [
        (3, {"weapon": "sword"}, 3),
        (3, {"weapon": "greatsword"}, 4),
        (1, {"weapon": "greatsword"}, 1),
        (-2, {"weapon": "greatsword"}, -2),
        (-2, {"off_hand": "dagger"}, -2),
        (3, {"off_hand": "dagger"}, 1),
        (4, {"off_hand": "dagger"}, 2),
    ],
)
def test_strength_counts_whole_half_or_half_more_by_the_grip(strength, gear, amount) -> None:
    scene = duel(bonuses=(str(strength), *("0",) * 5), **gear)
    assert scene.sheet("ann").amount("damage") == amount


@rule("QG.1", "R4.20")
def test_halves_are_rounded_down_or_up_as_the_table_plays() -> None:
    down = duel(weapon="greatsword", settings={"rounding": "floor"})
    up = duel(weapon="greatsword", settings={"rounding": "ceil"})
    assert (down.sheet("ann").amount("damage"), up.sheet("ann").amount("damage")) == (4, 5)


@rule("QG.2")
def test_a_hit_deals_at_least_one_or_what_the_table_says() -> None:
    weak = ("-4", "9", "0", "0", "0", "0")
    duel(weapon="dagger", bonuses=weak).when(swing()).rolling(18, 2).then(like(HURT, amount=1))
    duel(weapon="dagger", bonuses=weak, settings={"min_damage_on_hit": 0}).when(swing()).rolling(18, 2).then(
        like(HURT, amount=0)
    )


@rule("R4.14", "Q4.8", "Q4.9")
@pytest.mark.parametrize(
    ("twf", "off_hand", "penalties"),
    [
        ("skilled", "axe", (-4, -4)),
        ("skilled", "dagger", (-2, -2)),
        ("unskilled", "axe", (-6, -10)),
        ("unskilled", "dagger", (-4, -8)),
    ],
)
def test_two_weapons_strike_once_each_and_both_less_well(twf, off_hand, penalties) -> None:
    scene = duel(weapon="sword", off_hand=off_hand, settings={"twf": twf})
    sheet = scene.sheet("ann")
    assert (sheet.amount("to_hit"), sheet.amount(f"to_hit:{off_hand}")) == (8 + penalties[0], 8 + penalties[1])
    played = scene.when(swing()).rolling(18, 18, 4, 3)
    played.then(
        like(CHECK, check="attack", total=26 + penalties[0]),
        like(CHECK, check="second attack", total=26 + penalties[1]),
        like(HURT, amount=7),
        like(HURT, amount=4),
    )


@rule("Q4.9", "QG.5")
def test_both_weapons_are_rolled_for_before_either_does_damage_and_the_dead_are_hurt_no_more() -> None:
    rat = Join(name="Rat", kind="monster", hp=1, ac=5, at=("0", "1"))
    scene = duel(weapon="sword", off_hand="dagger").given(rat)
    played = scene.when(Attack(attacker="ann", target="rat", second="post")).rolling(18, 18, 8, 2)
    rolls = ["attack", "second attack", "attack damage", "second attack damage"]
    assert [roll.purpose for roll in played.events(ROLLED)] == rolls
    both = scene.when(Attack(attacker="ann", target="rat")).rolling(18, 18, 8)
    assert [roll.purpose for roll in both.events(ROLLED)] == rolls[:3]
    assert both.character("rat").has("dead")


@rule("R4.14", "Q4.9")
def test_one_weapon_may_be_named_and_the_other_hand_may_strike_somebody_else() -> None:
    scene = duel(weapon="sword", off_hand="dagger").given(Join(name="Other", kind="monster", hp=9, ac=5, at=("0", "1")))
    played = scene.when(swing(second="other")).rolling(3, 9, 1)
    played.then(like(CHECK, against="post"), like(CHECK, against="other"), like(HURT, character="other"))
    one = scene.go_on().when(swing(weapon="dagger")).rolling(3)
    one.then(like(CHECK, total=9))
    assert len(one.events(CHECK)) == 1
    scene.when(swing(weapon="dagger", second="other")).refused("two weapons")


@rule("R4.16", "R4.15", "R4.38", "Q4.41", "Q4.46")
def test_being_flanked_costs_the_dexterity_bonus_but_not_a_penalty(table) -> None:
    scene = table({"steve": (0, 0)}).given(
        Join(name="Oaf", class_name="fighter", scores=("0", "-2", "0", "0", "0", "0"))
    )
    steve, oaf = scene.sheet("steve"), scene.sheet("oaf")
    assert (steve.amount("ac"), steve.amount("flanked_ac")) == (21, 20)
    assert (oaf.amount("ac"), oaf.amount("flanked_ac")) == (8, 8)


FLANKED = {"tamsin": (0, 0), "odo": (2, 0), "boar": (1, 0)}


@rule("R4.22", "R4.38", "Q4.10", "R4.37")
def test_a_rogue_who_flanks_adds_two_to_the_attack_and_sneak_dice_to_the_damage(table) -> None:
    stab = Attack(attacker="tamsin", target="boar")
    played = table(FLANKED).when(stab).rolling(6, 4, 3, 2, 1)
    played.then(
        like(ROLLED, expression="1d20 + 3[rogue] + 1[Strength] + 2[flanking]", total=12),
        like(ROLLED, expression="1d8[sword] + 1[Strength] + 3d6[sneak attack]"),
        like(HURT, character="boar", amount=11),
    )
    table(FLANKED, sneak_dice=1).when(stab).rolling(6, 4, 3).then(like(HURT, amount=8))
    table(FLANKED, sneak_dice=0).when(stab).rolling(6, 4).then(like(HURT, amount=5))
    alone = table({**FLANKED, "odo": (2, 1)}).when(stab).rolling(9, 4)
    alone.then(like(CHECK, total=13), like(HURT, amount=5))


@rule("Q4.6", "R4.21", "R4.22")
def test_a_critical_hit_leaves_sneak_dice_alone_unless_the_table_multiplies_them(table) -> None:
    stab = Attack(attacker="tamsin", target="boar")
    table(FLANKED).when(stab).rolling(20, 4, 4, 1, 1, 1).then(like(HURT, amount=13))
    table(FLANKED, crit_multiplies_sneak=True).when(stab).rolling(20, 4, 4, *(1,) * 6).then(like(HURT, amount=16))


@rule("R4.38", "Q4.22")
def test_the_partner_of_a_flank_profits_too_but_has_no_sneak_attack(table) -> None:
    table(FLANKED).when(Attack(attacker="odo", target="boar")).rolling(6, 3).then(
        like(CHECK, total=12, success=True), like(HURT, amount=4)
    )


@rule("R4.37", "Q4.21")
def test_where_the_line_may_cross_the_square_anywhere_more_pairs_flank(table) -> None:
    people = {"tamsin": (0, 0), "odo": (2, 1), "boar": (1, 0)}
    stab = Attack(attacker="odo", target="boar")
    table(people, flank_geometry="center").when(stab).rolling(8, 1).then(like(CHECK, total=12))
    table(people, flank_geometry="square").when(stab).rolling(8, 1).then(like(CHECK, total=14))


@rule("R4.37", "R4.42", "R4.47", "Q4.22")
def test_a_prone_partner_counts_for_a_flank_and_an_incapacitated_one_does_not(table) -> None:
    stab = Attack(attacker="tamsin", target="boar")
    prone = table(FLANKED).given(SetCondition(who="odo", condition="prone"))
    prone.when(stab).rolling(6, 1, 1, 1, 1).then(like(CHECK, total=12))
    down = table(FLANKED).given(events.ConditionBegan(character="odo", condition="incapacitated"))
    down.when(stab).rolling(8, 1).then(like(CHECK, total=12), like(HURT, amount=2))


@rule("R4.22")
def test_a_rogue_out_of_hiding_sneaks_once_and_is_seen_then(table) -> None:
    scene = table({"tamsin": (0, 0), "boar": (1, 0)}).given(SetCondition(who="tamsin", condition="hidden"))
    played = scene.when(Attack(attacker="tamsin", target="boar")).rolling(9, 1, 1, 1, 1)
    played.then(
        like(CHECK, total=13), like(HURT, amount=5), events.ConditionEnded(character="tamsin", condition="hidden")
    )
    again = played.go_on().when(Attack(attacker="tamsin", target="boar")).rolling(9, 1)
    again.then(like(HURT, amount=2))


@rule("R4.22", "R4.6")
def test_a_rogue_hides_with_a_check_and_is_hidden_if_it_succeeds(table) -> None:
    scene = table({"tamsin": (0, 0), "boar": (1, 0)})
    hidden = events.ConditionBegan(character="tamsin", condition="hidden")
    scene.when(Check(who="tamsin", skill="hide", target=30)).rolling(2).never(hidden)
    hides = scene.when(Check(who="tamsin", skill="hide")).rolling(15).then(hidden)
    stab = hides.go_on().when(Attack(attacker="tamsin", target="boar")).rolling(9, 1, 1, 1, 1)
    stab.then(like(HURT, amount=5), events.ConditionEnded(character="tamsin", condition="hidden"))
    scene.when(Check(who="tamsin", skill="intimidate")).rolling(20).never(hidden)


@rule("R4.42", "R4.38", "Q4.24")
def test_anyone_who_lies_incapacitated_counts_as_flanked_even_against_one(table) -> None:
    scene = table({"tamsin": (0, 0), "steve": (1, 0)}).given(
        events.DamageTaken(character="steve", amount=42, dealt=42),
        events.ConditionBegan(character="steve", condition="incapacitated"),
        events.ConditionBegan(character="steve", condition="prone"),
    )
    played = scene.when(Attack(attacker="tamsin", target="steve")).rolling(9, 1, 1, 1, 1)
    played.then(like(CHECK, total=15, target=15, success=True), like(HURT, amount=5))


@rule("R4.47", "Q4.23")
def test_on_the_ground_one_is_hit_more_easily_from_near_and_far_and_strikes_worse() -> None:
    scene = duel(weapon="sword").given(
        SetCondition(who="ann", condition="prone"), SetCondition(who="post", condition="prone")
    )
    scene.when(swing()).rolling(7, 1).then(like(CHECK, total=10, target=10, success=True), like(HURT, amount=1))
    far = duel(weapon="longbow", at=("20", "0")).given(SetCondition(who="post", condition="prone"))
    far.when(swing()).rolling(3, 4).then(like(CHECK, total=10, target=10, success=True))
    archer = duel(weapon="longbow", at=("20", "0")).given(SetCondition(who="ann", condition="prone"))
    archer.when(swing()).rolling(8, 2).then(like(CHECK, total=15), like(HURT, amount=1))
    assert scene.sheet("ann").amount("touch_ac") == 7


@rule("R4.52", "Q4.13")
def test_thrown_weapons_add_two_and_dexterity_fly_twenty_feet_and_are_gone() -> None:
    scene = duel(weapon="axe", at=("4", "0"))
    played = scene.when(swing()).rolling(6, 2)
    played.then(
        like(events.GearGained, item="axe", count=0, use=("weapon", "axe", "down", "4", "0", "0")),
        like(ROLLED, expression="1d20 + 5[fighter] + 2[Dexterity] + 2[thrown]", total=15),
        like(HURT, amount=5),
    )
    duel(weapon="axe", at=("5", "0")).when(swing()).refused("25 feet away", "20 feet")
    duel(weapon="sword", at=("2", "0")).when(swing()).refused("2 squares", "exactly one")
    duel(weapon="axe", at=("4", "0"), settings={"thrown_bonus": 4}).when(swing()).rolling(6, 2).then(
        like(CHECK, total=17)
    )


@rule("R4.30")
def test_melee_reaches_exactly_one_square_in_all_directions() -> None:
    duel(weapon="sword", at=("1", "1")).when(swing()).rolling(2).then(like(CHECK, outcome="miss"))
    duel(weapon="sword", at=()).when(swing()).refused("Post is on no square. First: place post 1 0")
    duel(weapon="sword", at=("0", "2")).when(swing()).refused("exactly one")


@rule("R4.51", "Q4.42", "Q4.43")
def test_every_shot_costs_an_arrow_and_there_is_a_last_one_and_a_last_square() -> None:
    scene = duel(weapon="shortbow", at=("12", "0"))
    for left in (4, 3, 2, 1, 0):
        shot = scene.when(swing()).rolling(2)
        shot.then(events.GearLost(character="ann", item="arrows"))
        scene = shot.go_on()
        assert scene.character("ann").gear["arrows"].count == left
    scene.when(swing()).refused("Ann has no arrows left")
    duel(weapon="shortbow", at=("13", "0")).when(swing()).refused("65 feet away", "60 feet")


@rule("R4.17")
def test_nobody_attacks_themselves_the_dead_or_with_what_is_not_in_hand() -> None:
    scene = duel(weapon="sword", sheath="axe")
    scene.when(Attack(attacker="ann", target="ann")).refused("Ann cannot attack Ann")
    scene.when(swing(weapon="axe")).refused("Ann does not hold axe", "wield ann")
    scene.given(events.ConditionBegan(character="post", condition="dead")).when(swing()).refused("Post is dead")


def test_bare_hands_and_teeth_do_where_there_is_nothing_else() -> None:
    duel().when(swing()).rolling(7, 2).then(
        like(ROLLED, expression="1d3[bare hands] + 3[Strength]"), like(HURT, amount=5)
    )
    scene = duel(weapon="sword").when(Attack(attacker="post", target="ann")).rolling(19, 4)
    scene.then(like(ROLLED, expression="1d6[teeth and claws]"))


def test_a_typed_bonus_is_added_and_said() -> None:
    duel(weapon="sword").when(swing(bonus=("+2 high ground",))).rolling(2).then(
        like(ROLLED, expression="1d20 + 5[fighter] + 3[Strength] + 2[high ground]")
    )
