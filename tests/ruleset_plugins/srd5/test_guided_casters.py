"""What was prepared or learned by choices, at creation or with a level, is what the caster can cast."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.srd5.growth.heroes import BringIn
from rollbook.rulesets.srd5.growth.levels import Choose, Exchange, LevelUp
from rollbook.rulesets.srd5.magic import spells
from rollbook.rulesets.srd5.magic.casting import Cast
from rollbook.testing.scenarios import Scenario, like, rule
from tests.support.srd5 import again, fighter, post, table


def guided(key: str, *picks: tuple[str, str], level: int = 1, **more: object) -> Scenario:
    """Kara in a class that casts, with 16 in what it casts by, and these choices made; beside the post."""
    scores = ("10", "10", "10", "16", "16", "16")
    scene = table(fighter(class_name=key, level=level, scores=scores, weapons=(), **more), post())
    return scene.given(*(Choose(who="kara", choice=choice, picked=picked) for choice, picked in picks))


def cast(spell: str, *targets: str) -> Cast:
    return Cast(caster="kara", spell=spell, targets=targets)


@rule("R5.232", "R5.327", "R5.296")
@pytest.mark.parametrize(
    ("key", "spell", "other"), [("wizard", "magic-missile", "sleep"), ("cleric", "guiding-bolt", "bane")]
)
def test_a_spell_that_was_prepared_at_creation_is_cast_and_another_is_not(key: str, spell: str, other: str) -> None:
    scene = guided(key, (f"{key}-spell-1", spell))
    again(scene).when(cast(spell, "post")).rolling(*((1, 1, 1) if key == "wizard" else (2,))).then(events.PowerUsed)
    scene.when(cast(other, "post")).refused("does not have", "prepared")


@rule("R5.327", "R5.328")
def test_a_spell_that_was_prepared_with_a_level_or_in_exchange_is_cast() -> None:
    scene = guided("wizard", ("wizard-spell-1", "sleep")).given(LevelUp(who="kara", milestone=True))
    scene = scene.given(
        Exchange(who="kara", what="sleep"), Choose(who="kara", choice="wizard-spell-5", picked="shield")
    )
    scene = scene.given(Choose(who="kara", choice="wizard-spell-2", picked="magic-missile"))
    again(scene).when(cast("magic missile", "post")).rolling(1, 1, 1).then(events.PowerUsed)
    scene.when(cast("sleep", "post")).refused("does not have")


@rule("R5.232", "R5.218")
def test_a_prepared_spell_is_cast_by_the_ability_of_the_class_that_prepared_it() -> None:
    scores = ("10", "10", "10", "14", "18", "10")
    scene = table(fighter(class_name="wizard", scores=scores, weapons=()), post())
    scene = scene.given(LevelUp(who="kara", class_name="cleric", milestone=True))
    scene = scene.given(Choose(who="kara", choice="wizard-spell-1", picked="detect-magic"))
    kara = scene.before.characters["kara"]
    found = spells.source_of(kara, spells.catalogue.spells()["detect-magic"])
    assert found is not None and found.ability == "int"


@rule("R5.297", "R5.233")
def test_the_spell_of_an_initiate_is_prepared_always_and_leaves_the_others_as_they_were() -> None:
    scene = guided("wizard", background="acolyte", increases={"wis": 2, "int": 1})
    scene = scene.given(Choose(who="kara", choice="level-1-spell-1", picked="healing-word"))
    assert scene.before.characters["kara"].traits["healing-word"] == spells.ALWAYS
    again(scene).when(cast("sleep", "post")).rolling(2).then(events.PowerUsed)
    assert "Healing Word" in dict(scene.sheet("kara").words)["Prepared"]


@rule("R5.361")
def test_magical_discoveries_are_cantrips_or_of_a_level_with_slots() -> None:
    scene = guided("bard", level=6)
    keys = scene.before.characters["kara"].choices["magical-discoveries-1"].keys
    assert {"fireball", "guidance"} <= set(keys) and "wall-of-fire" not in keys
    found = scene.given(Choose(who="kara", choice="magical-discoveries-1", picked="fireball"))
    found.when(cast("fireball", "post")).rolling(2, 1, 1, 1, 1, 1, 1, 1, 1).then(
        like(events.PowerUsed, power="fireball")
    )


@rule("R5.232", "R5.208")
@pytest.mark.parametrize(("hero", "spell"), [("ysolde", "magic missile"), ("osric", "cure wounds")])
def test_a_ready_caster_casts_what_is_prepared_and_nothing_else(hero: str, spell: str) -> None:
    scene = table(BringIn(who=hero, id="kara"), post())
    dice = (1, 1, 1) if hero == "ysolde" else (1, 1)
    again(scene).when(cast(spell, "post")).rolling(*dice).then(events.PowerUsed)
    scene.when(cast("thunderwave" if hero == "ysolde" else "bane", "post")).refused("does not have")
