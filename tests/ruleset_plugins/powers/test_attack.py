"""An attack is one roll, compared with every target by itself; what comes of it is the power's, level by level."""

from __future__ import annotations

import pytest

from rollbook.plugin import CharacterKind, Refused, events
from rollbook.rulesets.powers.attack import Attack, UsePower
from rollbook.rulesets.powers.checks import REROLL
from rollbook.rulesets.powers.creation import Join
from rollbook.rulesets.powers.define_power import DefinePower
from rollbook.testing.scenarios import like, rule

CHECKED, HURT, HEALED, ROLLED = events.CheckResolved, events.DamageTaken, events.HitPointsRestored, events.DiceRolled

STRIKE = Attack(attacker="alice", targets=("bob",))


@rule("R2.7", "R2.20", "Q2.10")
def test_alice_strikes_bob_with_strength_against_his_defense(table) -> None:
    table().when(STRIKE).rolling(10, 4).then(
        events.PowerUsed(character="alice", power="strike"),
        like(ROLLED, expression="1d20 + 3[Strength]", purpose="attack roll"),
        like(CHECKED, check="Strike", total=13, target=13, success=True, outcome="success", against="bob"),
        like(ROLLED, expression="1d6 + 3[Strength]", purpose="damage"),
        HURT(character="bob", amount=7, dealt=7, source="alice"),
        only=True,
    )
    table().when(STRIKE).rolling(9).then(like(CHECKED, total=12, outcome="failure", success=False)).never(HURT)


@rule("R2.20", "Q2.10")
def test_a_critical_strike_does_the_whole_sum_twice_and_a_critical_failure_nothing(table) -> None:
    table().when(STRIKE).rolling(20, 4).then(
        like(CHECKED, outcome="critical success"), like(HURT, dealt=14, amount=12), like(events.ConditionBegan)
    )
    table().when(STRIKE).rolling(1).then(like(CHECKED, outcome="critical failure")).never(HURT)


@rule("Q2.10")
def test_a_table_may_strike_with_other_dice(table) -> None:
    table(strike_damage="2d6").when(STRIKE).rolling(10, 3, 5).then(
        like(ROLLED, expression="2d6 + 3[Strength]"), like(HURT, dealt=11)
    )
    with pytest.raises(Refused, match="1d6"):
        table(strike_damage="a sword")


@rule("QG.2")
def test_a_success_does_at_least_1_unless_the_table_says_0(table) -> None:
    weak = events.StatChanged(character="alice", stat="str", amount=-12)
    blow = Attack(attacker="alice", targets=("dan",), bonus=("+20 asleep",))
    table().given(weak).when(blow).rolling(9, 2).then(like(ROLLED, total=-7), like(HURT, dealt=1, amount=1))
    table(min_damage_on_hit=0).given(weak).when(blow).rolling(9, 2).then(like(HURT, dealt=0, amount=0))


@rule("R2.18", "R2.19")
def test_one_roll_meets_each_targets_own_number_so_hits_and_misses_mix(table) -> None:
    sweep = Attack(attacker="alice", targets=("bob", "cara", "dan"), power="sweep")
    played = table().when(sweep).rolling(11, 4, 5)
    played.then(
        like(ROLLED, purpose="attack roll", total=14),
        like(CHECKED, target=13, success=True, against="bob"),
        like(HURT, character="bob", dealt=4),
        like(CHECKED, target=16, success=False, against="cara"),
        like(CHECKED, target=10, success=True, against="dan"),
        like(HURT, character="dan", dealt=5),
    )
    assert [roll.purpose for roll in played.events(ROLLED)] == ["attack roll", "damage", "damage 3"]


@rule("Q2.4")
def test_a_natural_20_moves_every_targets_level_by_itself(table) -> None:
    sweep = Attack(attacker="alice", targets=("bob", "cara", "dan"), power="sweep", bonus=("-8 blind",))
    played = table().when(sweep).rolling(20, 2, 3, 4)
    assert [(check.total, check.target, check.outcome) for check in played.events(CHECKED)] == [
        (15, 13, "critical success"),
        (15, 16, "success"),
        (15, 10, "critical success"),
    ]
    assert [blow.dealt for blow in played.events(HURT)] == [4, 3, 8]


@rule("Q2.4", "R2.5")
def test_a_natural_1_moves_them_down(table) -> None:
    sweep = Attack(attacker="alice", targets=("bob", "dan"), power="sweep", bonus=("+16 asleep",))
    played = table().when(sweep).rolling(1, 2)
    assert [(check.total, check.outcome) for check in played.events(CHECKED)] == [(20, "failure"), (20, "success")]


@rule("R2.19", "Q2.10")
def test_an_attack_may_meet_an_attribute_dc_which_is_10_and_the_attribute(table) -> None:
    blast = Attack(attacker="alice", targets=("bob", "cara", "dan"), power="blast")
    played = table().when(blast).rolling(9, 1, 2, 6, 1, 3)
    assert [check.target for check in played.events(CHECKED)] == [12, 15, 10]
    assert [blow.dealt for blow in played.events(HURT)] == [3, 6, 4], "a failed blast still burns"
    assert all(blow.tags == ("fire",) for blow in played.events(HURT))
    lower = table(attr_dc_base=8).when(blast).rolling(9, 1, 2, 1, 2, 1, 3)
    assert [check.target for check in lower.events(CHECKED)] == [10, 13, 8]


@rule("R2.8")
def test_advantage_is_for_the_one_roll_and_so_for_all_targets(table) -> None:
    sweep = Attack(attacker="alice", targets=("bob", "dan"), power="sweep", advantage=("from above",))
    played = table().when(sweep).rolling(2, 12, 1, 1)
    assert [check.total for check in played.events(CHECKED)] == [15, 15]


@rule("R2.17")
def test_an_attack_is_a_power_that_always_rolls(table) -> None:
    roars = DefinePower(who="dan", name="Roar", attack=True, success="1d4")
    table().when(roars).refused("Roar is an attack", "--rolls")
    table().when(Attack(attacker="alice", targets=("bob",), power="patch-up")).refused(
        "not an attack", "use-power alice"
    )
    table().when(UsePower(who="alice", power="strike", on=("bob",))).refused("Strike is an attack", "attack alice")


def test_nobody_attacks_themselves_or_somebody_twice_or_more_than_the_power_takes(table) -> None:
    table().when(Attack(attacker="alice", targets=("alice",))).refused("cannot attack Alice", "harm alice")
    table().when(Attack(attacker="alice", targets=("bob", "bob"), power="sweep")).refused("named twice")
    table().when(Attack(attacker="alice", targets=("bob", "dan"))).refused("Strike takes 1 at a time, and 2 are named")
    table().when(Attack(attacker="alice", targets=())).refused("Name at least one")
    table().when(Attack(attacker="dan", targets=("bob",), power="sweep")).refused("power of Dan", "strike")


@rule("QG.9")
def test_the_dead_are_left_alone(table) -> None:
    dead = events.ConditionBegan(character="bob", condition="dead")
    table().given(dead).when(STRIKE).refused("Bob is dead")


def test_anyone_who_has_no_hit_points_cannot_lose_any(table) -> None:
    ghost = events.CharacterJoined(character="ghost", name="Ghost", kind=CharacterKind.MONSTER)
    blow = Attack(attacker="alice", targets=("ghost",))
    table().given(ghost).when(blow).rolling(10, 2).refused("no hit points to lose", "adjust ghost max_hp")
    table().given(ghost).when(blow).rolling(5).then(like(CHECKED, target=10, success=False))


def test_a_corrected_miss_leaves_the_other_targets_their_dice(table) -> None:
    sweep = Attack(attacker="alice", targets=("cara", "dan"), power="sweep")
    missed_one = table().when(sweep).rolling(8, 6)
    missed_one.then(like(CHECKED, against="cara", success=False), like(ROLLED, purpose="damage 2", total=6))
    hit_both = table().when(sweep).rolling(18, 3, 6)
    hit_both.then(like(ROLLED, purpose="damage", total=3), like(ROLLED, purpose="damage 2", total=6))


@rule("R2.7")
def test_a_power_that_is_no_attack_may_roll_against_a_step_of_the_ladder(table) -> None:
    bandage = UsePower(who="alice", power="patch up", on=("bob",))
    hurt = HURT(character="bob", amount=9, dealt=9)
    table().given(hurt).when(bandage).rolling(15, 4).then(
        like(CHECKED, check="Patch up", total=15, target=15, outcome="success", against="bob"),
        HEALED(character="bob", amount=4, source="alice"),
    )
    table().given(hurt).when(bandage).rolling(20, 4).then(like(HEALED, amount=8))
    table().given(hurt).when(bandage).rolling(3).then(like(CHECKED, success=False)).never(HEALED)


@rule("R2.9")
def test_a_power_may_give_a_reroll_effect(table) -> None:
    cheer = UsePower(who="bob", power="cheer", on=("alice",))
    played = table().when(cheer).rolling(16)
    played.then(events.PoolGained(holder="alice", pool=REROLL, amount=1, reason="Cheer"))
    table().when(cheer).rolling(20).then(like(events.PoolGained, amount=2))


def test_a_power_without_a_roll_succeeds(table) -> None:
    drinks = DefinePower(who="bob", name="Flask of broth", does="healing", success="3")
    hurt = HURT(character="bob", amount=9, dealt=9)
    played = table().given(hurt, drinks).when(UsePower(who="bob", power="Flask of broth"))
    played.then(like(HEALED, character="bob", amount=3)).never(CHECKED)


def test_a_power_may_bring_a_condition_which_begins_once(table) -> None:
    feint = Attack(attacker="bob", targets=("dan",), power="feint")
    played = table().when(feint).rolling(9)
    played.then(events.ConditionBegan(character="dan", condition="off balance", source="bob"))
    played.go_on().when(feint).rolling(9).then(like(CHECKED, success=True)).never(events.ConditionBegan)


@rule("QG.8")
def test_only_the_gm_waives_whose_turn_it_is(fight) -> None:
    sitting = events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1)
    lent = events.ControlPassed(character="bob", seat="Mira")
    early = Attack(attacker="bob", targets=("cara",), out_of_turn=True)
    fight().given(sitting, lent).when(early, seat="Mira").refused("--out-of-turn is a ruling")
    fight().when(early).rolling(3).then(like(CHECKED, against="cara")).never(events.TurnSpent)


@pytest.mark.parametrize("name", ["Join", "attack"])
def test_powers_are_found_by_title_or_key(table, name: str) -> None:
    newcomer = Join(name="Eve", hp=5, powers=("Patch Up",))
    played = table().given(newcomer).when(UsePower(who="eve", power=name)).refused("no power of Eve")
    assert "strike" in played
