"""The afraid and the turned get away from what they fear, in every turn in which it is there (R0.64, R0.176, Q0.33)."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.afflictions import Afflict
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, EndTurn
from rollbook.rulesets.storytoken.fight.movement import Move
from rollbook.testing.scenarios import Scenario, like, rule, with_dice

TURN = events.TurnBegan
ON = EndTurn(next="dracula")


@pytest.fixture
def scared(sherwood):
    """Marian's turn in a fight with Count Dracula, of whom she is afraid."""

    def begin(condition: str = "afraid", *more, **feared) -> Scenario:
        fight = with_dice(BeginEncounter(participants=("marian", "dracula", "guard")), 18, 5, 1)
        fear = Afflict(who="marian", condition=condition, **feared)
        return sherwood().given(TakeSeat(seat="Ana", role="gm"), TakeSeat(seat="Mira"), fear, *more, fight)

    return begin


@rule("R0.64", "Q0.33")
def test_the_afraid_do_not_end_their_turn_where_they_stand(scared) -> None:
    scene = scared(caster="dracula")
    said = scene.when(ON, seat="Ana").refused("Marian is afraid and gets away from Count Dracula first: move marian 40")
    assert "--stays" in said
    scene.given(Move(who="marian", feet=5)).when(ON, seat="Ana").then(like(TURN, character="dracula"))


@rule("R0.64")
def test_what_is_feared_need_not_be_a_character(scared) -> None:
    scared(source="the fire").when(ON, seat="Ana").refused("gets away from the fire first")
    scared().when(ON, seat="Ana").refused("gets away from what it fears first")


@rule("R0.64")
def test_a_blow_is_allowed_but_does_not_spare_the_way(scared) -> None:
    blow = with_dice(Attack(attacker="marian", target="dracula", weapon="light"), 2, 3)
    scared(caster="dracula").given(blow).when(ON, seat="Ana").refused("gets away from Count Dracula first")


@rule("R0.64", "Q0.33")
@pytest.mark.parametrize(
    "gone",
    [
        events.CharacterLeft(character="dracula"),
        events.ConditionBegan(character="dracula", condition="dead"),
        events.ConditionBegan(character="marian", condition="immobilised"),
        events.ConditionBegan(character="marian", condition="grappled"),
    ],
)
def test_nobody_has_to_go_who_is_held_or_whose_fear_is_gone(scared, gone) -> None:
    scene = scared(caster="dracula").given(gone)
    scene.when(EndTurn(next="guard"), seat="Ana").then(like(TURN, character="guard"))


@rule("R0.64", "Q0.33")
def test_the_gm_says_that_it_is_out_of_sight_and_a_player_does_not(scared) -> None:
    scene = scared(caster="dracula")
    stays = EndTurn(next="dracula", stays=True)
    scene.when(stays, seat="Mira").refused("--stays is a ruling")
    scene.when(stays, seat="Ana").then(like(TURN, character="dracula"))


@rule("R0.176")
def test_the_turned_flee_too(sherwood) -> None:
    turned = events.ConditionBegan(character="dracula", condition="turned", source="marian")
    fight = with_dice(BeginEncounter(participants=("dracula", "marian")), 18, 5)
    scene = sherwood().given(turned, fight)
    scene.when(EndTurn()).refused("Count Dracula is turned and gets away from Marian first: move dracula")
    scene.given(Move(who="dracula", feet=30)).when(EndTurn()).then(like(TURN, character="marian"))
