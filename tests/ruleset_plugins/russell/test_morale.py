"""Morale is 2d6 at or under a rating."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.delve.lighting import Place
from rollbook.rulesets.russell.delve.meeting import TRIGGERS, Morale
from rollbook.rulesets.russell.wealth.hirelings import Hire
from rollbook.testing.scenarios import like, rule
from tests.support.russell import in_condition, party

TEST = Morale(who="goblin", trigger="leader-lost")


def outcome(total: int, target: int, word: str):
    return like(events.CheckResolved, check="Morale", total=total, target=target, success=word == "holds", outcome=word)


@rule("R3.83", "R3.96")
@pytest.mark.parametrize(("dice", "word"), [((3, 3), "holds"), ((3, 4), "holds"), ((4, 4), "breaks")])
def test_two_dice_at_or_under_the_rating_hold(dice, word) -> None:
    party().when(TEST).rolling(*dice).then(outcome(sum(dice), 7, word))


@rule("R3.83")
def test_the_rating_is_the_foes_own() -> None:
    fearless = events.StatChanged(character="goblin", stat="morale", amount=4)
    party().given(fearless).when(TEST).rolling(5, 6).then(outcome(11, 11, "holds"))


@rule("R3.99")
def test_the_usual_occasions_are_named_and_so_is_the_one_of_a_test() -> None:
    assert TRIGGERS[:5] == ("ambushed", "first-casualty", "leader-lost", "half-strength", "infighting")
    for trigger in TRIGGERS[:5]:
        party().when(Morale(who="goblin", trigger=trigger)).rolling(6, 6).then(
            like(events.CheckResolved, against=trigger, outcome="breaks")
        )


@rule("Q3.18", "Q3.30", "R3.94")
def test_advantage_rolls_the_two_dice_twice_and_keeps_the_lower() -> None:
    brave = Morale(who="goblin", advantage=("the chief watches",))
    party().when(brave).rolling(6, 6, 2, 2).then(outcome(4, 7, "holds"))
    twice = Morale(who="goblin", advantage=("the chief watches", "home ground"))
    party().when(twice).rolling(6, 6, 6, 5).then(outcome(11 - 4, 7, "holds"))
    afraid = Morale(who="goblin", disadvantage=("fire",))
    party().when(afraid).rolling(6, 6, 2, 2).then(outcome(12, 7, "breaks"))
    terrified = Morale(who="goblin", disadvantage=("fire", "their dead"))
    party().when(terrified).rolling(1, 1, 2, 2).then(outcome(4 + 4, 7, "breaks"))


@rule("R3.8", "R3.44", "Q3.30")
def test_an_employers_charisma_raises_a_hirelings_rating() -> None:
    hired = party().given(Hire(who="ida", hireling="wat"))
    hired.when(Morale(who="wat")).rolling(4, 5).then(outcome(9, 9, "holds"))
    party().when(Morale(who="wat")).rolling(4, 5).then(outcome(9, 7, "breaks"))


@rule("R3.8", "Q3.30")
def test_or_it_is_added_to_the_roll_as_it_is_printed() -> None:
    hired = party(cha_morale="roll").given(Hire(who="ida", hireling="wat"))
    hired.when(Morale(who="wat")).rolling(3, 3).then(outcome(8, 7, "breaks"))


@rule("R3.66", "Q3.18")
def test_in_dim_light_a_hireling_tests_with_disadvantage() -> None:
    party().given(Place(light="dim")).when(Morale(who="wat")).rolling(2, 2, 5, 5).then(outcome(10, 7, "breaks"))


def test_circumstances_change_the_rating_and_the_dead_fear_nothing() -> None:
    paid = Morale(who="goblin", bonus=("+1 a fat purse",))
    party().when(paid).rolling(4, 4).then(outcome(8, 8, "holds"))
    party().given(in_condition("goblin", "dead")).when(TEST).refused("Goblin is dead")
