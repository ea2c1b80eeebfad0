"""The cast of the tests: Steve and Jeff of the rulebook, a rogue, a cleric and a wolf, each on the square that a test wants."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from rollbook.plugin import Action
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.creation import BringIn, Join
from rollbook.rulesets.grid.encounter import BeginEncounter
from rollbook.testing.scenarios import Scenario, scenario, with_dice

Square: TypeAlias = tuple[int, int]
Begin: TypeAlias = Callable[..., Scenario]

INITIATIVE = (20, 15, 10, 5)
"""Faces after which four people act in the order in which they are named."""


def joins(name: str, square: Square) -> Action:
    """How one of the cast comes in: Jeff and the wolf fight the others."""
    at = tuple(map(str, square))
    if name in ("steve", "jeff"):
        return BringIn(who=name, at=at, side="foes" if name == "jeff" else "")
    others = {
        "tamsin": Join(name="Tamsin", class_name="rogue", weapon="sword", armour="leather", at=at),
        "odo": Join(name="Odo", class_name="cleric", weapon="club", shield="buckler", armour="brigandine", at=at),
        "wolf": Join(name="Wolf", kind="monster", hp=11, ac=13, attack=3, speed=40, at=at),
        "boar": Join(name="Boar", kind="monster", hp=30, ac=12, attack=5, at=at),
        "page": Join(name="Page", kind="npc", hp=4, at=at),
    }
    return others[name]


@pytest.fixture
def table() -> Begin:
    """A campaign with the characters named, by their squares: ``table({"steve": (0, 0)}, diagonal="1-2-1")``."""

    def begin(people: dict[str, Square] | None = None, **settings: bool | int | str) -> Scenario:
        squares = people or {"steve": (0, 0), "jeff": (3, 0)}
        return scenario(RULESET, **settings).given(*(joins(name, square) for name, square in squares.items()))

    return begin


@pytest.fixture
def fight(table: Begin) -> Begin:
    """The same in a fight, in which they act in the order in which they are named."""

    def begin(people: dict[str, Square], **settings: bool | int | str) -> Scenario:
        starts = BeginEncounter(participants=tuple(people))
        return table(people, **settings).given(with_dice(starts, *INITIATIVE[: len(people)]))

    return begin
