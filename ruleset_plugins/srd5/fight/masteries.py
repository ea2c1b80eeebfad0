"""Weapon masteries and the extra attack of light weapons (R5.257, R5.262–R5.270).

A character uses the mastery of the weapons that are traits of the kind "mastery"; in the edition of 2014 there are
none. What a mastery does is in ``masteries.json``; Cleave, Graze and Nick are attacks, and are decided here.
"""

import attrs

from rollbook.kit import require, turn_order
from rollbook.plugin import Character, Table
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue.kinds import Mastery
from rollbook.rulesets.srd5.character import abilities, features
from rollbook.rulesets.srd5.character.abilities import MASTERY
from rollbook.rulesets.srd5.effects.carrying_out import carry_out
from rollbook.rulesets.srd5.fight import armour, attack, damage, places, turns, weapons
from rollbook.rulesets.srd5.settings import Settings

CLEAVE, GRAZE, NICK, SLOW, VEX = "cleave", "graze", "nick", "slow", "vex"
NEEDS_DAMAGE = (SLOW, VEX)
TACTICAL = ("push", "sap", SLOW)
TWO_WEAPONS = "two-weapon-fighting"
"""The trait of the fighting style that adds the ability to the extra attack's damage."""


def mastery_of(table: Table, who: Character, strike: weapons.Strike) -> Mastery | None:
    """The mastery that a character uses with a weapon, None for none."""
    weapon = strike.weapon
    if weapon is None or not weapon.row.mastery or who.traits.get(weapon.key) != MASTERY or Settings.of(table).is_old:
        return None
    return catalogue.masteries().get(weapon.row.mastery)


def may_replace(who: Character, typed: str) -> bool:
    """True for a mastery that a tactical master may put in the place of the weapon's own (R5.394)."""
    return typed in TACTICAL and features.has(who, "Tactical Master")


def after_hit(blow: attack.Blow, through: int) -> None:
    """Do what a mastery does on a hit; the wielder may leave it (``--plain``)."""
    mastery = mastery_of(blow.table, blow.attacker, blow.strike)
    for typed in blow.said.features if mastery is not None and blow.said is not None else ():
        mastery = catalogue.masteries()[typed] if may_replace(blow.attacker, typed) else mastery
    if mastery is None or mastery.key in (GRAZE, NICK) or (blow.said is not None and blow.said.plain):
        return
    if mastery.key == CLEAVE:
        _cleave(blow)
    elif not blow.table.character(blow.target.id).has("dead") and (through or mastery.key not in NEEDS_DAMAGE):
        cause = attack.cause_of(blow, origin=f"mastery:{mastery.key}", name=mastery.name)
        modifier = abilities.modifier(blow.attacker, blow.strike.ability)
        carry_out(cause.with_(modifier=modifier, critical=False), mastery.effects, (blow.target.id,))


def after_miss(blow: attack.Blow) -> None:
    """Graze: a miss deals the ability's modifier in damage."""
    mastery = mastery_of(blow.table, blow.attacker, blow.strike)
    if mastery is None or mastery.key != GRAZE:
        return
    modifier = abilities.modifier(blow.attacker, blow.strike.ability)
    if modifier > 0:
        parts = [(modifier, blow.strike.parts[0].type)]
        damage.deal(blow.table, blow.target.id, parts, source=blow.attacker.id, knock_out=blow.knock_out)


def _cleave(blow: attack.Blow) -> None:
    """Cleave: once a turn an attack on a second creature next to the first, without the ability in its damage."""
    table, second = blow.table, blow.said.second if blow.said is not None else ""
    if not second or (table.encounter is not None and table.encounter.spent.get(CLEAVE, 0)):
        return
    other = require.living(table, second)
    require.other_targets(table, blow.attacker, second)
    if second == blow.target.id:
        table.refuse(f"Cleave goes on to a second creature, and {other.name} is the first.", "second")
    places.check_beside(table, blow.target, other, "second")
    if turns.is_own_turn(table, blow.attacker):
        turn_order.spend(table, blow.attacker, CLEAVE)
    attack.strike(attrs.evolve(blow, target=other, strike=without_ability(blow.strike), landed=None, said=None))


def without_ability(strike: weapons.Strike) -> weapons.Strike:
    """A strike whose damage lacks the ability's modifier, unless that is below 0."""
    part = strike.parts[0]
    terms = tuple(term for term in part.terms if term.amount < 0 or term.path != f"stat.{strike.ability}")
    return attrs.evolve(strike, parts=(attrs.evolve(part, terms=terms), *strike.parts[1:]))


def pay_extra(table: Table, who: Character, strike: weapons.Strike) -> weapons.Strike:
    """Pay for the extra attack of a light weapon: a bonus action, or nothing with Nick, after an attack with another (R5.257).

    Returns the strike, without the ability in its damage unless a fighting style adds it.
    """
    others = _attacked_with(table, who, strike)
    masteries = (mastery_of(table, who, each) for each in (strike, *others))
    has_nick = any(each is not None and each.key == NICK for each in masteries)
    encounter = table.encounter
    if encounter is not None and encounter.spent.get(NICK, 0):
        table.refuse(f"{who.name} has made the extra attack of this turn.", "extra")
    if Settings.of(table).is_old and armour.shield_of(who)[0]:
        table.refuse(f"{who.name} has no other hand for {strike.name}.", "extra")
    if has_nick and encounter is not None:
        turn_order.spend(table, who, NICK)
    else:
        turns.take(table, who.id, turns.BONUS)
    return strike if TWO_WEAPONS in who.traits else without_ability(strike)


def _attacked_with(table: Table, who: Character, strike: weapons.Strike) -> list[weapons.Strike]:
    """The other light weapons of the attacks of this turn. Refused without one, or with a weapon that is not light."""
    old = Settings.of(table).is_old

    def is_light(weapon: weapons.Weapon | None) -> bool:
        return weapon is not None and weapon.row.light and not (old and weapon.row.form != weapons.MELEE)

    if not is_light(strike.weapon):
        table.refuse(f"The extra attack is made with a light weapon, and {strike.name} is none.", "extra")
    if table.encounter is None:
        return []
    turn_order.check_turn(table, who)
    made = turn_order.spent_on(table.encounter, turns.ATTACK)
    used = [
        each for each in weapons.weapons_of(who) if each.item in made and each.item != strike.name and is_light(each)
    ]
    many = strike.weapon is not None and strike.name in made and who.gear[strike.weapon.item].count > 1
    if not used and not many:
        table.refuse("The extra attack follows an attack in this turn with another light weapon.", "extra")
    return [weapons.strike_with(who, each) for each in used]


attack.AFTER_HIT.append(after_hit)
attack.AFTER_MISS.append(after_miss)
attack.EXTRA_ATTACK.append(pay_extra)
