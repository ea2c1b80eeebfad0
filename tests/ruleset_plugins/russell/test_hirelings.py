"""Hirelings: as many as Charisma keeps, with a Morale of 7 and minds of their own."""

from __future__ import annotations

import pytest

from rollbook.plugin import CharacterKind, events
from rollbook.rulesets.russell.delve.meeting import rating
from rollbook.rulesets.russell.wealth.hirelings import Dismiss, Hire
from rollbook.testing.scenarios import rule
from tests.support.russell import in_condition, joined_with_stats, party


@rule("R3.44", "R3.8", "Q3.49")
@pytest.mark.parametrize(("charisma", "most"), [(3, 1), (8, 1), (10, 1), (13, 2), (16, 3), (18, 4)])
def test_one_and_the_modifier_of_charisma_but_never_none(charisma, most) -> None:
    game = party().given(joined_with_stats("nell", cha=charisma))
    value = game.sheet("nell").value("most_hirelings")
    assert value is not None and value.amount == most == sum(term.amount for term in value.terms)


@rule("R3.44", "R3.8")
def test_nobody_keeps_more_hirelings_than_that() -> None:
    game = party().given(joined_with_stats("tom", CharacterKind.HIRELING), Hire(who="bram", hireling="wat"))
    game.when(Hire(who="bram", hireling="tom")).refused("Bram can keep 1 and has Wat")
    game.when(Hire(who="ida", hireling="wat")).refused("Wat works for bram already")
    game.given(in_condition("wat", "dead")).when(Hire(who="bram", hireling="tom")).then(events.TraitGained)


@rule("R3.44")
def test_a_hireling_has_morale_7_pay_and_a_mind_of_their_own() -> None:
    hired = party().when(Hire(who="ida", hireling="wat", personality="gloomy", goal="a farm of his own"))
    hired.then(
        events.TraitGained(character="ida", trait="wat", kind="hireling"),
        events.TraitGained(character="wat", trait="ida", kind="employer"),
        events.TraitGained(character="wat", trait="gloomy", kind="personality"),
        events.TraitGained(character="wat", trait="a farm of his own", kind="goal"),
        events.TraitGained(character="wat", trait="a share of the treasure", kind="pay"),
        only=True,
    )
    assert rating(hired.character("wat")) == 7
    words = dict(hired.sheet("wat").words)
    assert (words["Employer"], words["Personality"], words["Pay"]) == ("ida", "gloomy", "a share of the treasure")
    assert dict(hired.sheet("ida").words)["Hirelings"] == "wat"


def test_a_hireling_can_be_let_go() -> None:
    game = party().given(Hire(who="ida", hireling="wat"))
    game.when(Dismiss(who="bram", hireling="wat")).refused("Wat does not work for Bram")
    gone = game.when(Dismiss(who="ida", hireling="wat"))
    gone.then(events.TraitLost(character="ida", trait="wat", kind="hireling"))
    assert "Hirelings" not in dict(gone.sheet("ida").words)
    gone.go_on().when(Hire(who="bram", hireling="wat")).then(events.TraitGained)


def test_only_hirelings_are_hired() -> None:
    party().when(Hire(who="ida", hireling="goblin")).refused("Goblin is not a hireling", "--kind hireling")
