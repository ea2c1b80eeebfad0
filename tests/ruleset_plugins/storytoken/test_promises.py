"""A faerie's word: each promise binds by itself, and each breach costs."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.afflictions import Afflict, Relieve
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.heritage_powers import Promise
from rollbook.rulesets.storytoken.tasks.saves import Save
from rollbook.testing.scenarios import like, rule

BEGAN, ENDED = events.ConditionBegan, events.ConditionEnded
SPRING, SILENCE = "to guard the spring", "to keep silent"


def promise(what: str = "", how: str = "given") -> Promise:
    return Promise(who="puck", what=what, how=how)


@pytest.fixture
def puck(nobody):
    """A faerie that has given two promises."""
    born = Join(name="Puck", id="puck", kind="npc", heritage="faerie", hp=20)
    return lambda: nobody().given(born, promise(SPRING), promise(SILENCE))


def lost(game) -> int:
    return game.when(PassTime(amount=3, unit="minutes")).character("puck").lost


@rule("R0.147")
def test_every_promise_is_a_condition_of_its_own(puck) -> None:
    held = puck().character("puck").conditions
    assert {name: condition.detail for name, condition in held.items()} == {"promised": SPRING, "promised-2": SILENCE}
    puck().when(promise(SILENCE.title())).refused("bound already")
    third = (
        puck().when(promise("to dance")).then(like(BEGAN, character="puck", condition="promised-3", detail="to dance"))
    )
    third.go_on().when(Save(who="puck", ability="wis", promised=True)).rolling(3, 4).then(events.CheckResolved)


@rule("R0.147")
def test_each_breach_costs_a_point_a_minute_until_that_promise_is_kept_again(puck) -> None:
    broken = puck().given(promise(SILENCE, "broken"))
    assert broken.character("puck").conditions["forsworn-2"].detail == SILENCE
    assert lost(broken) == 3
    both = broken.given(promise(SPRING, "broken"))
    assert lost(both) == 6
    assert lost(both.given(promise(SPRING, "kept"))) == 3
    assert lost(both.given(promise(SILENCE, "released"))) == 0
    assert set(both.before.characters["puck"].conditions) == {"promised"}


@rule("R0.147")
def test_of_several_promises_it_is_said_which_one_is_meant(puck) -> None:
    puck().when(promise(how="broken")).refused("Say with --what which promise", SPRING, SILENCE)
    puck().when(promise("to dance", "broken")).refused("Say with --what which promise")
    puck().given(promise(SPRING, "released")).when(promise(how="broken")).then(
        like(BEGAN, character="puck", condition="forsworn-2", detail=SILENCE)
    )


@rule("R0.147")
def test_anyone_who_is_relieved_of_a_promise_is_no_longer_forsworn(puck) -> None:
    game = puck().given(promise(SPRING, "broken"), promise(SILENCE, "broken"))
    game.when(Relieve(who="puck", condition="promised-2")).then(
        ENDED(character="puck", condition="promised-2"), ENDED(character="puck", condition="forsworn-2"), only=True
    )


@rule("R0.147", "R0.80")
def test_promises_are_given_and_broken_by_those_who_can_act(puck) -> None:
    game = puck().given(Afflict(who="puck", condition="paralysed"))
    game.when(promise("to dance")).refused("Puck is paralysed and cannot act")
    game.when(promise(SPRING, "broken")).refused("Puck is paralysed and cannot act")
    game.when(promise(SPRING, "released")).then(ENDED)
