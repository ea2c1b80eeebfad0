"""The catalogue: spells, stat blocks, equipment and what characters are made of, as data that the rules resolve.

Each file is read when it is first asked for: ``spells()`` has all spells by their keys. The keys of ``advancement`` are the
levels of a character, of ``challenges`` the ratings "0", "1/8" and so on, of ``scrolls`` "0" to "9", of ``rarities`` names.
``monsters`` has animals, too, ``equipment`` all that has a price, and ``hazards`` poisons, traps, contagions, places and stress.

``data/README.md`` says what the data looks like.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

from rollbook.kit import data
from rollbook.plugin import not_found, slug
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.catalogue.effect import Effect
from rollbook.rulesets.srd5.catalogue.kinds import CharacterClass, Feat, Feature, Hazard, Item, Monster, Spell

__all__ = ["CharacterClass", "Effect", "Feat", "Feature", "Hazard", "Item", "Monster", "Spell", "kinds"]

_Entry = TypeVar("_Entry", bound=Any)


def _read_once(file: str, kind: type[_Entry]) -> Callable[[], Mapping[str, _Entry]]:
    """A function that reads a file when it is first called."""
    return cache(lambda: MappingProxyType({each.key: each for each in data.load(__name__, file, kind)}))


spells = _read_once("spells.json", Spell)
monsters = _read_once("monsters.json", Monster)
equipment = _read_once("equipment.json", Item)
magic_items = _read_once("magic_items.json", kinds.MagicItem)
masteries = _read_once("masteries.json", kinds.Mastery)
classes = _read_once("classes.json", CharacterClass)
species = _read_once("species.json", kinds.Species)
backgrounds = _read_once("backgrounds.json", kinds.Background)
feats = _read_once("feats.json", Feat)
advancement = _read_once("advancement.json", kinds.Advancement)
challenges = _read_once("challenges.json", kinds.Challenge)
hazards = _read_once("hazards.json", Hazard)
rarities = _read_once("rarities.json", kinds.Rarity)
scrolls = _read_once("scrolls.json", kinds.ScrollLevel)


_Rows = Callable[[], Mapping[str, Any]]


@cache
def _by_name(rows: _Rows) -> Mapping[str, str]:
    """The keys of entries by what may be typed for each; "Poison, Basic" is basic poison, too."""
    turned = {slug(" ".join(reversed(row.name.split(", ")))): key for key, row in rows().items()}
    return {**turned, **{slug(row.name): key for key, row in rows().items()}, **{key: key for key in rows()}}


def key_of(rows: _Rows, typed: str) -> str:
    """The key of the entry that somebody means, by its name in any spelling; "" for none."""
    return _by_name(rows).get(slug(typed), "")


def clear(named: Mapping[str, _Entry], wanted: str) -> _Entry | None:
    """The one of this name, or else the only one that begins so, or of whose name it is a part; None if several do."""
    if wanted in named or not wanted:
        return named.get(wanted)
    begun = [each for name, each in named.items() if name.startswith(wanted)]
    likely = begun or [each for name, each in named.items() if wanted in name]
    return likely[0] if likely and all(each is likely[0] for each in likely) else None


def meant(rows: _Rows, typed: str) -> str:
    """The key of the entry that somebody means, by its name or a clear part of it; "" for none."""
    return clear(_by_name(rows), slug(typed)) or ""


def find(sort: str, rows: Callable[[], Mapping[str, _Entry]], typed: str) -> _Entry:
    """The entry that somebody means. Raises NotFound with the nearest names of this ``sort`` of things."""
    key = meant(rows, typed)
    if not key:
        raise not_found(sort, typed, [getattr(row, "name", key) for key, row in rows().items()])
    return rows()[key]


@cache
def creation() -> kinds.Creation:
    """The making of characters."""
    return data.load(__name__, "creation.json", kinds.Creation)[0]
