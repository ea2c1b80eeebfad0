"""The catalogue: spells, stat blocks, equipment and what characters are made of, as data that the rules resolve.

Each file is read when it is first asked for: ``spells()`` has all spells by their keys. The keys of ``advancement`` are the
levels of a character, of ``challenges`` the ratings "0", "1/8" and so on, of ``scrolls`` "0" to "9", of ``rarities`` names.
``monsters`` has animals, too, ``equipment`` all that has a price, and ``hazards`` poisons, traps, contagions, places and stress.

Features are found by their origin: ``class:fighter:Second Wind``, ``species:elf:Trance``, ``feat:alert:Initiative Swap``, and
powers of magic items as ``magic:sun-blade:Light``. The name may be that of a part of a feature, and is matched without regard
to capitals. ``data/README.md`` says what the data looks like.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any

from rollbook.kit import data
from rollbook.kit.catalogues import read_once
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.catalogue.effect import Effect
from rollbook.rulesets.srd5.catalogue.kinds import CharacterClass, Feat, Feature, Hazard, Item, Monster, Spell

__all__ = ["CharacterClass", "Effect", "Feat", "Feature", "Hazard", "Item", "Monster", "Spell", "kinds"]

spells = read_once(__name__, "spells.json", Spell)
monsters = read_once(__name__, "monsters.json", Monster)
equipment = read_once(__name__, "equipment.json", Item)
magic_items = read_once(__name__, "magic_items.json", kinds.MagicItem)
masteries = read_once(__name__, "masteries.json", kinds.Mastery)
classes = read_once(__name__, "classes.json", CharacterClass)
species = read_once(__name__, "species.json", kinds.Species)
backgrounds = read_once(__name__, "backgrounds.json", kinds.Background)
feats = read_once(__name__, "feats.json", Feat)
advancement = read_once(__name__, "advancement.json", kinds.Advancement)
challenges = read_once(__name__, "challenges.json", kinds.Challenge)
hazards = read_once(__name__, "hazards.json", Hazard)
rarities = read_once(__name__, "rarities.json", kinds.Rarity)
scrolls = read_once(__name__, "scrolls.json", kinds.ScrollLevel)


@cache
def creation() -> kinds.Creation:
    """The making of characters."""
    return data.load(__name__, "creation.json", kinds.Creation)[0]


ROWS: Mapping[str, Callable[[], Mapping[str, Any]]] = {
    "class": classes,
    "species": species,
    "feat": feats,
    "magic": magic_items,
    "hazard": hazards,
    "spell": spells,
    "item": equipment,
    "mastery": masteries,
}
"""The entries by the sort of an origin."""

TRAITS: Mapping[str, Callable[[Any], tuple[kinds.Trait, ...]]] = {
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
def trait_of(origin: str) -> kinds.Trait | None:
    """The feature of an origin, or a part of one. None if the catalogue has none there."""
    sort, key, name = split(origin)
    row = row_of(sort, key) if sort in TRAITS else None
    traits = TRAITS[sort](row) if row is not None else ()
    return next((found for each in traits if (found := each.called(name))), None)
