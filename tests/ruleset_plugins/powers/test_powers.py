"""A power is a row of data, whether it came with the game or is written on a character."""

from __future__ import annotations

import pytest

from rollbook.kit import data
from rollbook.plugin import RulesetBroken, chance, events
from rollbook.rulesets.powers.attack import Attack, UsePower
from rollbook.rulesets.powers.checks import LADDER, SuccessLevel
from rollbook.rulesets.powers.define_power import DefinePower
from rollbook.rulesets.powers.powers import FREE, MAIN, POWERS, Outcome, Power, as_data, dice_of, powers_of
from rollbook.rulesets.powers.settings import Settings
from rollbook.testing.scenarios import like, rule

BREATH = DefinePower(
    who="cara",
    name="Breath of Frost",
    looks="white, and very quiet",
    attack=True,
    rolls="Initiative",
    against="Constitution",
    most=0,
    success="2d4",
    failure="1",
    adds="dexterity",
    condition="chilled",
    tags=("cold",),
)


@rule("Q2.10", "R2.17")
def test_every_power_that_comes_with_the_game_can_be_rolled(table) -> None:
    settings = Settings()
    for power in POWERS.values():
        assert power.looks
        assert power.rolls or not power.attack
        for level in SuccessLevel:
            outcome = power.outcome(level)
            if outcome is not None and (outcome.damage or outcome.healing):
                chance(dice_of(outcome, settings), 0)
    assert {key for key, power in POWERS.items() if power.attack} == {"strike", "sweep", "shoot", "feint", "blast"}


@rule("R2.20", "Q2.10")
def test_the_strike_is_strength_against_defense_and_everybody_has_it(table) -> None:
    strike = POWERS["strike"]
    assert (strike.rolls, strike.against, strike.most, strike.attack) == ("str", "defense", 1, True)
    assert strike.outcome(SuccessLevel.CRITICAL_SUCCESS) == Outcome(damage="{strike_damage}", adds="str", times=2)
    assert strike.outcome(SuccessLevel.FAILURE) is None
    assert strike.outcome(SuccessLevel.CRITICAL_FAILURE) is None
    assert list(powers_of(table().character("dan"))) == ["strike"]


@rule("Q2.5")
def test_what_a_power_costs() -> None:
    attack, other = POWERS["strike"], Power(key="rest", title="Rest")
    assert POWERS["feint"].cost_under(Settings()) == FREE
    assert POWERS["cheer"].cost_under(Settings()) == MAIN
    shown = {
        rule: (attack.cost_under(Settings(power_cost=rule)), other.cost_under(Settings(power_cost=rule)))
        for rule in ("main_and_free", "any_number", "one")
    }
    assert shown == {"main_and_free": (MAIN, FREE), "any_number": (FREE, FREE), "one": (MAIN, MAIN)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"key": "x", "title": "X", "cost": "dear"}]', "main or free, not 'dear'"),
        ('[{"key": "x", "title": "X", "attack": true}]', "an attack rolls a stat"),
        ('[{"key": "x", "title": "X", "rolls": "str"}]', "something that it rolls against"),
        ('[{"key": "x", "title": "X", "most": "two"}]', "most"),
        ('[{"key": "x", "title": "X", "success": {"harm": "1d6"}}]', "harm"),
    ],
)
def test_a_row_that_is_no_power_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(RulesetBroken, match=r"powers\.json, row 1") as fault:
        data.parse("powers.json", text, Power)
    assert said in str(fault.value)


@rule("Q2.10", "R2.19")
def test_a_power_of_the_tables_own_is_a_trait_and_works_like_any_other(table) -> None:
    defined = table().given(BREATH)
    cara = defined.before.characters["cara"]
    assert cara.traits == {"breath-of-frost": "power"}
    assert cara.trait_data["breath-of-frost"]["against"] == "con"
    assert cara.trait_data["breath-of-frost"]["attack"] is True
    blow = Attack(attacker="cara", targets=("alice", "bob"), power="Breath of Frost")
    defined.when(blow).rolling(7, 4, 2, 1, 1).then(
        like(events.DiceRolled, expression="1d20 + 4[Initiative]", total=11),
        like(events.CheckResolved, check="Breath of Frost", target=10, success=True, against="alice"),
        events.DamageTaken(character="alice", amount=11, dealt=11, tags=("cold",), source="cara"),
        events.ConditionBegan(character="alice", condition="chilled", source="cara"),
    )
    missed = defined.when(blow).rolling(3)
    assert [hurt.dealt for hurt in missed.events(events.DamageTaken)] == [1, 1]


@rule("Q2.10")
def test_without_dice_of_its_own_a_critical_success_doubles_those_of_a_success(table) -> None:
    blow = Attack(attacker="cara", targets=("dan",), power="breath-of-frost")
    table().given(BREATH).when(blow).rolling(19, 3, 4).then(like(events.DamageTaken, dealt=24))
    deadly = DefinePower(who="cara", name="Gaze", attack=True, rolls="dex", against="wis", critical_success="40")
    gaze = Attack(attacker="cara", targets=("dan",), power="gaze")
    table().given(deadly).when(gaze).rolling(19).then(like(events.DamageTaken, dealt=40))
    table().given(deadly).when(gaze).rolling(8).then(like(events.CheckResolved, success=True)).never(events.DamageTaken)


def test_a_power_can_be_rewritten_and_what_is_written_on_the_character_goes_first(table) -> None:
    gentle = DefinePower(who="dan", name="Strike", attack=True, rolls="wis", against="defense", success="1")
    hit = table().given(gentle).when(Attack(attacker="dan", targets=("bob",))).rolling(14)
    hit.then(like(events.DiceRolled, expression="1d20"), like(events.DamageTaken, dealt=1))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"success": "2d"}, "d"),
        ({"success": "a lot"}, "neither a number nor dice"),
        ({"attack": True}, "an attack rolls a stat"),
        ({"rolls": "str"}, "something that it rolls against"),
        ({"name": "!?"}, "needs a name"),
    ],
)
def test_a_power_that_could_not_be_used_is_refused_when_it_is_written(table, wrong: dict, said: str) -> None:
    table().when(DefinePower(**{"who": "dan", "name": "Trick", **wrong})).refused(said)


@rule("R2.7")
@pytest.mark.parametrize(("against", "dc"), [("Very hard", 25), ("12", 12), ("wis", 11), ("Defense", 13)])
def test_a_power_names_its_dc_as_a_step_a_number_or_a_stat_of_the_target(table, against: str, dc: int) -> None:
    calm = DefinePower(who="alice", name="Calm", rolls="int", against=against, condition="calm")
    use = UsePower(who="alice", power="calm", on=("bob",))
    table().given(calm).when(use).rolling(2).then(like(events.CheckResolved, target=dc))
    assert "very-hard" in LADDER


@pytest.mark.parametrize(
    ("kind", "own"),
    [
        ("power", {}),
        ("power", {"key": 3}),
        ("power", {"key": "x", "title": "X", "success.harm": "1d6"}),
        ("power", {"key": "x", "title": "X", "success": "1d6"}),
        ("power", {"key": "x", "title": "X", "attack": True}),
        ("knack", {"key": "x", "title": "X"}),
    ],
)
def test_a_trait_that_is_no_power_is_none(table, kind: str, own: dict) -> None:
    odd = events.TraitGained(character="dan", trait="oddity", kind=kind, data=own)
    assert list(powers_of(table().given(odd).character("dan"))) == ["strike"]


def test_a_row_reads_back_as_the_power_it_was(table) -> None:
    for power in POWERS.values():
        own = events.TraitGained(character="dan", trait="own", kind="power", data=as_data(power))
        assert powers_of(table().given(own).character("dan"))["own"] == power


@rule("R2.1")
def test_a_power_is_refused_to_one_who_lacks_its_stat_and_before_anything_is_rolled(table) -> None:
    hum = DefinePower(who="alice", name="Hum", attack=True, rolls="voice", against="defense", success="1d4")
    table().given(hum).when(Attack(attacker="alice", targets=("dan",), power="hum")).refused("no stat called 'voice'")
    stab = DefinePower(
        who="alice", name="Stab", attack=True, rolls="str", against="defense", success="1d4", adds="cunning"
    )
    table().given(stab).when(Attack(attacker="alice", targets=("dan",), power="stab")).refused(
        "no stat called 'cunning'"
    )


@rule("R2.1", "R2.19")
def test_a_power_against_a_stat_that_a_target_lacks_is_refused(table) -> None:
    hum = DefinePower(who="alice", name="Hum", attack=True, rolls="str", against="nerve", most=0, success="1d4")
    brave = events.StatChanged(character="cara", stat="nerve", amount=3)
    game = table().given(hum, brave)
    game.when(Attack(attacker="alice", targets=("cara", "dan"), power="hum")).refused("Dan has no stat called 'nerve'")
    game.when(Attack(attacker="alice", targets=("cara",), power="hum")).rolling(2).then(
        like(events.CheckResolved, target=13)
    )


@rule("Q2.13")
def test_a_power_may_be_rolled_against_a_number_below_0(table) -> None:
    hum = DefinePower(who="alice", name="Hum", rolls="str", against="-4", success="1d4", does="healing")
    hurt = events.DamageTaken(character="alice", amount=4, dealt=4)
    used = table().given(hum, hurt).when(UsePower(who="alice", power="hum")).rolling(2, 3)
    used.then(like(events.CheckResolved, target=-4, success=True))
