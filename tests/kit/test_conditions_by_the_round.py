"""What lasts for a round ends with it, in a fight and outside one."""

from __future__ import annotations

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.kit import conditions
from rollbook.plugin import CharacterKind, events
from rollbook.testing.scenarios import Scenario, scenario
from tests.support.games import INSTALLED_RULESETS

RULESETS = discover().rulesets


def startled(game: str, *, fights: bool = False) -> Scenario:
    """Ash has been surprised, on the road or in a fight."""
    fight = (events.EncounterBegan(), events.RoundBegan(), events.TurnOrderSet(order=("ash",), scores=(1,)))
    return scenario(RULESETS[game]).given(
        events.CharacterJoined(character="ash", name="Ash", kind=CharacterKind.NPC, seat=""),
        events.StatChanged(character="ash", stat="max_hp", amount=10),
        fight if fights else (),
        events.ConditionBegan(character="ash", condition=conditions.SURPRISED),
    )


@pytest.mark.parametrize("game", [key for key in INSTALLED_RULESETS if key != "powers"])  # which surprises nobody
def test_outside_a_fight_it_ends_when_as_much_time_has_passed(game: str) -> None:
    over = events.ConditionEnded(character="ash", condition=conditions.SURPRISED)
    startled(game).when(PassTime(amount=1, unit="hours")).then(over)
    startled(game, fights=True).when(PassTime(amount=1, unit="seconds")).never(over)


@pytest.mark.parametrize(("seconds", "ends"), [(5, False), (6, True)])
def test_a_round_is_as_long_as_the_game_says(seconds: int, *, ends: bool) -> None:
    game = startled("luckpoint").given(PassTime(amount=seconds, unit="seconds"))
    assert game.character("ash").has(conditions.SURPRISED) is not ends
