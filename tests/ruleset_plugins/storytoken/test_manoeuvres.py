"""A manoeuvre lasts until its pilot's next turn, and no longer than its pilot does."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.characters import ChangeTrait
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.afflictions import Afflict
from rollbook.rulesets.storytoken.body.harm import Harm
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.role_powers import Manoeuvre
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, EndTurn
from rollbook.testing.scenarios import rule, with_dice

ENDED = events.ConditionEnded
EVASION_ENDS = ENDED(character="falcon", condition="evasive")


def pilot(name: str) -> Join:
    return Join(name=name.title(), id=name, kind="npc", level=4, roles=("starship",), hp=30)


def fly(who: str, how: str = "evade") -> Manoeuvre:
    return Manoeuvre(who=who, ship="falcon", how=how)


@pytest.fixture
def dogfight(nobody):
    """Two pilots in a ship, and Han at the helm first."""
    ship = Join(name="Falcon", id="falcon", kind="thing", hp=40, ac=15)
    flies = ChangeTrait(who="falcon", trait="ship")
    begin = with_dice(BeginEncounter(participants=("han", "chewie", "falcon")), 18, 9, 5)
    return lambda: nobody().given(pilot("han"), pilot("chewie"), ship, flies, begin, fly("han"))


@rule("R0.172")
@pytest.mark.parametrize("dealt", [30, 90])
def test_it_ends_when_the_pilot_falls(dogfight, dealt: int) -> None:
    fallen = dogfight().when(Harm(who="han", amount=str(dealt)))
    fallen.then(ENDED(character="han", condition="flying"), EVASION_ENDS)
    assert fallen.sheet("falcon").amount("ac") == 15


@rule("R0.172", "R0.80")
def test_a_pilot_without_a_next_turn_keeps_it_up_for_a_round_more_at_most(dogfight) -> None:
    game = dogfight().given(Afflict(who="han", condition="paralysed"), EndTurn(next="chewie"), EndTurn())
    game.given(with_dice(EndTurn(), 9, 5))
    assert game.character("falcon").has("evasive")
    game.given(EndTurn()).when(EndTurn()).rolling(9, 5).then(EVASION_ENDS)


@rule("R0.172")
def test_a_pilot_ends_only_what_that_pilot_began(dogfight) -> None:
    game = dogfight().given(EndTurn(next="chewie"), fly("chewie"), EndTurn())
    game.when(EndTurn()).rolling(18, 9, 5).then(ENDED(character="han", condition="flying")).never(EVASION_ENDS)
    game.when(Harm(who="chewie", amount="30")).then(EVASION_ENDS)


@rule("R0.172")
def test_ships_alone_are_flown_and_the_gm_says_what_is_one(nobody) -> None:
    gate = Join(name="Gate", id="gate", kind="thing", hp=40, ac=15)
    begin = with_dice(BeginEncounter(participants=("han", "gate")), 18, 9)
    game = nobody().given(pilot("han"), gate, begin)
    flown = Manoeuvre(who="han", ship="gate", how="evade")
    game.when(flown).refused("Gate is no ship", "trait gate ship")
    game.given(ChangeTrait(who="gate", trait="ship")).when(flown).then(events.ConditionBegan, events.ConditionBegan)
