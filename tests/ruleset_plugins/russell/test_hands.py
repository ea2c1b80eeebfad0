"""A light in the hand leaves fewer hands: torches are set down in a fight, candles stuck on, lanterns clipped or set down."""

from __future__ import annotations

from rollbook.plugin import events
from rollbook.rulesets.russell import RULESET
from rollbook.rulesets.russell.delve.lanterns import Clip, ThrowLantern
from rollbook.rulesets.russell.delve.lighting import Hold, Light, SetAlight
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.encounter import BeginEncounter
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.russell import has_gear, party

FIGHT = with_dice(BeginEncounter(participants=("ida", "goblin")), 6, 1)
BOW = has_gear("ida", "bow", use="weapon:ranged")
SHOT = Attack(attacker="ida", target="goblin", weapon="bow")
HURT = events.DamageTaken


def bearing(light: str) -> Scenario:
    """Ida bears a light, and has a bow."""
    return party().given(BOW, has_gear("ida", light), Light(who="ida", item=light))


@rule("R3.69")
def test_in_a_fight_a_torch_lies_on_the_ground_unless_it_is_kept_in_hand() -> None:
    strike = Attack(attacker="ida", target="goblin", weapon="torch")
    bearing("torch").given(FIGHT).when(SHOT).rolling(15, 3).then(HURT)
    bearing("torch").given(FIGHT).when(strike).refused("lies on the ground", "hold ida torch")
    bearing("torch").given(FIGHT, Hold(who="ida", item="torch")).when(strike).rolling(15, 2, 6).then(HURT)
    bearing("torch").given(FIGHT, Hold(who="ida", item="torch")).when(SHOT).refused("holds torch", "--off")
    bearing("torch").when(SHOT).refused("holds torch, and bow takes 2 of two hands")


@rule("R3.69")
def test_things_are_set_alight_by_a_torch_in_the_hand_on_ones_own_turn() -> None:
    light = SetAlight(who="ida", target="goblin")
    bearing("torch").given(FIGHT).when(light).refused("lies on the ground")
    held = bearing("torch").given(FIGHT, Hold(who="ida", item="torch"))
    held.when(light).then(like(events.ConditionBegan, condition="on fire")).never(events.TurnSpent)
    waiting = with_dice(BeginEncounter(participants=("ida", "goblin")), 1, 6)
    bearing("torch").given(waiting, Hold(who="ida", item="torch")).when(light).refused("It is Goblin's turn")


@rule("R3.70")
def test_a_lantern_is_in_the_way_of_a_bow_until_it_is_clipped_on_or_set_down() -> None:
    bearing("lantern").given(FIGHT).when(SHOT).refused("holds lantern", "hold ida lantern --off")
    bearing("lantern").given(Clip(who="ida", item="lantern"), FIGHT).when(SHOT).rolling(15, 3).then(HURT)
    down = bearing("lantern").given(FIGHT, Hold(who="ida", item="lantern", off=True))
    down.when(SHOT).rolling(15, 3).then(HURT)
    down.when(ThrowLantern(who="ida", target="goblin")).refused("is set down", "hold ida lantern")
    down.when(Hold(who="ida", item="lantern", off=True)).refused("in no hand")
    shield = events.GearGained(character="ida", item="shield", count=1, use=("shield",))
    blow = Attack(attacker="ida", target="goblin", weapon="melee")
    bearing("lantern").given(FIGHT).when(blow).rolling(15, 3).then(HURT)
    bearing("lantern").given(shield, FIGHT).when(blow).refused("holds lantern and shield")


@rule("R3.68")
def test_a_candle_that_is_stuck_on_leaves_both_hands_free() -> None:
    bearing("candle").when(SHOT).refused("holds candle")
    bearing("candle").given(Hold(who="ida", item="CANDLE", off=True)).when(SHOT).rolling(15, 3).then(HURT)
    bearing("candle").when(Hold(who="ida", item="candle")).refused("in hand already")
    party().when(Hold(who="ida", item="torch")).refused("no burning torch")


@rule("R3.69")
def test_the_light_line_says_where_the_torch_lies() -> None:
    lit = party().given(has_gear("ida", "torch"), Light(who="ida", item="torch"))
    assert dict(RULESET.board(lit.after).lines)["Light"] == "the place is lit; torch borne by Ida"
    fight = lit.when(BeginEncounter(participants=("ida", "goblin"))).rolling(4, 3).go_on()
    assert dict(RULESET.board(fight.after).lines)["Light"] == "the place is lit; torch on the ground by Ida"
    held = fight.given(Hold(who="ida", item="torch"))
    assert dict(RULESET.board(held.after).lines)["Light"] == "the place is lit; torch borne by Ida"
