"""Stat blocks of characters who have one, and what can be asked of them.

On record: a trait of the kind "stat block", which is the key of a row of ``monsters.json``; scores, armour class, hit
points and speed are stats like everybody's, so that a ruling changes them. Everything else is read from the row.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from rollbook.kit import catalogues
from rollbook.kit.remembering import remembered
from rollbook.plugin import Character, slug
from rollbook.rulesets.srd5 import catalogue

_Effect = TypeVar("_Effect", bound=catalogue.Effect)

BLOCK = "stat block"
"""The kind of the trait."""


MORE: list[Callable[[str], catalogue.Monster | None]] = []
"""Functions that know further blocks by their keys: those of creatures that spells summon."""


def block_called(key: str) -> catalogue.Monster | None:
    """A stat block by its key, None for none."""
    found = catalogue.monsters().get(key)
    return found if found is not None or "." not in key else next(filter(None, (more(key) for more in MORE)), None)


@remembered
def block_of(who: Character) -> catalogue.Monster | None:
    """A character's stat block, None without one."""
    keys = who.traits_of(BLOCK)
    return block_called(keys[-1]) if keys else None


def features_of(who: Character) -> tuple[catalogue.Feature, ...]:
    """All traits and actions of a character's stat block."""
    block = block_of(who)
    return block.features if block is not None else ()


def first_of(who: Character, kind: type[_Effect]) -> _Effect | None:
    """The first effect of a kind among the features of a character's stat block, None for none."""
    found = (effect for feature in features_of(who) for effect in feature.effects)
    return next((effect for effect in found if isinstance(effect, kind)), None)


KIND, USUAL_KIND = "creature type", "humanoid"


def kind_of(who: Character) -> str:
    """The type of a creature: a trait of the kind "creature type", the stat block's, or humanoid (R5.124)."""
    said = who.traits_of(KIND)
    if said:
        return said[-1]
    block = block_of(who)
    return block.kind if block is not None else USUAL_KIND


def key_of(name: str) -> str:
    """The key of the stat block that somebody means, "" for none."""
    return catalogues.key_of(catalogue.monsters, name)


@lru_cache(maxsize=1024)
def trait_effects(key: str, kind: str = "") -> tuple[tuple[catalogue.Feature, catalogue.Effect], ...]:
    """The effects (of a kind) that a stat block's traits always have, each with its trait."""
    block = block_called(key)
    traits = block.traits if block is not None else ()
    return tuple((trait, effect) for trait in traits for effect in trait.effects if kind in ("", effect.kind))


def always(who: Character, kind: str) -> tuple[tuple[catalogue.Feature, catalogue.Effect], ...]:
    """The same for a character; nothing for one without a stat block."""
    block = block_of(who)
    return trait_effects(block.key, kind) if block is not None else ()


def feature_called(block: catalogue.Monster, name: str) -> catalogue.Feature | None:
    """A trait or an action by its name, in any spelling; parts of a name will do where they are clear."""
    return catalogues.clear({slug(each.name): each for each in block.features}, slug(name))
