"""Initiative says who begins; then everybody picks who is next, and who was attacked may take the turn instead."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.powers.attack import Attack, UsePower
from rollbook.rulesets.powers.define_power import DefinePower
from rollbook.rulesets.powers.encounter import BeginEncounter, EndEncounter, EndTurn, Interrupt, JoinEncounter
from rollbook.rulesets.powers.hit_points import Harm
from rollbook.testing.scenarios import Scenario, like, rule, with_dice

ROLLED, TURN, ORDER = events.DiceRolled, events.TurnBegan, events.TurnOrderSet
ALL = BeginEncounter(participants=("alice", "bob", "cara", "dan"), title="The mill")


def turn(who: str) -> events.TurnBegan:
    return TURN(character=who)


def strike(attacker: str, target: str, **more) -> Attack:
    return Attack(attacker=attacker, targets=(target,), **more)


def after(scene: Scenario, *happened) -> Scenario:
    """The scene after more has happened: names hand the turn on, everything else is played as it is."""
    return scene.given(*(EndTurn(next=each) if isinstance(each, str) else each for each in happened))


# Beginning.


@rule("R2.10", "Q2.6", "Q2.14")
def test_everybody_rolls_initiative_once_and_the_highest_takes_the_first_turn(table) -> None:
    played = table().when(ALL).rolling(8, 19, 11, 15)
    played.then(
        events.EncounterBegan(title="The mill"),
        events.RoundBegan(),
        like(ROLLED, roller="alice", expression="1d20 + 2[Initiative]", total=10),
        like(ROLLED, roller="bob", expression="1d20", total=19),
        like(ROLLED, roller="cara", expression="1d20 + 4[Initiative]", total=15),
        like(ROLLED, roller="dan", total=15),
        ORDER(order=("bob", "cara", "dan", "alice"), scores=(19, 15, 15, 10)),
        turn("bob"),
        only=True,
    )


@rule("Q2.6", "QG.6")
def test_a_tie_for_the_first_turn_goes_to_the_higher_bonus_and_else_is_rolled_again(table) -> None:
    table().when(ALL).rolling(10, 12, 8, 1).then(ORDER(order=("cara", "alice", "bob", "dan"), scores=(12, 12, 12, 1)))
    played = table().when(ALL).rolling(1, 15, 1, 15, 6, 13)
    played.then(
        like(ROLLED, roller="dan", total=15),
        like(ROLLED, roller="bob", total=6),
        like(ROLLED, roller="dan", total=13),
        ORDER(order=("dan", "bob", "cara", "alice"), scores=(15, 15, 5, 3)),
        turn("dan"),
    )


@rule("R2.10")
def test_a_fight_needs_somebody_who_can_act_and_names_everybody_once(table) -> None:
    down = events.ConditionBegan(character="dan", condition="defeated")
    table().given(down).when(BeginEncounter(participants=("dan",))).refused("Nobody in this fight can act")
    table().when(BeginEncounter(participants=("dan", "dan"))).refused("named twice")
    beaten = table().given(down).when(BeginEncounter(participants=("bob", "dan"))).rolling(3)
    beaten.then(ORDER(order=("bob", "dan"), scores=(3, 0)), turn("bob"))


# What a turn holds.


@rule("R2.11", "Q2.5")
def test_a_turn_holds_one_main_power_and_any_number_of_free_ones_and_none_twice(fight) -> None:
    scene = after(fight(), "bob")
    feint = strike("bob", "cara", power="feint")
    scene.given(with_dice(feint, 2))
    scene.when(feint).refused("Bob has used Feint this turn", "no power works twice")
    scene.given(with_dice(strike("bob", "cara", power="shoot"), 2))
    scene.when(strike("bob", "cara")).refused("Strike is a main power", "free power", "end-turn --next")
    assert scene.before.encounter.spent == {"power": 2, "attacked": 2, "main": 1}
    assert scene.before.encounter.spent_on == {"power": ("feint", "shoot"), "attacked": ("cara", "cara")}


@rule("Q2.5")
def test_attacks_are_main_powers_and_others_free_unless_a_power_says_otherwise(fight) -> None:
    salve = DefinePower(who="alice", name="Salve", does="healing", success="1")
    shove = DefinePower(who="alice", name="Shove", attack=True, cost="free", rolls="str", against="str")
    scene = fight().given(salve, shove, with_dice(strike("alice", "dan"), 2))
    scene.given(UsePower(who="alice", power="salve"), with_dice(strike("alice", "dan", power="shove"), 2))
    scene.when(strike("alice", "dan", power="sweep")).refused("main power")


@rule("Q2.5")
def test_a_table_may_allow_any_number_of_all_powers_but_still_none_twice(fight) -> None:
    scene = fight(power_cost="any_number").given(with_dice(strike("alice", "dan"), 2))
    scene.given(with_dice(strike("alice", "dan", power="sweep"), 2))
    scene.when(strike("alice", "dan")).refused("no power works twice")


@rule("Q2.5")
def test_a_table_may_allow_just_one_power(fight) -> None:
    scene = fight(power_cost="one").given(with_dice(UsePower(who="alice", power="patch-up"), 2))
    scene.when(strike("alice", "dan")).refused("main power")


@rule("R2.11")
def test_a_power_works_again_in_the_next_turn_and_outside_a_fight_at_any_time(fight, table) -> None:
    scene = after(fight(), with_dice(strike("alice", "dan"), 2), "bob", "cara", "dan", "alice")
    scene.when(strike("alice", "dan")).rolling(2).then(like(events.PowerUsed, power="strike"))
    twice = table().given(with_dice(strike("alice", "dan"), 2))
    twice.when(strike("alice", "dan")).rolling(2).then(like(events.PowerUsed)).never(events.TurnSpent)


@rule("R2.11")
def test_nobody_uses_a_power_out_of_turn(fight) -> None:
    fight().when(strike("bob", "dan")).refused("It is Alice's turn", "end-turn --next")


# Handing on.


@rule("R2.12")
@pytest.mark.parametrize("who", ["bob", "cara", "dan"])
def test_anyone_who_ends_a_turn_picks_ally_or_enemy(fight, who: str) -> None:
    fight().when(EndTurn(next=who)).then(events.TurnEnded(character="alice"), turn(who), only=True)


@rule("R2.12")
def test_the_pick_must_be_said_unless_only_one_is_left(fight) -> None:
    fight().when(EndTurn()).refused("Say who takes the next turn, with --next: cara, bob, dan")
    after(fight(), "bob", "cara").when(EndTurn()).then(turn("dan"))


@rule("R2.14")
def test_nobody_has_two_turns_in_a_round(fight) -> None:
    scene = after(fight(), "bob", "cara")
    scene.when(EndTurn(next="alice")).refused("Alice has already acted in round 1", "Still to act: dan")
    scene.when(EndTurn(next="cara")).refused("Cara has already acted in round 1")
    scene.when(strike("alice", "dan")).refused("Alice has already acted in round 1")


@rule("R2.15", "R2.16")
def test_the_round_ends_with_the_last_turn_and_its_taker_picks_who_begins_the_next(fight) -> None:
    scene = after(fight(), "bob", "cara", "dan")
    scene.when(EndTurn()).refused("Round 2 begins, and the last to act picks", "alice, cara, bob, dan")
    scene.when(EndTurn(next="alice")).then(
        events.TurnEnded(character="dan"), events.RoundEnded(), events.RoundBegan(), turn("alice"), only=True
    )
    scene.when(EndTurn(next="dan")).then(turn("dan"))
    assert scene.after.encounter.round == 2


@rule("Q2.9")
def test_who_cannot_act_is_not_picked(fight) -> None:
    beaten = with_dice(Harm(who="bob", amount="12"))
    fight().given(beaten).when(EndTurn(next="bob")).refused("Bob is defeated", "Still to act: cara, dan")
    stranger = fight().given(events.CharacterJoined(character="eve", name="Eve"))
    stranger.when(EndTurn(next="eve")).refused("Eve does not take part in this encounter")


@rule("Q2.9", "R2.15")
def test_the_round_ends_when_nobody_who_is_left_can_act(fight) -> None:
    falls = [with_dice(Harm(who=who, amount="20")) for who in ("bob", "dan")]
    scene = after(fight(), *falls, "cara")
    scene.when(EndTurn(next="alice")).then(events.RoundEnded(), events.RoundBegan(), turn("alice"))
    alone = scene.given(with_dice(Harm(who="alice", amount="20")), with_dice(Harm(who="cara", amount="20")))
    alone.when(EndTurn()).refused("Nobody in this fight can act any more", "end-encounter")


@rule("R2.12")
def test_only_the_seat_whose_turn_it_is_ends_it(fight) -> None:
    mira = events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1)
    scene = fight().given(mira, events.ControlPassed(character="bob", seat="Mira"))
    scene.when(EndTurn(next="bob"), seat="Mira").refused("It is Alice's turn, and Mira does not play Alice")
    after(scene, "bob").when(EndTurn(next="cara"), seat="Mira").then(turn("cara"))


# Interrupts.


def attacked_by_alice(scene: Scenario, *targets: str, picks: str) -> Scenario:
    sweep = Attack(attacker="alice", targets=targets, power="sweep")
    return after(scene, with_dice(sweep, 3), picks)


@rule("R2.13", "Q2.7")
def test_a_creature_that_was_attacked_takes_the_turn_hit_or_missed(fight) -> None:
    missed = attacked_by_alice(fight(), "cara", picks="bob")
    missed.when(Interrupt(who="cara")).then(turn("cara"), events.TurnSpent(character="cara", what="interrupted"))
    hit = after(fight(), with_dice(strike("alice", "cara"), 19, 1), "bob")
    scene = hit.given(Interrupt(who="cara"))
    assert scene.before.encounter.current == "cara"
    after(scene, "bob").when(EndTurn()).then(turn("dan"))


@rule("R2.13", "Q2.7")
def test_nobody_else_interrupts(fight) -> None:
    scene = attacked_by_alice(fight(), "cara", picks="bob")
    scene.when(Interrupt(who="dan")).refused("Dan was not attacked in the turn before", "Those who can: cara")
    scene.when(Interrupt(who="bob")).refused("Bob has the turn already")
    after(fight(), "bob").when(Interrupt(who="dan")).refused("nobody")


@rule("R2.14", "Q2.7")
def test_who_has_acted_in_this_round_cannot_interrupt(fight) -> None:
    scene = after(fight(), "bob", with_dice(strike("bob", "alice"), 2), "cara")
    scene.when(Interrupt(who="alice")).refused("Alice has had a turn in round 1")


@rule("R2.13")
def test_an_interrupt_comes_before_the_picked_one_has_done_anything(fight) -> None:
    scene = attacked_by_alice(fight(), "cara", picks="bob")
    scene.given(with_dice(strike("bob", "dan"), 2))
    scene.when(Interrupt(who="cara")).refused("Cara is too late", "Bob has begun to act")


@rule("R2.13")
def test_an_attack_from_an_earlier_turn_is_forgotten(fight) -> None:
    scene = after(attacked_by_alice(fight(), "cara", picks="bob"), "dan")
    scene.when(Interrupt(who="cara")).refused("Cara was not attacked in the turn before")


@rule("R2.13", "Q2.7")
def test_the_defeated_do_not_interrupt(fight) -> None:
    scene = after(fight(), with_dice(strike("alice", "dan"), 19, 6), "bob")
    scene.when(Interrupt(who="dan")).refused("Dan is defeated")


@rule("Q2.7")
def test_of_several_the_highest_initiative_goes(fight) -> None:
    scene = attacked_by_alice(fight(), "cara", "dan", picks="bob").given(Interrupt(who="dan"))
    scene.when(Interrupt(who="cara")).then(turn("cara"))
    overtaken = scene.given(Interrupt(who="cara"))
    overtaken.when(Interrupt(who="dan")).refused("Cara has interrupted too", "15 against 9")


@rule("Q2.7")
def test_between_equals_the_gm_decides(fight) -> None:
    mira = events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1)
    lent = events.ControlPassed(character="bob", seat="Mira")
    scene = attacked_by_alice(fight().given(mira, lent), "bob", "dan", picks="cara").given(Interrupt(who="dan"))
    scene.when(Interrupt(who="bob"), seat="Mira").refused("same initiative of 9", "the GM says")
    scene.when(Interrupt(who="bob")).then(turn("bob"))


@rule("R2.13", "Q2.8")
def test_an_interrupt_reaches_across_the_end_of_a_round(fight) -> None:
    scene = after(fight(), "bob", "cara", "dan", with_dice(strike("dan", "alice"), 2), "bob")
    scene.when(Interrupt(who="alice")).then(turn("alice"))
    assert scene.after.encounter.round == 2
    to_oneself = after(fight(), "bob", "cara", "dan", with_dice(strike("dan", "alice"), 2), "dan")
    to_oneself.when(Interrupt(who="alice")).then(turn("alice"))


@rule("Q2.8")
def test_a_table_may_let_a_new_round_begin_in_peace(fight) -> None:
    peace = fight(interrupt_across_rounds=False)
    scene = after(peace, "bob", "cara", "dan", with_dice(strike("dan", "alice"), 2), "bob")
    scene.when(Interrupt(who="alice")).refused("nobody interrupts across rounds")
    within = attacked_by_alice(fight(interrupt_across_rounds=False), "cara", picks="bob")
    within.when(Interrupt(who="cara")).then(turn("cara"))


# Latecomers, and the end.


@rule("Q2.15")
def test_a_latecomer_rolls_initiative_and_may_still_act_in_this_round(table) -> None:
    two = with_dice(BeginEncounter(participants=("alice", "bob")), 17, 9)
    scene = table().given(two).when(JoinEncounter(who="cara"))
    scene.rolling(10).then(
        like(ROLLED, roller="cara", total=14), ORDER(order=("alice", "cara", "bob"), scores=(19, 14, 9))
    )
    scene.go_on().when(EndTurn(next="cara")).then(turn("cara"))


@rule("Q2.15")
def test_a_table_may_let_latecomers_wait_for_the_next_round(table) -> None:
    two = with_dice(BeginEncounter(participants=("alice", "bob")), 17, 9)
    scene = table(late_joiner="next_round").given(two, with_dice(JoinEncounter(who="cara"), 10))
    scene.when(EndTurn(next="cara")).refused("Cara is arriving")
    after(scene, "bob").when(EndTurn(next="cara")).then(
        events.ConditionEnded(character="cara", condition="arriving"), turn("cara")
    )


@rule("QG.13")
def test_rounds_take_no_time_unless_the_table_says_how_long(fight) -> None:
    fight_on = ("bob", "cara", "dan")
    after(fight(), *fight_on).when(EndTurn(next="bob")).never(events.TimePassed)
    after(fight(round_seconds=6), *fight_on).when(EndTurn(next="bob")).then(events.TimePassed(seconds=6))


@rule("R2.15")
def test_after_a_fight_nobody_counts_turns(fight) -> None:
    over = fight().given(EndEncounter())
    assert over.before.encounter is None
    over.when(EndTurn()).refused("No encounter is being fought")
    over.when(Interrupt(who="cara")).refused("No encounter is being fought")


# A pick that comes back.


def picked_and_put_down(fight, *more) -> Scenario:
    """Alice has picked Bob, and something fells him before he does anything."""
    return after(fight(), *more, "bob", Harm(who="bob", amount="30"))


@rule("Q2.9")
def test_one_who_was_picked_and_put_down_before_acting_passes_the_pick_back(fight) -> None:
    scene = picked_and_put_down(fight)
    played = scene.when(EndTurn(next="dan")).then(turn("dan")).never(events.TurnEnded)
    assert played.after.encounter is not None
    assert played.after.encounter.acted == ("alice",)
    scene.when(EndTurn(next="bob")).refused("Bob is defeated")
    scene.when(EndTurn()).refused("Say who takes the next turn", "cara, dan")


@rule("Q2.9", "R2.12")
def test_the_pick_goes_back_to_the_one_who_picked(fight) -> None:
    seats = [events.SeatTaken(seat=name, role=events.Role.PLAYER, number=place) for place, name in enumerate("ZA", 1)]
    lent = (events.ControlPassed(character="alice", seat="A"), events.ControlPassed(character="bob", seat="Z"))
    scene = picked_and_put_down(fight).given(*seats, *lent)
    scene.when(EndTurn(next="dan"), seat="Z").refused("Bob cannot act, and Alice picks again")
    scene.when(EndTurn(next="dan"), seat="A").then(turn("dan"))


@rule("Q2.9", "Q2.7")
def test_who_was_attacked_may_still_interrupt_the_second_pick(fight) -> None:
    scene = picked_and_put_down(fight, with_dice(strike("alice", "dan"), 2))
    after(scene, "cara").when(Interrupt(who="dan")).then(turn("dan"))


@rule("Q2.9", "R2.15")
def test_one_who_falls_after_acting_has_had_the_turn(fight) -> None:
    scene = after(fight(), "bob", with_dice(strike("bob", "dan"), 2), Harm(who="bob", amount="30"))
    scene.when(EndTurn(next="dan")).then(events.TurnEnded(character="bob"), turn("dan"))


@rule("Q2.9")
def test_if_nobody_else_can_act_the_round_ends(fight) -> None:
    scene = after(fight(), "cara", "dan", "bob", Harm(who="bob", amount="30"))
    scene.when(EndTurn(next="alice")).then(events.RoundEnded, turn("alice"))
