"""Steps that the tests of classes repeat: Kara in any class, a use of a feature, and what is left of it."""

from __future__ import annotations

from typing import Any

from rollbook.rulesets.srd5.growth.levels import Choose
from rollbook.rulesets.srd5.growth.using import Use
from rollbook.testing.scenarios import Given, Scenario
from tests.support.srd5 import fighter, post, table


def of(key: str, level: int = 1, *others: Given, scores: tuple[str, ...] = ("16",) * 6, **more: Any) -> Scenario:
    """Kara in a class, 16 in each ability, and the post."""
    given = {"class_name": key, "level": level, "scores": scores, "weapons": ("longsword",), **more}
    return table(fighter(**given), post(), *others)


def use(feature: str, *targets: str, **more: Any) -> Use:
    """A feature of Kara's."""
    return Use(who="kara", feature=feature, targets=targets, **more)


def left(scene: Scenario, feature: str) -> int:
    """The uses of a feature that Kara has left."""
    return scene.sheet("kara").amount(f"uses:{feature}")


def choose(choice: str, picked: str) -> Choose:
    """A choice of Kara's."""
    return Choose(who="kara", choice=choice, picked=picked)
