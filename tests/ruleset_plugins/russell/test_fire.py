"""Torches set things on fire, lanterns are thrown and struck, and fire burns Round by Round."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.delve.fire import Smother
from rollbook.rulesets.russell.delve.lanterns import Clip, ThrowLantern
from rollbook.rulesets.russell.delve.lighting import Light, Place, SetAlight
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.bleeding import Burn
from rollbook.rulesets.russell.fight.encounter import BeginEncounter, EndTurn
from rollbook.rulesets.russell.fight.movement import Move
from rollbook.rulesets.russell.wealth.handover import HandOver
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.russell import has_gear, in_condition, party

LANTERN = (has_gear("ida", "lantern"), Light(who="ida", item="lantern"))
THROW = ThrowLantern(who="ida", target="goblin")


def burnt(amount: int, name: str = "goblin"):
    return like(events.DamageTaken, character=name, amount=amount, tags=("fire",))


@rule("R3.70")
def test_a_thrown_lantern_is_destroyed_and_sets_its_target_alight() -> None:
    # 13 + Shooting Skill 1 + armour class 6 is 20; then a d3.
    hit = party().given(LANTERN).when(THROW).rolling(13, 2)
    hit.then(
        like(events.CheckResolved, check="thrown lantern", total=20, success=True),
        like(events.DiceRolled, expression="1d3", purpose="fire"),
        burnt(2),
        like(events.ConditionBegan, character="goblin", condition="on fire"),
        events.ConditionEnded(character="ida", condition="carrying a burning lantern"),
        events.GearLost(character="ida", item="lantern"),
    )


@rule("R3.70")
def test_a_lantern_that_misses_is_gone_all_the_same() -> None:
    miss = party().given(LANTERN).when(THROW).rolling(12).never(events.DamageTaken)
    miss.then(events.GearLost(character="ida", item="lantern"))
    party().given(LANTERN).when(THROW).rolling(1).never(events.DamageTaken)


@rule("R3.70")
def test_a_one_of_the_first_die_already_puts_the_fire_out() -> None:
    party().given(LANTERN).when(THROW).rolling(13, 1).then(burnt(1)).never(
        like(events.ConditionBegan, condition="on fire")
    )


@rule("R3.70", "R3.62")
def test_with_the_lantern_goes_its_light() -> None:
    dark = party().given(Place(light="dark"), LANTERN).when(THROW).rolling(12)
    assert dark.character("ida").has("in the dark")


@rule("R3.70")
def test_only_a_burning_lantern_is_a_firebomb_and_not_from_afar() -> None:
    game = party().given(has_gear("ida", "lantern"))
    game.when(THROW).refused("no burning lantern", "light ida lantern")
    game.given(Light(who="ida", item="lantern")).when(ThrowLantern(who="ida", target="ida")).refused(
        "thrown at somebody else"
    )
    far = game.given(with_dice(BeginEncounter(participants=("ida", "goblin"), range="medium"), 5, 1))
    far.when(THROW).refused("Goblin is at medium range", "reaches close range only")
    game.given(Place(light="dark", who=("goblin",))).when(THROW).refused("medium")


def fight():
    """Ida throws in Round one, before the goblin acts."""
    game = party().given(LANTERN, with_dice(BeginEncounter(participants=("ida", "goblin")), 5, 1))
    return game.when(THROW).rolling(13, 2).go_on()


@rule("R3.70")
def test_from_the_next_round_on_fire_does_a_d6_until_it_shows_a_one() -> None:
    game = fight().given(EndTurn())
    second = game.when(EndTurn()).rolling(5, 1).never(like(events.DamageTaken, tags=("fire",)))
    game = second.go_on().given(EndTurn())
    burns = game.when(EndTurn()).rolling(4, 5, 1)
    burns.then(like(events.DiceRolled, expression="1d6", purpose="fire"), burnt(4)).never(
        like(events.ConditionEnded, condition="on fire")
    )
    game.when(EndTurn()).rolling(1, 5, 1).then(burnt(1), events.ConditionEnded(character="goblin", condition="on fire"))


@rule("R3.70")
def test_somebody_may_spend_a_round_to_put_the_fire_out() -> None:
    game = fight().given(EndTurn())
    game.when(Smother(who="ida", burning="goblin")).refused("already acted")
    out = game.when(Smother(who="goblin", burning="goblin"))
    out.then(
        like(events.TurnSpent, character="goblin", what="action"), like(events.ConditionEnded, condition="on fire")
    )
    out.go_on().when(Smother(who="goblin", burning="goblin")).refused("Goblin is not on fire")


@rule("R3.70")
def test_outside_a_fight_the_gm_says_when_a_round_has_passed() -> None:
    game = party().given(in_condition("goblin", "on fire"))
    game.when(Burn(who="goblin")).rolling(6).then(burnt(6))
    game.when(Burn(who="ida")).refused("Ida is not on fire")
    game.given(events.EncounterBegan()).when(Burn(who="goblin")).refused("fire burns at the end of the Round")


@rule("R3.70")
@pytest.mark.parametrize(("die", "struck"), [(14, False), (15, True), (19, True)])
def test_a_clipped_lantern_is_struck_by_hits_of_15_and_more(die, struck) -> None:
    game = party().given(
        Place(light="dark"),
        LANTERN,
        Clip(who="ida", item="lantern"),
        events.StatChanged(character="goblin", stat="weapon_skill", amount=9),
    )
    hit = game.when(Attack(attacker="goblin", target="ida", weapon="natural")).rolling(die, 3).then(events.DamageTaken)
    assert (hit.character("ida").gear["lantern"].count == 0) is struck
    assert hit.character("ida").has("in the dark") is struck
    assert hit.character("ida").has("clipped lantern") is not struck


@rule("R3.70")
def test_a_lantern_in_the_hand_is_not_in_the_way() -> None:
    game = party().given(LANTERN, events.StatChanged(character="goblin", stat="weapon_skill", amount=9))
    game.when(Attack(attacker="goblin", target="ida", weapon="natural")).rolling(19, 3).never(events.GearLost)
    game.when(Clip(who="ida", item="lantern", off=True)).refused("has no lantern clipped on")
    game.when(Clip(who="bram", item="lantern")).refused("Bram has no lantern called 'lantern'")
    clipped = game.given(Clip(who="ida", item="lantern"))
    clipped.when(Clip(who="ida", item="lantern")).refused("wears a lantern already")
    clipped.given(Clip(who="ida", item="lantern", off=True)).when(
        Attack(attacker="goblin", target="ida", weapon="natural")
    ).rolling(19, 3).never(events.GearLost)


@rule("R3.69", "Q3.51")
def test_a_torch_is_a_crude_weapon_and_ignites_on_one_in_six() -> None:
    game = party().given(has_gear("ida", "torch"), Light(who="ida", item="torch"))
    struck = game.when(Attack(attacker="ida", target="goblin", weapon="torch")).rolling(15, 2, 1)
    struck.then(
        like(events.DiceRolled, expression="1d3", purpose="damage"),
        like(events.DiceRolled, expression="1d6", purpose="ignite"),
        like(events.DamageTaken, amount=2),
        like(events.ConditionBegan, character="goblin", condition="on fire"),
    )
    game.when(Attack(attacker="ida", target="goblin", weapon="torch")).rolling(15, 2, 2).never(events.ConditionBegan)


@rule("R3.69")
def test_a_torch_lights_what_burns_easily_at_no_cost() -> None:
    game = party().given(has_gear("ida", "torch"))
    touch = SetAlight(who="ida", target="goblin")
    game.when(touch).refused("Ida has no burning torch")
    game.given(Light(who="ida", item="torch"))
    game.when(touch).then(like(events.ConditionBegan, character="goblin", condition="on fire"), only=True)
    alight = game.given(touch)
    assert "1d6" in dict(alight.when(SetAlight(who="ida", target="bram")).sheet("goblin").words)["Burns"]
    alight.when(touch).refused("burns already")


@rule("R3.70")
def test_a_clipped_lantern_that_is_given_away_is_worn_no_more() -> None:
    game = party().given(LANTERN, Clip(who="ida", item="lantern"), HandOver(who="ida", to="bram", item="lantern"))
    assert not game.character("ida").has("clipped lantern")
    game.given(has_gear("ida", "lantern")).when(Clip(who="ida", item="lantern")).then(events.ConditionBegan)


@rule("R3.70")
def test_a_clipped_lantern_that_is_gone_is_in_nobodys_way() -> None:
    lost = party().given(LANTERN, Clip(who="ida", item="lantern"), events.GearLost(character="ida", item="lantern"))
    lost.when(Clip(who="ida", item="lantern", off=True)).then(like(events.ConditionEnded, condition="clipped lantern"))
    lost.given(has_gear("ida", "storm lantern", 1, "lantern")).when(Clip(who="ida", item="storm lantern")).then(
        like(events.ConditionBegan, condition="clipped lantern", source="storm lantern")
    )


@rule("R3.70")
def test_the_oil_of_a_thrown_lantern_is_not_missing_in_the_next() -> None:
    used = party().given(LANTERN, events.PoolGained(holder="ida", pool="burnt:lantern", amount=1))
    thrown = used.when(THROW).rolling(12).then(like(events.PoolSpent, pool="burnt:lantern", amount=1))
    assert "2 pips" in dict(thrown.go_on().given(has_gear("ida", "lantern")).sheet("ida").words)["Light"]


@rule("R3.89", "R3.91", "R3.78", "R3.79")
def test_a_lantern_is_thrown_at_the_fallen_as_any_blow_is_struck() -> None:
    party().given(LANTERN, in_condition("goblin", "floored")).when(THROW).rolling(3, 13, 2).then(burnt(2))
    party().given(LANTERN, in_condition("goblin", "helpless")).when(THROW).rolling(2).then(
        like(events.CheckResolved, outcome="helpless"), burnt(2)
    )
    game = party().given(LANTERN)
    game.when(THROW).rolling(20, 2).then(burnt(2), like(events.ChoiceOffered, choice="critical:goblin"))
    game.when(THROW).rolling(1).then(like(events.ChoiceOffered, character="ida", choice="misfortune"))


@rule("R3.80", "Q3.28", "R3.70")
def test_a_thrown_lantern_that_misses_with_5_or_less_bursts_on_somebody_else_in_the_melee() -> None:
    """Burning oil strays like any missile, and a natural 1 does so instead of being a fumble."""
    game = party().given(LANTERN)
    for die in (1, 5):
        strayed = game.when(ThrowLantern(who="ida", target="goblin", melee=("bram",))).rolling(die, 3)
        strayed.then(
            like(events.CheckResolved, outcome="stray shot", against="bram"),
            like(events.DamageTaken, character="bram", amount=3),
        ).never(events.ChoiceOffered)
        assert strayed.character("bram").has("on fire")
    game.when(ThrowLantern(who="ida", target="goblin", melee=("bram",))).rolling(6).never(events.DamageTaken)


@rule("R3.80", "R3.70")
def test_a_lantern_thrown_into_a_fight_endangers_those_engaged_with_the_target() -> None:
    fight = party().given(
        LANTERN,
        with_dice(BeginEncounter(participants=("ida", "bram", "goblin"), range="close"), 6, 5, 1),
        EndTurn(),
        Move(who="bram", to="engaged", foes=("goblin",)),
        EndTurn(),
        with_dice(EndTurn(), 6, 5, 1),
    )
    fight.when(ThrowLantern(who="ida", target="goblin")).rolling(4, 3).then(like(events.DamageTaken, character="bram"))
    fight.when(ThrowLantern(who="ida", target="goblin", item="LANTERN")).rolling(6).never(events.DamageTaken)
