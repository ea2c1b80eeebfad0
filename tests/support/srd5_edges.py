"""Steps that the tests of edges repeat: further levels, spells of Kara's, things with their use, and what was dealt."""

from __future__ import annotations

from typing import Any

from rollbook.plugin import events
from rollbook.rulesets.srd5.growth.levels import LevelUp
from rollbook.rulesets.srd5.growth.rests import Attune
from rollbook.rulesets.srd5.magic.casting import Cast
from rollbook.rulesets.srd5.monsters.act import Act
from rollbook.testing.scenarios import Given, Scenario
from tests.support.srd5 import fighter, monster, post, swing, table


def up(scene: Scenario, **levels: int) -> Scenario:
    """The scene after so many levels of Kara's more, by class."""
    for key, many in levels.items():
        scene = scene.given(*(LevelUp(who="kara", class_name=key, milestone=True) for _ in range(many)))
    return scene


def has(trait: str, kind: str, who: str = "kara") -> events.TraitGained:
    """A trait of somebody's."""
    return events.TraitGained(character=who, trait=trait, kind=kind)


def spell(name: str, *targets: str, **more: Any) -> Cast:
    """A spell of Kara's, prepared or not."""
    return Cast(**{"caster": "kara", "spell": name, "targets": targets, "allowed": ("unprepared",), **more})


def give(item: str, *use: str, who: str = "kara") -> events.GearGained:
    """A thing that somebody gets, with its use."""
    return events.GearGained(character=who, item=item, use=use)


def wielding(
    base: str, item: str, *words: str, foe: Given | None = None, attuned: bool = True, **more: Any
) -> Scenario:
    """Kara with a magic weapon, attuned to it, and a foe (the post)."""
    scene = table(fighter(**more), foe or post()).given(give(item, "weapon", base, *words))
    return scene.given(Attune(who="kara", item=item)) if attuned else scene


def wearing(*items: str, **more: Any) -> Scenario:
    """Kara with these magic items, attuned to them, and the post."""
    scene = table(fighter(**more), post()).given(*map(give, items))
    return scene.given(*(Attune(who="kara", item=item) for item in items))


def hit(scene: Scenario, weapon: str, *dice: int, target: str = "post", **more: Any) -> Scenario:
    """An attack of Kara's with a weapon, with its dice."""
    return scene.when(swing(target, weapon=weapon, **more)).rolling(*dice)


def beside(name: str, *more: Given, **kara: Any) -> Scenario:
    """Kara and a monster called it."""
    return table(fighter(**kara), monster(name, id="it"), *more)


def act(what: str, *targets: str, **more: Any) -> Act:
    """Something that the stat block of it says."""
    return Act(who="it", what=what, targets=targets, **more)


def dealt(scene: Scenario, name: str = "") -> int:
    """The damage that was taken, by somebody or by all."""
    return sum(each.amount for each in scene.events(events.DamageTaken) if name in ("", each.character))


def number(scene: Scenario, key: str, name: str = "kara") -> int:
    """A number on a sheet."""
    return scene.sheet(name).amount(key)


def total(scene: Scenario) -> int:
    """The total of the first test."""
    first: int = scene.events(events.CheckResolved)[0].total
    return first


def is_under(scene: Scenario, condition: str, name: str = "kara") -> bool:
    """True if a condition lies on somebody."""
    return scene.after.characters[name].has(condition)
