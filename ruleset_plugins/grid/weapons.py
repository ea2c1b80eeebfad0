"""Weapons and ammunition: dice, critical range, grips, and arrows left (R4.48–R4.52, Q4.14, Q4.43)."""

from collections.abc import Iterable
from functools import lru_cache

import attrs

from rollbook.kit import data, equipment
from rollbook.plugin import Character, CharacterKind, Record, Square, Table, events
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.squares import FEET

MAIN, OFF, BOTH, SHEATH, DOWN = "main", "off", "both", "sheath", "down"
PLACES = (MAIN, OFF, BOTH, SHEATH, DOWN)
"""The places of a weapon: the main hand, the other, both, its sheath, or the ground."""

WIELDED = (MAIN, OFF, BOTH)
LISTED, USABLE = "x", "y"
"""The marks of a grip: the printed dice are those of this grip, or it is the other way to hold the thing."""

SIZES = ("1d3", "1d4", "1d6", "1d8", "1d10", "1d12")
THROWN_RANGE = 20
"""The range of a thrown dagger, spear or axe, in feet (Q4.13)."""


class WeaponKind(data.Row):
    """A row of the weapon table.

    A roll of ``threat`` or more may be a critical hit, for ``times`` the damage (R4.49, Q4.7). ``one_hand`` and
    ``two_hands`` carry the marks of the grips. ``range`` is in feet, 0 for melee weapons. ``confidence`` says how sure the
    reading of the printed columns is.
    """

    name: str
    dice: str
    confidence: str
    threat: int = 20
    times: int = 2
    light: bool = False
    one_hand: str = ""
    two_hands: str = ""
    range: int = 0
    thrown: bool = False
    innate: bool = False
    ammunition: str = ""
    classes: tuple[str, ...] = ()
    meaning: str = ""

    @property
    def usual_grip(self) -> str:
        """The grip of the printed dice; one hand if they are those of both."""
        return MAIN if self.one_hand == LISTED or not self.two_hands else BOTH

    def fits(self, place: str) -> bool:
        """Tell whether it can be held there."""
        marks = {MAIN: self.one_hand, OFF: self.one_hand, BOTH: self.two_hands}
        return bool(marks.get(place, LISTED))


class Ammunition(data.Row):
    """The ammunition of a weapon, and the count that a character begins with (R4.51)."""

    item: str
    count: int


WEAPONS = data.by_key(__package__, "weapons.json", WeaponKind)
CARRIED = tuple(row.key for row in WEAPONS.values() if not row.innate)
AMMUNITION = data.by_key(__package__, "ammunition.json", Ammunition)
UNARMED, NATURAL = "unarmed", "natural"
BY_MEANING = {"light": "dagger", "medium": "sword", "heavy": "greatsword", "ranged": "shortbow"}
"""The weapons that stand in for those of another game, by meaning."""


@attrs.frozen
class Weapon(Record):
    """A character's weapon: its name, its kind, and its place; one that fell or was thrown lies on a ``square``."""

    item: str
    kind: WeaponKind
    place: str
    square: Square | None = None

    @property
    def dice(self) -> str:
        """The damage dice in this grip: a size more in both hands, a size fewer in one (R4.50, Q4.12)."""
        mark = self.kind.two_hands if self.place == BOTH else self.kind.one_hand
        if mark != USABLE:
            return self.kind.dice
        step = SIZES.index(self.kind.dice) + (1 if self.place == BOTH else -1)
        return SIZES[max(0, min(step, len(SIZES) - 1))]

    def strength(self, bonus: int, settings: Settings) -> int:
        """The Strength in its damage: all, half in the off hand, half more in both; a penalty whole (R4.20, Q4.11)."""
        if bonus <= 0 or self.place not in (OFF, BOTH):
            return bonus
        return settings.half(bonus) if self.place == OFF else bonus + settings.half(bonus)

    def reach(self, *, thrown: bool = False) -> int:
        """The reach or range, in feet."""
        return THROWN_RANGE if thrown else self.kind.range or FEET


def use_of(key: str, place: str, square: Square | None = None) -> equipment.Use:
    """The use of a weapon, as it is stored: where it is, and on which square it lies."""
    words = (equipment.WEAPON, key, place)
    return words if square is None else (*words, *map(str, square))


def _square(words: equipment.Use) -> Square | None:
    """The square that was stored, if one was."""
    try:
        east, north, up = map(int, words)
    except ValueError:
        return None
    return east, north, up


@lru_cache(maxsize=512)
def _read(item: str, use: equipment.Use) -> Weapon | None:
    """The weapon in a thing's use, or by its name alone."""
    sort, key, place = (*use, "", "", "")[:3]
    if sort == equipment.WEAPON and key in WEAPONS:
        return Weapon(item, WEAPONS[key], place if place in PLACES else DOWN, _square(use[3:]))
    return Weapon(item, WEAPONS[item.casefold()], DOWN) if not use and item.casefold() in CARRIED else None


def weapons_of(who: Character) -> tuple[Weapon, ...]:
    """Every weapon of a character; one with only a name from the table lies on the ground."""
    return tuple(equipment.read_all(who, _read))


def wielded(who: Character) -> tuple[Weapon, ...]:
    """The weapons in a character's hands, the main one first."""
    weapons = weapons_of(who)
    ready = (next((each for each in weapons if each.place == place), None) for place in (BOTH, MAIN, OFF))
    return tuple(each for each in ready if each is not None)


def ready_weapons(who: Character) -> tuple[str, ...]:
    """The weapons that a character can strike with at once: those in the hands, and bare hands."""
    return *(each.item for each in wielded(who)), innate(who).kind.key


def innate(who: Character) -> Weapon:
    """The weapon of bare hands; the natural one of a monster."""
    return Weapon("", WEAPONS[NATURAL if who.kind is CharacterKind.MONSTER else UNARMED], MAIN)


def at_hand(who: Character) -> Weapon:
    """The weapon that a character strikes with by default and in attacks of opportunity (R4.33, Q4.9)."""
    return next(iter(wielded(who)), None) or innate(who)


def strikers(who: Character) -> tuple[Weapon, ...]:
    """The weapons of an attack that names none: one in each hand, or the one at hand (R4.14)."""
    ready = wielded(who)
    return ready[:2] if are_two(ready) else ready[:1] or (innate(who),)


def are_two(ready: Iterable[Weapon]) -> bool:
    """Tell whether the wielded weapons are one in each hand (R4.14)."""
    return {MAIN, OFF} <= {each.place for each in ready}


AMMUNITION_USE = "ammunition"


def _item(who: Character, kind: str) -> str:
    """The thing that is ammunition of this sort, "" for none."""
    row = AMMUNITION[kind]
    fitting = (
        item
        for item, gear in who.gear.items()
        if gear.count > 0
        and (gear.use == (AMMUNITION_USE, kind) or (not gear.use and item.casefold() in (row.item, row.key)))
    )
    return next(fitting, "")


def can_shoot(who: Character, weapon: Weapon) -> bool:
    """Tell whether there is anything left to shoot with it."""
    return not weapon.kind.ammunition or bool(_item(who, weapon.kind.ammunition))


def check_shot(table: Table, who: Character, weapon: Weapon) -> None:
    """Refuse to shoot without ammunition, before an enemy gets an opening from it."""
    if not can_shoot(who, weapon):
        row = AMMUNITION[weapon.kind.ammunition]
        table.refuse(
            f"{who.name} has no {row.item} left for the {weapon.kind.name}: give {who.id} {row.item}", "weapon"
        )


def shoot(table: Table, who: Character, weapon: Weapon) -> None:
    """Use up one shot for good. Refused without any."""
    if not weapon.kind.ammunition:
        return
    check_shot(table, who, weapon)
    table.record(events.GearLost(character=who.id, item=_item(who, weapon.kind.ammunition)))


def supply(table: Table, name: str, kind: str) -> None:
    """Give the first ammunition of a kind to a character without any."""
    row = AMMUNITION[kind]
    if not _item(table.character(name), kind):
        table.record(events.GearGained(character=name, item=row.item, count=row.count, use=(AMMUNITION_USE, kind)))
