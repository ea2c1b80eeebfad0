"""Attack rolls: bonus against armour class, flanking, critical hits, damage (R4.13–R4.22, R4.37, R4.38)."""

from collections.abc import Iterable

import attrs

from rollbook.kit import conditions, d20, sides
from rollbook.plugin import Character, Record, Table, Term
from rollbook.rulesets.grid.armour import PRONE, armour_terms
from rollbook.rulesets.grid.encounter import around, enemies_of
from rollbook.rulesets.grid.hit_points import BLURRED, HIDDEN, INCAPACITATED, hurt, is_conscious
from rollbook.rulesets.grid.saves import roll_d20
from rollbook.rulesets.grid.settings import SKILLED, Settings
from rollbook.rulesets.grid.squares import in_reach, is_flanked
from rollbook.rulesets.grid.stats import ATTACK, DAMAGE, bonus, class_of, entered_terms, stat_term, total
from rollbook.rulesets.grid.weapons import MAIN, OFF, Weapon, are_two, wielded

FLANKING = 2
"""The bonus of flanking to the attack."""


def opponents(table: Table, who: Character) -> tuple[Character, ...]:
    """The conscious enemies within melee reach; with any, a character is in combat (R4.30)."""
    return tuple(other for other in enemies_of(table, who) if in_reach(who.position, other.position))


def has_flanked(table: Table, attacker: Character, target: Character, *, melee: bool) -> bool:
    """Tell whether the target is flanked: always if incapacitated, otherwise by where two enemies are (Q4.22, Q4.24)."""
    if target.has(INCAPACITATED):
        return True
    if not melee or not is_conscious(attacker):
        return False
    geometry = Settings.of(table).flank_geometry
    return any(
        is_flanked(target.position, attacker.position, ally.position, geometry)
        for ally in around(table)
        if sides.are_allies(attacker, ally) and ally.id != target.id and is_conscious(ally)
    )


GOES_PAST = 4
"""An attack on a blurred target misses on this or less of a d20: one in five (Q4.34)."""

FUMBLE, CRITICAL = "fumble", "critical hit"
TWO_WEAPONS = {True: {True: (-2, -2), False: (-4, -4)}, False: {True: (-4, -8), False: (-6, -10)}}
"""Penalties of the main and the other hand: by whether the table is skilled, then by whether the other weapon is light."""


def attack_terms(who: Character, settings: Settings, *, melee: bool) -> tuple[Term, ...]:
    """The terms of attacks: class, and Strength in melee or Dexterity at range (R4.13); prone in melee (R4.47)."""
    row = class_of(who, settings)
    base = (Term(row.attack, row.name, "R4.13", f"trait.{row.name}"),) if row else ()
    terms = (*base, stat_term(who, "str" if melee else "dex"), *entered_terms(who, ATTACK, "R4.13"))
    if melee and who.has(conditions.PRONE):
        terms = (*terms, PRONE)
    return terms


def hand_terms(who: Character, weapon: Weapon, settings: Settings) -> tuple[Term, ...]:
    """The penalty of a weapon in each hand (R4.14, Q4.8)."""
    ready = wielded(who) if weapon.place in (MAIN, OFF) else ()
    if not are_two(ready):
        return ()
    light = any(each.kind.light for each in ready if each.place == OFF)
    main, other = TWO_WEAPONS[settings.twf == SKILLED][light]
    return (Term(main if weapon.place == MAIN else other, "two weapons", "R4.14", "settings"),)


def damage_terms(who: Character, weapon: Weapon, settings: Settings) -> tuple[Term, ...]:
    """The terms added to the dice of a weapon (R4.20, R4.47)."""
    strength = Term(weapon.strength(bonus(who, "str"), settings), "Strength", "R4.20", "stat.str")
    terms = (strength, *entered_terms(who, DAMAGE, "R4.20"))
    if who.has(conditions.PRONE):
        terms = (*terms, PRONE)
    return terms


@attrs.frozen(kw_only=True)
class Blow(Record):
    """One attack on its way: the ``dice`` and ``added`` of its damage, and on which face it may be critical."""

    dice: str
    added: tuple[Term, ...] = ()
    threat: int = 20
    times: int = 2
    melee: bool = True
    touch: bool = False
    sneaks: bool = False


@attrs.frozen(kw_only=True)
class Landed(Record):
    """The outcome of an attack: whether it hit, whether it was critical, and whether the target was flanked.

    The damage is still to come; its rolls are for the ``purpose``.
    """

    target: str
    blow: Blow
    purpose: str
    hits: bool
    critical: bool = False
    flanked: bool = False


def attack_roll(
    table: Table, attacker: Character, target: Character, blow: Blow, terms: Iterable[Term], *, purpose: str
) -> Landed:
    """Roll 1d20 and the bonus against armour class (R4.17–R4.19); a blur may turn a hit aside."""
    flanked = has_flanked(table, attacker, target, melee=blow.melee)
    terms = (*terms, *((Term(FLANKING, "flanking", "R4.38"),) if flanked else ()))
    roll = roll_d20(table, attacker, terms, purpose)
    goal = total(armour_terms(target, touch=blow.touch, flanked=flanked))
    hits, said = d20.attack_outcome(roll.natural, reaches=roll.total >= goal)
    critical = hits and roll.natural >= blow.threat
    said = CRITICAL if critical else FUMBLE if roll.natural == 1 else "hit" if hits else said
    if hits and target.has(BLURRED) and table.roll("1d20", roller=attacker.id, purpose="blur").total <= GOES_PAST:
        hits, critical, said = False, False, BLURRED
    d20.record_roll(table, purpose, roll, goal, success=hits, outcome=said, against=target.id)
    return Landed(target=target.id, blow=blow, purpose=purpose, hits=hits, critical=critical, flanked=flanked)


def damage_dice(table: Table, attacker: Character, landed: Landed) -> str:
    """The damage in dice notation: all of it again for a critical hit, and the sneak attack once (R4.21, Q4.6).

    A rogue has a sneak attack on a flanked target, or out of hiding (R4.22).
    """
    settings, blow = Settings.of(table), landed.blow
    times = blow.times if landed.critical else 1
    parts = [d20.notation(blow.dice, blow.added)] * times
    row = class_of(attacker, settings)
    is_sneak_attack = row is not None and row.sneaks and (landed.flanked or attacker.has(HIDDEN))
    if blow.sneaks and settings.sneak_dice and is_sneak_attack:
        again = times if settings.crit_multiplies_sneak else 1
        parts += [f"{settings.sneak_dice}d6[sneak attack]"] * again
    return " + ".join(parts)


def swing(
    table: Table,
    attacker: Character,
    target: Character,
    weapon: Weapon,
    extra: Iterable[Term] = (),
    *,
    melee: bool,
    purpose: str,
) -> Landed:
    """Roll to hit with a weapon."""
    settings, kind = Settings.of(table), weapon.kind
    terms = (*attack_terms(attacker, settings, melee=melee), *hand_terms(attacker, weapon, settings), *extra)
    dice, added = f"{weapon.dice}[{kind.name}]", damage_terms(attacker, weapon, settings)
    blow = Blow(dice=dice, added=added, threat=kind.threat, times=kind.times, melee=melee, sneaks=True)
    return attack_roll(table, attacker, target, blow, terms, purpose=purpose)


def deal_damage(table: Table, attacker: str, landed: Landed) -> int | None:
    """Deal the damage of a hit. Returns its amount, or None for a miss; hiding is over either way."""
    who, dealt = table.character(attacker), None
    if landed.hits and not table.character(landed.target).has(conditions.DEAD):
        rolled = table.roll(damage_dice(table, who, landed), roller=attacker, purpose=f"{landed.purpose} damage")
        dealt = max(rolled.total, Settings.of(table).min_damage_on_hit)
        hurt(table, landed.target, dealt, source=attacker)
    conditions.end(table, attacker, HIDDEN)
    return dealt
