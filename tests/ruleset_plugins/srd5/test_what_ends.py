"""Every word of the data for what ends something is asked by a rule, or is the GM's to say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rollbook.plugin import events
from rollbook.rulesets import srd5
from rollbook.rulesets.srd5.fight.donning import Wear
from rollbook.rulesets.srd5.growth.using import Use
from rollbook.rulesets.srd5.magic.concentration import Drop
from rollbook.testing.scenarios import like, rule
from tests.support.srd5 import fight, fighter, hp, post, table
from tests.support.srd5_classes import of, use
from tests.support.srd5_text import raw

FILES = ("classes", "species", "feats", "magic_items", "spells", "equipment", "monsters", "hazards")
ASKED_AS_STATES = {"incapacitated", "unconscious", "dies", "heavy armour"}
LEFT_TO_THE_GM = {
    *("action", "reaction", "1 minute", "Consume Life", "allies damaged", "affects another", "dealt 60 damage"),
    *("apart 5 feet", "apart 30 feet", "apart 60 feet", "apart 100 feet", "apart 300 feet", "away 1000 feet"),
    *("magical healing", "medicine check", "moved 10 feet", "named condition", "out of sight at turn end"),
    *("overloaded", "recast", "released", "rope destroyed", "source at zero hit points", "source dies"),
    *("source forces a creature through", "source incapacitated", "source leaves", "strong wind", "taken off"),
    "targeted by a spell",
}
"""What the GM sees at the table, and ends with: condition WHO NAME --ends."""


def words_in(value: Any) -> Iterator[str]:
    """Every word for what ends something, at any depth."""
    if isinstance(value, dict):
        if isinstance(value.get("ends"), list):
            yield from value["ends"]
        for each in value.values():
            yield from words_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from words_in(each)


def test_every_word_for_an_end_is_asked_or_the_gms() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in Path(srd5.__file__).parent.rglob("*.py"))
    words = {word for file in FILES for word in words_in(raw(f"{file}.json"))}
    asked = {word for word in words if f'"{word}"' in code} | ASKED_AS_STATES
    assert words <= asked | LEFT_TO_THE_GM
    assert words >= LEFT_TO_THE_GM


@rule("R5.331", "R5.333")
@pytest.mark.parametrize(("worn", "goes_on"), [("plate-armor", False), ("leather-armor", True)])
def test_heavy_armour_that_is_put_on_ends_a_rage(worn: str, goes_on: bool) -> None:
    scene = of("barbarian", 1).given(events.GearGained(character="kara", item="Harness", use=("carried", worn)))
    scene = scene.given(use("rage"), Wear(who="kara", item="harness", out_of_turn=True))
    assert scene.before.characters["kara"].has("rage") == goes_on


@rule("R5.258")
def test_armour_ends_the_armour_of_a_mage() -> None:
    kara = of("wizard", 1).given(events.GearGained(character="kara", item="Jerkin", use=("carried", "leather-armor")))
    lies = events.ConditionBegan(
        character="kara", condition="mage armor", source="kara", data={"of": "spell:mage-armor"}
    )
    scene = kara.given(lies, Wear(who="kara", item="jerkin", out_of_turn=True))
    assert not scene.before.characters["kara"].has("mage armor")


@rule("R5.538")
def test_what_a_bonus_action_ends_takes_one() -> None:
    scene = table(fighter(), post()).given(events.GearGained(character="kara", item="Boots of Speed"))
    scene = scene.given(events.TraitGained(character="kara", trait="Boots of Speed", kind="attuned"))
    scene = scene.given(Use(who="kara", feature="boots of speed"))
    assert scene.before.characters["kara"].has("click the heels")
    ended = fight(scene).when(Drop(who="kara", spell="click the heels"))
    ended.then(like(events.TurnSpent, what="bonus action"), like(events.ConditionEnded, condition="click the heels"))
    ended.go_on().when(Drop(who="kara", spell="click the heels")).refused("called click the heels goes on")


@rule("R5.425")
def test_what_is_used_again_ends_where_it_was() -> None:
    scene = of("paladin", 3).given(events.GearGained(character="kara", item="Flail", use=("weapon", "flail")))
    scene = scene.given(use("sacred weapon"))
    again = scene.when(use("sacred weapon"))
    assert [each.condition for each in again.events(events.ConditionEnded)] == ["sacred weapon"]
    assert hp(scene, "kara") > 0
