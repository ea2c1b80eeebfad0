"""Armour class, which descends, the stances that change it, weapons and the skill to use them (R3.5, R3.23, R3.24, R3.77–R3.98).

The document lists no weapons (R3.103), so a thing is a weapon by its ``use``: ``weapon:melee``, ``weapon:two-handed``,
``weapon:ranged`` … and may bring dice of its own, as in ``weapon:melee:1d8``. Each rolls a d6, bare hands and torches a d3.
"""

from collections.abc import Iterator
from functools import lru_cache

import attrs

from rollbook.kit import data, equipment
from rollbook.plugin import Character, CharacterKind, Term, not_found
from rollbook.rulesets.russell.character import attributes, experience, stat_line, templates
from rollbook.rulesets.russell.delve.light_sources import burning
from rollbook.rulesets.russell.fight.hit_points import UNARMED
from rollbook.rulesets.russell.gear import thing
from rollbook.rulesets.russell.settings import Settings

PRESSING = "pressing"
DEFENDING = "defending"
STANCES = {PRESSING: (4, "R3.87"), DEFENDING: (-2, "R3.88")}
"""Ways to fight that last until one's next turn, with their change of armour class (Q3.31)."""


class Armour(data.Row):
    """A row of the armour table: ``meaning`` is none, light, medium or heavy."""

    name: str
    armour_class: int
    meaning: str


ARMOURS = data.by_key(__package__, "armour.json", Armour)


def worn(who: Character) -> tuple[str, Armour]:
    """The best armour among a character's things: its name and its row."""
    return equipment.best_armour(who, ARMOURS, lambda armour: -armour.armour_class)


def armour_terms(who: Character) -> Iterator[Term]:
    """Descending armour class, with the stances of a fight (R3.87, R3.88)."""
    yield from resting_armour_terms(who)
    for stance, (amount, rule) in STANCES.items():
        if who.has(stance):
            yield Term(amount, stance, rule, f"condition.{stance}")


def resting_armour_terms(who: Character) -> Iterator[Term]:
    """The summands of armour worn, one less for a shield, less Dexterity, in any armour; or a profile's number."""
    if stat_line.ARMOUR_CLASS in who.stats:
        yield Term(who.stats[stat_line.ARMOUR_CLASS], "as entered", "R3.96", f"stat.{stat_line.ARMOUR_CLASS}")
    else:
        yield from _worn_terms(who)
    for term in templates.effect_terms(who, "ac"):
        yield attrs.evolve(term, amount=-term.amount)


def _worn_terms(who: Character) -> Iterator[Term]:
    item, row = worn(who)
    yield equipment.worn_term(item, "no armour", row.armour_class, "R3.84")
    held = equipment.shield_of(who)
    if held:
        yield Term(-1, held, "R3.84", f"gear.{held}")
    dexterity = attributes.bonus(who, "dex")
    if dexterity:
        yield Term(-dexterity, "DEX", "R3.5", "stat.dex")


def target_term(target: Character) -> Term:
    """The target's armour class, which is added to a roll to hit (R3.77), without a name that might be hidden."""
    return Term(armour_class(target), "armour class", "R3.77")


def armour_class(who: Character) -> int:
    """Armour class, descending and without a lower bound (Q3.31)."""
    return sum(term.amount for term in armour_terms(who))


NATURAL, TORCH = "natural", "torch"
DAMAGE = "damage"
"""The stat that a profile adds to every damage roll."""


class WeaponKind(data.Row):
    """A row of the weapon table: its dice, and the farthest ``reach`` beyond arm's length, if it can be shot or thrown.

    A weapon that ``shoots`` is useless hand to hand; one that ``ignites`` may set things on fire (Q3.51). It takes so
    many ``hands``. One that ``has_to_be_held`` cannot be used without holding it.
    """

    name: str
    dice: str
    reach: str = ""
    shoots: bool = False
    ignites: bool = False
    hands: int = 1
    meaning: str = ""
    has_to_be_held: bool = False


KINDS = data.by_key(__package__, "weapons.json", WeaponKind)


class Weapon(data.Frozen):
    """A weapon to strike with: its name, its kind, and its dice."""

    item: str
    kind: WeaponKind
    dice: str

    @property
    def is_unarmed(self) -> bool:
        """Tell if it is bare hands."""
        return self.kind.key == UNARMED

    @property
    def is_thrown(self) -> bool:
        """Tell if it strikes hand to hand and can be thrown as well."""
        return bool(self.kind.reach) and not self.kind.shoots

    def is_ranged(self, band: int) -> bool:
        """Tell if a blow at this many bands is shot or thrown."""
        return self.kind.shoots or band > 0


@lru_cache(maxsize=512)
def read(item: str, use: tuple[str, ...]) -> Weapon | None:
    """The weapon in a thing's use: ``weapon:KIND`` and perhaps dice; a word that no table has is a hand weapon."""
    known = thing(item, use)
    if known.sort != equipment.WEAPON:
        return None
    kind = next((KINDS[word] for word in known.words[1:] if word in KINDS), KINDS["melee"])
    return Weapon(item=item, kind=kind, dice=known.dice or kind.dice)


def weapons_of(who: Character) -> tuple[Weapon, ...]:
    """The weapons that a character holds, or else bare hands or claws; a monster has its claws as well (R3.98)."""
    held = tuple(equipment.read_all(who, read))
    nature = of_kind(NATURAL if stat_line.has_profile(who) else UNARMED)
    return (*held, nature) if who.kind is CharacterKind.MONSTER else held or (nature,)


def weapon_names(who: Character) -> tuple[str, ...]:
    """The names of a character's weapons: those held or, with none, the natural kind."""
    held = tuple(weapon.item for weapon in equipment.read_all(who, read))
    return held or (NATURAL if stat_line.has_profile(who) else UNARMED,)


@lru_cache(maxsize=16)
def of_kind(key: str) -> Weapon:
    """A weapon that needs no thing of its own."""
    return Weapon(item=KINDS[key].name, kind=KINDS[key], dice=KINDS[key].dice)


def wield(who: Character, name: str) -> Weapon:
    """The weapon of this name: one held, or a kind. Raises NotFound with the near misses."""
    found = equipment.read_one(who, name, read)
    if found is None and name.casefold() in KINDS:
        return of_kind(name.casefold())
    if found is None:
        raise not_found(f"weapon of {who.name}'s", name, (*(each.item for each in weapons_of(who)), *KINDS))
    return found


def _body(who: Character) -> Iterator[str]:
    """Yield the weapons that need no holding: bare hands, claws for a profile, and a torch that burns."""
    yield UNARMED
    if stat_line.has_profile(who):
        yield NATURAL
    if any(light.source.key == TORCH for light in burning(who)):
        yield TORCH


ARMS = equipment.Arms(
    holds=lambda who: (weapon.item for weapon in equipment.read_all(who, read)),
    body=_body,
    classes=tuple(key for key, row in KINDS.items() if not row.has_to_be_held),
)


def weapon_skill_of(level: int, settings: Settings) -> int:
    """Weapon Skill by level alone: 1, and 1 more at every even level (R3.23, Q3.4, Q3.5)."""
    counted = level if settings.ws_after_10 == "even" else min(level, experience.LAST_DIE)
    return 1 + max(counted, 0) // 2


def weapon_skill_terms(who: Character, settings: Settings) -> Iterator[Term]:
    """1 and 1 more at every even level, or a monster's hit dice; templates add (R3.23, R3.77)."""
    if not stat_line.has_profile(who):
        yield Term(weapon_skill_of(who.level, settings), "level", "R3.23", "level")
    elif stat_line.WEAPON_SKILL not in who.stats:
        yield Term(who.stats[stat_line.HIT_DICE], "hit dice", "R3.96", f"stat.{stat_line.HIT_DICE}")
    yield from stat_line.entered_terms(who, stat_line.WEAPON_SKILL)
    yield from templates.effect_terms(who, "ws")


def shooting_skill_terms(who: Character) -> Iterator[Term]:
    """1, and only templates raise it (R3.24); monsters have 1 unless the profile says otherwise (Q3.44)."""
    if not (stat_line.has_profile(who) and stat_line.SHOOTING_SKILL in who.stats):
        yield Term(1, "to begin with", "R3.24")
    yield from stat_line.entered_terms(who, stat_line.SHOOTING_SKILL)
    yield from templates.effect_terms(who, "ss")


def to_hit_terms(who: Character, weapon: Weapon, settings: Settings, band: int = 0) -> Iterator[Term]:
    """Shooting Skill from afar, Weapon Skill hand to hand (R3.77, R3.80)."""
    return shooting_skill_terms(who) if weapon.is_ranged(band) else weapon_skill_terms(who, settings)


def weapon_term(who: Character, settings: Settings) -> Term:
    """Weapon Skill as one number (R3.23)."""
    return Term(sum(term.amount for term in weapon_skill_terms(who, settings)), "Weapon Skill", "R3.23")


def shooting_term(who: Character) -> Term:
    """Shooting Skill as one number (R3.24)."""
    return Term(sum(term.amount for term in shooting_skill_terms(who)), "Shooting Skill", "R3.24")


def damage_terms(who: Character, weapon: Weapon, band: int = 0) -> Iterator[Term]:
    """The terms of damage: Dexterity from afar, Strength hand to hand, templates and profiles (R3.3, R3.5)."""
    ranged = weapon.is_ranged(band)
    yield attributes.attribute_term(who, "dex" if ranged else "str", "R3.5" if ranged else "R3.3")
    if not ranged:
        yield from templates.effect_terms(who, "damage")
    if DAMAGE in who.stats:
        yield Term(who.stats[DAMAGE], "as entered", "R3.98", f"stat.{DAMAGE}")
