"""What is left of a felling blow goes on, in the blow's own measure, for as long as its targets fall."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.harm import Harm
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.heritage_powers import Manifest
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.testing.scenarios import rule

HURT = events.DamageTaken
RAGING = {"condition": "raging", "until": 900}


def foe(name: str, hp: int, **more) -> Join:
    return Join(name=name.title(), id=name, kind="monster", hp=hp, ac=10, **more)


def sweep(first: str, *others: str, tags: tuple[str, ...] = ()) -> Attack:
    """20 damage: the maul's two dice show 6 and 5, Fighting adds 8, Strength adds 1."""
    return Attack(attacker="robin", target=first, weapon="heavy-melee", carry_to=others, tags=tags)


def felled(game, blow: Attack) -> list[tuple[str, int, int]]:
    """Who lost how many hit points of how much damage."""
    played = game.when(blow).rolling(15, 6, 5, *((3,) if "spirit" in (blow.target, *blow.carry_to) else ()))
    return [(event.character, event.amount, event.dealt) for event in played.events(HURT)]


@rule("R0.165", "Q0.54")
def test_it_stops_at_the_first_who_does_not_fall(sherwood) -> None:
    game = sherwood().given(foe("ogre", 15), foe("imp", 3), foe("rat", 3))
    assert felled(game, sweep("imp", "rat", "ogre")) == [("imp", 3, 20), ("rat", 3, 17), ("ogre", 14, 14)]
    assert felled(game, sweep("imp", "ogre", "rat")) == [("imp", 3, 20), ("ogre", 15, 17), ("rat", 2, 2)]
    assert felled(game.given(foe("giant", 30)), sweep("imp", "giant", "rat")) == [("imp", 3, 20), ("giant", 17, 17)]


@rule("R0.165", "R0.161", "Q0.54")
def test_anyone_who_halves_blows_uses_up_twice_as_much_of_it(sherwood) -> None:
    game = sherwood().given(foe("wild", 4), foe("rat", 30), events.ConditionBegan(character="wild", **RAGING))
    assert felled(game, sweep("wild", "rat")) == [("wild", 4, 20), ("rat", 12, 12)]
    tamed = sherwood().given(foe("wild", 9), foe("imp", 3), events.ConditionBegan(character="wild", **RAGING))
    assert felled(tamed.given(foe("rat", 9)), sweep("imp", "wild", "rat")) == [("imp", 3, 20), ("wild", 8, 17)]


@rule("R0.165", "R0.156", "Q0.59")
def test_silver_hurts_a_werebeast_threefold_and_the_next_as_much_as_ever(sherwood) -> None:
    wolf = foe("wolf", 30, heritage="werebeast")
    game = sherwood().given(wolf, foe("rat", 30))
    assert felled(game, sweep("wolf", "rat", tags=("silver",))) == [("wolf", 30, 60), ("rat", 10, 10)]


@pytest.fixture
def haunted(sherwood):
    """A whole spirit of 30 hit points, with an imp and a rat."""
    ghost = foe("spirit", 30, heritage="spirit", level=3)
    return lambda: sherwood().given(ghost, foe("imp", 3), foe("rat", 30))


@rule("R0.165", "R0.153", "Q0.61")
def test_of_a_spirit_the_bodys_hit_points_count(haunted) -> None:
    game = haunted().given(Manifest(who="spirit", shape="body"), Harm(who="spirit", amount="25"))
    assert (game.character("spirit").pools["body"], game.character("spirit").lost) == (5, 0)
    assert felled(game, sweep("spirit", "rat")) == [("spirit", 0, 20), ("rat", 15, 15)]
    assert felled(game, sweep("imp", "spirit", "rat")) == [("imp", 3, 20), ("spirit", 0, 17), ("rat", 12, 12)]


@rule("R0.165", "R0.153")
def test_a_ghost_that_feels_nothing_does_not_fall(haunted) -> None:
    played = haunted().when(sweep("imp", "spirit", "rat")).rolling(15, 6, 5)
    assert [(event.character, event.amount) for event in played.events(HURT)] == [("imp", 3), ("spirit", 0)]
