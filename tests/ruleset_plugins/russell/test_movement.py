"""Movement is 12 for people; in a fight one moves freely within a range, and to the next one takes an action."""

from __future__ import annotations

from rollbook.plugin import events
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.encounter import BeginEncounter, EndTurn
from rollbook.rulesets.russell.fight.movement import Move
from rollbook.rulesets.russell.fight.rolls import Save
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.russell import has_gear, in_condition, party

BEGAN, CHECKED = events.ConditionBegan, events.CheckResolved


def apart(dungeon, band: str, **settings):
    fight = BeginEncounter(participants=("aldo", "brenna", "ogre"), range=band)
    return dungeon(**settings).given(with_dice(fight, 6, 3, 1))


@rule("R3.76", "Q3.24")
def test_one_action_goes_no_farther_than_the_next_range(dungeon) -> None:
    far = apart(dungeon, "medium")
    far.when(Move(who="aldo", to="engaged")).refused("medium range", "one range and no farther")
    far.when(Move(who="aldo", to="medium")).refused("moving within it is free")
    near = far.given(Move(who="aldo", to="close"))
    assert near.character("aldo").conditions["at range to ogre"].detail == "close"
    near.when(Attack(attacker="aldo", target="ogre", weapon="melee")).refused("has acted already")
    near.when(Move(who="aldo", to="engaged")).refused("has acted already")


@rule("R3.76", "Q3.24")
def test_weapons_reach_as_far_as_they_do(dungeon) -> None:
    far = apart(dungeon, "medium")
    far.when(Attack(attacker="aldo", target="ogre", weapon="melee")).refused("medium range", "reaches engaged")
    far.when(Attack(attacker="aldo", target="ogre", weapon="light")).refused("reaches close")
    far.given(EndTurn()).when(Attack(attacker="brenna", target="ogre", weapon="bow")).rolling(5).then(CHECKED)
    apart(dungeon, "close").when(Attack(attacker="aldo", target="ogre", weapon="light")).rolling(15, 2).then(
        like(events.DiceRolled, expression="1d20 + 1[Shooting Skill] + 5[armour class]")
    )


@rule("Q3.24")
def test_a_table_may_have_ranges_of_its_own(dungeon) -> None:
    near = apart(dungeon, "near", bands="engaged,near")
    near.when(Move(who="aldo", to="close")).refused("one of engaged, near")
    near.when(Move(who="aldo", to="engaged")).then(like(BEGAN, detail="engaged"))


@rule("R3.76", "Q3.25")
def test_on_a_map_one_walks_twice_ones_movement_a_round(dungeon) -> None:
    fight = apart(dungeon, "engaged")
    fight.when(Move(who="aldo", feet=25)).refused("24 are left")
    walked = fight.given(Move(who="aldo", feet=20))
    walked.when(Move(who="aldo", feet=5)).refused("4 are left")
    walked.when(Attack(attacker="aldo", target="ogre", weapon="melee")).rolling(5).then(CHECKED)
    weary = fight.given(BEGAN(character="aldo", condition="wearied"))
    weary.when(Move(who="aldo", feet=13)).refused("12 are left")
    dungeon().when(Move(who="aldo", feet=500)).then(events.Moved(character="aldo", cost=500))


@rule("R3.76")
def test_a_foe_within_weapon_reach_blocks_the_way_if_it_can(dungeon) -> None:
    away = Move(who="aldo", to="close", blocked_by="ogre")
    fight = apart(dungeon, "engaged")
    fight.when(away).refused("Ogre is within weapon reach and blocks Aldo's way", "stunt aldo ogre")
    fight.given(BEGAN(character="ogre", condition="stunned")).when(away).then(like(BEGAN, detail="close"))


@rule("R3.76", "R3.11")
def test_athletic_moves_take_a_save_against_movement(dungeon) -> None:
    leap = Move(who="aldo", to="engaged", athletic=True)
    over = apart(dungeon, "close").when(leap)
    over.rolling(12).then(like(CHECKED, check="Movement save", success=True), like(BEGAN, detail="engaged"))
    fell = apart(dungeon, "close").when(leap).rolling(13)
    fell.then(like(CHECKED, success=False)).never(BEGAN)
    fell.go_on().when(Move(who="aldo", to="engaged")).refused("has acted already")


def test_a_move_says_where_to_and_from_whom(dungeon) -> None:
    dungeon().when(Move(who="aldo")).refused("--to RANGE")
    dungeon().when(Move(who="aldo", to="close")).refused("Aldo has no foe in the fight")
    dungeon().when(Move(who="aldo", to="close", foes=("ogre",))).then(like(BEGAN, detail="close"))


@rule("Q3.24")
def test_close_and_far_are_the_second_and_the_last_of_a_tables_own_ranges(dungeon) -> None:
    own = {"bands": "arm,spear,stone,bow"}
    shot = Attack(attacker="brenna", target="ogre", weapon="bow")
    apart(dungeon, "bow", **own).given(EndTurn()).when(shot).rolling(5).then(CHECKED)
    thrown = Attack(attacker="aldo", target="ogre", weapon="light")
    apart(dungeon, "spear", **own).when(thrown).rolling(5).then(CHECKED)
    apart(dungeon, "stone", **own).when(thrown).refused("reaches spear")


LEAP = Save(who="bram", attribute="movement")


@rule("R3.10", "R3.76", "Q3.25")
def test_people_have_movement_12_and_walk_24_feet_a_round_half_of_it_when_wearied() -> None:
    game = party()
    sheet = game.sheet("ida")
    assert (sheet.amount("movement"), sheet.amount("turn_feet"), sheet.amount("speed")) == (12, 120, 24)
    wearied = game.given(in_condition("ida", "wearied")).sheet("ida")
    assert (wearied.amount("movement"), wearied.amount("turn_feet"), wearied.amount("speed")) == (6, 60, 12)
    for key in ("movement", "turn_feet", "speed"):
        value = wearied.value(key)
        assert value is not None and sum(term.amount for term in value.terms) == value.amount


@rule("R3.11", "R3.9")
def test_athletics_is_a_d20_at_or_under_movement() -> None:
    party().when(LEAP).rolling(12).then(like(events.CheckResolved, total=12, target=12, success=True))
    party().when(LEAP).rolling(13).then(like(events.CheckResolved, success=False))


@rule("R3.11", "R3.10", "R3.36", "R3.38")
def test_the_wearied_and_the_laden_leap_badly() -> None:
    game = party().given(in_condition("bram", "wearied"))
    game.when(LEAP).rolling(5, 7).then(like(events.CheckResolved, total=7, target=6, success=False))
    laden = party().given(has_gear("bram", "rope", 10))
    laden.when(LEAP).rolling(5, 13).then(like(events.CheckResolved, total=13, target=12, success=False))


def test_a_movement_below_nothing_is_none() -> None:
    sheet = party().given(events.StatChanged(character="ida", stat="movement", amount=-3)).sheet("ida")
    value = sheet.value("movement")
    assert value is not None and value.amount == 0 == sum(term.amount for term in value.terms)
