"""Vampires: blood, which no other healing replaces, the sun, and the return from death."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.characters import Adjust, ChangeTrait
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.afflictions import Afflict
from rollbook.rulesets.storytoken.body.harm import Harm, Heal
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.testing.scenarios import like, rule
from tests.support.storytoken import born, harm, hp, wait

HEALED, BEGAN = events.HitPointsRestored, events.ConditionBegan
BITE = Attack(attacker="dracula", target="guard", weapon="bite", grappled=True)


@pytest.fixture
def thirsty(sherwood):
    """Dracula after ten days without blood."""
    return lambda **settings: sherwood(**settings).given(PassTime(amount=10, unit="days"))


@rule("R0.157", "Q0.55")
def test_blood_from_a_cup_quenches_thirst(thirsty) -> None:
    drunk = thirsty().when(Heal(who="dracula", amount="1d6", by="blood", source="a flask")).rolling(4)
    drunk.then(
        events.PoolSpent(holder="dracula", pool="thirst", amount=4, reason="blood"),
        HEALED(character="dracula", amount=4, tags=("blood",), source="a flask"),
    )
    thirsty().when(Heal(who="robin", amount="3", by="blood")).refused("has lost no hit points")
    hurt = thirsty().given(Harm(who="marian", amount="3"))
    hurt.when(Heal(who="marian", amount="3", by="blood")).refused("Marian does not live on blood")


@rule("R0.157", "Q0.55")
def test_other_healing_says_that_it_can_do_nothing_for_thirst(thirsty) -> None:
    for how in ("care", "magic"):
        thirsty().when(Heal(who="dracula", amount="3", by=how)).refused("lacks nothing but blood", "--by blood")
    wounded = thirsty().given(Harm(who="dracula", amount="2"))
    wounded.when(Heal(who="dracula", amount="9")).then(like(HEALED, amount=2))
    thirsty(vampire_thirst="any_healing").when(Heal(who="dracula", amount="9")).then(like(HEALED, amount=9))


@rule("R0.66", "R0.157")
def test_blood_gives_the_blighted_nothing(thirsty) -> None:
    game = thirsty().given(Afflict(who="dracula", condition="blighted"))
    game.when(BITE).rolling(18, 6).then(like(events.DamageTaken, character="guard")).never(HEALED, events.PoolSpent)
    game.when(Heal(who="dracula", amount="3", by="blood")).refused("Count Dracula is blighted")


@rule("R0.157")
def test_a_vampire_feeds_on_the_living_only(thirsty) -> None:
    game = thirsty().given(ChangeTrait(who="guard", trait="undead"))
    game.when(BITE).refused("Guard has no living blood")
    door = Attack(attacker="dracula", target="door", weapon="bite", grappled=True)
    game.when(door).refused("Oak door has no living blood", "Leave out --grappled")
    thirsty().when(BITE).rolling(18, 6).then(like(HEALED, character="dracula", tags=("blood",)))


@rule("R0.157", "Q0.55")
def test_the_sun_burns_a_vampire_to_death_and_nothing_else_does(sherwood) -> None:
    game = sherwood().given(harm("dracula", 110), Afflict(who="dracula", condition="sunlit"))
    assert game.character("dracula").has("unconscious")
    burned = game.when(wait(1, "minutes")).rolling(5, 6)
    burned.then(
        BEGAN(character="dracula", condition="slain", detail="sunlight"), BEGAN(character="dracula", condition="dead")
    )
    fire = sherwood().given(Afflict(who="dracula", condition="aflame"))
    scorched = fire.when(wait(2, "days"))
    assert not scorched.character("dracula").has("dead")
    assert -63 < hp(scorched, "dracula") <= -58, "to the bottom of the track, and no deeper by fire"


@rule("R0.157", "R0.194")
def test_a_vampire_returns_from_the_bottom_minute_by_minute(sherwood) -> None:
    game = sherwood().given(harm("dracula", 116))
    back = game.when(wait(2, "hours"))
    assert hp(back, "dracula") == 1
    assert not back.character("dracula").has("unconscious")


@rule("Q0.55", "Q0.57", "Q0.83")
def test_what_a_ruling_heals_is_no_longer_burned_or_thirsted_for(sherwood) -> None:
    game = sherwood().given(born("troll"), harm("troll", 6, "fire"), wait(3, "days"))
    healed = game.given(
        Adjust(who="troll", what="hp", by=4, reason="mercy"), Adjust(who="dracula", what="hp", by=2, reason="mercy")
    )
    assert healed.character("troll").pools["burns"] == healed.character("troll").lost == 2
    assert healed.character("dracula").pools["thirst"] == healed.character("dracula").lost == 1
