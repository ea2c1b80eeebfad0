"""Rulings that no setting leaves to the table: what is done where the text leaves two ways."""

from __future__ import annotations

import pytest

from rollbook.kit import fields
from rollbook.plugin import events
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.magic import aims
from rollbook.rulesets.srd5.monsters.act import Act
from rollbook.testing.scenarios import like, rule
from tests.support.srd5 import cast, caster, condition, fighter, monster, table


@rule("Q5.36")
@pytest.mark.parametrize(("chosen", "option"), [((), 0), (("enlarge",), 0), (("reduce",), 1), (("shrink",), 0)])
def test_of_options_that_nobody_chooses_the_first_is_done(chosen: tuple[str, ...], option: int) -> None:
    scene = table(caster(), fighter()).given(cast("enlarge-reduce", "kara", choose=chosen))
    held = scene.before.characters["kara"].conditions["enlarge/reduce"]
    assert all(f"options/{option}/" in path for path in fields.names(held.data, "at"))


@rule("Q5.53", "R5.308", "R5.244")
def test_a_stat_block_has_the_materials_of_its_spells_and_still_needs_its_voice() -> None:
    spell = catalogue.spells()["plane-shift"]
    assert aims.costly(spell)
    scene = table(monster("Lich"), fighter())
    done = scene.when(Act(who="lich", what="Spellcasting", spell="plane shift", targets=("lich",)))
    done.then(like(events.PowerUsed, power="plane-shift")).never(events.GearLost)
    silent = scene.given(condition("lich", "silenced"))
    silent.when(Act(who="lich", what="Spellcasting", spell="plane shift", targets=("lich",))).refused("cannot speak")
