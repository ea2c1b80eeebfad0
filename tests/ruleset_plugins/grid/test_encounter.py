"""Initiative is a d20 and Dexterity, new in every round; ties are rolled off with recorded dice."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.grid.creation import Join
from rollbook.rulesets.grid.encounter import BeginEncounter, EndEncounter, EndTurn, JoinEncounter
from rollbook.rulesets.grid.hit_points import Harm
from rollbook.testing.scenarios import like, rule, with_dice

ROLLED, ORDER, TURN = events.DiceRolled, events.TurnOrderSet, events.TurnBegan
PEOPLE = {"steve": (0, 0), "jeff": (9, 0), "odo": (0, 9)}
ALL = BeginEncounter(participants=tuple(PEOPLE), title="The stile")


@rule("R4.12", "R4.11")
def test_everybody_rolls_a_d20_and_adds_dexterity_and_the_highest_begins(table) -> None:
    table(PEOPLE).when(ALL).rolling(8, 9, 11).then(
        events.EncounterBegan(title="The stile"),
        events.RoundBegan(),
        like(ROLLED, roller="steve", expression="1d20 + 2[Dexterity]", total=10),
        like(ROLLED, roller="jeff", expression="1d20 + 3[Dexterity]", total=12),
        like(ROLLED, roller="odo", expression="1d20", total=11),
        ORDER(order=("jeff", "odo", "steve"), scores=(12, 11, 10)),
        TURN(character="jeff"),
        only=True,
    )


@rule("R4.12", "Q4.39", "QG.6")
def test_ties_roll_a_bare_d20_until_nobody_is_level(table) -> None:
    table(PEOPLE).when(ALL).rolling(9, 8, 11, 5, 5, 5, 7, 9, 9, 3, 4).then(
        like(ROLLED, roller="steve", purpose="tie", expression="1d20", total=5),
        like(ROLLED, roller="jeff", purpose="tie", total=5),
        like(ROLLED, roller="odo", purpose="tie", total=5),
        like(ROLLED, roller="steve", purpose="tie", total=7),
        like(ROLLED, roller="jeff", purpose="tie", total=9),
        like(ROLLED, roller="odo", purpose="tie", total=9),
        like(ROLLED, roller="jeff", purpose="tie", total=3),
        like(ROLLED, roller="odo", purpose="tie", total=4),
        ORDER(order=("odo", "jeff", "steve"), scores=(11, 11, 11)),
        TURN(character="odo"),
    )


@rule("R4.12", "Q4.39", "QG.13")
def test_after_everybody_has_had_a_turn_all_roll_again_and_six_seconds_are_gone(table) -> None:
    scene = table(PEOPLE).given(with_dice(ALL, 20, 10, 1), EndTurn(), EndTurn())
    last = scene.when(EndTurn()).rolling(3, 5, 19)
    last.then(
        events.TurnEnded(character="odo"),
        events.RoundEnded(),
        events.TimePassed(seconds=6),
        events.RoundBegan(),
        ORDER(order=("odo", "jeff", "steve"), scores=(19, 8, 5)),
        TURN(character="odo"),
    )
    assert last.after.encounter.round == 2


@rule("QG.13")
def test_a_table_may_leave_the_length_of_a_round_open(table) -> None:
    scene = table(PEOPLE, round_seconds=0).given(with_dice(ALL, 20, 10, 1), EndTurn(), EndTurn())
    scene.when(EndTurn()).rolling(3, 5, 19).then(events.RoundBegan).never(events.TimePassed)


@rule("Q4.28", "R4.43")
def test_the_incapacitated_roll_initiative_and_the_dead_do_not(table) -> None:
    scene = table(PEOPLE).given(Harm(who="odo", amount="40"), Harm(who="jeff", amount="30"))
    scene.when(ALL).refused("Jeff is dead")
    two = BeginEncounter(participants=("steve", "odo"))
    scene.when(two).rolling(3, 12, 4).then(
        ORDER(order=("odo", "steve"), scores=(12, 5)),
        TURN(character="odo"),
        like(events.DamageTaken, character="odo", amount=1),
        TURN(character="steve"),
    )


@rule("R4.12", "Q4.28")
def test_where_nobody_is_conscious_the_rounds_go_on_at_the_gms_word(table) -> None:
    scene = table(PEOPLE).given(with_dice(ALL, 20, 10, 1))
    scene.given(Harm(who="steve", amount="42"), Harm(who="jeff", amount="9"), Harm(who="odo", amount="36"))
    played = scene.when(EndTurn()).rolling(2, 2, 20, 10, 1, 2, 2, 2)
    assert played.after.encounter.current == ""
    assert played.after.encounter.round == 2
    assert [played.sheet(who).amount("hp") for who in PEOPLE] == [-1, -2, -2]
    again = played.go_on().when(EndTurn()).rolling(20, 10, 1, 10, 10, 10)
    assert all(again.character(who).has("stable") for who in PEOPLE)


def test_somebody_who_comes_later_takes_the_place_of_the_roll(table) -> None:
    scene = table(PEOPLE).given(Join(name="Late", kind="monster", hp=5, at=("4", "4")), with_dice(ALL, 20, 10, 1))
    scene.when(JoinEncounter(who="late")).rolling(14).then(
        ORDER(order=("steve", "late", "jeff", "odo"), scores=(22, 14, 13, 1))
    )
    scene.when(JoinEncounter(who="odo")).refused("already takes part")


@rule("R4.12", "Q4.39")
@pytest.mark.parametrize(
    ("mine", "theirs", "order"), [(12, 9, ("steve", "late", "jeff", "odo")), (3, 9, ("steve", "jeff", "late", "odo"))]
)
def test_a_latecomer_who_is_level_with_somebody_rolls_for_the_place(table, mine: int, theirs: int, order) -> None:
    scene = table(PEOPLE).given(Join(name="Late", kind="monster", hp=5, at=("4", "4")), with_dice(ALL, 20, 10, 1))
    played = scene.when(JoinEncounter(who="late")).rolling(13, theirs, mine)
    played.then(
        like(events.DiceRolled, roller="jeff", purpose="tie"), like(events.DiceRolled, roller="late", purpose="tie")
    )
    played.then(ORDER(order=order, scores=tuple({"steve": 22, "odo": 1}.get(name, 13) for name in order)))


def test_a_fight_needs_participants_and_ends_for_all(table) -> None:
    scene = table(PEOPLE)
    scene.when(BeginEncounter(participants=())).refused("needs participants")
    scene.when(EndTurn()).refused("No encounter")
    fight = scene.given(with_dice(ALL, 20, 10, 1), events.ConditionBegan(character="odo", condition="hamstrung"))
    fight.when(EndEncounter()).then(
        events.ConditionEnded(character="odo", condition="hamstrung"), events.EncounterEnded()
    )
