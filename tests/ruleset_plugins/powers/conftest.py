"""The cast of the tests: Alice and Bob of the rulebook's one example, and Cara and Dan, who get in the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from rollbook.rulesets.powers import RULESET
from rollbook.rulesets.powers.creation import Join
from rollbook.rulesets.powers.encounter import BeginEncounter
from rollbook.testing.scenarios import Scenario, scenario, with_dice

Begin: TypeAlias = Callable[..., Scenario]


@pytest.fixture
def table() -> Begin:
    """A campaign with everybody in it; house rules as keywords."""

    def begin(**settings: bool | int | str) -> Scenario:
        return scenario(RULESET, **settings).given(
            Join(
                name="Alice",
                hp=20,
                defense=14,
                stats={"strength": 3, "stealth": 2, "initiative": 2, "int": 4, "wis": 0, "con": 0},
                powers=("sweep", "blast", "patch up"),
            ),
            Join(
                name="Bob",
                hp=12,
                defense=13,
                stats={"wis": 1, "dex": 2, "cha": 4, "str": 0, "con": 0},
                powers=("feint", "shoot", "cheer"),
            ),
            Join(
                name="Cara",
                hp=15,
                defense=16,
                stats={"initiative": 4, "dex": 5, "str": 0, "wis": 0, "con": 0},
                kind="monster",
            ),
            Join(name="Dan", hp=8, stats={"str": 0, "wis": 0, "dex": 0, "con": 0}, kind="npc"),
        )

    return begin


@pytest.fixture
def fight(table: Begin) -> Begin:
    """The same in a fight: Alice 19 has the first turn, then Cara 15, Bob and Dan 9."""

    def begin(**settings: bool | int | str) -> Scenario:
        starts = BeginEncounter(participants=("alice", "bob", "cara", "dan"))
        return table(**settings).given(with_dice(starts, 17, 9, 11, 9))

    return begin
