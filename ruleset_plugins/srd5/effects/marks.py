"""Damage on top of attacks, and off what comes in: marks, smites, favours, wards (``extra`` and ``reduce``)."""

from collections.abc import Iterator

from rollbook.kit import conditions as kit
from rollbook.kit import fields, formulas
from rollbook.plugin import Character, Table
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.effects import states
from rollbook.rulesets.srd5.effects.carrying_out import Cause, Targets, carries, chosen_of, damage_roll
from rollbook.rulesets.srd5.effects.lasting import CHOSEN, SLOT, Held, effects_on, specials
from rollbook.rulesets.srd5.fight import attack as attacks
from rollbook.rulesets.srd5.fight import damage, weapons
from rollbook.rulesets.srd5.monsters.stat_blocks import kind_of
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks.d20_tests import by_slot


def of_spell(cause: Cause, name: str) -> None:
    """Deal what a mark on the target adds to a spell attack."""
    source, target = cause.table.character(cause.source), cause.table.character(name)
    marks = marked(source, target, "source's attack", "source's spell")
    parts = [(damage_roll(cause, dice), of) for dice, of in marks]
    if parts:
        cause.dealt[name] = cause.dealt.get(name, 0) + damage.deal(cause.table, name, parts, source=cause.source)


def marked(attacker: Character, target: Character, *on: str) -> list[tuple[str, str]]:
    """The dice and types that somebody's marks on a target add to attacks."""
    found = []
    for held in effects_on(target, "extra") if target.conditions else ():
        if held.source == attacker.id and set(on) & set(held.effect.on):
            dice, kind = extra_dice(held)
            found.append((_larger(attacker, held, dice), kind))
    return found


def _larger(who: Character, held: Held, dice: str) -> str:
    """The dice of a mark, with the die that a feature gives it (R5.449)."""
    for numbers in (each.effect.numbers for each in specials(who, "die of a spell")):
        if held.label == numbers["spell"].casefold():
            dice = dice.replace(numbers["instead_of"], numbers["die"])
    return dice


def extra_dice(held: Held) -> tuple[str, str]:
    """The dice and the type of extra damage that lies on somebody."""
    dice, chosen = (
        formulas.grown(held.effect.dice, held.effect.slot, fields.number(held.data, SLOT)),
        held.data.get(CHOSEN),
    )
    return dice, chosen_of(held.effect.types, (str(chosen),))


@attacks.EXTRA.append
def extra_damage(blow: attacks.Blow) -> Iterator[weapons.Damage]:
    """Yield what spells and features add to the damage of an attack (Hunter's Mark, Divine Favor)."""
    strike, attacker = blow.strike, blow.attacker
    sort = "unarmed strike" if strike.weapon is not None and strike.weapon.key == weapons.UNARMED else "weapon attack"
    usual = strike.parts[0].type if strike.parts else ""
    found = marked(attacker, blow.target, "source's attack")
    if attacker.conditions:
        own = effects_on(attacker, "extra") if not strike.is_spell else ()
        found += [extra_dice(held) for held in own if sort in held.effect.on]
    for held in effects_on(attacker, "bonus") if attacker.conditions and strike.weapon is not None else ():
        if "damage" in held.effect.to and held.effect.of == "weapon" and held.condition is not None:
            found.append((by_slot(held), usual))
    for dice, kind in found:
        if not dice.startswith(MINUS):
            yield weapons.Damage(dice=dice, type=kind or usual)


@attacks.LESS.append
def lessened(blow: attacks.Blow) -> Iterator[tuple[str, int]]:
    """Yield the dice that spells take off the damage of somebody's attacks, with the least that is left."""
    for held in effects_on(blow.attacker, "extra") if blow.attacker.conditions else ():
        if held.effect.dice.startswith(MINUS) and not blow.strike.is_spell:
            yield held.effect.dice.removeprefix(MINUS), held.effect.least
    for held in effects_on(blow.attacker, "bonus") if blow.attacker.conditions else ():
        if "damage" in held.effect.to and held.effect.by.startswith(MINUS):
            yield held.effect.by.removeprefix(MINUS), 0


@carries("extra")
def extra(cause: Cause, effect: kinds.ExtraDamage, targets: Targets, path: str) -> None:
    """Deal the damage of a smite, which follows a hit, or lay on what later attacks deal in addition."""
    if "triggering attack" not in effect.on:
        states.lay(cause, effect, targets, path)
        return
    for name in targets:
        many = min(cause.level, OLD_MOST) if Settings.of(cause.table).is_old else cause.level
        kind, dice = kind_of(cause.table.character(name)), formulas.grown(effect.dice, effect.slot, many)
        dice = " + ".join((dice, *(more.dice for more in effect.more if kind in more.against)))
        dealt = ((damage_roll(cause, dice), chosen_of(effect.types, cause.chosen)),)
        damage.deal(cause.table, name, dealt, source=cause.source)


STRUCK, MINUS = "struck in turn", "-"
OLD_MOST = 3
"""The dice that slots add at most to a smite in the edition of 2014 (R5.426)."""


@damage.ADJUSTMENTS.append
def reduced(table: Table, who: Character, amount: int, kind: str) -> int:
    """Take dice off damage, once a turn where it says so; before resistance (R5.86)."""
    turn = table.encounter.turn if table.encounter is not None else 0
    for held in effects_on(who, "reduce") if who.conditions and amount else ():
        is_meant = kind in held.effect.types and held.data.get(CHOSEN, kind) == kind
        if is_meant and held.condition is not None and not (turn and held.data.get(STRUCK) == turn):
            amount -= table.roll(held.effect.dice, roller=who.id, purpose="damage").total
            kit.change(table, who.id, held.condition, data={STRUCK: turn})
    return max(amount, 0)
