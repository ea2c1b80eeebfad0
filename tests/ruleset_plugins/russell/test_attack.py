"""An attack reaches 20 with the foe's armour class or misses; natural 20 and natural 1 do more than that."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.delve.lighting import Light
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.criticals import Choose
from rollbook.rulesets.russell.fight.encounter import BeginEncounter, EndTurn
from rollbook.rulesets.russell.fight.hit_points import Harm
from rollbook.rulesets.russell.fight.movement import Move
from rollbook.rulesets.russell.wealth.handover import PickUp
from rollbook.testing.scenarios import like, rule, with_dice

BEGAN, ENDED, HURT, CHECKED = events.ConditionBegan, events.ConditionEnded, events.DamageTaken, events.CheckResolved
OFFERED, MADE, ROLLED = events.ChoiceOffered, events.ChoiceMade, events.DiceRolled


def struck(attacker: str = "cora", target: str = "ogre", weapon: str = "melee", **more) -> Attack:
    return Attack(attacker=attacker, target=target, weapon=weapon, **more)


@rule("R3.77")
def test_d20_and_weapon_skill_and_the_foes_armour_class_must_reach_20(dungeon) -> None:
    dungeon().when(struck()).rolling(14, 3).then(
        like(CHECKED, check="attack", total=14 + 1 + 5, target=20, success=True, outcome="hit", against="ogre"),
        HURT(character="ogre", amount=3, dealt=3, source="cora"),
    )
    dungeon().when(struck()).rolling(13).then(like(CHECKED, total=19, success=False, outcome="miss")).never(HURT)


@rule("R3.77")
def test_a_roll_to_hit_shows_everything_that_makes_up_its_total(dungeon) -> None:
    """Armour class is in the sum that is printed, and the total there is the one that is compared with 20."""
    hit = dungeon().when(struck(bonus=("+2 high ground",))).rolling(14, 3)
    rolled, checked = hit.events(ROLLED)[0], hit.events(CHECKED)[0]
    assert rolled.expression == "1d20 + 1[Weapon Skill] + 2[high ground] + 5[armour class]"
    assert rolled.total == checked.total == 14 + 1 + 2 + 5


@rule("R3.77", "R3.96")
def test_a_monster_strikes_with_its_weapon_skill_or_its_hit_dice(dungeon) -> None:
    dungeon().when(struck("ogre", "cora", "natural")).rolling(6, 1).then(like(CHECKED, total=6 + 5 + 9))
    dungeon().when(struck("goblin", "cora", "natural")).rolling(10, 1).then(like(CHECKED, total=10 + 1 + 9))


@rule("R3.78")
def test_a_natural_20_hits_whatever_the_armour(dungeon) -> None:
    hidden = struck(bonus=("-30 blindfold",))
    dungeon().when(hidden).rolling(20, 3).then(like(CHECKED, success=True, outcome="natural 20"), HURT)


@rule("R3.78", "Q3.27")
def test_the_attacker_chooses_after_a_natural_20_whether_it_is_double_damage(dungeon) -> None:
    blow = struck("aldo")
    hit = dungeon().when(blow).rolling(20, 3)
    hit.then(like(HURT, dealt=3 + 2), like(OFFERED, character="aldo", choice="critical:ogre"))
    assert [option.key for option in hit.events(OFFERED)[0].options] == ["double", "trip", "other"]
    assert hit.events(OFFERED)[0].options[0].label == "5 more damage"
    chosen = hit.go_on().when(Choose(who="aldo", choice="critical:ogre", picked="double"))
    chosen.then(like(MADE, picked="double"), HURT(character="ogre", amount=5, dealt=5, source="aldo"))
    assert chosen.sheet("ogre").amount("hp") == 15 - (3 + 2) * 2


@rule("R3.78")
@pytest.mark.parametrize("effect", ["trip", "disarm", "other"])
def test_or_an_ordinary_hit_and_an_effect(dungeon, effect: str) -> None:
    armed = events.GearGained(character="ogre", item="club", use=("weapon", "melee"))
    played = dungeon().given(armed).when(struck("aldo", on_20=effect)).rolling(20, 3)
    played.then(like(HURT, dealt=5), like(MADE, picked=effect))
    assert played.character("ogre").has("floored") == (effect == "trip")
    assert (played.character("ogre").gear["club"].count == 0) == (effect == "disarm")
    assert len(played.events(HURT)) == 1


@rule("Q3.27")
def test_a_critical_hit_is_settled_before_the_fight_goes_on(dungeon) -> None:
    fight = with_dice(BeginEncounter(participants=("aldo", "ogre")), 6, 1)
    hit = dungeon().given(fight, with_dice(struck("aldo"), 20, 3))
    hit.when(EndTurn()).refused("Aldo has hit with a natural 20", "choose aldo critical:ogre double")
    hit.when(Choose(who="aldo", choice="critical:ogre", picked="bite")).refused("double, other, trip")
    hit.when(struck("aldo", out_of_turn=True)).refused("Say first what it does")
    hit.when(Choose(who="aldo", choice="critical:rat", picked="trip")).refused("Open: critical:ogre")


@rule("Q3.10", "R3.78")
def test_a_critical_hit_that_wounded_is_not_doubled_into_a_second_wound(dungeon) -> None:
    low = dungeon().given(Harm(who="cora", amount="5"))
    hit = low.when(struck("ogre", "cora", "natural")).rolling(20, 4, 6)
    assert [option.key for option in hit.events(OFFERED)[0].options] == ["trip", "other"]
    exact = dungeon().given(Harm(who="cora", amount="5")).when(struck("ogre", "cora", "natural")).rolling(20, 1)
    doubled = exact.go_on().when(Choose(who="ogre", choice="critical:cora", picked="double")).rolling(6)
    doubled.then(like(BEGAN, character="cora", condition="wounded"))


def test_a_critical_hit_that_kills_leaves_nothing_to_choose(dungeon) -> None:
    dungeon().when(struck(target="goblin")).rolling(20, 6).never(OFFERED)


@rule("R3.79", "Q3.26")
def test_a_natural_1_misses_whatever_the_skill_and_gives_the_target_a_free_attack(dungeon) -> None:
    fumbled = dungeon().when(struck(bonus=("+40 luck",))).rolling(1)
    fumbled.then(
        like(CHECKED, success=False, outcome="natural 1"),
        like(BEGAN, character="ogre", condition="owed a free attack on cora"),
    ).never(HURT)
    back = struck("ogre", "cora", "natural", free=True)
    fumbled.go_on().when(back).rolling(15, 2).then(
        ENDED(character="ogre", condition="owed a free attack on cora"), like(HURT, character="cora", amount=2)
    )
    dungeon().when(back).refused("Ogre has no free attack on Cora")


@rule("R3.79", "Q3.26")
def test_a_free_attack_is_taken_out_of_turn_and_is_gone_with_the_round(dungeon) -> None:
    fight = with_dice(BeginEncounter(participants=("cora", "ogre")), 6, 1)
    fumbled = dungeon().given(fight, with_dice(struck(), 1))
    fumbled.when(struck("ogre", "cora", "natural", free=True)).rolling(10, 2).then(like(HURT, character="cora"))
    over = fumbled.given(EndTurn(), with_dice(EndTurn(), 6, 1))
    assert not over.character("ogre").conditions


@rule("R3.79", "Q3.26")
def test_from_afar_or_if_the_gm_says_so_a_natural_1_is_a_misfortune(dungeon) -> None:
    shot = struck("brenna", weapon="bow")
    missed = dungeon().when(shot).rolling(1)
    missed.then(like(OFFERED, character="brenna", choice="misfortune")).never(BEGAN)
    lost = missed.go_on().when(Choose(who="brenna", choice="misfortune", picked="disarm"))
    assert lost.character("brenna").gear["bow"].count == 0
    fallen = missed.go_on().when(Choose(who="brenna", choice="misfortune", picked="floored"))
    assert fallen.character("brenna").has("floored")
    dungeon().when(struck(fumble="misfortune")).rolling(1).then(like(OFFERED, character="cora", choice="misfortune"))


@rule("R3.79")
def test_what_a_misfortune_is_only_the_gm_says(dungeon) -> None:
    seats = (
        events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1),
        events.ControlPassed(character="brenna", seat="Mira"),
    )
    missed = dungeon().given(*seats, with_dice(struck("brenna", weapon="bow"), 1))
    own = Choose(who="brenna", choice="misfortune", picked="other")
    missed.when(own, seat="Mira").refused("The GM decides what a fumble brings, not Mira")


@rule("R3.80")
def test_shots_use_shooting_skill_and_dexterity(dungeon) -> None:
    shot = struck("brenna", weapon="bow")
    dungeon().when(shot).rolling(14, 2).then(
        like(ROLLED, expression="1d20 + 1[Shooting Skill] + 5[armour class]", total=14 + 1 + 5),
        like(CHECKED, total=14 + 1 + 5),
        like(HURT, dealt=2 + 2),
    )


@rule("R3.80", "Q3.28", "QG.6")
def test_a_shot_into_a_melee_that_misses_with_5_or_less_hits_a_random_ally(dungeon) -> None:
    shot = struck("brenna", weapon="bow", melee=("aldo", "cora"))
    dungeon().when(shot).rolling(5, 2, 1).then(
        like(CHECKED, success=False, outcome="miss", against="ogre"),
        like(ROLLED, expression="1d2", purpose="who is hit"),
        like(CHECKED, outcome="stray shot", against="cora"),
        HURT(character="cora", amount=3, dealt=3, source="brenna"),
    )
    dungeon().when(shot).rolling(6).then(like(CHECKED, outcome="miss")).never(HURT)
    lone = struck("brenna", weapon="bow", melee=("aldo",))
    dungeon().when(lone).rolling(3, 1).then(HURT(character="aldo", amount=3, dealt=3, source="brenna"))


@rule("Q3.28")
def test_a_natural_1_into_a_melee_hits_the_ally_instead_of_fumbling(dungeon) -> None:
    shot = struck("brenna", weapon="bow", melee=("aldo",))
    dungeon().when(shot).rolling(1, 2).then(like(HURT, character="aldo")).never(OFFERED)


@rule("Q3.28")
def test_only_shots_endanger_friends(dungeon) -> None:
    dungeon().when(struck(melee=("aldo",))).refused("--melee names allies")
    dungeon().when(struck("brenna", weapon="bow", melee=("brenna",))).refused("the others")


@rule("R3.81", "Q3.55")
@pytest.mark.parametrize("face", [1, 2, 3])
def test_bare_hands_do_a_d3(dungeon, face: int) -> None:
    dungeon().when(struck(weapon="unarmed")).rolling(15, face).then(like(HURT, dealt=face))


@rule("R3.98", "Q3.44")
def test_everything_does_a_d6_unless_it_is_said(dungeon) -> None:
    dungeon().when(struck("ogre", "cora", "natural")).rolling(15, 6).then(like(ROLLED, expression="1d6", total=6))
    breath = struck("ogre", "cora", "natural", damage="3d8kh2")
    dungeon().when(breath).rolling(15, 1, 2, 1).then(like(ROLLED, expression="3d8kh2", total=3))
    axe = events.GearGained(character="cora", item="axe", use=("weapon", "two-handed", "1d10"))
    dungeon().given(axe).when(struck(weapon="axe")).rolling(15, 9).then(like(ROLLED, expression="1d10", total=9))


@rule("QG.2")
def test_a_hit_does_at_least_1_unless_the_table_says_0(dungeon) -> None:
    weak = struck(damage_bonus=("-6 padded",))
    dungeon().when(weak).rolling(15, 2).then(like(HURT, dealt=1))
    dungeon(min_damage_on_hit=0).when(weak).rolling(15, 6).then(like(HURT, dealt=0))


@rule("R3.69", "Q3.51")
def test_a_torch_is_a_crude_weapon_that_may_set_the_foe_alight(dungeon) -> None:
    blow = struck(weapon="torch")
    dungeon().when(blow).refused("no burning torch")
    lit = dungeon().given(events.GearGained(character="cora", item="torch"), Light(who="cora", item="torch"))
    lit.when(blow).rolling(15, 3, 1).then(like(HURT, dealt=3), like(BEGAN, character="ogre", condition="on fire"))
    lit.when(blow).rolling(15, 3, 2).then(like(HURT, dealt=3)).never(BEGAN)


@rule("R3.96", "Q3.43")
def test_a_monster_strikes_as_often_in_a_round_as_its_profile_says(dungeon) -> None:
    fight = dungeon().given(with_dice(BeginEncounter(participants=("cora", "ogre")), 1, 6))
    once = fight.given(with_dice(struck("ogre", "cora", "natural"), 2))
    twice = once.given(with_dice(struck("ogre", "cora", "natural"), 2))
    twice.when(struck("ogre", "cora", "natural")).refused("has acted already")
    assert fight.sheet("ogre").amount("attacks") == 2


def test_nobody_strikes_with_what_they_do_not_have_or_at_themselves(dungeon) -> None:
    dungeon().when(struck("aldo", weapon="hand weapo")).refused("hand weapon")
    dungeon().when(struck("aldo", "aldo")).refused("cannot attack Aldo")
    dungeon().given(Harm(who="goblin", amount="9")).when(struck("goblin", "cora")).refused("is dead")


def test_a_wound_in_words_is_the_gms(dungeon) -> None:
    seat = events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1)
    hers = events.ControlPassed(character="cora", seat="Mira")
    dungeon().given(seat, hers).when(struck(wound="an ear", brings=("floored",)), seat="Mira").refused(
        "--wound is a ruling"
    )


@rule("R3.70")
def test_a_good_hit_breaks_a_clipped_lantern(dungeon) -> None:
    lantern = (
        events.GearGained(character="cora", item="lantern"),
        BEGAN(character="cora", condition="clipped lantern", data={"item": "lantern"}),
    )
    blow = struck("ogre", "cora", "natural")
    dungeon().given(*lantern).when(blow).rolling(15, 1).then(like(events.GearLost, item="lantern"))
    dungeon().given(*lantern).when(blow).rolling(14, 1).never(events.GearLost)


@rule("Q3.44")
def test_a_monster_shoots_with_1_unless_its_profile_says_more(dungeon) -> None:
    dungeon().when(struck("ogre", "cora", "ranged")).rolling(10, 1).then(like(CHECKED, total=10 + 1 + 9))
    archer = Join(name="Archer", kind="monster", profile="HD 3 SS 4", hp=9)
    dungeon().given(archer).when(struck("archer", "cora", "ranged")).rolling(7, 1).then(like(CHECKED, total=7 + 4 + 9))


def chosen(game, picked: str = "double", target: str = "goblin"):
    return game.go_on().when(Choose(who="aldo", choice=f"critical:{target}", picked=picked))


@rule("Q3.27", "Q3.11", "R3.81")
def test_the_doubled_half_of_a_hit_is_struck_as_the_first_was(dungeon) -> None:
    spared = dungeon().when(struck("aldo", "goblin", spare=True, tags=("fire", "silver"))).rolling(20, 1)
    double = spared.events(OFFERED)[0].options[0]
    assert (double.key, double.data["dealt"], double.data["spare"]) == ("double", 3, True)
    assert double.data["tags"] == ("fire", "silver")
    fallen = chosen(spared).then(like(HURT, tags=("fire", "silver")), like(BEGAN, condition="helpless"))
    assert not fallen.character("goblin").has("dead")
    fists = struck("aldo", "cora", "unarmed", to_wound=True)
    hit = dungeon().given(Harm(who="cora", amount="3")).when(fists).rolling(20, 1)
    chosen(hit, target="cora").rolling(6).then(like(HURT, tags=("unarmed",)), like(BEGAN, condition="wounded"))


@rule("Q3.27", "R3.16")
def test_a_wound_in_the_gms_words_is_that_of_the_doubled_half_too(dungeon) -> None:
    hit = (
        dungeon()
        .given(Harm(who="cora", amount="3"))
        .when(struck("aldo", "cora", wound="an ear; torn", brings=("floored",)))
    )
    hit.rolling(20, 1)
    doubled = chosen(hit, target="cora").then(like(BEGAN, condition="wounded", detail="an ear; torn"))
    assert doubled.character("cora").has("floored")
    dungeon().when(struck("aldo", brings=("floored",))).refused("Describe it as well: --wound")


@rule("R3.78", "Q3.27")
def test_an_effect_of_a_natural_20_that_does_not_apply_leaves_the_choice_open(dungeon) -> None:
    hit = dungeon().when(struck("aldo", on_20="disarm")).rolling(20, 3)
    hit.then(like(OFFERED, choice="critical:ogre")).never(MADE)
    dungeon().when(struck("aldo", "goblin", on_20="double")).rolling(20, 6).never(OFFERED, MADE)


@rule("R3.98")
def test_other_dice_than_the_weapons_are_for_the_gm_to_say(dungeon) -> None:
    seat = events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1)
    hers = events.ControlPassed(character="cora", seat="Mira")
    dungeon().given(seat, hers).when(struck(damage="9d6"), seat="Mira").refused("--damage is a ruling")


@rule("R3.80")
def test_who_is_known_to_be_engaged_with_the_target_is_endangered_by_a_shot(dungeon) -> None:
    fight = BeginEncounter(participants=("brenna", "aldo", "cora", "ogre"), range="close")
    near = dungeon().given(
        with_dice(fight, 6, 3, 2, 1), Move(who="aldo", to="engaged", foes=("ogre",), out_of_turn=True)
    )
    shot = struck("brenna", "ogre", "bow")
    near.when(shot).rolling(5, 4).then(like(CHECKED, outcome="stray shot", against="aldo"))
    dungeon().given(with_dice(fight, 6, 3, 2, 1)).when(shot).rolling(5).never(HURT)


@rule("Q3.11")
def test_sparing_somebody_who_would_be_wounded_is_refused(dungeon) -> None:
    """Only who falls dead can be spared; the flag would be wasted on a player character."""
    dungeon().when(struck("ogre", "cora", "natural", spare=True)).refused("Cora is wounded at 0", "--spare is wasted")


@rule("R3.77")
@pytest.mark.parametrize("named", ["BOW", "Bow", "bow", "RANGED"])
def test_a_weapon_is_named_in_any_case_of_letters(dungeon, named: str) -> None:
    dungeon().when(struck("brenna", weapon=named)).rolling(14, 2).then(like(HURT, dealt=2 + 2))


@rule("R3.80", "R3.85")
def test_a_player_decides_to_charge_but_rules_nothing(dungeon) -> None:
    """Who is in the melee, the range, the tags and every bonus are the GM's to say."""
    seat = events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1)
    hers = dungeon().given(seat, events.ControlPassed(character="brenna", seat="Mira"))
    rulings = {"melee": ("aldo",), "range": "close", "tags": ("silver",), "bonus": ("+2 luck",), "advantage": ("luck",)}
    for option, value in rulings.items():
        hers.when(struck("brenna", weapon="bow", **{option: value}), seat="Mira").refused(f"--{option} is a ruling")
    hers.when(struck("brenna", weapon="bow", press=True), seat="Mira").rolling(14, 3, 2).then(HURT)


@rule("R3.78")
def test_a_weapon_that_is_struck_from_the_hand_lies_where_it_fell(dungeon) -> None:
    """Somebody within reach may pick it up, with what it is taken for; in a fight that is their action."""
    club = events.GearGained(character="ogre", item="Club", use=("weapon", "melee", "1d8"))
    fight = with_dice(BeginEncounter(participants=("aldo", "ogre", "brenna"), range="close"), 6, 3, 1)
    near = Move(who="aldo", to="engaged", foes=("ogre",))
    blow = with_dice(struck("aldo", on_20="disarm", out_of_turn=True), 20, 3)
    lost = dungeon().given(club, fight, near, blow)
    seat = events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1)
    hers = lost.given(seat, events.ControlPassed(character="brenna", seat="Mira"), EndTurn(), EndTurn())
    hers.when(PickUp(who="brenna", item="club"), seat="Mira").refused("No club has fallen within reach of Brenna")
    taken = lost.given(EndTurn()).when(PickUp(who="ogre", item="club"))
    taken.then(
        like(events.TurnSpent, character="ogre", what="action"),
        ENDED(character="ogre", condition="dropped Club"),
        events.GearGained(character="ogre", item="Club", use=("weapon", "melee", "1d8")),
    )
