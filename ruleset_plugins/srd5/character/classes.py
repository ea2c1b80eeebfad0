"""Classes of a character: levels in each, what they teach, and the features that a level has.

On record: a trait of the kind "class" for each class, in the order in which they were taken, the first being the one
a character began with; the stat ``levels_in_KEY`` counts the levels in it, and the engine's own level all of them
(R5.226). A subclass is a trait of the kind "subclass". Features follow from the levels: ask ``features.has``.
"""

from functools import cache

from rollbook.kit.remembering import remembered
from rollbook.plugin import Character, Table, events
from rollbook.rulesets.srd5 import catalogue

CLASS, SUBCLASS = "class", "subclass"
SUBCLASS_LEVEL = 3
CLASSES = (
    *("barbarian", "bard", "cleric", "druid", "fighter", "monk"),
    *("paladin", "ranger", "rogue", "sorcerer", "warlock", "wizard"),
)


def levels_stat(key: str) -> str:
    """The stat that counts the levels in a class."""
    return f"levels_in_{key}"


@remembered
def classes_of(who: Character) -> tuple[tuple[catalogue.CharacterClass, int], ...]:
    """The classes of a character, the first one first, each with its level."""
    mine = [trait for trait in who.traits_of(CLASS) if trait in CLASSES]
    return tuple((catalogue.classes()[key], who.stats.get(levels_stat(key), 0)) for key in mine)


def level_in(who: Character, key: str) -> int:
    """The levels of a character in one class."""
    return who.stats.get(levels_stat(key), 0) if who.traits.get(key) == CLASS else 0


@cache
def features(key: str, level: int) -> tuple[str, ...]:
    """The features of a class and its subclass up to a level, in the order in which they come."""
    row = catalogue.classes()[key]
    own = sorted((*row.features, *row.subclass.features), key=lambda each: each.level)
    return tuple(dict.fromkeys(each.name for each in own if each.level <= level))


@remembered
def features_of(who: Character) -> tuple[str, ...]:
    """The features of all classes of a character."""
    return tuple(name for row, level in classes_of(who) for name in features(row.key, level))


def text(who: Character, column: str) -> str:
    """A cell of the tables of a character's classes in words, "" where none has it."""
    for row, level in classes_of(who):
        found = row.levels[level - 1].numbers.get(column) if level else None
        if isinstance(found, str):
            return found
    return ""


EXTRA_ATTACKS = {"Extra Attack": 2, "Two Extra Attacks": 3, "Three Extra Attacks": 4}


def attacks_in_an_action(who: Character) -> int:
    """Attacks in one Attack action; Extra Attack of several classes does not add up (R5.231)."""
    return max((EXTRA_ATTACKS.get(feature, 1) for feature in features_of(who)), default=1)


def take_level(table: Table, name: str, key: str, levels: int = 1) -> None:
    """Record levels in a class, the first of which makes it one of the character's classes."""
    if table.character(name).traits.get(key) != CLASS:
        table.record(events.TraitGained(character=name, trait=key, kind=CLASS))
    table.record(events.StatChanged(character=name, stat=levels_stat(key), amount=levels, reason=key))
    table.record(events.LevelGained(character=name, levels=levels))
