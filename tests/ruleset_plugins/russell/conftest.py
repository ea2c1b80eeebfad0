"""The cast of the fighting tests: Aldo and Brenna, Cora without any gifts, a goblin and an ogre."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import pytest

from rollbook.rulesets.russell import RULESET
from rollbook.rulesets.russell.character.creation import Join
from rollbook.testing.scenarios import Given, Scenario, scenario


class Branching(Scenario):
    """A scenario that leaves itself as it was when more is given, so that several stories may begin with it."""

    def given(self, *happened: Given | Iterable[Given]) -> Branching:
        return Branching(self.ruleset, Scenario(self.ruleset, self.before).given(*happened).before)

    def go_on(self) -> Branching:
        return Branching(self.ruleset, self.after)


Dungeon: TypeAlias = Callable[..., Branching]

ALDO = Join(
    name="Aldo",
    scores=("13", "12", "9", "11", "10", "14"),
    templates=("sellsword",),
    hit_dice=("5",),
    armour="chain",
    shield=True,
    weapon="melee",
)
"""6 hit points, WS 2, armour class 4, damage + 2."""

BRENNA = Join(
    name="Brenna",
    scores=("9", "10", "16", "14", "13", "8"),
    templates=("delver",),
    hit_dice=("4",),
    armour="leather",
    weapon="ranged",
)
"""4 hit points, WS 1, SS 1, armour class 5, a bow that does + 2."""

CORA = Join(name="Cora", scores=("10",) * 6, hit_dice=("6",))
"""6 hit points, WS 1, armour class 9; her template is open."""

GOBLIN = Join(name="Goblin", kind="monster", profile="HD 1 AC 6 Mrl 7", hp=4)
OGRE = Join(name="Ogre", kind="monster", profile="Mv 9 WS 5 Att 2 HD 4 AC 5 I 1 Sv 12 Mrl 9", hp=15)


@pytest.fixture
def dungeon() -> Dungeon:
    """A campaign with everybody in it; house rules as keywords."""

    def begin(**settings: bool | int | str) -> Branching:
        return Branching(RULESET, scenario(RULESET, **settings).before).given(ALDO, BRENNA, CORA, GOBLIN, OGRE)

    return begin


@pytest.fixture
def nobody() -> Dungeon:
    """A campaign in which nobody is yet."""
    return lambda **settings: Branching(RULESET, scenario(RULESET, **settings).before)
