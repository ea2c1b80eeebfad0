"""Gains from a feature, a feat, a level: what is settled is recorded, and what is left open is offered (R5.296, R5.322–R5.330).

``offer`` asks for a choice under a name that is free, and ``fill`` as often as something is missing. ``gain`` reads the
effects of a feature; ``top_up`` offers what a level's numbers leave open: masteries, metamagic, invocations, cantrips,
prepared spells.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rollbook.kit import open_choices, stat_entry
from rollbook.plugin import ABILITIES, Character, Table
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import CharacterClass, Feat, Spell, kinds
from rollbook.rulesets.srd5.character import abilities, classes, features
from rollbook.rulesets.srd5.character.abilities import EXPERTISE, LANGUAGE, MASTERY, SKILL, learn
from rollbook.rulesets.srd5.character.features import OPTION, OPTIONS, Owned, part_key, spelled
from rollbook.rulesets.srd5.fight import damage
from rollbook.rulesets.srd5.growth import uses
from rollbook.rulesets.srd5.magic import spells
from rollbook.rulesets.srd5.magic.spells import CANTRIP, FREE, KNOWN, OF_CLASS, PREPARED, in_book

TRAIT, ABILITY, FEAT_CHOICE = "trait", "ability", "feat"
"""Kinds of choices, by what is made of them."""

GIVES, BY, MOST, GROUP = "gives", "by", "most", "group"
"""The data of a choice: the kind of trait that it gives; by how much it raises a score, to which maximum, with which others."""

HIGHEST_SCORE = 20
TOOL_SORTS = ("Musical Instrument", "Gaming Set")
"""Tools of which there are several sorts, each a proficiency of its own."""

SECRET_LANGUAGES = ("Druidic", "Thieves' Cant")
OFFERED_ELSEWHERE = ("Metamagic", "Ability Score Improvement")


def offer(
    table: Table, name: str, called: str, options: Iterable[str], *, kind: str = TRAIT, many: int = 1, **data: str | int
) -> None:
    """Offer a choice, ``many`` times, under a name that is free; nothing where there is nothing to choose."""
    open_choices.offer_several(table, name, called, options, kind=kind, many=many, data=data, spelled=spelled)


def offer_for(table: Table, name: str, own: Owned, keys: Iterable[str], many: int = 1) -> None:
    """Offer spells of which a feature asks some; what is picked is a trait called "feature: key" (R5.486, R5.501)."""
    called = own.name.casefold()
    offer(table, name, own.name, (f"{called}: {key}" for key in keys), many=many, gives=called)


def fill(
    table: Table, name: str, called: str, gives: str, options: Iterable[str], most: int, *, of_class: str = ""
) -> None:
    """Offer as many as are missing, open ones counted; spells are counted by class."""
    who = table.character(name)
    held = {
        each.removeprefix(in_book("")): who.trait_data.get(each, {}).get(OF_CLASS, "") for each in who.traits_of(gives)
    }
    more = {OF_CLASS: of_class} if of_class else {}
    asked = [open_choices.data_of(who, each) for each in who.choices]
    still_open = [each for each in asked if (each.get(GIVES), each.get(OF_CLASS, "")) == (gives, of_class)]
    many = max(most - list(held.values()).count(of_class) - len(still_open), 0)
    offer(table, name, called, (each for each in options if each not in held), many=many, gives=gives, **more)


def new_at(row: CharacterClass, level: int) -> Iterator[kinds.Trait]:
    """The features that a level of a class brings; one that comes again is the same."""
    for name in row.levels[level - 1].features:
        named = [each for each in row.features if each.name == name]
        yield from [each for each in named if each.level == level] or named[:1]
    yield from (each for each in row.subclass.features if each.level == level)


def gain(table: Table, name: str, own: Owned) -> None:
    """Record what a feature settles by itself, and offer what it leaves open."""
    trait = own.trait
    if trait.needs.startswith("a cantrip"):
        offer_for(table, name, own, _cantrips_that_strike(table.character(name), own.source))
    for effect in trait.effects:
        rule = GAINS.get(effect.name if effect.kind == "special" else effect.kind)
        if rule is not None:
            rule(table, name, own, effect)
    if trait.when or trait.name in OFFERED_ELSEWHERE:
        return
    parts = [each for each in trait.parts if each.level <= own.level]
    if trait.choose and parts:
        options = [part_key(trait, each) for each in parts]
        offer(table, name, trait.name, options, many=trait.choose, gives=OPTION, source=own.origin, level=own.level)
    for part in () if trait.choose else parts:
        gain(table, name, Owned(f"{own.origin.rpartition(':')[0]}:{part.name}", part, own.level, own.source, own))


def _proficiencies(table: Table, name: str, own: Owned, effect: kinds.Proficiency) -> None:
    if effect.choose:
        kind = EXPERTISE if effect.expertise else LANGUAGE if effect.any == LANGUAGE else SKILL
        called = own.name if kind in own.name.casefold() else f"{own.name} {kind}"
        offer(table, name, called, effect.skills or _of_any(effect.any, own), many=effect.choose, gives=kind)
        return
    learn(table, name, SKILL, *effect.skills)
    learn(table, name, abilities.WEAPONS, *effect.weapons)
    learn(table, name, abilities.ARMOUR, *effect.armour)
    learn(table, name, abilities.SAVE, *(f"{each} save" for each in effect.saves))


def _of_any(word: str, own: Owned) -> tuple[str, ...]:
    """The proficiencies that a word of the catalogue means."""
    if word == LANGUAGE:
        known = catalogue.creation()
        return (*known.languages, *(each for each in known.rare_languages if each not in SECRET_LANGUAGES))
    of_class = catalogue.classes()[own.source].skills.among if word == "class skill" else ()
    return (*(of_class or abilities.SKILLS), *(tools(()) if "tool" in word else ()))


def tools(among: tuple[str, ...]) -> list[str]:
    """The keys of tools that are meant by names and sorts; of all for none."""
    rows = catalogue.equipment().values()
    single = [r for r in rows if r.variant_of in TOOL_SORTS or (r.tool is not None and r.name not in TOOL_SORTS)]
    artisan = "artisan's tools" in among
    return [
        row.key
        for row in single
        if not among or {row.name, row.variant_of} & set(among) or (artisan and row.tool and row.tool.artisan)
    ]


def _abilities(table: Table, name: str, own: Owned, effect: kinds.AbilityChange) -> None:
    most = effect.most or HIGHEST_SCORE
    if effect.ability in ABILITIES and effect.by:
        raise_ability(table, name, effect.ability, int(effect.by), most, own.name)
    elif effect.by:
        options, many = effect.among or ABILITIES, effect.count or 1
        offer(table, name, own.name, options, kind=ABILITY, many=many, by=int(effect.by), most=most)


def raise_ability(table: Table, name: str, ability: str, by: int, most: int, reason: str) -> None:
    """Raise a score, not beyond its maximum; hit points follow from Constitution by themselves (R5.214, R5.222)."""
    now = abilities.score(table.character(name), ability)
    if by and now < most:
        stat_entry.set_to(table, name, ability, min(now + by, most), reason=reason)


def _resistance(table: Table, name: str, own: Owned, effect: kinds.Resistance) -> None:
    """Offer the types among which a resistance is chosen, unless ancestry or land chooses."""
    chooses = effect.choose or "chosen" in effect.types
    if chooses and not own.origin.startswith("species:") and "by_land" not in own.trait.numbers:
        types = [each for each in effect.types if each != "chosen"]
        every = [each for each in damage.TYPES if each not in effect.spares]
        offer(table, name, own.name, types or every, gives=own.name.casefold())


def _spells(table: Table, name: str, own: Owned, effect: kinds.Special) -> None:
    """Offer spells that a feature teaches, adds to a book, or asks for itself (R5.361, R5.490, R5.501–R5.503)."""
    numbers, grown = effect.numbers, uses.by_level(own, "levels", None)
    lists = catalogue.classes() if "any" in numbers.get("lists", ()) else numbers.get("lists", (own.source,))
    highest = len(spells.table_of(table.character(name)))
    levels = numbers.get("levels") or ([grown] if grown else range(highest + 1))
    keys = [key for key in spells_of(lists, levels) if _fits(catalogue.spells()[key], numbers)]
    if numbers.get("from") == "book":
        keys = _of_book(table.character(name), keys)
    if "gives" in numbers:
        more = {FREE: numbers[FREE]} if FREE in numbers else {}
        offer(table, name, own.name, keys, many=int(numbers.get("count", 1)), gives=numbers["gives"], **more)
    else:
        offer_for(table, name, own, keys, int(numbers.get("count", 1)))


def _of_book(who: Character, keys: list[str]) -> list[str]:
    """Those of some spells that are in somebody's book; all of them while it is still to be written (R5.501, R5.502)."""
    held = {each.removeprefix(in_book("")) for each in who.traits_of(KNOWN)}
    is_open = any(open_choices.data_of(who, each).get(GIVES) == KNOWN for each in who.choices)
    return [key for key in keys if key in held] if held and not is_open else keys


def _fits(spell: Spell, numbers: Mapping[str, Any]) -> bool:
    return all(getattr(spell, each) == numbers[each] for each in ("school", "casting", "ritual") if each in numbers)


def spells_of(lists: Iterable[str], levels: Iterable[int]) -> list[str]:
    """The keys of the spells of some classes and levels."""
    wanted, at = set(lists), set(levels)
    return [key for key, spell in catalogue.spells().items() if spell.level in at and wanted & set(spell.classes)]


def _cantrips_that_strike(who: Character, source: str) -> list[str]:
    """The cantrips of a class that somebody knows and that strike (R5.486)."""
    known = [key for key in spells_of((source,), (0,)) if who.traits.get(key) == CANTRIP]
    return [key for key in known if {"attack", "save"} & {each.kind for each in catalogue.spells()[key].effects}]


def offer_feat(table: Table, name: str, category: str) -> None:
    """Offer the feats of a category, or any that one may have (R5.296, R5.324, R5.325)."""
    who = table.character(name)
    rows = [feat for feat in catalogue.feats().values() if category in (feat.category, "any") and not lacks(who, feat)]
    gives = features.STYLE if category == features.STYLE else features.FEAT
    called = FEAT_CHOICE if category == "any" else f"{category} feat"
    offer(table, name, called, (feat.key for feat in rows), kind=FEAT_CHOICE, gives=gives)


def lacks(who: Character, feat: Feat) -> str:
    """The reason why somebody may not have a feat, "" if they may (R5.296)."""
    if feat.key in who.traits and not feat.repeatable:
        return "had already"
    if who.level < feat.level:
        return f"from level {feat.level} on"
    if feat.minimum and not any(abilities.score(who, each) >= least for each, least in feat.minimum.items()):
        return " or ".join(f"{each.upper()} {least}" for each, least in feat.minimum.items())
    enough = {feat.needs, "Pact Magic"} if feat.needs == "Spellcasting" else {feat.needs} - {""}
    return feat.needs if enough and not enough & set(classes.features_of(who)) else ""


def take_feat(table: Table, name: str, key: str) -> None:
    """Give a feat, with the choices that it brings (R5.296)."""
    feat = catalogue.feats()[key]
    learn(table, name, features.STYLE if feat.category == features.STYLE else features.FEAT, key)
    if key == "ability-score-improvement":
        offer(table, name, "ability score", ABILITIES, kind=ABILITY, many=2, by=1, most=HIGHEST_SCORE)
        return
    for benefit in feat.benefits:
        gain(table, name, Owned(f"feat:{key}:{benefit.name}", benefit, table.character(name).level, key))


GAINS: dict[str, Callable[[Table, str, Owned, Any], None]] = {
    "proficiency": _proficiencies,
    "ability": _abilities,
    "resist": _resistance,
    "feat": lambda table, name, _, effect: offer_feat(table, name, str(effect.numbers["category"])),
    LANGUAGE: lambda table, name, _, effect: learn(table, name, LANGUAGE, str(effect.numbers["name"])),
    "learn spells": _spells,
}
"""Functions for what effects give once, by their kinds and by the names of rules of their own."""


def top_up(table: Table, name: str, row: CharacterClass, level: int) -> None:
    """Offer what the numbers of a level leave open (R5.327, R5.329, R5.474, R5.485, R5.496, R5.503)."""
    who, at = table.character(name), row.levels[level - 1]
    highest = max(len(at.slots), at.pact_level)
    in_reach = spells_of((row.key,), range(1, highest + 1))
    for own in (each for each in features.owned(who) if each.source == row.key):
        for effect in own.trait.effects:
            if getattr(effect, "name", "") == "weapon mastery":
                many = uses.number(who, own, str(effect.numbers["count"]))
                fill(table, name, MASTERY, MASTERY, _weapons_with_mastery(who, effect.numbers.get("only", "")), many)
            if getattr(effect, "name", "") == "adds to the book":
                many = effect.numbers["count"] + effect.numbers["each_new_level"] * (highest - effect.numbers["level"])
                fits = [key for key in in_reach if _fits(catalogue.spells()[key], effect.numbers)]
                fill(table, name, own.name, KNOWN, fits, many, of_class=own.name)
        if "options" in own.trait.numbers:
            kind, most = OPTIONS[row.key], uses.by_level(own, "options")
            options = [each.name for each in row.options if each.level <= level and each.name not in who.traits]
            fill(table, name, kind, kind, options, int(at.numbers.get(str(most), most)))
    if row.casting is not None:
        book = row.casting.book + row.casting.book_level * (level - 1)
        cantrips, prepared = (int(at.numbers.get(each, 0)) for each in ("cantrips", "prepared spells"))
        fill(table, name, f"{row.key} book", KNOWN, in_reach, book, of_class=row.key)
        fill(table, name, f"{row.key} cantrip", CANTRIP, spells_of((row.key,), (0,)), cantrips, of_class=row.key)
        fill(table, name, f"{row.key} spell", PREPARED, in_reach, prepared, of_class=row.key)


def _weapons_with_mastery(who: Character, form: str) -> Iterator[str]:
    """The weapons that somebody knows and that have a mastery, perhaps only those for melee."""
    for key, item in catalogue.equipment().items():
        is_such = item.weapon is not None and item.weapon.mastery and form in ("", "proficient", item.weapon.form)
        if is_such and abilities.is_weapon_proficient(who, item):
            yield key
