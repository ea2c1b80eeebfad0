"""There is more to do in a Round than striking: charging, pressing, bracing, defending, and stunts."""

from __future__ import annotations

from rollbook.plugin import events
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.encounter import BeginEncounter, EndTurn
from rollbook.rulesets.russell.fight.manoeuvres import Brace, Defend, Stunt
from rollbook.rulesets.russell.fight.movement import Block, Move
from rollbook.testing.scenarios import like, rule, with_dice

BEGAN, ENDED, HURT, CHECKED = events.ConditionBegan, events.ConditionEnded, events.DamageTaken, events.CheckResolved
ROLLED = events.DiceRolled


def stunt(**more) -> Stunt:
    return Stunt(who="cora", target="ogre", **more)


@rule("R3.82", "Q3.29")
def test_a_stunt_is_an_attack_without_the_foes_armour_class_and_then_a_d6_for_7(dungeon) -> None:
    done = (
        dungeon()
        .given(events.StatChanged(character="cora", stat="str", amount=6))
        .when(stunt(attribute="str", effect="trip"))
    )
    done.rolling(19, 5).then(
        like(CHECKED, total=19 + 1, target=20, success=True),
        like(CHECKED, total=5 + 2, target=7, success=True),
        like(BEGAN, character="ogre", condition="floored"),
    )
    dungeon().when(stunt()).rolling(19, 6).then(like(CHECKED, total=6, target=7, success=False)).never(BEGAN)


@rule("R3.82")
def test_a_failed_stunt_gives_the_foe_a_free_attack(dungeon) -> None:
    failed = dungeon().when(stunt(what="swing from the lamp")).rolling(18)
    failed.then(
        like(CHECKED, check="swing from the lamp", total=19, success=False),
        like(BEGAN, character="ogre", condition="owed a free attack on cora"),
    )
    back = Attack(attacker="ogre", target="cora", weapon="natural", free=True)
    failed.go_on().when(back).rolling(10, 2).then(like(HURT, character="cora"))


@rule("Q3.29")
def test_natural_1_and_20_apply_to_stunts_and_a_table_may_lower_the_target(dungeon) -> None:
    sure = stunt(bonus=("+30 rope",))
    dungeon().when(sure).rolling(1).then(like(CHECKED, success=False, outcome="natural 1"))
    hard = stunt(bonus=("-30 chains",))
    dungeon().when(hard).rolling(20, 1).then(like(CHECKED, success=True, outcome="natural 20"))
    dungeon(stunt_target=12).when(stunt()).rolling(11, 1).then(like(CHECKED, total=12, target=12, success=True))
    dungeon().when(stunt()).rolling(11).then(like(CHECKED, total=12, target=20, success=False))


@rule("R3.82")
def test_the_gm_may_make_a_stunt_easier_or_harder_in_both_its_rolls(dungeon) -> None:
    easy = stunt(advantage=("a chandelier",))
    dungeon().when(easy).rolling(3, 19, 2, 6).then(
        like(CHECKED, total=20, success=True), like(CHECKED, total=6, success=False)
    )
    dungeon().when(Stunt(who="cora", target="cora")).refused("Name a foe")


@rule("R3.85")
def test_a_charge_ends_hand_to_hand_and_has_advantage(dungeon) -> None:
    fight = dungeon().given(with_dice(BeginEncounter(participants=("cora", "ogre"), range="close"), 6, 1))
    run = Attack(attacker="cora", target="ogre", weapon="melee", charge=True)
    charged = fight.when(run).rolling(3, 14, 2)
    charged.then(like(BEGAN, condition="at range to ogre", detail="engaged"), like(CHECKED, total=20, success=True))
    plain = Attack(attacker="cora", target="ogre", weapon="melee")
    fight.when(plain).refused("close range", "move cora --to engaged --foes ogre")
    far = dungeon().given(with_dice(BeginEncounter(participants=("cora", "ogre"), range="medium"), 6, 1))
    far.when(run).refused("too far away to be charged")
    shot = Attack(attacker="brenna", target="ogre", weapon="bow", charge=True)
    dungeon().when(shot).refused("Leave out --charge")


@rule("R3.86")
def test_who_has_braced_strikes_first_at_anyone_who_comes_within_reach(dungeon) -> None:
    fight = dungeon().given(with_dice(BeginEncounter(participants=("cora", "ogre"), range="close"), 6, 1))
    braced = fight.given(Brace(who="cora"), EndTurn())
    come = Move(who="ogre", to="engaged", foes=("cora",))
    came = braced.when(come)
    came.then(
        ENDED(character="cora", condition="braced"),
        like(BEGAN, character="cora", condition="owed a free attack on ogre"),
    )
    strike = Attack(attacker="cora", target="ogre", weapon="melee", free=True)
    came.go_on().when(strike).rolling(15, 4).then(like(HURT, character="ogre", amount=4))
    fight.given(EndTurn()).when(come).never(
        BEGAN(character="cora", condition="owed a free attack on ogre", source="ogre")
    )
    dungeon().given(Brace(who="cora")).when(Brace(who="cora")).refused("braced already")


@rule("R3.87", "Q3.31")
def test_pressing_is_advantage_now_and_4_worse_until_the_next_turn(dungeon) -> None:
    fight = dungeon().given(with_dice(BeginEncounter(participants=("cora", "ogre")), 6, 1))
    press = Attack(attacker="cora", target="ogre", weapon="melee", press=True)
    pressed = fight.when(press).rolling(3, 14, 2).then(like(CHECKED, total=20, success=True))
    assert pressed.sheet("cora").amount("ac") == 9 + 4
    after = pressed.go_on().given(EndTurn())
    assert after.sheet("cora").amount("ac") == 13
    again = after.given(with_dice(EndTurn(), 6, 1))
    assert again.sheet("cora").amount("ac") == 9


@rule("R3.88", "Q3.31")
def test_defending_is_2_better_until_the_next_turn_and_costs_the_attack(dungeon) -> None:
    fight = dungeon().given(with_dice(BeginEncounter(participants=("cora", "ogre")), 6, 1))
    guarded = fight.given(Defend(who="cora"))
    assert guarded.sheet("cora").amount("ac") == 9 - 2
    guarded.when(Attack(attacker="cora", target="ogre", weapon="melee")).refused("has acted already")
    blow = Attack(attacker="ogre", target="cora", weapon="natural")
    guarded.given(EndTurn()).when(blow).rolling(7).then(like(CHECKED, total=7 + 5 + 7, success=False))
    assert guarded.given(EndTurn(), with_dice(EndTurn(), 6, 1)).sheet("cora").amount("ac") == 9


@rule("R3.85")
def test_who_is_engaged_already_has_no_room_for_a_charge(dungeon) -> None:
    run = Attack(attacker="cora", target="ogre", weapon="melee", charge=True)
    fight = dungeon().given(with_dice(BeginEncounter(participants=("cora", "ogre")), 6, 1))
    fight.when(run).refused("no room to get moving", "--range close")
    ruled = Attack(attacker="cora", target="ogre", weapon="melee", charge=True, range="close")
    fight.when(ruled).rolling(3, 14, 2).then(like(CHECKED, success=True))


@rule("R3.82")
def test_a_stunt_is_tried_hand_to_hand_unless_the_gm_rules_otherwise(dungeon) -> None:
    fight = dungeon().given(with_dice(BeginEncounter(participants=("cora", "ogre"), range="medium"), 6, 1))
    fight.when(Stunt(who="cora", target="ogre")).refused("medium range", "move cora --to close", "--from-afar")
    fight.when(Stunt(who="cora", target="ogre", from_afar=True)).rolling(2).then(like(CHECKED, success=False))
    seat = events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1)
    hers = fight.given(seat, events.ControlPassed(character="cora", seat="Mira"))
    hers.when(Stunt(who="cora", target="ogre", from_afar=True), seat="Mira").refused("--from-afar is a ruling")


@rule("R3.86")
def test_who_comes_near_on_foot_on_a_map_meets_the_brace(dungeon) -> None:
    """Walking so many feet and striking is coming within reach, and so is walking up to somebody who is named."""
    fight = dungeon().given(with_dice(BeginEncounter(participants=("cora", "ogre"), range="close"), 6, 1))
    braced = fight.given(Brace(who="cora"), EndTurn())
    owed = like(BEGAN, character="cora", condition="owed a free attack on ogre")
    braced.when(Move(who="ogre", feet=10, foes=("cora",))).then(ENDED(character="cora", condition="braced"), owed)
    near = dungeon().given(with_dice(BeginEncounter(participants=("cora", "ogre")), 6, 1))
    walked = near.given(Brace(who="cora"), EndTurn(), Move(who="ogre", feet=10))
    walked.when(Attack(attacker="ogre", target="cora", weapon="natural")).rolling(2).then(owed, CHECKED)
    still = near.given(Brace(who="cora"), EndTurn())
    still.when(Attack(attacker="ogre", target="cora", weapon="natural")).rolling(2).never(owed)


@rule("R3.76")
def test_a_foe_within_reach_blocks_the_way_once_it_says_so(dungeon) -> None:
    fight = dungeon().given(with_dice(BeginEncounter(participants=("cora", "ogre", "goblin")), 6, 3, 1))
    away = Move(who="cora", to="close", foes=("ogre",))
    fight.when(away).then(like(BEGAN, detail="close"))
    blocked = fight.given(Block(who="ogre", foe="cora"))
    blocked.when(away).refused("Ogre is within weapon reach and blocks Cora's way", "stunt cora ogre")
    blocked.when(Move(who="cora", feet=10)).refused("blocks Cora's way")
    blocked.when(Block(who="ogre", foe="cora")).refused("stands in Cora's way already")
    blocked.given(BEGAN(character="ogre", condition="floored")).when(away).then(like(BEGAN, detail="close"))
    blocked.given(Block(who="ogre", foe="cora", off=True)).when(away).then(like(BEGAN, detail="close"))
    fight.when(Block(who="ogre", foe="cora", off=True)).refused("does not stand in Cora's way")
    far = dungeon().given(with_dice(BeginEncounter(participants=("cora", "ogre"), range="close"), 6, 1))
    far.when(Block(who="ogre", foe="cora")).refused("not within weapon reach")


@rule("R3.76")
def test_that_a_foe_blocks_the_way_is_not_for_the_mover_to_say(dungeon) -> None:
    seat = (events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1),)
    hers = dungeon().given(*seat, events.ControlPassed(character="cora", seat="Mira"))
    hers.when(Move(who="cora", feet=5, blocked_by="ogre"), seat="Mira").refused("--blocked-by is a ruling")


@rule("R3.85")
def test_a_charge_takes_an_open_foe_and_free_hands(dungeon) -> None:
    """Nobody charges away from a foe at arm's length, at one who is screened, or on their own word outside a fight."""
    run = Attack(attacker="cora", target="ogre", weapon="melee", charge=True)
    three = BeginEncounter(participants=("cora", "ogre", "goblin"), range="close")
    fight = dungeon().given(with_dice(three, 6, 3, 1))
    fight.given(BEGAN(character="ogre", condition="screened")).when(run).refused("Ogre is screened")
    held = BEGAN(character="cora", condition="at range to goblin", data={"range_to": "goblin", "band": "engaged"})
    fight.given(held).when(run).refused("Cora is hand to hand with Goblin")
    fight.given(held, BEGAN(character="goblin", condition="floored")).when(run).rolling(3, 14, 2).then(HURT)
    seat = events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1)
    hers = dungeon().given(seat, events.ControlPassed(character="cora", seat="Mira"))
    hers.when(run, seat="Mira").refused("only the GM knows whether there is room")
