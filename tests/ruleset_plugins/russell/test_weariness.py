"""Tired pips come from the Exploration Die, the third makes Wearied, and only food undoes that."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.delve.chase import Chase
from rollbook.rulesets.russell.delve.encumbrance import WEARIED, weary_ease
from rollbook.rulesets.russell.delve.exploration import Explore
from rollbook.rulesets.russell.delve.lighting import Place
from rollbook.rulesets.russell.delve.rest import Sleep
from rollbook.testing.scenarios import like, rule
from tests.support.russell import has_gear, in_condition, party, tired_pips

DUNGEON = Place(light="lit", dangerous=True)


def pip(name: str, amount: int):
    return like(events.PoolGained, holder=name, pool="tired", amount=amount)


@rule("R3.37", "R3.54")
def test_tired_is_a_pip_for_everybody_and_two_for_the_overloaded() -> None:
    game = party().given(DUNGEON, has_gear("bram", "rope", 10))
    game.when(Explore()).rolling(6).then(pip("ida", 1), pip("bram", 2), pip("wat", 1))
    game.when(Explore()).rolling(6).never(like(events.PoolGained, holder="goblin"))
    assert game.when(Explore()).rolling(6).sheet("bram").amount("tired") == 2


@rule("R3.38", "Q3.33")
def test_the_third_pip_makes_wearied_and_there_is_no_fourth() -> None:
    game = party().given(
        DUNGEON, has_gear("bram", "rope", 10), tired_pips("bram", 2), tired_pips("ida", 3), in_condition("ida", WEARIED)
    )
    game.when(Explore()).rolling(6).then(
        pip("bram", 1), like(events.ConditionBegan, character="bram", condition=WEARIED)
    )
    game.when(Explore()).rolling(6).never(
        like(events.PoolGained, holder="ida"), like(events.ConditionBegan, character="ida")
    )


@rule("R3.38", "R3.10", "QG.1")
@pytest.mark.parametrize(("rounding", "half"), [("floor", 5), ("ceil", 6)])
def test_the_wearied_have_disadvantage_on_every_test_and_half_their_movement(rounding, half) -> None:
    game = party(rounding=rounding).given(
        in_condition("ida", WEARIED), events.StatChanged(character="ida", stat="movement", amount=11)
    )
    who = game.character("ida")
    assert weary_ease(who).disadvantage == ("wearied",)
    assert not weary_ease(game.character("bram")).disadvantage
    sheet = game.sheet("ida")
    assert (sheet.amount("movement"), sheet.amount("turn_feet"), sheet.amount("speed")) == (half, half * 10, half * 2)
    assert "Disadvantage" in dict(sheet.words)["Weariness"]


@rule("R3.39")
def test_wearied_and_overloaded_is_double_disadvantage() -> None:
    game = party().given(in_condition("bram", WEARIED), has_gear("bram", "rope", 10))
    game.when(Chase(fleeing=("bram",), pursuers=("goblin",))).rolling(15, 9, 10).then(
        like(events.DiceRolled, roller="bram", total=9 + 6 - 4), like(events.CheckResolved, success=False)
    )
    once = party().given(in_condition("bram", WEARIED))
    once.when(Chase(fleeing=("bram",), pursuers=("goblin",))).rolling(15, 9, 10).then(
        like(events.DiceRolled, roller="bram", total=9 + 6)
    )


@rule("Q3.20")
def test_weariness_hampers_tests_and_neither_usage_nor_exploration_dice() -> None:
    game = party().given(DUNGEON, in_condition("ida", WEARIED), has_gear("ida", "waterskin"))
    game.when(Explore()).rolling(2).then(like(events.DiceRolled, expression="1d6"))


@rule("R3.43", "Q3.33")
def test_sleep_wipes_the_pips_and_leaves_weariness() -> None:
    game = party().given(tired_pips("ida", 3), in_condition("ida", WEARIED), tired_pips("bram", 2))
    slept = game.when(Sleep(who=("party",), woken=True)).then(
        like(events.PoolSpent, holder="ida", pool="tired", amount=3), like(events.PoolSpent, holder="bram", amount=2)
    )
    slept.never(events.ConditionEnded)
    assert slept.character("ida").has(WEARIED) and slept.sheet("ida").amount("tired") == 0


def test_it_says_on_what_a_roll_is_harder() -> None:
    game = party().given(in_condition("bram", WEARIED), has_gear("bram", "rope", 10))
    played = game.when(Chase(fleeing=("bram",), pursuers=("goblin",))).rolling(15, 9, 10).events(events.DiceRolled)
    assert "overloaded, wearied" in played[0].expression
