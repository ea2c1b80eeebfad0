"""Features that somebody owns: of classes, subclasses, options, species, feats and magic items (R5.286, R5.296, R5.322).

Nothing of it is on record but what was chosen: traits of the kinds in ``CHOSEN``, each called "feature: part" or by its
own name. Everything else follows from levels, species and things. An ``Owned`` knows its ``origin``
(``class:monk:Flurry of Blows``), under which ``lasting`` finds its effects, the level it counts by, and what it is a part of.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import attrs

from rollbook.kit import attunement, catalogues
from rollbook.kit.remembering import remembered
from rollbook.plugin import Character, Record, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect, kinds
from rollbook.rulesets.srd5.character import classes

FEAT, STYLE, OPTION, ATTUNED = "feat", "fighting style", "option", attunement.ATTUNED
METAMAGIC, INVOCATION = "metamagic", "invocation"
SPECIES, BACKGROUND, LAND = "species", "background", "land"
CHOSEN = (classes.CLASS, SPECIES, FEAT, STYLE, OPTION, METAMAGIC, INVOCATION)
SORTS = {SPECIES: "species", FEAT: "feat", STYLE: "feat"}
"""The sort of origin of what is chosen, by the kind of its trait."""

OPTIONS = {"sorcerer": METAMAGIC, "warlock": INVOCATION}
"""The kind of trait of the options that a class offers."""


@attrs.frozen
class Owned(Record):
    """A feature that somebody has, where it is from, and the level of its class (or all of them) by which it grows."""

    origin: str
    trait: kinds.Trait = attrs.field(eq=False)
    level: int
    source: str
    above: "Owned | None" = attrs.field(default=None, eq=False)

    @property
    def name(self) -> str:
        """The name of the feature."""
        return self.trait.name


class Known(NamedTuple):
    """All that somebody owns: in order, by names as typed, rules of their own, further damage, and what stands."""

    all: tuple[Owned, ...]
    named: Mapping[str, Owned]
    specials: Mapping[str, tuple[tuple[Owned, kinds.Special], ...]]
    extras: tuple[tuple[Owned, kinds.ExtraDamage], ...]
    standing: tuple[tuple[Owned, Effect], ...]


@remembered
def known(who: Character) -> Known:
    """All that somebody owns, worked out once for each making of a character."""
    chosen = tuple([(trait, kind) for trait, kind in who.traits.items() if kind in CHOSEN])
    levels = tuple([(row.key, level) for row, level in classes.classes_of(who)])
    return _known(chosen, levels, who.level, tuple(items_of(who)))


@lru_cache(maxsize=512)
def _known(
    chosen: tuple[tuple[str, str], ...], levels: tuple[tuple[str, int], ...], total: int, items: tuple[str, ...]
) -> Known:
    mine = (*_all(chosen, levels, total), *(each for key in items for each in _of_item(key)))
    effects = [(own, effect) for own in mine for effect in own.trait.effects]
    specials: dict[str, tuple[tuple[Owned, kinds.Special], ...]] = {}
    for own, effect in effects:
        if isinstance(effect, kinds.Special):
            specials[effect.name] = (*specials.get(effect.name, ()), (own, effect))
    return Known(
        mine,
        {spelled(own.name): own for own in reversed(mine)},
        specials,
        tuple(
            (own, effect) for own, effect in effects if isinstance(effect, kinds.ExtraDamage) and not own.trait.action
        ),
        tuple((own, effect) for own, effect in effects if stands(own.trait, effect)),
    )


STANDING = (
    *("bonus", "edge", "resist", "immune", "restrict", "speed", "armour", "maximum", "sense", "weapon", "ability"),
    *("special", "grant"),
)
ALWAYS = ("spells",)
"""Kinds of effects that hold by themselves, and those that hold although the feature has uses."""


def is_standing(trait: kinds.Trait) -> bool:
    """True for a feature that needs no action, moment or use to hold."""
    return not (trait.action or trait.when or trait.uses or trait.lasts or trait.spends)


def stands(trait: kinds.Trait, effect: Effect) -> bool:
    """True for an effect that holds by itself."""
    holds = is_standing(trait) and effect.kind in STANDING and not getattr(effect, "lasts", "")
    return holds or effect.kind in ALWAYS


def owned(who: Character) -> tuple[Owned, ...]:
    """All features of a character, parts included, in the order in which they came."""
    return known(who).all


def _all(chosen: tuple[tuple[str, str], ...], levels: tuple[tuple[str, int], ...], total: int) -> Iterator[Owned]:
    picked = frozenset(trait for trait, _ in chosen)
    for key, level in levels:
        row = catalogue.classes()[key]
        options = tuple(each for each in row.options if each.name in picked)
        yield from _walk("class", key, (*row.features, *row.subclass.features, *options), level, picked)
    for trait, kind in chosen:
        sort = SORTS.get(kind, "")
        row = catalogue.row_of(sort, trait)
        if row is not None:
            yield from _walk(sort, trait, catalogue.TRAITS[sort](row), total, picked)


def _walk(
    sort: str, key: str, traits: Iterable[kinds.Trait], level: int, picked: frozenset[str], above: Owned | None = None
) -> Iterator[Owned]:
    for trait in traits:
        if trait.level > level:
            continue
        own = Owned(f"{sort}:{key}:{trait.name}", trait, level, key, above)
        yield own
        parts = trait.parts
        if trait.choose and not trait.when:
            parts = tuple(each for each in parts if part_key(trait, each) in picked)
        yield from _walk(sort, key, parts, level, picked, own)


def part_key(trait: kinds.Trait, part: kinds.Trait) -> str:
    """The trait on record by which a part of a feature is chosen."""
    return f"{trait.name}: {part.name}".casefold()


def items_of(who: Character) -> Iterator[str]:
    """The magic items whose power a character has: the first of a kind worn, attuned to if need be (R5.280, R5.282)."""
    worn = set()
    for item, held in who.gear.items():
        key = item_key(item, held.use)
        if key and held.count > 0:
            row = catalogue.magic_items()[key]
            if not row.consumable and (not row.attunement or who.traits.get(item) == ATTUNED) and row.worn not in worn:
                worn |= {row.worn} - {""}
                yield key


@lru_cache(maxsize=2048)
def item_key(item: str, use: tuple[str, ...] = ()) -> str:
    """The key of the magic item that a thing is, by its use or its name; "" for none."""
    for typed in (*use, slug(item)):
        if typed in catalogue.magic_items():
            return typed
    return ""


def bound_by_curses(who: Character) -> tuple[str, ...]:
    """The cursed things that hold somebody who is attuned to them (R5.540)."""
    keys = {item: item_key(item, who.gear[item].use if item in who.gear else ()) for item in who.traits_of(ATTUNED)}
    return tuple(item for item, key in keys.items() if key and catalogue.magic_items()[key].curse)


@lru_cache(maxsize=512)
def _of_item(key: str) -> tuple[Owned, ...]:
    row = catalogue.magic_items()[key]
    worn = Owned(f"magic:{key}", kinds.Trait(name=row.name, effects=row.effects), 0, key)
    return (worn, *_walk("magic", key, row.powers, 0, frozenset()))


@lru_cache(maxsize=2048)
def spelled(name: str) -> str:
    """A name as it is compared: without apostrophes, blanks and capitals."""
    return slug(name.replace("'", "").replace("\u2019", ""))


def called(who: Character, name: str) -> Owned | None:
    """A feature by its name, or a clear part of it; the first of several with one name."""
    return catalogues.clear(known(who).named, spelled(name))


def chosen_for(who: Character, kind: str) -> tuple[str, ...]:
    """The keys of the spells that somebody chose for a feature, which are traits called "feature: key"."""
    return tuple(trait.rpartition(": ")[2] for trait in who.traits_of(kind))


def specials(who: Character, name: str) -> tuple[tuple[Owned, kinds.Special], ...]:
    """The rules of their own of this name among somebody's features."""
    return known(who).specials.get(name, ())


def at(who: Character, moment: str) -> Iterator[Owned]:
    """The features that act at a moment for nothing."""
    return (own for own in known(who).all if moment in own.trait.when and not own.trait.spends)


def has(who: Character, name: str) -> bool:
    """True if somebody owns a feature of this name."""
    return spelled(name) in known(who).named
