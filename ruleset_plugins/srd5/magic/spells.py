"""Spells of somebody: which they can cast, from which source, with which numbers and slots (R5.218–R5.236, R5.308, R5.487).

On record: traits of the kinds "cantrip", "prepared", "always prepared" and "spell" (called "book: key"), each the spell's
key; the class may stand before the first two ("wizard prepared") or be the trait's data ``class``. Without any of those
somebody may cast all spells of their classes that a slot of theirs can hold: their list is not on record. Innate spells are
those of the stat block, of ``spells`` effects of feats and species, and always prepared ones with the data ``free``.

Of slots what is SPENT is on record: the pools ``slots spent:LEVEL`` and ``pact slots spent``, so that a level up needs no event
and a rest empties them; ``slots made:LEVEL`` are what features make on top until a long rest.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

import attrs

from rollbook.kit import catalogues, counters, fields
from rollbook.kit.remembering import remembered
from rollbook.plugin import CampaignState, Character, Record, Table, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character import abilities, classes, features
from rollbook.rulesets.srd5.effects.lasting import effects_on
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of, first_of

SPENT, MADE, PACT = "slots spent", "slots made", "pact slots spent"
FULL = "full"
LEVELS = range(1, 10)


class Slot(NamedTuple):
    """A slot of a level; ``pact`` for one of pact magic. Level 0 is no slot."""

    level: int
    pact: bool = False


NO_SLOT = Slot(0)


def table_of(who: Character) -> tuple[int, ...]:
    """The slots by level that the classes of a character give, spent ones too (R5.229)."""
    casting = [(row, level) for row, level in classes.classes_of(who) if level and row.levels[-1].slots]
    if len(casting) == 1:
        row, level = casting[0]
        return tuple(row.levels[level - 1].slots)
    together = sum(level if row.casting and row.casting.share == FULL else (level + 1) // 2 for row, level in casting)
    return catalogue.advancement()[str(min(together, 20))].slots if together else ()


def number_of(who: Character, level: int) -> int:
    """All slots of a level, those that were made too."""
    row = table_of(who)
    return (row[level - 1] if level <= len(row) else 0) + counters.count(who.pools, MADE, str(level))


def left(who: Character, level: int) -> int:
    """The slots of a level that are not spent."""
    return max(number_of(who, level) - who.pools.get(counters.counter(SPENT, str(level)), 0), 0)


def pact_of(who: Character) -> Slot | None:
    """The level of pact slots, None without pact magic (R5.487)."""
    level = classes.level_in(who, "warlock")
    return Slot(catalogue.classes()["warlock"].levels[level - 1].pact_level, pact=True) if level else None


def pact_number(who: Character) -> int:
    """All pact slots."""
    level = classes.level_in(who, "warlock")
    return catalogue.classes()["warlock"].levels[level - 1].pact_slots if level else 0


def pact_left(who: Character) -> int:
    """The pact slots that are not spent."""
    return max(pact_number(who) - who.pools.get(PACT, 0), 0)


def free(who: Character) -> list[Slot]:
    """The slots that a character could spend, one of each sort, the lowest first (R5.230)."""
    found = [Slot(level) for level in LEVELS if left(who, level)]
    pact = pact_of(who)
    return sorted([*found, *([pact] if pact is not None and pact_left(who) else ())])


def choose(table: Table, who: Character, name: str, least: int, wanted: int) -> Slot:
    """The slot that a spell takes: of the level that is ``wanted``, else the lowest that fits (R5.235). Refused without one."""
    if wanted and wanted < least:
        table.refuse(f"{name} takes a slot of level {least} or higher, not {wanted}.", "slot")
    fits = [each for each in free(who) if each.level >= least and wanted in (0, each.level)]
    if not fits:
        have = ", ".join(str(each.level) for each in free(who)) or "none"
        level = wanted or least
        table.refuse(f"{who.name} has no slot of level {level} left for {name}. Slots left: {have}.", "slot")
    return fits[0]


def spend(table: Table, who: Character, slot: Slot, reason: str) -> None:
    """Spend a slot."""
    if slot.level:
        pool = PACT if slot.pact else counters.counter(SPENT, str(slot.level))
        counters.change(table, who.id, pool, 1, reason)


def spend_one(table: Table, who: Character, level: int, reason: str) -> int:
    """Spend a slot of a level, the lowest that is left for 0. Returns its level."""
    slot = choose(table, who, reason, 1, level)
    spend(table, who, slot, reason)
    return slot.level


CANTRIP, PREPARED, ALWAYS, KNOWN = "cantrip", "prepared", "always prepared", "spell"
OF_CLASS, FREE = "class", "free"
DC, ATTACK, USED = "spell_dc", "spell_attack", "used"
BASE_DC = 8
NO_COMPONENTS = ("verbal", "somatic", "material")
MATERIAL = "material"
"""Creatures with a stat block have what their spells are made of (Q5.53)."""

CONDITIONS = ("concentrating", "summoned", "countered", "raised", "silenced", "gagged", "bound", "hands full")
"""Conditions that magic knows besides the fifteen; what a spell leaves is called like the spell."""


@attrs.frozen
class Source(Record):
    """From where somebody has a spell: the ability, or set numbers; ``uses`` a day for what needs no slot, -1 at will.

    A magic ``item`` casts for so many ``charges``; with more of them, at most so many, at a higher level.
    """

    ability: str = "cha"
    level: int = 0
    uses: int = 0
    dc: int = 0
    attack: int = 0
    without: tuple[str, ...] = ()
    ritual_only: bool = False
    item: str = ""
    charges: int = 0
    most: int = 0

    @property
    def is_innate(self) -> bool:
        """True for what takes no slot."""
        return self.uses != 0


class Changes(NamedTuple):
    """Components that are not needed, another cost, so many times the range, so many levels more: by features."""

    without: tuple[str, ...] = ()
    cost: str = ""
    reach: int = 1
    level: int = 0


UNCHANGED = Changes()


@attrs.frozen(kw_only=True)
class Casting(Record):
    """A spell that is being cast: by whom, from which source, with which slot, at which level."""

    who: Character
    spell: catalogue.Spell
    source: Source
    slot: Slot = NO_SLOT
    level: int = 0
    ritual: bool = False
    scroll: str = ""
    is_readied: bool = False
    changes: Changes = UNCHANGED

    @property
    def above(self) -> int:
        """The levels above the spell's own."""
        return max(self.level - self.spell.level, 0)


@cache
def casting_abilities() -> dict[str, str]:
    """The abilities with which classes cast, by the keys of those that do."""
    return {key: row.casting.ability for key, row in catalogue.classes().items() if row.casting is not None}


def names_of_all() -> Iterator[str]:
    """The names of all spells, as they are typed."""
    return (spell.name.casefold() for spell in catalogue.spells().values())


def key_of(typed: str) -> str:
    """The key of a spell by its name in any spelling, or a clear part of it; "" for none."""
    return catalogues.meant(catalogue.spells, typed)


def find(typed: str) -> catalogue.Spell:
    """A spell by its name. Raises NotFound with the nearest."""
    return catalogues.find("spell", catalogue.spells, typed)


def split_off(campaign: CampaignState, typed: str) -> dict[str, str]:
    """The spell and the target of words that name both, {} if they do not."""
    spell, targets = ("", ()) if key_of(typed) else catalogues.split_off(campaign, typed, key_of)
    return {"spell": spell, "target": targets[0]} if len(targets) == 1 else {}


@lru_cache(maxsize=256)
def of_subclass(key: str, level: int, land: str = "") -> frozenset[str]:
    """The keys of the spells that a subclass always has prepared up to a level, perhaps by land (R5.233, R5.384)."""
    subclass = catalogue.classes()[key].subclass
    row = subclass.spells_by.get(land, {}) if subclass.spells_by else subclass.spells
    return frozenset(key_of(name) for at, names in row.items() if int(at) <= level for name in names)


def in_book(key: str) -> str:
    """The trait of a spell in somebody's book, where it stays while it is prepared or not (R5.496)."""
    return f"book: {key}"


def is_listed(who: Character, spell: catalogue.Spell) -> bool:
    """True if the record says what somebody has prepared, of cantrips or of other spells."""
    wanted = PREPARED if spell.level else CANTRIP
    return any(kind.endswith(wanted) and kind != ALWAYS for kind in who.traits.values())


def source_of(who: Character, spell: catalogue.Spell, *, by_slot: bool = False) -> Source | None:
    """The source from which somebody can cast a spell, None if there is none; what needs no slot comes first.

    Uses of a day are kept where it is cast ``by_slot``.
    """
    innate = list(_innate(who, spell))
    usable = next((each for each in innate if each.uses < 0 or (uses_left(who, spell, each) and not by_slot)), None)
    items = (of_item(who, named, item) for item, named in lent_spells(who).get(spell.key, ()))
    return usable or _of_class(who, spell) or next(items, None) or next(iter(innate), None)


@remembered
def lent_spells(who: Character) -> Mapping[str, tuple[tuple[str, catalogue.kinds.ItemSpell], ...]]:
    """The spells of somebody's magic items by their keys, each with the item."""
    found: dict[str, tuple[tuple[str, catalogue.kinds.ItemSpell], ...]] = {}
    for item in features.items_of(who):
        for named in catalogue.magic_items()[item].spells:
            key = key_of(named.spell)
            found[key] = (*found.get(key, ()), (item, named))
    return found


def of_item(who: Character, named: catalogue.kinds.ItemSpell, key: str = "") -> Source:
    """The source that an item is for one of its spells: its own numbers, or those of who holds it (R5.538)."""
    uses, most = int(named.uses) if named.uses.isdecimal() else -1, named.most if named.more else 0
    own = Source(usual_ability(who), named.level, uses, named.dc, named.attack, NO_COMPONENTS)
    return attrs.evolve(own, item=key, charges=named.charges, most=most)


def source_or_usual(who: Character, spell: catalogue.Spell) -> Source:
    """The source from which somebody casts a spell, or the usual one for what they do not have themselves."""
    return source_of(who, spell) or Source(ability=usual_ability(who))


def _of_class(who: Character, spell: catalogue.Spell) -> Source | None:
    own = who.traits.get(spell.key, "")
    of_class = fields.text(who.trait_data.get(spell.key, {}), OF_CLASS) or own.partition(" ")[0]
    casters = casting_abilities()
    found = [of_class] if of_class in casters else list(_lists(who, spell))
    land = next(iter(who.traits_of("land")), "")
    always = [row.key for row, level in classes.classes_of(who) if spell.key in of_subclass(row.key, level, land)]
    usual = [row.key for row, _ in classes.classes_of(who) if row.key in casters]
    if own.endswith((CANTRIP, PREPARED)) or always:
        return Source(ability=_best(who, always or found or usual))
    if found and not is_listed(who, spell):
        return Source(ability=_best(who, found))
    is_in_book = spell.key in features.chosen_for(who, KNOWN) and spell.ritual and features.has(who, "Ritual Adept")
    return Source(ability="int", ritual_only=True) if is_in_book else None


def _lists(who: Character, spell: catalogue.Spell) -> Iterator[str]:
    """The classes of somebody that have a spell on their list, at a level that they can reach."""
    for row, level in classes.classes_of(who):
        if row.key in spell.classes and level:
            at = row.levels[level - 1]
            if spell.level <= max(len(at.slots), at.pact_level, len(table_of(who))):
                yield row.key


def _best(who: Character, keys: list[str]) -> str:
    """The ability of one of some classes with the highest score; Charisma for none."""
    found = [casting_abilities()[key] for key in keys if key in casting_abilities()]
    return max(found, key=lambda each: abilities.score(who, each), default="cha")


def usual_ability(who: Character) -> str:
    """The ability by which somebody casts what they do not know themselves: a scroll, what the GM allows."""
    known = _best(who, [row.key for row, _ in classes.classes_of(who)])
    casting = spellcasting_of(who)
    return casting.ability if casting is not None else known


def spellcasting_of(who: Character) -> catalogue.kinds.Spellcasting | None:
    """The spellcasting of a character's stat block, None for none."""
    return first_of(who, catalogue.kinds.Spellcasting)


def _innate(who: Character, spell: catalogue.Spell) -> Iterator[Source]:
    block, casting = block_of(who), spellcasting_of(who)
    for uses, cast in _of_block(casting) if casting is not None else ():
        if slug(cast.spell) == slug(spell.name) and casting is not None:
            attack, without = casting.attack or casting.dc - BASE_DC, (*casting.without, MATERIAL)
            yield Source(casting.ability, cast.level, uses, casting.dc, attack, without)
    if FREE in who.trait_data.get(spell.key, {}):
        yield Source(ability=usual_ability(who), uses=1)
    for held in effects_on(who, "spells") if block is None else ():
        effect = held.effect
        if effect.from_level <= who.level and any(slug(each.spell) == slug(spell.name) for each in effect.spells):
            uses = abilities.proficiency_bonus(who) if effect.uses else effect.free
            yield Source(ability=usual_ability(who), uses=uses if spell.level else -1)


def _of_block(casting: catalogue.kinds.Spellcasting) -> Iterator[tuple[int, catalogue.kinds.Cast]]:
    for cast in casting.at_will:
        yield -1, cast
    for times, casts in casting.per_day.items():
        for cast in casts:
            yield int(times), cast


def uses_left(who: Character, spell: catalogue.Spell, source: Source) -> int:
    """The castings without a slot that are left today (R5.308)."""
    return max(source.uses - counters.count(who.pools, USED, spell.key), 0)


def is_caster(who: Character) -> bool:
    """True for who can cast a spell without the help of an item."""
    found = (source_of(who, spell) for spell in catalogue.spells().values())
    return any(source is not None and not source.item for source in found)


def castable(who: Character) -> tuple[str, ...]:
    """The names of the spells that somebody can cast."""
    return tuple(spell.name.casefold() for spell in catalogue.spells().values() if source_of(who, spell) is not None)


def modifier(who: Character, source: Source) -> int:
    """The modifier of the spellcasting ability."""
    return abilities.modifier(who, source.ability)


def save_dc(who: Character, source: Source) -> int:
    """The DC of saves against somebody's spells (R5.218)."""
    own = BASE_DC + modifier(who, source) + abilities.proficiency_bonus(who)
    raised = sum(int(held.effect.by) for held in effects_on(who, "bonus") if "spell dc" in held.effect.to)
    return (source.dc or own + raised) + who.stats.get(DC, 0)


def attack_bonus(who: Character, source: Source) -> int:
    """The bonus of somebody's spell attacks (R5.219)."""
    own = modifier(who, source) + abilities.proficiency_bonus(who)
    return (source.attack or own) + who.stats.get(ATTACK, 0)


def caster_level(who: Character) -> int:
    """The level that decides cantrips: the character's, or a monster's challenge rating (R5.236, R5.308)."""
    block = block_of(who)
    if block is None:
        return max(who.level, 1)
    return int(block.cr) if block.cr.isdecimal() else 1
