"""Every feature of every stat block can be used, in both editions, and most of them by their data alone."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rollbook.domain.dice.supply import Hand, PhysicalDice, Request, physical_hand
from rollbook.domain.rules.action import intent_of
from rollbook.domain.rules.playing import play_out
from rollbook.plugin import Refused, Table, events, slug
from rollbook.rulesets.srd5 import RULESET, catalogue
from rollbook.rulesets.srd5.catalogue import Feature
from rollbook.rulesets.srd5.catalogue.kinds import Spellcasting
from rollbook.rulesets.srd5.monsters.act import Act
from rollbook.testing.scenarios import Scenario, fault_in_order, rule
from tests.support.srd5 import condition, monster, post, table

LEAST_BY_DATA = 0.55
"""The share of uses that leave nothing to the GM, at least."""


class Luck(PhysicalDice):
    """Dice that fall by chance."""

    def hand(self, request: Request) -> Hand:
        chance = random.Random(f"{request.purpose} {request.roller}")
        return physical_hand(request, lambda sides: chance.randint(1, sides))

    def finish(self) -> None:
        """Leave nothing over."""


def ways_to_use(feature: Feature) -> tuple[str, ...]:
    """The spells of a list, or "" for a feature that is used in one way."""
    for effect in feature.effects:
        if isinstance(effect, Spellcasting):
            rows = (effect.at_will, *effect.per_day.values())
            return tuple(dict.fromkeys(slug(cast.spell) for row in rows for cast in row))
    return ("",)


TARGETS = (("post", "post-2"), ("post",), ("it",), ())
"""Whom a feature is used on: the first of these that it takes."""


def use(scene: Scenario, feature: str, spell: str) -> tuple[events.Event, ...]:
    refusals = []
    for targets in TARGETS if spell else TARGETS[:2]:
        action = Act(who="it", what=feature, targets=targets, spell=spell)
        dealt = Table(scene.before, action=action, intent=intent_of(action), dice=Luck(()), ruleset=RULESET, seat="")
        try:
            played = play_out(dealt, action)
        except Refused as refusal:
            refusals.append(str(refusal))
            continue
        assert not fault_in_order(Act, played.events)
        return played.events
    raise AssertionError(f"{feature} {spell}: {refusals}")


@rule("R5.304", "R5.305", "R5.307", "R5.308", "R5.309", "R5.310", "R5.311")
@pytest.mark.parametrize("edition", ["2024", "2014"])
def test_every_feature_of_every_stat_block_can_be_used(edition: str) -> None:
    counted: Counter[bool] = Counter()
    for key, block in catalogue.monsters().items():
        people = (monster(block.name, id="it", block=key), post(hp=9000), post(id="post-2", name="Other", hp=9000))
        others = [condition("post", each, source="post-2") for each in ("charmed", "frightened", "prone")]
        scene = table(*people, edition=edition).given(*others, condition("post", "grappled", source="it"))
        for feature in block.features:
            for spell in ways_to_use(feature):
                happened = use(scene, feature.name, slug(spell))
                counted[any(isinstance(event, events.NoteWritten) for event in happened)] += 1
    assert sum(counted.values()) == 1579
    assert counted[False] >= LEAST_BY_DATA * 1579, counted
