"""Whatever the game: a larger maximum gives no life back, and hit points above 0 by ruling do."""

from __future__ import annotations

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.domain.actions.characters import Adjust
from rollbook.kit import conditions
from rollbook.plugin import CharacterKind, events
from rollbook.testing.scenarios import Scenario, rule, scenario

RULESETS = discover().rulesets
GAMES = pytest.mark.parametrize("game", sorted(RULESETS))
LOST = 40
ALIVE_AGAIN = events.ConditionEnded(character="ash", condition=conditions.DEAD)


def with_somebody_dead(game: str) -> Scenario:
    """Ash has ten hit points as entered, has lost forty, and is dead."""
    return scenario(RULESETS[game]).given(
        events.CharacterJoined(character="ash", name="Ash", kind=CharacterKind.NPC, seat=""),
        events.StatChanged(character="ash", stat="max_hp", amount=10),
        events.DamageTaken(character="ash", amount=LOST, dealt=LOST),
        events.ConditionBegan(character="ash", condition=conditions.DEAD),
    )


def hit_points(game: Scenario) -> int:
    return game.sheet("ash").amount("hp")


@GAMES
@rule("Q0.83", "Q1.2", "QG.9")
def test_the_dead_stay_dead_at_a_rising_maximum(game: str) -> None:
    dead = with_somebody_dead(game)
    left = hit_points(dead)
    dead.when(Adjust(who="ash", what="max_hp", by=90, reason="a giant")).never(ALIVE_AGAIN)
    assert dead.character("ash").has(conditions.DEAD)
    if game != "russell":  # where nobody is below 0
        assert hit_points(dead) == left


@GAMES
@rule("QG.8", "QG.9")
def test_an_adjustment_to_above_0_hit_points_revives(game: str) -> None:
    dead = with_somebody_dead(game)
    alive = dead.when(Adjust(who="ash", what="hp", by=1 - hit_points(dead), reason="a wonder")).then(ALIVE_AGAIN)
    assert hit_points(alive) == 1
    assert not alive.character("ash").conditions


@GAMES
@rule("QG.8", "Q0.83")
def test_so_it_does_after_the_maximum_has_risen(game: str) -> None:
    dead = with_somebody_dead(game).given(Adjust(who="ash", what="max_hp", by=90, reason="a giant"))
    dead.when(Adjust(who="ash", what="hp", by=1 - hit_points(dead), reason="a wonder")).then(ALIVE_AGAIN)
