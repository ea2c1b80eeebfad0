"""Darkness blinds those who are born without sight in it, and nobody else."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.afflictions import Afflict
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.testing.scenarios import rule
from tests.support.storytoken import born


@rule("R0.141", "R0.143", "R0.145", "R0.146", "R0.152", "R0.157")
@pytest.mark.parametrize("heritage", ["android", "cyborg", "dwarf", "elf", "orc", "vampire"])
def test_darkness_does_not_blind_who_sees_in_it(nobody, heritage: str) -> None:
    scene = nobody().given(born(heritage))
    said = scene.when(Afflict(who=heritage, condition="blinded", source="the dark")).refused("sees 60 feet in the dark")
    assert "R0.1" in said
    for more in ({"source": "a flash"}, {}):
        scene.when(Afflict(who=heritage, condition="blinded", **more)).then(events.ConditionBegan)


@rule("R0.67")
@pytest.mark.parametrize("heritage", ["human", "goblin", "faerie"])
def test_it_blinds_everybody_else(nobody, heritage: str) -> None:
    dark = Afflict(who=heritage, condition="blinded", source="darkness")
    scene = nobody().given(born(heritage), born("orc"), dark)
    struck = scene.when(Attack(attacker=heritage, target="orc", weapon="light")).rolling(3, 2)
    assert len(struck.events(events.DiceRolled)[0].dice) == 2
