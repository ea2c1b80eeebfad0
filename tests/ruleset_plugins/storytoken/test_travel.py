"""Those who know the wilderness know how far they have come in a day, unless they were carried."""

from __future__ import annotations

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.harm import Harm
from rollbook.rulesets.storytoken.character.role_powers import Travel
from rollbook.testing.scenarios import Scenario, rule
from tests.support.storytoken import expert


def bearings(game: Scenario, who: str = "robin") -> str:
    return dict(game.sheet(who).words).get("Bearings", "")


@rule("R0.177")
def test_the_distance_of_the_past_day_is_known(sherwood) -> None:
    game = sherwood()
    assert bearings(game) == "Knows where north is; 0 miles in the past day."
    game.given(Travel(miles=12, hours=5, way="north-east"), Travel(miles=1, hours=2, way="east"))
    said = "Knows where north is; 13 miles in the past day: 12 miles north-east, 1 mile east."
    assert bearings(game) == said
    assert "Conditions" not in dict(game.sheet("robin").words)
    assert game.after.clock == 7 * 3_600
    assert bearings(game, "holmes") == ""


@rule("R0.177")
def test_a_day_after_its_end_a_stretch_is_no_longer_counted(sherwood) -> None:
    game = sherwood().given(Travel(miles=12, hours=5), Travel(miles=3, hours=2))
    game.given(PassTime(amount=22, unit="hours"))
    assert bearings(game) == "Knows where north is; 3 miles in the past day: 3 miles."
    game.given(PassTime(amount=2, unit="hours"), Travel(miles=4, hours=1))
    assert bearings(game) == "Knows where north is; 4 miles in the past day: 4 miles."


@rule("R0.177")
def test_who_was_moved_while_unconscious_does_not_know_how_far_it_was(sherwood) -> None:
    game = sherwood().given(Harm(who="robin", amount="36"), Travel(miles=12, hours=1))
    assert "was moved while unconscious" in bearings(game)
    game.given(PassTime(amount=24, unit="hours"))
    assert bearings(game) == "Knows where north is; 0 miles in the past day."


@rule("R0.177")
def test_the_gm_says_who_travels(sherwood) -> None:
    scout = expert("wilderness", hp=9)
    game = sherwood().given(scout, Travel(miles=5, hours=1, who=("expert", "guard")))
    assert "5 miles" in bearings(game, "expert")
    assert bearings(game) == "Knows where north is; 0 miles in the past day."
    alone = sherwood().given(events.CharacterLeft(character="robin"), events.CharacterLeft(character="holmes"))
    alone.when(Travel(miles=5, hours=1)).refused("Nobody travels")
