"""The cast of the tests: Robin, Holmes and Dracula as published, two guards, Marian, and a door."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from rollbook.rulesets.storytoken import RULESET
from rollbook.rulesets.storytoken.character.creation import BringIn, Join
from rollbook.testing.scenarios import Scenario, scenario

Sherwood: TypeAlias = Callable[..., Scenario]


@pytest.fixture
def sherwood() -> Sherwood:
    """A campaign with everybody in it; house rules as keywords."""

    def begin(**settings: bool | int | str) -> Scenario:
        return scenario(RULESET, **settings).given(
            BringIn(who="robin-hood", id="robin"),
            BringIn(who="sherlock-holmes", id="holmes"),
            BringIn(who="count-dracula", id="dracula", kind="npc"),
            Join(name="Guard", id="guard", kind="monster", ac=13, hp=9),
            Join(name="Deputy", id="deputy", kind="monster", ac=18, hp=20),
            Join(name="Marian", id="marian", kind="npc", hp=8),
            Join(name="Oak door", id="door", kind="thing", ac=10, hp=10),
        )

    return begin


@pytest.fixture
def nobody() -> Sherwood:
    """A campaign in which nobody is yet."""
    return lambda **settings: scenario(RULESET, **settings)
