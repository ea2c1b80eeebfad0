"""Armour class, weapons, their dice and their reach (R0.39–R0.45, R0.58–R0.61, R0.88–R0.92)."""

from collections.abc import Iterator
from functools import lru_cache

import attrs

from rollbook.kit import d20, data, equipment, stat_entry
from rollbook.plugin import Character, Record, Term, not_found
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character.abilities import ability_term, bonus
from rollbook.rulesets.storytoken.character.heritages import HUMAN_FORM, form_of, heritage_of
from rollbook.rulesets.storytoken.character.roles import role_terms
from rollbook.rulesets.storytoken.settings import Settings

HIDDEN = "hidden"
"""The condition of entering a fight motionless and partly hidden; moving or attacking ends it (Q0.64)."""

SHIELD_TERM = Term(1, "shield", "R0.44", "gear.shield")
COVER_TERM = Term(1, "partial cover", "R0.44")


class Armour(equipment.Armour):
    """A row of the armour table; ``speed`` is in feet per round."""

    speed: int


ARMOURS = data.by_key(__package__, "armour.json", Armour)


def armour_terms(who: Character, settings: Settings, *, cover: bool = False) -> Iterator[Term]:
    """The terms of an armour class."""
    yield from lasting_armour_terms(who, settings, cover=cover)
    if who.has(HIDDEN):
        yield from role_terms(who, "hidden_armour_class", settings)
    if who.has(conditions.EVASIVE):
        strength = conditions.number(who.conditions[conditions.EVASIVE], conditions.STRENGTH)
        yield Term(strength, "evasive", "R0.172", f"condition.{conditions.EVASIVE}")


def lasting_armour_terms(who: Character, settings: Settings, *, cover: bool = False) -> list[Term]:
    """The terms of an armour class that do not end with a fight."""
    terms = equipment.armour_terms(who, ARMOURS, ability_term(who, "dex"), rule="R0.45")
    shield = equipment.shield_of(who)
    if shield:
        terms.append(SHIELD_TERM)
    if cover and (settings.shield_and_cover_stack or not shield):
        terms.append(COVER_TERM)
    heritage = heritage_of(who)
    is_soft = heritage.forms and settings.were_ac_forms == "hybrid_animal" and form_of(who) == HUMAN_FORM
    if heritage.armour_class and not is_soft:  # a werebeast's form may have no bonus (Q0.59)
        terms.append(Term(heritage.armour_class, heritage.name, heritage.rule, f"trait.{heritage.key}"))
    return [*terms, *stat_entry.terms(who, "ac", "ruling")]


def armour_class(who: Character, settings: Settings, *, cover: bool = False) -> int:
    """The total that an attack must reach."""
    return sum([term.amount for term in armour_terms(who, settings, cover=cover)])


UNARMED, BITE = "unarmed", "bite"


class RangeBand(data.Row):
    """A band of distances, up to ``feet``; the far ones have no number (R0.91, R0.92)."""

    name: str
    words: str
    rule: str
    feet: int | None = None


class WeaponKind(data.Row):
    """A row; ``ability`` is str, dex, best (of the two) or dual (Q0.25), ``meaning`` what other games take it for."""

    name: str
    dice: str
    ability: str
    range: str
    rule: str
    meaning: str
    halved: bool = False
    ranged: bool = False


BANDS = data.load(__package__, "ranges.json", RangeBand)
REACH = {band.key: band.feet for band in BANDS if band.feet is not None}
"""Bands with a far end in feet. Feet are what counts, not the printed metres (Q0.27)."""

BEYOND_FEET = tuple(band.key for band in BANDS if band.feet is None)
"""The bands beyond them, nearest first, which are known by name alone (R0.91, R0.92)."""

_ORDER = {band.key: place for place, band in enumerate(BANDS)}

MELEE = REACH["melee"]
FARTHEST = max(REACH.values())
CLASSES = data.by_key(__package__, "weapons.json", WeaponKind)


@lru_cache(maxsize=512)
def band_of(distance: int) -> RangeBand:
    """The band of a distance in feet; the first without a number beyond the last that has one."""
    return next(band for band in BANDS if band.feet is None or distance <= band.feet)


@attrs.frozen
class Place(Record):
    """The distance of a target: in ``feet``, or in a ``band`` that has none."""

    feet: int = 0
    band: str = ""

    @property
    def is_near(self) -> bool:
        """Tell if it can be struck in melee."""
        return not self.band and self.feet <= MELEE

    @property
    def band_key(self) -> str:
        """The band that it is in."""
        return self.band or band_of(self.feet).key


NEAR = Place()


class Weapon(data.Frozen):
    """A weapon to strike with: ``item`` is its name, ``range`` its outermost band."""

    item: str
    kind: WeaponKind
    range: str
    tags: tuple[str, ...] = ()

    @property
    def said_reach(self) -> str:
        """Its reach, in words."""
        return str(max(REACH[self.range], MELEE)) if self.range in REACH else f"the band {self.range}"

    def reaches(self, place: Place) -> bool:
        """Tell if it can strike there: everything can in melee, and nothing beyond its own band (R0.88, R0.91)."""
        return place.is_near or _ORDER[place.band_key] <= _ORDER[self.range]

    def is_ranged(self, place: Place) -> bool:
        """Tell if an attack there is shot or thrown."""
        return self.kind.ranged or not place.is_near

    def is_strained(self, place: Place) -> bool:
        """Tell if the target is in the outermost band, which is hard to hit; melee never is (R0.88, Q0.26)."""
        return not place.is_near and place.band_key == self.range


TECH = "tech"
"""The tag of a weapon, or the use of a thing, that fails when it is overheated (R0.79)."""

WEAPON_WORDS = (*CLASSES, UNARMED, BITE)
"""The weapons that can be named without holding one."""


@lru_cache(maxsize=512)
def _read(item: str, use: equipment.Use) -> Weapon | None:
    """The weapon in a thing's use: ``weapon:CLASS`` and then a band or tags, as in ``weapon:light:throwing:silver``."""
    what, kind, *more = (*use, "", "")
    if what != equipment.WEAPON or kind not in CLASSES:
        return None
    row = CLASSES[kind]
    band = next((word for word in more if word in _ORDER), row.range)
    tags = tuple(word for word in more if word and word not in _ORDER)
    return Weapon(item=item, kind=row, range=band, tags=tags)


def held_weapons(who: Character) -> list[Weapon]:
    """The weapons that a character holds, in the order in which they were gained."""
    return equipment.read_all(who, _read)


def weapons_of(who: Character) -> list[Weapon]:
    """Weapons held, except by an animal (R0.142), then a bite, and bare hands if there is nothing else."""
    heritage = heritage_of(who)
    found = [] if heritage.no_tools else held_weapons(who)
    if heritage.bite:
        found.append(_own(BITE, heritage.bite))
    return found or [_own(UNARMED, heritage.unarmed)]


def weapon_names(who: Character) -> tuple[str, ...]:
    """The names of these."""
    return tuple(weapon.item for weapon in weapons_of(who))


@lru_cache(maxsize=64)
def _own(item: str, kind: str) -> Weapon:
    return Weapon(item=item, kind=CLASSES[kind], range=CLASSES[kind].range)


def wield(who: Character, name: str) -> Weapon:
    """The weapon of that name: a thing held, a class of weapons, ``unarmed`` or ``bite``. Raises NotFound."""
    held = equipment.read_one(who, name, _read)
    if held is not None:
        return held
    if name == UNARMED:
        return _own(UNARMED, heritage_of(who).unarmed)
    if name == BITE and heritage_of(who).bite:
        return _own(BITE, heritage_of(who).bite)
    if name in CLASSES:
        return _own(name, name)
    known = [weapon.item for weapon in held_weapons(who)]
    raise not_found(f"weapon of {who.name}'s", name, (*known, *CLASSES, UNARMED))


ARMS = equipment.Arms(
    holds=lambda who: (weapon.item for weapon in held_weapons(who)),
    body=lambda who: (UNARMED, BITE) if heritage_of(who).bite else (UNARMED,),
    classes=CLASSES,
)


def weapon_ability(who: Character, weapon: Weapon, place: Place, settings: Settings) -> str:
    """The ability that both rolls of an attack use (Q0.24)."""
    if weapon.kind.ability == "best":
        return "dex" if bonus(who, "dex") > bonus(who, "str") else "str"
    if weapon.kind.ability == "dual":
        return settings.dual_light_ability
    return "dex" if weapon.is_ranged(place) else "str"


def extra_terms(who: Character, what: str, settings: Settings) -> list[Term]:
    """The terms of roles, and of numbers entered for monsters, for ``to_hit`` or ``damage``."""
    terms = [*role_terms(who, what, settings), *stat_entry.terms(who, what)]
    if who.has(conditions.ATTACKING):
        amount = conditions.number(who.conditions[conditions.ATTACKING], conditions.STRENGTH)
        terms.append(Term(amount, "attack course", "R0.172", f"condition.{conditions.ATTACKING}"))
    return terms


def attack_terms(who: Character, weapon: Weapon, settings: Settings, what: str, place: Place = NEAR) -> list[Term]:
    """The terms of the attack roll (``to_hit``) or of the ``damage`` of a weapon."""
    ability = weapon_ability(who, weapon, place, settings)
    terms = [ability_term(who, ability), *extra_terms(who, what, settings)]
    if what == "damage" and who.has(conditions.RAGING) and not weapon.is_ranged(place):
        terms.extend(role_terms(who, "rage_damage", settings))
    return terms


def damage_dice(weapon: Weapon, settings: Settings) -> str:
    """The dice of a weapon, in dice notation; a light weapon's die is halved upwards unless the table says (Q0.22)."""
    if not weapon.kind.halved:
        return weapon.kind.dice
    return weapon.kind.dice + ("/^2" if settings.light_half == "ceil" else "//2")


def most_damage(weapon: Weapon) -> int:
    """The maximum of a weapon's dice: half of a d6 is 3 (Q0.9)."""
    most = d20.maximum(weapon.kind.dice)
    return most // 2 if weapon.kind.halved else most
