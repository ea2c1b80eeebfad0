"""A character who is stunned, paralysed, hacked or confused does nothing that takes a free hand, whatever the verb."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.domain.actions.characters import ChangeTrait, Lend
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.afflictions import Afflict, PutOut
from rollbook.rulesets.storytoken.body.harm import Harm, Heal
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.heritage_powers import Promise
from rollbook.rulesets.storytoken.character.role_powers import Gadget, Investigate, Manoeuvre, Rage
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, EndTurn
from rollbook.testing.scenarios import like, rule, with_dice

ROLES = ("berserker", "espionage", "investigation", "starship")
DEEDS = [
    Manoeuvre(who="ace", ship="door", how="evade"),
    Gadget(who="ace", item="pen"),
    Investigate(who="ace", about="it", ask="Who?"),
    Rage(who="ace"),
    Promise(who="ace", what="it"),
]


@pytest.fixture
def ace(sherwood):
    """A character who could do all these things, at the beginning of a turn, played by Ann."""
    born = Join(name="Ace", id="ace", kind="npc", heritage="faerie", level=4, roles=ROLES, hp=30)
    seats = (TakeSeat(seat="Vera", role="gm"), TakeSeat(seat="Ann"))
    begin = with_dice(BeginEncounter(participants=("ace", "door", "guard")), 18, 9, 5)
    ship = ChangeTrait(who="door", trait="ship")
    return lambda: sherwood().given(seats, born, ship, Lend(who="ace", to="Ann"), begin)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.verb)
@rule("R0.73", "R0.80", "R0.84", "R0.69")
def test_the_hindered_do_none_of_it(ace, deed) -> None:
    ace().when(deed, seat="Ann").then(events.Event)
    for condition in ("stunned", "paralysed"):
        hindered = ace().given(Afflict(who="ace", condition=condition))
        hindered.when(deed).refused(f"Ace is {condition} and cannot act")
    hacked = ace().given(Afflict(who="ace", condition="hacked"))
    hacked.when(deed, seat="Ann").refused("Ace is hacked, and the GM says")
    hacked.when(deed, seat="Vera").then(events.Event)
    confused = events.ConditionBegan(character="ace", condition="confused", data={"does": "freezes"})
    ace().given(confused).when(deed).refused("Ace is confused and freezes this turn")


@rule("R0.73")
def test_the_turn_of_the_hacked_is_not_the_players_to_end(ace) -> None:
    hacked = ace().given(Afflict(who="ace", condition="hacked"))
    hacked.when(EndTurn(next="guard"), seat="Ann").refused("Ace is hacked")
    hacked.when(EndTurn(next="guard"), seat="Vera").then(events.TurnEnded(character="ace"))
    ace().when(EndTurn(next="guard"), seat="Ann").then(events.TurnEnded)


@rule("R0.53", "R0.55", "R0.46")
def test_a_healer_must_be_able_to_and_heals_with_the_action_of_a_turn(ace) -> None:
    game = ace().given(Harm(who="guard", amount="3"))
    tend = Heal(who="guard", amount="1", healer="ace")
    game.when(tend).then(events.TurnSpent(character="ace", what="action", amount=1), events.HitPointsRestored)
    game.when(Heal(who="guard", amount="1", healer="marian")).refused("Marian does not take part")
    ruled = Heal(who="guard", amount="1", healer="marian", out_of_turn=True)
    game.when(ruled).then(like(events.HitPointsRestored, source="marian"))
    game.given(Afflict(who="ace", condition="stunned")).when(tend).refused("Ace is stunned")
    game.given(Harm(who="marian", amount="8")).when(ruled).refused("Marian is unconscious")


@rule("R0.63", "R0.69", "QG.8")
def test_the_gm_may_rule_that_even_the_confused_put_flames_out(ace) -> None:
    confused = events.ConditionBegan(character="ace", condition="confused", data={"does": "freezes"})
    game = ace().given(confused, Afflict(who="ace", condition="aflame"))
    game.when(PutOut(who="ace")).refused("--out-of-turn")
    ruled = PutOut(who="ace", out_of_turn=True)
    game.when(ruled).then(events.ConditionEnded(character="ace", condition="aflame"))
    game.when(ruled, seat="Ann").refused("the GM says it")
