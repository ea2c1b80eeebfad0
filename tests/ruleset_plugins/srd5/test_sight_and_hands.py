"""Who sees whom, what hands are free, and weapons in places and uses that they are not made for."""

from __future__ import annotations

import pytest

from rollbook.plugin import Action, events
from rollbook.rulesets.srd5.fight.actions import Dodge, Hide
from rollbook.rulesets.srd5.fight.encounter import BeginEncounter
from rollbook.rulesets.srd5.fight.grapple import Grapple
from rollbook.rulesets.srd5.fight.movement import Move
from rollbook.rulesets.srd5.fight.reactions import Opportunity
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import (
    again,
    cast,
    caster,
    condition,
    end_turn,
    fight,
    fighter,
    monster,
    post,
    rolled,
    swing,
    table,
    with_any_dice,
)

HURT, ENDED = events.DamageTaken, events.ConditionEnded
ONE, BETTER, WORSE = "one die", "advantage", "disadvantage"


def edge(scene: Scenario, action: Action) -> str:
    """The d20s of the first roll of an action."""
    dice = rolled(with_any_dice(scene, action, 2))[0]
    return {"2d20kh1": BETTER, "2d20kl1": WORSE}.get(dice[:7], ONE)


def shot(distance: int = 30, **more) -> Action:
    return swing(weapon="longbow", distance=distance, **more)


@rule("R5.133", "R5.134", "R5.60")
@pytest.mark.parametrize(
    ("who", "state", "found"),
    [
        ("", "", WORSE),
        ("kara", "invisible", BETTER),
        ("kara", "hidden", BETTER),
        ("post", "blinded", BETTER),
        ("post", "grappled", ONE),
        ("post", "restrained", BETTER),
    ],
)
def test_who_dodges_must_see_the_blow_and_be_able_to_move(who, state, found) -> None:
    scene = end_turn(fight(table(), "post", "kara").given(Dodge(who="post")))
    assert edge(scene.given(condition(who, state)) if who else scene, swing()) == found


@rule("R5.66")
@pytest.mark.parametrize(
    ("who", "state", "found"),
    [
        ("", "", WORSE),
        ("ogre", "incapacitated", ONE),
        ("ogre", "blinded", ONE),
        ("ogre", "dead", ONE),
        ("kara", "invisible", BETTER),
    ],
)
def test_an_enemy_beside_spoils_a_shot_only_who_acts_and_sees(who, state, found) -> None:
    scene = table(fighter(at=("0", "0")), post(at=("6", "0")), monster("Ogre", at=("1", "0")))
    assert edge(scene.given(condition(who, state)) if who else scene, swing(weapon="longbow")) == found


@rule("R5.68", "R5.164")
def test_nobody_strikes_in_passing_at_whom_they_do_not_see() -> None:
    scene = fight(table(fighter(at=("0", "0")), monster("Ogre", at=("1", "0"))), "kara", "ogre")
    fled = scene.given(condition("kara", "invisible")).when(Move(who="kara", to=("-3", "0"))).go_on()
    fled.when(Opportunity(attacker="ogre", target="kara")).refused("does not see Kara")


@rule("R5.68", "R5.180")
def test_who_leaves_a_long_reach_is_struck_at_the_end_of_it() -> None:
    scene = fight(table(fighter(at=("0", "0"), weapons=("glaive",)), post(at=("2", "0"))), "post", "kara")
    crawled = scene.given(condition("post", "prone")).when(Move(who="post", to=("3", "0"))).go_on()
    assert edge(crawled, Opportunity(attacker="kara", target="post")) == WORSE


@rule("R5.152", "R5.164", "R5.43")
def test_the_hidden_are_invisible_when_initiative_is_rolled_but_not_in_2014() -> None:
    begin = BeginEncounter(participants=("kara", "post"))
    assert edge(table().given(with_dice(Hide(who="kara"), 13)), begin) == BETTER
    assert edge(table(fighter(), post(), edition="2014").given(condition("kara", "hidden")), begin) == ONE


@rule("R5.153")
def test_a_spell_with_words_gives_away_who_was_hidden() -> None:
    scene = table(caster(), post()).given(condition("mira", "hidden"))
    with_any_dice(scene, cast("fire bolt", "post"), 5).then(like(ENDED, condition="hidden"))
    with_any_dice(again(scene), cast("mage armor", "mira"), 5).then(like(ENDED, condition="hidden"))
    with_any_dice(again(scene), cast("minor illusion"), 5).never(like(ENDED, condition="hidden"))


@rule("R5.180", "R5.175", "R5.204", "R5.16")
@pytest.mark.parametrize(
    ("weapon", "distance", "state", "found"),
    [
        ("glaive", 10, "prone", WORSE),
        ("glaive", 5, "prone", BETTER),
        ("longbow", 30, "prone", WORSE),
        ("longbow", 5, "prone", ONE),
        ("longbow", 200, "prone", WORSE),
        ("longbow", 60, "unconscious", ONE),
        ("longbow", 200, "paralyzed", ONE),
    ],
)
def test_distance_decides_what_lying_on_the_ground_does(weapon, distance, state, found) -> None:
    scene = table(fighter(weapons=(weapon,)), post()).given(condition("post", state))
    assert edge(scene, swing(distance=distance)) == found


@rule("R5.175")
def test_a_long_reach_is_too_far_for_the_critical_hit_on_the_paralysed() -> None:
    scene = table(fighter(weapons=("glaive",)), post()).given(condition("post", "paralyzed"))
    assert rolled(with_any_dice(scene, swing(distance=10), 15))[1].startswith("1d10")
    assert rolled(with_any_dice(scene, swing(distance=5), 15))[1].startswith("2d10")


@rule("R5.147", "R5.254", "R5.260")
def test_a_shield_and_whom_one_holds_leave_no_hand_for_some_weapons() -> None:
    holding = table(fighter(weapons=("greatsword", "longsword", "longbow")), monster("Ogre"))
    holding = holding.given(with_dice(Grapple(attacker="kara", target="ogre"), 1))
    holding.when(swing("ogre")).refused("both hands", "busy with Ogre")
    holding.when(swing("ogre", weapon="longbow", distance=5)).refused("both hands")
    holding.when(swing("ogre", weapon="longsword", two_handed=True)).refused("both hands")
    holding.when(swing("ogre", weapon="longsword")).rolling(2).then(events.CheckResolved)
    shielded = table(fighter(shield=True, weapons=("sling", "longsword")), monster("Ogre"))
    shielded.when(swing("ogre", weapon="sling", distance=20)).refused("both hands", "Shield")


@rule("R5.158")
def test_a_weapon_against_its_design_is_a_makeshift_one() -> None:
    thrown = with_any_dice(table(fighter(), post(ac=10)), swing(thrown=True, distance=20), 15)
    assert rolled(thrown) == ("1d20 + 3[STR]", "1d4 + 3[STR]")
    assert edge(table(), swing(thrown=True, distance=40)) == WORSE
    table().when(swing(thrown=True, distance=65)).refused("60 feet")
    swung = with_any_dice(table(fighter(), post(ac=10)), swing(weapon="longbow", improvised=True), 15)
    assert rolled(swung) == ("1d20 + 3[STR]", "1d4 + 3[STR]")
    swung.never(events.GearLost)


@rule("R5.79", "R5.80", "R5.275")
def test_damage_without_a_die_is_what_it_is() -> None:
    scene = table(fighter(weapons=("blowgun",)), post(ac=10))
    with_any_dice(scene, swing(distance=20), 15).then(like(HURT, amount=1))
    with_any_dice(scene, swing(distance=20), 20).then(like(HURT, amount=1))
    torch = scene.given(events.GearGained(character="kara", item="Torch")).when(swing(weapon="torch")).rolling(15)
    torch.then(like(HURT, amount=1, tags=("fire",)))
    assert rolled(torch)[0] == "1d20 + 3[STR] + 2[proficiency]"


@rule("R5.73", "R5.74")
@pytest.mark.parametrize(
    ("weapon", "distance", "new", "old"),
    [
        ("mace", 5, WORSE, WORSE),
        ("rapier", 5, ONE, WORSE),
        ("dagger", 5, ONE, ONE),
        ("unarmed", 5, ONE, WORSE),
        ("light-crossbow", 30, WORSE, ONE),
        ("longbow", 30, WORSE, WORSE),
        ("javelin", 20, WORSE, ONE),
        ("handaxe", 20, WORSE, WORSE),
    ],
)
def test_water_hinders_other_weapons_in_2014(weapon, distance, new, old) -> None:
    who = fighter(weapons=(weapon,) if weapon != "unarmed" else ())
    blow = swing(weapon=weapon, distance=distance, under_water=True)
    assert edge(table(who, post()), blow) == new
    assert edge(table(who, post(), edition="2014"), blow) == old


@rule("R5.260", "Q5.1")
def test_a_lance_of_2014_is_too_long_for_who_stands_near() -> None:
    lancer = fighter(weapons=("lance",))
    assert edge(table(lancer, post(), edition="2014"), swing(distance=5)) == WORSE
    assert edge(table(lancer, post(), edition="2014"), swing(distance=10)) == ONE
    assert edge(table(lancer, post()), swing(distance=5)) == ONE


@rule("R5.257", "R5.265")
def test_there_is_one_extra_attack_with_a_light_weapon_in_a_turn() -> None:
    scene = fight(table(fighter(weapons=("shortsword", "dagger"), masteries=("dagger",)), post()))
    scene = scene.when(swing(weapon="shortsword")).rolling(2).go_on()
    scene = scene.when(swing(weapon="dagger", extra=True)).rolling(2).go_on()
    scene.when(swing(weapon="dagger", extra=True)).refused("has made the extra attack")


@rule("R5.257", "Q5.1")
def test_in_2014_the_other_light_weapon_is_in_the_other_hand() -> None:
    armed = fighter(weapons=("shortsword", "dagger"), shield=True)
    old = fight(table(armed, post(), edition="2014")).when(swing(weapon="shortsword")).rolling(2).go_on()
    old.when(swing(weapon="dagger", extra=True)).refused("no other hand")
    new = fight(table(armed, post())).when(swing(weapon="shortsword")).rolling(2).go_on()
    new.when(swing(weapon="dagger", extra=True)).rolling(2).then(events.CheckResolved)
