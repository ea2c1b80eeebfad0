"""Urging people, knowing things, and breaking objects."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.characters import ChangeTrait
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.fight import damage
from rollbook.rulesets.srd5.fight.actions import Influence, Search, Study
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.monsters.stat_blocks import kind_of
from rollbook.testing.scenarios import like, rule
from tests.support.srd5 import fighter, monster, post, rolled, table

CHECK, HURT = events.CheckResolved, events.DamageTaken


@rule("R5.161")
def test_influence_is_against_fifteen_or_intelligence_and_rests_for_a_day_after_a_failure() -> None:
    scene = table(fighter(), monster("Aboleth"))
    failed = scene.when(Influence(who="kara", target="aboleth")).rolling(10).then(like(CHECK, target=18)).go_on()
    failed.when(Influence(who="kara", target="aboleth")).refused("tried again in 1 day")
    failed.when(Influence(who="kara", target="aboleth", skill="deception")).rolling(2).then(CHECK)
    failed.given(PassTime(amount=24, unit="hours")).when(Influence(who="kara", target="aboleth")).rolling(2).then(CHECK)


@rule("R5.142", "R5.156")
@pytest.mark.parametrize(("feels", "dice"), [("friendly", "2d20kh1[friendly]"), ("hostile", "2d20kl1[hostile]")])
def test_an_attitude_makes_influence_easier_or_harder(feels, dice) -> None:
    scene = table().given(ChangeTrait(who="post", trait=feels, kind="attitude"))
    assert rolled(scene.when(Influence(who="kara", target="post")).rolling(3, 4))[0].startswith(dice)


@rule("R5.518")
def test_nobody_is_friendly_or_hostile_unless_that_is_said() -> None:
    assert rolled(table().when(Influence(who="kara", target="post")).rolling(3))[0].startswith("1d20")


@rule("R5.162")
def test_the_willing_and_the_unwilling_need_no_check() -> None:
    for mood, success in (("willing", True), ("unwilling", False)):
        scene = table().when(Influence(who="kara", target="post", mood=mood))
        scene.then(like(CHECK, success=success, outcome=mood)).never(events.DiceRolled)


@rule("R5.192", "R5.186", "R5.37")
def test_study_is_by_intelligence_and_search_by_wisdom() -> None:
    assert rolled(table(fighter(skills=("arcana",))).when(Study(who="kara", skill="arcana")).rolling(9)) == (
        "1d20 + 2[proficiency]",
    )
    assert rolled(table().when(Search(who="kara", skill="survival")).rolling(9)) == ("1d20 + 1[WIS]",)


@rule("R5.113")
@pytest.mark.parametrize(
    ("material", "size", "sturdy", "ac", "most"),
    [("wood", "medium", True, 15, 18), ("glass", "tiny", False, 13, 2), ("adamantine", "large", True, 23, 27)],
)
def test_a_thing_has_the_armour_class_of_its_substance_and_hit_points_by_size(material, size, sturdy, ac, most) -> None:
    sheet = table(post(name="Thing", kind="thing", hp=0, ac=0, material=material, size=size, sturdy=sturdy)).sheet(
        "thing"
    )
    assert (sheet.amount("ac"), sheet.amount("max_hp")) == (ac, most)


@rule("R5.114", "R5.126")
def test_things_take_no_poison_and_a_threshold_takes_all_or_nothing() -> None:
    scene = table(post(name="Gate", kind="thing", stats={"damage_threshold": 10}))
    scene.when(Harm(who="gate", amount="30", tags=("poison",))).then(like(HURT, amount=0))
    scene.when(Harm(who="gate", amount="9", tags=("fire",))).then(like(HURT, amount=0, dealt=9))
    scene.when(Harm(who="gate", amount="10", tags=("fire",))).then(like(HURT, amount=10))


@rule("R5.516")
@pytest.mark.parametrize(("kind", "lost"), [("vulnerability", 10), ("resistance", 2), ("immunity", 0)])
def test_the_gm_says_what_harms_a_thing_more_or_less(kind, lost) -> None:
    book = table(post(name="Book", kind="thing")).given(ChangeTrait(who="book", trait="fire", kind=kind))
    book.when(Harm(who="book", amount="5", tags=("fire",))).then(like(HURT, amount=lost))


@rule("R5.83", "R5.124")
def test_there_are_thirteen_types_of_damage_and_fourteen_of_creatures() -> None:
    assert len(damage.TYPES) == 13
    assert len({block.kind for block in catalogue.monsters().values()}) == 14
    scene = table(fighter(), monster("Wolf"))
    assert [kind_of(scene.character(name)) for name in ("kara", "wolf")] == ["humanoid", "beast"]
