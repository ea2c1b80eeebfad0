"""A speed that is entered is the speed in every game, and the dead have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.plugin import events
from rollbook.testing.scenarios import rule, scenario
from tests.support.casts import campaign_of

GAMES = sorted(discover().rulesets)


@rule("QG.8")
@pytest.mark.parametrize("game", GAMES)
def test_a_speed_among_the_stats_is_the_speed_that_the_sheet_shows(game: str, tmp_path: Path) -> None:
    campaign = campaign_of(game, tmp_path)
    campaign.say("join Hound --kind monster --hp 9 --stats Speed=50")
    assert campaign.sheet("hound").amount("speed") == 50


@pytest.mark.parametrize("game", GAMES)
def test_what_was_recorded_with_a_speed_among_the_stats_comes_out_as_it_was(game: str, tmp_path: Path) -> None:
    campaign = campaign_of(game, tmp_path)
    verb = campaign.session.rulebook.verb(campaign.state, "join")
    stored = verb(name="Hound", kind="monster", hp=9, stats={"speed": 50})
    assert scenario(discover().rulesets[game]).given(stored).character("hound").stats["speed"] == 50


@rule("QG.9")
@pytest.mark.parametrize("game", GAMES)
def test_the_dead_have_no_speed(game: str) -> None:
    dead = scenario(discover().rulesets[game]).given(
        events.CharacterJoined(character="ash", name="Ash"),
        events.StatChanged(character="ash", stat="speed", amount=30),
        events.StatChanged(character="ash", stat="max_hp", amount=9),
        events.ConditionBegan(character="ash", condition="dead"),
    )
    paces = [value for value in dead.sheet("ash").values if value.key in ("speed", "run", "movement", "turn_feet")]
    assert paces
    assert [value.amount for value in paces] == [0] * len(paces)
