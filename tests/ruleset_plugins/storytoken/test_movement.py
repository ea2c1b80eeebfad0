"""How far a turn goes."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter
from rollbook.rulesets.storytoken.fight.movement import Move
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.testing.scenarios import like, rule, with_dice


@pytest.fixture
def fight(sherwood):
    """Marian's turn; she has no speed of her own, so the table's base counts."""
    return lambda **settings: sherwood(**settings).given(
        with_dice(BeginEncounter(participants=("marian", "guard")), 15, 3)
    )


def walk(feet: int, **more) -> Move:
    return Move(who="marian", feet=feet, **more)


@rule("R0.46")
def test_a_turn_goes_40_feet_with_an_action_or_80_without(fight) -> None:
    fight().given(walk(40)).when(Check(who="marian", ability="str")).rolling(9).then(events.CheckResolved)
    fight().given(walk(80)).when(Check(who="marian", ability="str")).refused("no action left")
    fight().when(walk(81)).refused("cannot move that far", "80 of 80 feet are left without an action")
    acted = fight().given(with_dice(Check(who="marian", ability="str"), 9))
    acted.when(walk(41)).refused("40 of 40 feet are left in a turn with an action")
    acted.when(walk(40)).then(events.TurnSpent(character="marian", what="feet", amount=40))


@rule("Q0.12")
def test_the_base_is_40_feet_unless_the_table_or_the_sheet_says_30(fight, sherwood) -> None:
    fight(base_speed_ft=30).when(walk(61)).refused("60 of 60 feet")
    assert sherwood().sheet("marian").amount("speed") == 40
    assert sherwood().sheet("robin").amount("speed") == 30


@rule("R0.48", "Q0.13")
def test_difficult_ground_counts_twice(fight) -> None:
    fight().when(walk(41, difficult=True)).refused("41 feet of difficult ground count as 82")
    fight().when(walk(20, difficult=True)).then(like(events.TurnSpent, amount=40), like(events.Moved, cost=40))


@rule("R0.48", "Q0.13")
def test_difficult_ground_halves_the_speed_rounded_down_before_a_turn_without_an_action_doubles_it(nobody) -> None:
    fox = Join(name="Fox", id="fox", kind="npc", heritage="animal", hp=5)
    hare = Join(name="Hare", id="hare", kind="npc", hp=5)
    game = nobody().given(fox, hare, with_dice(BeginEncounter(participants=("fox", "hare")), 15, 3))
    assert game.sheet("fox").amount("speed") == 45
    rough = Move(who="fox", feet=44, difficult=True)
    game.when(rough).then(like(events.Moved, cost=88))
    farther = Move(who="fox", feet=45, difficult=True)
    game.when(farther).refused("45 feet of difficult ground count as 90", "88 of 88 feet are left")
    acted = game.given(with_dice(Check(who="fox", ability="str"), 9))
    acted.when(Move(who="fox", feet=23, difficult=True)).refused("44 of 44 feet are left in a turn with an action")


@rule("R0.49", "Q0.13")
def test_birth_and_armour_change_the_speed(nobody) -> None:
    knight = Join(name="Fae", id="fae", kind="npc", heritage="faerie", armour="superheavy", hp=5)
    beast = Join(name="Fox", id="fox", kind="npc", heritage="animal", hp=5)
    game = nobody().given(knight, beast)
    assert (game.sheet("fae").amount("speed"), game.sheet("fox").amount("speed")) == (40, 45)


def test_outside_a_fight_nobody_counts_feet(sherwood) -> None:
    sherwood().when(Move(who="robin", feet=5_000)).then(like(events.Moved, character="robin"), only=True)


def test_nobody_moves_out_of_turn(fight) -> None:
    fight().when(Move(who="guard", feet=5)).refused("It is Marian's turn, so Guard cannot act yet")
    fight().when(Move(who="guard", feet=5, out_of_turn=True)).then(events.Moved).never(events.TurnSpent)
