"""Features by their origin: ``class:fighter:Second Wind``, ``species:elf:Trance``, ``feat:alert:Initiative Swap``.

Powers of magic items are found as ``magic:sun-blade:Light``. The name may be that of a part of a feature, and is matched
without regard to capitals.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any

from rollbook.rulesets.srd5 import catalogue

ROWS: Mapping[str, Callable[[], Mapping[str, Any]]] = {
    "class": catalogue.classes,
    "species": catalogue.species,
    "feat": catalogue.feats,
    "magic": catalogue.magic_items,
    "hazard": catalogue.hazards,
    "spell": catalogue.spells,
    "item": catalogue.equipment,
    "mastery": catalogue.masteries,
}
"""The entries by the sort of an origin."""

TRAITS: Mapping[str, Callable[[Any], tuple[catalogue.kinds.Trait, ...]]] = {
    "class": lambda row: (*row.features, *row.subclass.features, *row.options),
    "species": attrgetter("traits"),
    "feat": attrgetter("benefits"),
    "magic": attrgetter("powers"),
}
"""The features of an entry."""


def split(origin: str) -> tuple[str, str, str]:
    """The sort of an origin, the key of its entry, and the name of a feature of that, "" for none."""
    sort, _, rest = origin.partition(":")
    key, _, name = rest.partition(":")
    return sort, key, name


def row_of(sort: str, key: str) -> Any:
    """An entry of the catalogue, None for none."""
    return ROWS[sort]().get(key) if sort in ROWS else None


@lru_cache(maxsize=1024)
def trait_of(origin: str) -> catalogue.kinds.Trait | None:
    """The feature of an origin, or a part of one. None if the catalogue has none there."""
    sort, key, name = split(origin)
    row = row_of(sort, key) if sort in TRAITS else None
    traits = TRAITS[sort](row) if row is not None else ()
    return next((found for each in traits if (found := each.called(name))), None)
