"""Weapons and what it takes to strike with one: to hit, damage, reach, range (R5.198, R5.253–R5.261).

On record: a thing whose use is ``("weapon", KEY, …)`` with a key of ``equipment.json``, or that is called like one.
Further words of the use: ``+1`` to ``+3`` for magic, ``silvered`` and the like for the GM. Ammunition is a thing
called like one in the catalogue. An attack with numbers of its own is a thing with the use ``("weapon", "entered",
"+5", "1d6+3", "slashing")``, and ``"ranged"`` after that for one that shoots.
"""

import re
from collections.abc import Callable
from functools import lru_cache

import attrs

from rollbook.kit import counters, equipment, require
from rollbook.kit.remembering import remembered
from rollbook.plugin import Action, Character, Record, Table, Term, character, events, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect
from rollbook.rulesets.srd5.catalogue.kinds import Weapon as Row
from rollbook.rulesets.srd5.character import abilities, features
from rollbook.rulesets.srd5.effects.lasting import CHOSEN
from rollbook.rulesets.srd5.fight import armour, states
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of

UNARMED, IMPROVISED, ENTERED, PACT = "unarmed", "improvised", "entered", "pact"
_ENTERED_DAMAGE = re.compile(r"(?P<dice>[0-9]{1,3}d[0-9]{1,4})?(?P<more>[+-]?[0-9]{1,4})?")
MELEE, RANGED = "melee", "ranged"
REACH = 5
UNARMED_ROW = Row(training="simple", form=MELEE, dice="1", type="bludgeoning", mastery="")
IMPROVISED_ROW = Row(
    training="", form=MELEE, dice="1d4", type="bludgeoning", mastery="", range=20, long=60, thrown=True
)


@attrs.frozen
class Weapon(Record):
    """A character's weapon: the thing's name, the key of its row, the row, and the magic bonus.

    Of one with numbers of its own, ``hit`` and ``more`` are all that is added to hit and to the damage.
    """

    item: str
    key: str
    row: Row
    magic: int = 0
    hit: int = 0
    more: int = 0

    def __hash__(self) -> int:
        return hash((self.item, self.key))

    @property
    def ability(self) -> str:
        """The usual ability: Dexterity for what shoots (R5.10)."""
        return "dex" if self.row.form == RANGED else "str"


BARE = Weapon(UNARMED, UNARMED, UNARMED_ROW)
"""Bare hands, feet, a head."""


@attrs.define(kw_only=True)
class Damage(Record):
    """One part of the damage of a strike: dice, summands and a type."""

    dice: str
    type: str
    terms: tuple[Term, ...] = ()


@attrs.define
class Strike(Record):
    """All that one attack is: its name, what is added to hit, its reach and ranges in feet, and what a hit does.

    ``parts`` are the damage of a weapon; ``hit``, ``miss`` and ``always`` are effects of the catalogue, of this
    ``origin`` and from this ``path`` on.
    """

    name: str
    terms: tuple[Term, ...]
    ability: str = ""
    reach: int = 0
    range: int = 0
    long: int = 0
    parts: tuple[Damage, ...] = ()
    hit: tuple[Effect, ...] = ()
    miss: tuple[Effect, ...] = ()
    always: tuple[Effect, ...] = ()
    origin: str = ""
    path: str = ""
    weapon: Weapon | None = None
    is_spell: bool = False
    edges: tuple[str, ...] = ()

    @property
    def farthest(self) -> int:
        """The feet beyond which nothing is hit: of a weapon with one range, that one."""
        return self.long or self.range

    @property
    def type(self) -> str:
        """The type of the damage, of its first part; "" for none."""
        return self.parts[0].type if self.parts else ""


@lru_cache(maxsize=1024)
def _read(item: str, use: equipment.Use) -> Weapon | None:
    """A weapon by its use, or by its name alone."""
    if use[:2] == (equipment.WEAPON, ENTERED):
        return _as_entered(item, use[2:])
    key = use[1] if len(use) > 1 and use[0] == equipment.WEAPON else ""
    if not key and not use:
        key = slug(item)
    row = catalogue.equipment().get(key)
    if row is None or row.weapon is None:
        return None
    magic = next((int(word) for word in use[2:] if word in ("+1", "+2", "+3")), 0)
    return Weapon(item, key, row.weapon, magic)


def _as_entered(item: str, words: equipment.Use) -> Weapon | None:
    """An attack with numbers of its own; None if they are not written as such."""
    hit, damage, kind = (*words, "", "", "")[:3]
    found = _ENTERED_DAMAGE.fullmatch(damage)
    if found is None or not damage or not re.fullmatch(r"[+-][0-9]{1,3}", hit):
        return None
    form, near, far = (RANGED, 80, 320) if RANGED in words[3:] else (MELEE, 0, 0)
    row = Row(training="", form=form, dice=found["dice"] or "0", type=kind, mastery="", range=near, long=far)
    return Weapon(item, ENTERED, row, hit=int(hit), more=int(found["more"] or 0))


@remembered
def weapons_of(who: Character) -> list[Weapon]:
    """The weapons that a character carries, as their magic has them."""
    return [_with_magic(who, each) for each in equipment.read_all(who, _read)]


def magic_of(who: Character, item: str) -> str:
    """The key of the magic item that a weapon is, as long as its power is somebody's; "" for none."""
    held = who.gear.get(item)
    key = features.item_key(item, held.use) if held is not None else ""
    return key if key and key in features.items_of(who) else ""


def _with_magic(who: Character, weapon: Weapon) -> Weapon:
    """The same with what its magic adds to attack and damage; one that strikes by Dexterity is a weapon with finesse (R5.280)."""
    key = magic_of(who, weapon.item)
    effects = catalogue.magic_items()[key].effects if key else ()
    more = sum(int(each.by) for each in effects if each.kind == "bonus" and each.of == "weapon")
    if any(each.kind == "weapon" and each.ability == "dex" for each in effects):
        weapon = attrs.evolve(weapon, row=attrs.evolve(weapon.row, finesse=True))  # type: ignore[misc] # made at load
    return attrs.evolve(weapon, magic=more) if more > weapon.magic else weapon


def weapon_names(who: Character) -> tuple[str, ...]:
    """The names of all that a character can strike with: attacks of the stat block, weapons, bare hands."""
    block = block_of(who)
    deeds = block.actions if block is not None else ()
    natural = (each.name for each in deeds if any(effect.kind == "attack" for effect in each.effects))
    return (*natural, *(weapon.item for weapon in weapons_of(who)), UNARMED)


def find(table: Table, who: Character, name: str) -> Weapon:
    """A character's weapon by its name, its key, or a clear part of either; the GM may name any.

    Anything else that they carry strikes as an improvised weapon (R5.158). Refused for what they do not have.
    """
    carried = _carried(who, name)
    if carried is not None:
        return carried
    wanted, row = slug(name), catalogue.equipment().get(slug(name))
    if (item := equipment.called(who, name)) in who.gear:
        return _as_weapon(item) or Weapon(item, IMPROVISED, IMPROVISED_ROW)
    if row is None or row.weapon is None or not table.gm_says("weapon"):
        have, give = ", ".join(weapon_names(who)), f"give {who.id} {wanted or 'ITEM'}"
        table.refuse(f"{who.name} has no {name}, but has: {have}. The GM gives one with: {give}", "weapon")
    return Weapon(row.name, wanted, row.weapon)


def _as_weapon(item: str) -> Weapon | None:
    """A thing that strikes like a simple weapon, as a torch does (R5.275)."""
    row = catalogue.equipment().get(slug(item))
    hits = next((each.hit for each in row.effects if each.kind == "attack"), ()) if row is not None else ()
    if row is None or not hits:
        return None
    simple = Row(training="simple", form=MELEE, dice=hits[0].dice, type=hits[0].types[0], mastery="")
    return Weapon(item, row.key, simple)


@remembered
def _carried(who: Character, name: str) -> Weapon | None:
    """The weapon that a name means: bare hands, the one of that name or key, or the first of which it is a part."""
    wanted, held = slug(name), weapons_of(who)
    if wanted in (UNARMED, "unarmed-strike"):
        return BARE
    exact = (each for each in held if wanted in (slug(each.item), each.key))
    likely = (each for each in held if wanted and (wanted in slug(each.item) or wanted in each.key))
    return next(exact, None) or next(likely, None)


@remembered
def usual(who: Character, *, after: tuple[str, ...] = ()) -> Weapon:
    """The weapon of an attack that names none: the first one carried, of those with a mastery if there are any, or bare hands.

    An extra attack comes ``after`` those with some weapons, and is made with another light one.
    """

    def rank(weapon: Weapon) -> tuple[bool, bool]:
        is_other = weapon.row.light and weapon.item not in after
        return bool(after) and not is_other, who.traits.get(weapon.key) != abilities.MASTERY

    return min(weapons_of(who), key=rank, default=BARE)


def ability_of(who: Character, weapon: Weapon, *, chosen: str = "") -> str:
    """The ability of attack and damage: the better one with finesse, unless one is chosen (R5.10, R5.255)."""
    if not weapon.row.finesse:
        return weapon.ability
    if chosen in ("str", "dex"):
        return chosen
    return "dex" if abilities.modifier(who, "dex") > abilities.modifier(who, "str") else "str"


def to_hit_terms(who: Character, weapon: Weapon, ability: str) -> tuple[Term, ...]:
    """The summands of an attack roll (R5.9, R5.25)."""
    if weapon.key == ENTERED:
        return (Term(weapon.hit, weapon.item, "R5.9", f"gear.{weapon.item}"), *_entered(who, "to_hit"))
    skilled = (abilities.proficiency_term(who),) if is_proficient(who, weapon) else ()
    return (abilities.modifier_term(who, ability), *skilled, *_magic(weapon, "R5.9"), *_entered(who, "to_hit"))


def _magic(weapon: Weapon, rule: str) -> tuple[Term, ...]:
    return (Term(weapon.magic, "magic", rule, f"gear.{weapon.item}"),) if weapon.magic else ()


def _entered(who: Character, stat: str) -> tuple[Term, ...]:
    return (Term(who.stats[stat], "as entered", "QG.8", f"stat.{stat}"),) if who.stats.get(stat) else ()


def is_proficient(who: Character, weapon: Weapon) -> bool:
    """True if the proficiency bonus counts: always in unarmed strikes, never with what is no weapon (R5.25, R5.158, R5.198)."""
    if weapon.key in (UNARMED, IMPROVISED, ENTERED):
        return weapon.key == UNARMED
    taught = abilities.is_weapon_proficient(who, catalogue.equipment()[weapon.key], weapon.row)
    return taught or is_bonded(who, weapon)


def is_bonded(who: Character, weapon: Weapon) -> bool:
    """True for the pact weapon of a warlock: the one that was chosen, or one whose use says so (R5.486)."""
    held = who.conditions.get("pact of the blade")
    chosen = str(held.data.get(CHOSEN, "")) if held is not None else ""
    use = who.gear[weapon.item].use if weapon.item in who.gear else ()
    return PACT in use or chosen in (weapon.key, weapon.item.casefold())


def damage_of(
    who: Character, weapon: Weapon, ability: str, *, two_handed: bool = False, die: str = "", type: str = ""
) -> Damage:
    """The damage of a weapon: its die and the ability of the attack, or a plain number, and magic (R5.79).

    A bare hand deals 1 and Strength (R5.198).
    """
    if weapon.key == ENTERED:
        own = Term(weapon.more, weapon.item, "R5.79", f"gear.{weapon.item}")
        return Damage(dice=weapon.row.dice, type=weapon.row.type, terms=(own, *_entered(who, "damage")))
    dice = die or (two_handed and weapon.row.versatile) or weapon.row.dice
    is_rolled = "d" in dice or weapon.key == UNARMED
    modifiers: tuple[Term, ...] = (abilities.modifier_term(who, ability),) if is_rolled else ()
    terms = (*modifiers, *_magic(weapon, "R5.79"), *_entered(who, "damage"))
    return Damage(dice=dice, type=type or weapon.row.type, terms=terms)


CHANGES: list[Callable[..., tuple[str, str, str]]] = []
"""Changes that features make to a weapon: functions of character, weapon, its ability, the chosen one, and ``two_handed``.

Each returns the ability, and a die and a type of damage, each "" for the weapon's own.
"""


@remembered
def strike_with(who: Character, weapon: Weapon, *, ability: str = "", two_handed: bool = False) -> Strike:
    """A strike with a weapon."""
    chosen, row, die, kind = ability, weapon.row, "", ""
    ability = ability_of(who, weapon, chosen=ability)
    for change in CHANGES:
        ability, die, kind = change(who, weapon, ability, chosen, two_handed=two_handed)
    reach, terms = 0 if row.form == RANGED else REACH * (1 + row.reach), to_hit_terms(who, weapon, ability)
    parts = (damage_of(who, weapon, ability, two_handed=two_handed, die=die, type=kind),)
    return Strike(weapon.item, terms, ability, reach, row.range, row.long, parts, weapon=weapon)


SHOT = "shot"
"""The counter of ammunition that was used up."""


def ammunition_of(who: Character, weapon: Weapon) -> str:
    """The thing that a weapon shoots, "" for none."""
    kind = weapon.row.ammunition
    return next((item for item, held in who.gear.items() if held.count > 0 and kind and kind in slug(item)), "")


def use_up(table: Table, who: Character, weapon: Weapon, *, thrown: bool) -> None:
    """Use up a shot, or throw the weapon away. Refused without anything to shoot with; monsters have enough (R5.254, Q5.8)."""
    if thrown and weapon.item in who.gear:
        table.record(events.GearLost(character=who.id, item=weapon.item))
    if not weapon.row.ammunition or block_of(who) is not None:
        return
    item = ammunition_of(who, weapon)
    if not item:
        what = f"{weapon.row.ammunition}s"
        table.refuse(f"{who.name} has no {what} left for the {weapon.item}: give {who.id} {what} --count 20", "weapon")
    table.record(events.GearLost(character=who.id, item=item))
    counters.change(table, who.id, counters.counter(SHOT, item), 1, weapon.item)


class Recover(Action, verb="recover"):
    """Look for ammunition after a fight, for a minute: half of what was used up is found (R5.254)."""

    sentence = "gathers ammunition"

    who: str = character("who looks for it", actor=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        one = require.living(table, who)
        if not any(counters.counted(one.pools, SHOT)) or table.encounter is not None:
            table.refuse(f"{one.name} has nothing to gather, or no time for it in a fight.", "who")

    def resolve(self, table: Table) -> None:
        self.check_available(table, self.who)
        who = table.character(self.who)
        for item, many in tuple(counters.counted(who.pools, SHOT)):
            counters.empty(table, who.id, counters.counter(SHOT, item), "gathered")
            if many // 2:
                table.record(events.GearGained(character=who.id, item=item, count=many // 2))


def check_hands(table: Table, who: Character, weapon: Weapon, *, both: bool) -> None:
    """Refuse a weapon for both hands, or one that has to be loaded, to who has not both free (R5.254, R5.260)."""
    row = weapon.row
    needs = (row.two_handed and not (row.one_handed_when and who.has(row.one_handed_when))) or bool(row.ammunition)
    if weapon.key == UNARMED:
        return
    held = [each.name for each in table.with_conditions() if states.by(each, states.GRAPPLED, who.id)]
    shield, needed = armour.shield_of(who)[0], "both hands" if needs or both else "a hand"
    busy = (*((shield,) if shield else ()), *held)
    if len(busy) > 1 or (busy and needed != "a hand"):
        table.refuse(f"{weapon.item} takes {needed}, and {who.name}'s are busy with {' and '.join(busy)}.", "weapon")
