"""Rounds: who begins, who is next, who may act, and when it starts over."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.domain.actions.characters import Lend
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.harm import Harm
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, EndEncounter, EndTurn, JoinEncounter
from rollbook.rulesets.storytoken.fight.movement import Move
from rollbook.rulesets.storytoken.story.spending import SpendToken
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.rulesets.storytoken.tasks.saves import Save
from rollbook.testing.scenarios import like, rule, with_dice

TURN, ORDER = events.TurnBegan, events.TurnOrderSet
THREE = ("robin", "guard", "marian")


def fight(game, *dice: int, **more):
    """A fight of Robin (+3), a guard and Marian; Robin begins with 13 unless other dice are given."""
    return game.given(with_dice(BeginEncounter(participants=THREE, **more), *(dice or (10, 5, 4))))


def end(next_one: str = "", **more) -> EndTurn:
    return EndTurn(next=next_one, **more)


@rule("R0.32", "Q0.10")
def test_a_round_begins_with_1d20_and_dexterity_and_the_highest_acts_first(sherwood) -> None:
    begin = BeginEncounter(participants=THREE, title="the bridge")
    sherwood().when(begin).rolling(10, 17, 4).then(
        events.EncounterBegan(title="the bridge"),
        events.RoundBegan(),
        like(events.DiceRolled, roller="robin", purpose="initiative", expression="1d20 + 3[DEX]"),
        like(events.DiceRolled, roller="guard"),
        like(events.DiceRolled, roller="marian"),
        ORDER(order=("guard", "robin", "marian"), scores=(17, 13, 4)),
        TURN(character="guard"),
    )


@rule("R0.32", "Q0.7")
def test_a_tie_for_the_first_place_goes_to_the_higher_modifier(sherwood) -> None:
    begin = BeginEncounter(participants=THREE)
    sherwood().when(begin).rolling(10, 13, 4).then(TURN(character="robin"))


@rule("R0.32", "Q0.7", "QG.6")
def test_an_equal_tie_for_the_first_place_is_rolled_again(sherwood) -> None:
    played = sherwood().when(BeginEncounter(participants=THREE)).rolling(1, 12, 12, 6, 6, 3, 5)
    played.then(TURN(character="marian"))
    played.then(ORDER(order=("marian", "guard", "robin"), scores=(12, 12, 4)))


@rule("R0.31", "Q0.14")
def test_the_surprised_roll_no_initiative_and_lose_the_first_round(sherwood) -> None:
    game = fight(sherwood(), 5, 4, surprised=("robin",))
    assert game.after.encounter.order == ("guard", "marian", "robin")
    game.when(Check(who="robin", ability="str")).refused("It is Guard's turn")
    game.given(end("marian"))
    played = game.when(end()).rolling(10, 3, 2)
    played.then(
        events.RoundEnded(),
        events.ConditionEnded(character="robin", condition="surprised"),
        events.RoundBegan(),
        TURN(character="robin"),
    )


@rule("Q0.14")
def test_where_the_table_rolls_for_surprise_1_and_2_are_surprised(sherwood) -> None:
    begin = BeginEncounter(participants=THREE, surprised=("guard", "marian"))
    played = sherwood(surprise_roll="2-in-6").when(begin).rolling(2, 3, 10, 5)
    played.then(events.ConditionBegan(character="guard", condition="surprised"), TURN(character="robin"))
    assert not played.character("marian").has("surprised")


def test_somebody_must_be_able_to_act(sherwood) -> None:
    begin = BeginEncounter(participants=THREE, surprised=THREE)
    sherwood().when(begin).refused("Nobody in this encounter can act")


@rule("R0.33")
def test_anyone_who_ends_a_turn_says_who_goes_next(sherwood) -> None:
    game = fight(sherwood())
    game.when(end("marian")).then(events.TurnEnded(character="robin"), TURN(character="marian"), only=True)
    game.when(end()).refused("Say who goes next", "guard, marian")


@rule("R0.33")
def test_the_turn_can_be_handed_to_the_gm(sherwood) -> None:
    game = fight(sherwood())
    handed = game.when(end(to_gm=True)).then(events.TurnEnded(character="robin"), only=True).go_on()
    handed.when(Check(who="guard", ability="str")).refused("nobody's turn yet")
    handed.when(end("guard")).then(TURN(character="guard"), only=True)
    game.given(events.ConditionBegan(character="marian", condition="unconscious"))
    game.when(end(to_gm=True)).then(TURN(character="guard"))


@rule("R0.34")
def test_nobody_acts_twice_before_all_have_acted(sherwood) -> None:
    game = fight(sherwood()).given(end("guard"))
    game.when(end("robin")).refused("Robin Hood cannot go next", "already acted", "marian")
    game.when(Check(who="robin", ability="str")).refused("has already acted in round 1", "it is Guard's turn")


@rule("Q0.10")
def test_the_last_one_left_is_next_without_being_named(sherwood) -> None:
    fight(sherwood()).given(end("guard")).when(end()).then(TURN(character="marian"), only=False)


@rule("R0.35", "R0.24")
def test_when_all_have_acted_a_new_round_begins_with_new_initiative(sherwood) -> None:
    game = fight(sherwood()).given(end("guard"), end())
    played = game.when(end()).rolling(2, 18, 3)
    played.then(
        events.TurnEnded(character="marian"),
        events.RoundEnded(),
        events.TimePassed(seconds=10),
        events.RoundBegan(),
        ORDER(order=("guard", "robin", "marian"), scores=(18, 5, 3)),
        TURN(character="guard"),
    )
    assert played.after.encounter.round == 2
    game.when(end("robin")).rolling(2, 18, 3).refused("initiative decides who is next")


@rule("Q0.10")
def test_anyone_who_drops_is_not_waited_for(sherwood) -> None:
    game = fight(sherwood()).given(Harm(who="guard", amount="9"))
    game.when(end()).then(TURN(character="marian"))
    game.when(end("guard")).refused("Guard cannot go next", "Guard is unconscious")


@rule("Q0.10")
def test_anyone_who_arrives_acts_from_the_next_round_or_at_once(sherwood) -> None:
    late = fight(sherwood()).given(end("guard"), JoinEncounter(who="deputy"))
    late.when(end("deputy")).refused("Deputy cannot go next")
    late.given(end("marian")).when(end()).rolling(2, 3, 15, 4).then(TURN(character="deputy"))
    at_once = fight(sherwood(late_joiner="at_once")).given(end("guard"), JoinEncounter(who="deputy"))
    at_once.when(end("deputy")).then(TURN(character="deputy"))
    at_once.when(JoinEncounter(who="deputy")).refused("already takes part")


@rule("R0.46", "Q0.40")
def test_a_turn_has_one_action(sherwood) -> None:
    game = fight(sherwood()).given(with_dice(Attack(attacker="robin", target="guard", weapon="longbow"), 1))
    game.when(Check(who="robin", ability="str")).refused("no action left this turn", "spend-token robin extra-action")


@rule("R0.97", "Q0.40")
def test_a_token_buys_one_extra_action(sherwood) -> None:
    shot = with_dice(Attack(attacker="robin", target="guard", weapon="longbow"), 1)
    tokens = events.PoolBecame(holder="robin", pool="token", amount=3)
    extra = SpendToken(who="robin", benefit="extra-action")
    game = fight(sherwood().given(tokens)).given(shot, extra)
    game.when(extra).refused("has had 1 extra action this turn")
    game.given(shot).when(Check(who="robin", ability="str")).refused("no action left")
    sherwood().given(tokens).when(extra).refused("only counted in an encounter")
    fight(sherwood().given(events.PoolBecame(holder="marian", pool="token", amount=1))).when(
        SpendToken(who="marian", benefit="extra-action")
    ).refused("It is not Marian's turn")
    two = fight(sherwood(extra_actions_per_turn=2).given(tokens)).given(extra)
    two.when(extra).then(like(events.TurnSpent, what="extra action"))


@rule("R0.47")
def test_a_save_needs_no_turn_and_no_action(sherwood) -> None:
    fight(sherwood()).when(Save(who="marian", ability="dex")).rolling(15).never(events.TurnSpent)


@rule("QG.8")
def test_only_the_gm_waives_the_order_of_turns(sherwood) -> None:
    seats = (TakeSeat(seat="Vera", role="gm"), TakeSeat(seat="Ann"), Lend(who="marian", to="Ann"))
    game = fight(sherwood().given(*seats))
    task = Check(who="marian", ability="str", out_of_turn=True)
    game.when(task, seat="Vera").rolling(15).then(events.CheckResolved).never(events.TurnSpent)
    game.when(task, seat="Ann").rolling(15).refused("--out-of-turn is a ruling")


@rule("R0.33")
def test_players_end_their_own_turns_only(sherwood) -> None:
    seats = (TakeSeat(seat="Vera", role="gm"), TakeSeat(seat="Ann"), Lend(who="robin", to="Ann"))
    game = fight(sherwood().given(*seats))
    game.when(end("guard"), seat="Ann").then(TURN(character="guard"))
    game.given(end("guard")).when(end("marian"), seat="Ann").refused("Ann does not play Guard")


def test_an_encounter_ends_with_what_belongs_to_it(sherwood) -> None:
    game = fight(sherwood(), 5, 4, surprised=("robin",))
    played = game.when(EndEncounter())
    played.then(events.ConditionEnded(character="robin", condition="surprised"), events.EncounterEnded())
    assert played.after.encounter is None
    played.go_on().when(EndEncounter()).refused("No encounter is being fought")
    game.when(BeginEncounter(participants=THREE)).refused("already being fought")


@pytest.mark.parametrize(
    ("begin", "said"),
    [
        (BeginEncounter(participants=("robin", "robin")), "named twice"),
        (BeginEncounter(participants=("robin",), surprised=("guard",)), "not among the participants"),
        (BeginEncounter(participants=("robin", "gard")), "Did you mean guard"),
    ],
)
def test_participants_are_people_who_are_there(sherwood, begin: BeginEncounter, said: str) -> None:
    sherwood().when(begin).refused(said)


def test_when_everybody_is_down_no_round_begins(sherwood) -> None:
    down = [Harm(who=who, amount="40") for who in THREE]
    played = fight(sherwood()).given(down).when(end())
    played.then(events.RoundEnded).never(TURN)


def test_anyone_who_takes_no_part_cannot_act_in_the_fight(sherwood) -> None:
    task = Check(who="holmes", ability="int")
    fight(sherwood()).when(task).refused("Sherlock Holmes does not take part", "join-encounter holmes")


def test_moving_and_acting_share_a_turn(sherwood) -> None:
    game = fight(sherwood()).given(Move(who="robin", feet=30))
    game.when(Check(who="robin", ability="str")).rolling(15).then(events.CheckResolved)
