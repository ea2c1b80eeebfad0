"""A parameter that is a ruling is the GM's to say: the engine refuses it from a player's seat, before any rule is asked."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import pytest

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.rules.action import Action, intent_of
from rollbook.domain.rules.parameters import flag, number
from rollbook.domain.rules.playing import Played, play_out
from rollbook.domain.rules.table import Table
from rollbook.plugin import events
from rollbook.testing.scenarios import Scenario, scenario
from tests.support.toy import TOY


class Climb(Action, verb="climb"):
    """Climb something: the player says how fast, the GM how high it is."""

    feet: int = number("how high", default=10, gm_only=True)
    fast: bool = flag("hurry", gm_only=False)

    def resolve(self, table: Table) -> None:
        table.record(events.NoteWritten(text=f"{self.feet} feet"))


class Rule(Action, verb="rule"):
    """Do what the GM says: whether the parameter is the GM's word."""

    feet: int = number("how high", default=10, gm_only=False)

    def resolve(self, table: Table) -> None:
        if not table.gm_says("feet"):
            table.refuse("A player says so.")
        table.record(events.NoteWritten(text="ruled"))


GAME = attrs.evolve(TOY, actions=(*TOY.actions, Climb, Rule))


@pytest.fixture
def at_table() -> Callable[[], Scenario]:
    seats = (TakeSeat(seat="Vera", role="gm"), TakeSeat(seat="Ann"), TakeSeat(seat="Wat", role="spectator"))
    return lambda: scenario(GAME).given(*seats)


def test_a_player_does_not_say_a_ruling(at_table) -> None:
    said = at_table().when(Climb(feet=5), seat="Ann").refused("--feet is a ruling")
    assert said == "--feet is a ruling, so the GM says it; Ann can ask for it."


@pytest.mark.parametrize("seat", ["Vera", ""])
def test_the_gm_says_it_and_so_does_a_table_without_seats(at_table, seat: str) -> None:
    at_table().when(Climb(feet=5), seat=seat).then(events.NoteWritten(text="5 feet"))


@pytest.mark.parametrize("climb", [Climb(), Climb(feet=10), Climb(fast=True)])
def test_what_is_usual_and_what_players_decide_anybody_says(at_table, climb: Climb) -> None:
    at_table().when(climb, seat="Ann").then(events.NoteWritten(text="10 feet"))


def test_a_spectator_says_nothing(at_table) -> None:
    at_table().when(Climb(), seat="Wat").refused("a spectator takes no actions")


def test_rules_can_ask_whose_word_a_parameter_is(at_table) -> None:
    at_table().when(Rule(), seat="Ann").refused("A player says so")
    for seat in ("Vera", ""):
        at_table().when(Rule(), seat=seat).then(events.NoteWritten)


@pytest.mark.parametrize("action", [Climb(feet=5), Rule(feet=5)])
def test_what_the_gm_has_amended_is_the_gms_word_in_a_players_action(at_table, action: Action) -> None:
    def played(*ruled: str) -> Played:
        campaign, intent = at_table().before, intent_of(action)
        table = Table(campaign, action=action, intent=intent, dice=NoDice(), ruleset=GAME, seat="Ann", ruled=ruled)
        return play_out(table, action)

    assert played("feet").events
    with pytest.raises(Refused):
        played()
