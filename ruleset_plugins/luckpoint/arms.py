"""Arms and armour: protection, weapons by class, their dice (R1.23–R1.33, R1.57, Q1.3, Q1.4, Q1.17–Q1.19, Q1.29)."""

from functools import lru_cache

from rollbook.kit import d20, data, equipment, stat_entry
from rollbook.plugin import Character, Term, not_found
from rollbook.rulesets.luckpoint.abilities import MANEUVERS, ability_term, better, rating_terms, special_abilities_of
from rollbook.rulesets.luckpoint.settings import MANEUVERS_RATING as ADDS_MANEUVERS
from rollbook.rulesets.luckpoint.settings import Settings

SHIELD_BONUS = 2
NO_COVER = "none"


class Cover(data.Row):
    """A row of the cover table; those whom it ``hides`` cannot be attacked."""

    name: str
    armour_class: int
    hides: bool = False


ARMOURS = data.by_key(__package__, "armour.json", equipment.Armour)
COVERS = data.by_key(__package__, "cover.json", Cover)
COVER_HELP = "the best cover that could stop the attack; a bush or a paper wall could not (R1.25)"


def armour_terms(who: Character, *, cover: str = NO_COVER) -> list[Term]:
    """The summands of an armour class; shield and cover add up (Q1.29)."""
    terms = equipment.armour_terms(who, ARMOURS, ability_term(who, "dex"), rule="QG.8")
    shield = equipment.shield_of(who)
    if shield:
        terms.append(equipment.worn_term(shield, "", SHIELD_BONUS, "R1.24"))
    if COVERS[cover].armour_class:
        terms.append(Term(COVERS[cover].armour_class, COVERS[cover].name, "R1.24"))
    terms += [
        Term(row.armour_class, row.name, row.rule, row.path) for row in special_abilities_of(who) if row.armour_class
    ]
    terms += stat_entry.terms(who, "ac", "ruling")
    return terms


def armour_class(who: Character, *, cover: str = NO_COVER) -> int:
    """The total that an attack must reach."""
    return sum([term.amount for term in armour_terms(who, cover=cover)])


TO_HIT, DAMAGE = "to_hit", "damage"
"""The numbers that can be entered for monsters; a number of that name on the sheet adds to them."""

BEST, NOTHING = "best", "none"
UNARMED = "unarmed"


class WeaponKind(data.Row):
    """A row of the damage table.

    ``adds`` is the ability that its damage adds: str, dex, the ``best`` of the two, or none. ``meaning`` is that of the
    class in other games. A blast hits all within so many ``metres`` (0: as far as the GM says). A weapon that
    ``has_to_be_held`` cannot be used without holding one.
    """

    name: str
    dice: str
    adds: str
    meaning: str
    rule: str
    is_light: bool = False
    is_ranged: bool = False
    is_great: bool = False
    is_blast: bool = False
    metres: int = 0
    has_to_be_held: bool = False

    @property
    def most(self) -> int:
        """The most that its dice show."""
        return d20.maximum(self.dice)


class ListedWeapon(data.Row):
    """A weapon of the catalogue; fists and feet are always at hand."""

    kind: str
    needs_no_hand: bool = False


class Weapon(data.Frozen):
    """A weapon to strike with; ``item`` is its name."""

    item: str
    kind: WeaponKind
    tags: tuple[str, ...] = ()


CLASSES = data.by_key(__package__, "weapon_classes.json", WeaponKind)
CATALOGUE = data.by_key(__package__, "weapons.json", ListedWeapon)
ALWAYS = tuple(key for key, row in CATALOGUE.items() if row.needs_no_hand)
WEAPON_WORDS = (*CLASSES, *ALWAYS)
"""The weapons that can be named without holding one."""


@lru_cache(maxsize=512)
def _read(item: str, use: equipment.Use) -> Weapon | None:
    """A thing as a weapon: by its use, ``weapon:CLASS`` and then tags, or else by its name in the catalogue."""
    sort, kind, *tags = (*use, "", "")
    if sort == equipment.WEAPON and kind in CLASSES:
        return Weapon(item=item, kind=CLASSES[kind], tags=tuple(tag for tag in tags if tag))
    listed = CATALOGUE.get(item.casefold())
    return Weapon(item=item, kind=CLASSES[listed.kind]) if listed and not use else None


@lru_cache(maxsize=64)
def _own(item: str, kind: str) -> Weapon:
    return Weapon(item=item, kind=CLASSES[kind])


def held_weapons(who: Character) -> list[Weapon]:
    """The weapons that a character holds, in the order in which they were gained."""
    return equipment.read_all(who, _read)


def weapons_of(who: Character) -> list[Weapon]:
    """The same, or bare hands if there is nothing."""
    return held_weapons(who) or [_own(UNARMED, CATALOGUE[UNARMED].kind)]


def aimed_weapons(who: Character) -> tuple[str, ...]:
    """Names of the weapons that strike one target: no blasts."""
    return tuple(weapon.item for weapon in weapons_of(who) if not (weapon.kind.is_blast and weapon.kind.metres))


def wield(who: Character, name: str) -> Weapon:
    """The weapon of that name: a thing held, a class of weapons, or bare hands. Raises NotFound."""
    held = equipment.read_one(who, name, _read)
    if held is not None:
        return held
    key = name.casefold()
    if key in ALWAYS:
        return _own(key, CATALOGUE[key].kind)
    if key in CLASSES:
        return _own(key, key)
    raise not_found(f"weapon of {who.name}'s", name, (*(each.item for each in held_weapons(who)), *WEAPON_WORDS))


ARMS = equipment.Arms(
    holds=lambda who: (weapon.item for weapon in held_weapons(who)),
    body=lambda _: ALWAYS,
    classes=tuple(key for key, row in CLASSES.items() if not row.has_to_be_held),
)


def to_hit_terms(who: Character, skill: str = MANEUVERS) -> list[Term]:
    """The summands of an attack roll (R1.18); powers may name another skill (Q1.35)."""
    return [*rating_terms(who, skill), *stat_entry.terms(who, TO_HIT)]


def damage_terms(who: Character, weapon: Weapon, settings: Settings) -> list[Term]:
    """The summands of a weapon's damage (R1.32): the penalty of light weapons, an ability, an entered number."""
    kind = weapon.kind
    terms = [Term(settings.light_penalty, "light weapon", "R1.26")] if kind.is_light and settings.light_penalty else []
    if kind.is_great and settings.damage_adder == ADDS_MANEUVERS:
        terms += rating_terms(who, MANEUVERS)
    elif kind.adds == BEST:
        terms.append(ability_term(who, better(who, ("str", "dex"))))
    elif kind.adds != NOTHING:
        terms.append(ability_term(who, kind.adds))
    return terms if kind.is_blast else [*terms, *stat_entry.terms(who, DAMAGE)]
