"""A round goes side by side or one by one, a turn is an action and a move or a run, and between turns there is one reaction."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.domain.actions.characters import ChangeTrait
from rollbook.plugin import Refused, events
from rollbook.rulesets.luckpoint import RULESET
from rollbook.rulesets.luckpoint.attack import Attack
from rollbook.rulesets.luckpoint.checks import Check, GiveAid
from rollbook.rulesets.luckpoint.creation import Join
from rollbook.rulesets.luckpoint.encounter import BeginEncounter, EndEncounter, EndTurn, GiveWay, JoinEncounter
from rollbook.rulesets.luckpoint.hit_points import Harm
from rollbook.rulesets.luckpoint.movement import Move
from rollbook.rulesets.luckpoint.settings import INDIVIDUAL
from rollbook.testing.scenarios import Given, Scenario, like, rule, scenario, with_dice
from tests.support.luckpoint import (
    BEGAN,
    CAST_IDS,
    CHECKED,
    ENDED,
    HURT,
    ROLLED,
    at_table,
    in_fight,
    in_rolled_order,
    luck_point,
    with_damage,
)

BEGIN = BeginEncounter(participants=CAST_IDS)
ROUND = (EndTurn(), EndTurn(), EndTurn(), EndTurn())


def order(game: Scenario) -> tuple[str, ...]:
    return game.after.encounter.order if game.after.encounter else ()


def current(game: Scenario) -> str:
    return game.after.encounter.current if game.after.encounter else ""


# Initiative by side.


@rule("R1.15", "Q1.6")
def test_each_side_rolls_once_with_the_best_of_its_modifiers_and_goes_as_a_whole() -> None:
    game = at_table().when(BEGIN).rolling(7, 10)
    game.then(
        events.RoundBegan,
        like(ROLLED, roller="ben", purpose="initiative", total=10),
        like(ROLLED, roller="goon", total=11),
        events.TurnBegan(character="goon"),
    )
    assert order(game) == ("goon", "thug", "ben", "ada", "una")


@rule("R1.15")
def test_initiative_is_rolled_again_in_every_round() -> None:
    game = in_fight().given(*ROUND).when(EndTurn()).rolling(2, 15)
    game.then(events.RoundEnded, events.TimePassed(seconds=6), events.RoundBegan, events.TurnBegan(character="goon"))
    assert order(game) == ("goon", "thug", "ben", "ada", "una")


@rule("Q1.6", "R1.46")
def test_nobody_with_critical_wounds_speaks_for_a_side() -> None:
    game = with_damage(at_table(), "ben", 5).when(BEGIN).rolling(9, 10)
    game.then(like(ROLLED, roller="ada", total=11))
    assert order(game) == ("ada", "una", "ben", "goon", "thug")


@rule("Q1.7", "QG.6")
def test_sides_that_are_level_go_by_the_higher_modifier_and_else_roll_again() -> None:
    higher = at_table().when(BEGIN).rolling(10, 12)
    assert current(higher) == "ben"
    even = at_table().when(BeginEncounter(participants=("una", "thug"))).rolling(9, 9, 3, 14)
    assert order(even) == ("thug", "una")
    assert len(even.events(ROLLED)) == 4


@rule("Q1.6")
def test_sides_are_what_the_table_says_or_else_the_party_and_its_foes() -> None:
    game = at_table().given(Join(name="Hal", kind="npc"), Join(name="Wim", kind="hireling"))
    everybody = ("ada", "goon", "hal", "wim", "una")
    plain = game.when(BeginEncounter(participants=everybody)).rolling(15, 5)
    assert order(plain) == ("ada", "wim", "una", "goon", "hal") or set(order(plain)[:3]) == {"ada", "wim", "una"}
    with_hal = game.when(BeginEncounter(participants=everybody, sides={"hal": "party", "una": "the cult"})).rolling(
        15, 5, 9
    )
    assert set(order(with_hal)[:3]) == {"ada", "hal", "wim"}
    assert len(with_hal.events(ROLLED)) == 3
    over = with_hal.go_on().when(EndEncounter())
    assert not over.character("hal").conditions


def test_sides_are_written_name_and_side_of_those_who_take_part() -> None:
    two = ("ada", "goon")
    with pytest.raises(Refused, match="sides is written name=word"):
        at_table().when_typed(BeginEncounter, participants=two, sides={"ada": ""})
    at_table().when(BeginEncounter(participants=two, sides={"ben": "foes"})).refused(
        "Ben is not among the participants"
    )


@rule("R1.15")
def test_within_a_side_anybody_may_be_next_and_nobody_of_the_other_side() -> None:
    game = in_fight()
    game.when(EndTurn(next="una")).then(events.TurnBegan(character="una"))
    game.when(EndTurn(next="goon")).refused("Goon cannot go next", "ada, una")
    game.when(EndTurn()).then(events.TurnBegan(character="ada"))


@rule("R1.15")
def test_somebody_lets_another_of_the_side_go_first_before_doing_anything() -> None:
    game = in_fight().when(GiveWay(who="ben", to="una"))
    game.then(events.TurnBegan(character="una")).never(events.TurnEnded)
    back = game.go_on().when(EndTurn(next="ben"))
    back.then(events.TurnBegan(character="ben"))
    in_fight().when(GiveWay(who="ben", to="goon")).refused("Of Ben's side there is still to act: ada, una")
    moved = in_fight().given(Move(who="ben", metres=3))
    moved.when(GiveWay(who="ben", to="una")).refused("Ben has begun already")


# Initiative one by one.


@rule("R1.14", "Q1.6")
def test_at_some_tables_everybody_rolls_and_higher_totals_act_first() -> None:
    game = at_table(initiative_mode=INDIVIDUAL).when(BEGIN).rolling(10, 14, 9, 18, 14)
    game.then(like(ROLLED, roller="ada", total=12), like(ROLLED, roller="ben", total=17))
    assert order(game) == ("goon", "ben", "thug", "ada", "una")


@rule("R1.14")
@given(dex=st.integers(-1, 9), wis=st.integers(-1, 9), learned=st.integers(0, 3))
def test_initiative_is_the_better_of_dexterity_and_awareness(dex: int, wis: int, learned: int) -> None:
    abilities = ("0", str(dex), "0", "0", str(wis), "0")
    kit = Join(name="Kit", kind="npc", abilities=abilities, skills={"awareness": learned})
    assert scenario(RULESET).given(kit).sheet("kit").amount("initiative") == max(dex, wis + learned)


@rule("Q1.7", "R1.14")
def test_two_with_the_same_total_go_by_modifier_and_twins_roll_again() -> None:
    pair = BeginEncounter(participants=("ada", "ben"))
    game = at_table(initiative_mode=INDIVIDUAL).when(pair).rolling(11, 10)
    assert order(game) == ("ben", "ada")
    twins = BeginEncounter(participants=("una", "thug"))
    again = at_table(initiative_mode=INDIVIDUAL).when(twins).rolling(8, 8, 2, 19)
    assert order(again) == ("thug", "una")


@rule("Q1.6")
def test_then_nobody_gives_way_and_nobody_is_handed_the_turn() -> None:
    in_rolled_order().when(EndTurn(next="una")).refused("everybody has an initiative")
    in_rolled_order().when(GiveWay(who="goon", to="ben")).refused("everybody has an initiative")


@rule("R1.10", "R1.14")
def test_luck_turns_an_initiative_roll_too() -> None:
    game = at_table().when(BEGIN, luck_point(roll=0, who="ben")).rolling(2, 19, 10)
    assert current(game) == "ben"


# Coming and going.


def test_who_arrives_waits_for_the_next_round() -> None:
    game = in_fight().given(Join(name="Hal", kind="npc"), JoinEncounter(who="hal", side="party"), *ROUND)
    game.when(EndTurn()).rolling(15, 8).then(ENDED(character="hal", condition="arriving"))
    assert set(order(game)[:4]) == {"ben", "ada", "una", "hal"}


@rule("QG.9")
def test_the_dead_have_no_turns_and_a_fight_of_the_dead_does_not_begin() -> None:
    game = in_fight().given(Harm(who="ada", amount="40"), EndTurn()).when(EndTurn())
    game.then(events.TurnBegan(character="goon"))
    with_damage(at_table(), "una", 40).when(BeginEncounter(participants=("una", "goon"))).refused("Una is dead")


def test_a_round_that_is_over_is_nobodys_to_hand_on() -> None:
    in_fight().given(*ROUND).when(EndTurn(next="ada")).refused("initiative decides who is next")


def test_a_player_ends_ones_own_turn_only() -> None:
    seats = (TakeSeat(seat="Gwen", role="gm"), TakeSeat(seat="Max"))
    game = scenario(RULESET).given(*seats, Join(name="Kit", seat="Max"), Join(name="Mob", kind="monster"))
    game.given(with_dice(BeginEncounter(participants=("kit", "mob")), 2, 10))
    game.when(EndTurn(), seat="Max").refused("Mob's turn")
    game.when(EndTurn(), seat="Gwen").then(events.TurnBegan(character="kit"))


# The turn.


@rule("R1.16")
def test_a_turn_is_an_action_and_10_metres() -> None:
    game = in_fight().given(Move(who="ben", metres=6), with_dice(Check(who="ben", skill="lore"), 9))
    game.when(Move(who="ben", metres=5)).refused("4 of 10 are left in a turn with an action")
    game.when(Move(who="ben", metres=4)).then(events.TurnSpent(character="ben", what="metres", amount=4))
    game.when(Check(who="ben", skill="lore")).refused("has acted this turn")


@rule("R1.16")
def test_or_20_metres_and_no_action() -> None:
    game = in_fight().given(Move(who="ben", metres=11))
    game.when(Check(who="ben", skill="lore")).refused("Ben has run this turn")
    game.when(Move(who="ben", metres=10)).refused("9 of 20 are left without an action")
    game.when(Move(who="ben", metres=9)).then(events.Moved(character="ben", cost=9))
    assert game.sheet("ben").amount("run") == 20


@rule("R1.17")
def test_hard_going_and_crawling_count_every_metre_twice_and_not_four_times() -> None:
    game = in_fight().when(Move(who="ben", metres=5, difficult=True))
    game.then(events.TurnSpent(character="ben", what="metres", amount=10))
    in_fight().when(Move(who="ben", metres=11, difficult=True)).refused("11 metres count as 22", "20 of 20")
    prone = in_fight().given(Move(who="ben", metres=0, posture="prone"))
    prone.when(Move(who="ben", metres=5, difficult=True)).then(events.Moved(character="ben", cost=10))
    prone.when(Move(who="ben", metres=5, posture="stand")).then(
        ENDED(character="ben", condition="prone"), events.Moved(character="ben", cost=5)
    )
    assert prone.sheet("ben").amount("hard_going") == 5


@rule("R1.54", "R1.16")
def test_faster_movement_is_12_metres_and_24_at_a_run() -> None:
    game = scenario(RULESET).given(Join(name="Kit", special=("faster-movement",)), Join(name="Mob", kind="monster"))
    game.given(with_dice(BeginEncounter(participants=("kit", "mob")), 15, 5))
    assert str(game.sheet("kit").value("speed")) == "12 m (40 ft)"
    assert str(game.sheet("kit").value("run")) == "24 m (80 ft)"
    game.when(Move(who="kit", metres=25)).refused("24 of 24")
    game.when(Move(who="kit", metres=24)).then(events.Moved(character="kit", cost=24))


@rule("Q1.27")
def test_metres_count_and_feet_are_shown_as_they_are_printed() -> None:
    sheet = at_table().sheet("ada")
    assert str(sheet.value("speed")) == "10 m (30 ft)"
    assert str(sheet.value("run")) == "20 m (60 ft)"
    assert sheet.amount("speed") == 10


def test_outside_a_fight_nobody_counts_metres_and_nobody_moves_by_none() -> None:
    at_table().when(Move(who="ada", metres=900)).then(events.Moved(character="ada", cost=900), only=True)
    at_table().when(Move(who="ada", metres=0)).refused("more than 0 metres")
    at_table().when(Move(who="ada", metres=0, posture="stand")).refused("Ada is not prone")


def test_nothing_is_done_out_of_turn_unless_the_gm_rules_so() -> None:
    in_fight().when(Check(who="ada", skill="lore")).refused("It is Ben's turn")
    game = in_fight().when(Check(who="ada", skill="lore", out_of_turn=True)).rolling(5).never(events.TurnSpent)
    game.then(CHECKED)
    seated = in_fight().given(TakeSeat(seat="Gwen", role="gm"), TakeSeat(seat="Max"))
    seated.given(events.ControlPassed(character="ada", seat="Max"))
    seated.when(Check(who="ada", skill="lore", out_of_turn=True), seat="Max").refused("--out-of-turn is a ruling")


# The reaction.


PARTING = Attack(attacker="ada", target="goon", weapon="sword", opportunity=True)


def while_goon_leaves(*more: Given) -> Scenario:
    """The fight in the goon's turn, in which the goon has walked away."""
    return in_fight().given(EndTurn(), EndTurn(), EndTurn(), Move(who="goon", metres=5), *more)


@rule("R1.21", "Q1.26")
def test_between_turns_one_strikes_once_at_anyone_who_leaves_ones_reach() -> None:
    game = while_goon_leaves().when(PARTING).rolling(12, 4)
    game.then(
        like(BEGAN, character="ada", condition="out of reactions"), like(CHECKED, success=True), like(HURT, amount=7)
    )
    game.never(events.TurnSpent)
    game.go_on().when(PARTING).refused("Ada has reacted already")


@rule("R1.21")
def test_nobody_who_stays_gives_an_opening() -> None:
    in_fight().when(PARTING).refused("Goon has not moved away in this turn")
    standing = in_fight().given(EndTurn(), EndTurn(), EndTurn())
    standing.when(PARTING).refused("Goon has not moved away in this turn")
    while_goon_leaves(EndTurn()).when(PARTING).refused("Goon has not moved away in this turn")


@rule("R1.21", "Q1.26")
def test_the_next_own_turn_brings_the_reaction_back() -> None:
    game = while_goon_leaves(with_dice(PARTING, 2), EndTurn(), with_dice(EndTurn(), 15, 8))
    game.when(EndTurn(next="ada")).then(ENDED(character="ada", condition="out of reactions"))


@rule("Q1.26")
def test_a_reaction_needs_a_melee_weapon_or_fists_and_comes_between_ones_turns() -> None:
    own = Attack(attacker="ben", target="goon", weapon="unarmed", opportunity=True)
    in_fight().when(own).refused("Ben's own turn")
    shot = Attack(attacker="ada", target="goon", weapon="medium-ranged", opportunity=True)
    while_goon_leaves().when(shot).refused("needs a melee weapon or fists")
    fists = Attack(attacker="ada", target="goon", weapon="unarmed", opportunity=True)
    while_goon_leaves().when(fists).rolling(2).then(like(CHECKED, success=False))


@rule("R1.21", "R1.46")
def test_a_reaction_is_for_those_who_fight_and_stand() -> None:
    at_table().when(PARTING).refused("No encounter")
    game = in_fight().given(Join(name="Hal", kind="npc"))
    game.when(Attack(attacker="hal", target="goon", weapon="unarmed", opportunity=True)).refused("does not take part")
    with_damage(in_fight(), "ada", 15).when(PARTING).refused("Ada is critical")


@rule("R1.21")
def test_a_reaction_goes_with_the_fight() -> None:
    game = while_goon_leaves(with_dice(PARTING, 2)).when(EndEncounter())
    game.then(ENDED(character="ada", condition="out of reactions"))


@rule("R1.46")
def test_the_critical_have_turns_without_actions() -> None:
    game = with_damage(in_fight(), "ben", 5)
    for action in (Check(who="ben", skill="lore"), GiveAid(who="ben", patient="ben")):
        game.when(action).refused("Ben is critical")


@pytest.mark.parametrize("mode", ["side", "individual"])
def test_a_fight_goes_on_for_rounds_whatever_happens_to_its_people(mode: str) -> None:
    game = at_table(initiative_mode=mode).given(ChangeTrait(who="una", trait="lucky", kind="special"))
    rolls = (15, 8) if mode == "side" else (10, 14, 9, 18, 15)
    game.given(with_dice(BEGIN, *rolls))
    for _ in range(3):
        game.given(*ROUND, with_dice(EndTurn(), *rolls))
    assert game.after.encounter is not None
    assert (game.after.encounter.round, game.after.clock) == (4, 18)
