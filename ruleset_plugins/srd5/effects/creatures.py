"""Effects on places and bodies: movement, creatures and things that come, other shapes (R5.187, R5.377).

Movement happens where squares are used; else it is written down, in feet. What has no number the GM keeps (``laying.KEPT``).

On record: the trait of the kind "stat block" of a summoned creature is ``SPELL.LEVEL.MODIFIER.ATTACK.DC``, as in
``giant-insect.6.4.9.17``, from which the block is made again. The block of another shape is one more trait, whose data hold
what the numbers were changed by. Hit points stay what they are although Constitution changes; what comes with the form are
temporary ones.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import attrs

from rollbook.kit import conditions, data, fields, formulas, sides, squares, turn_order
from rollbook.plugin import Character, CharacterKind, Table, enter, events, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect, Monster, kinds
from rollbook.rulesets.srd5.catalogue.effect import Part
from rollbook.rulesets.srd5.character import abilities, joining
from rollbook.rulesets.srd5.effects import laying
from rollbook.rulesets.srd5.effects.carrying_out import Cause, Targets, carries, leave_to_gm
from rollbook.rulesets.srd5.fight import armour, hit_points, places, states
from rollbook.rulesets.srd5.monsters import stat_blocks

SUMMONED = "summoned"
AWAY, TOWARD = ("away", "flees"), ("toward", "approaches")


@carries("move")
def move(cause: Cause, effect: kinds.Move, targets: Targets, path: str) -> None:
    """Push or pull targets on the squares; other movement is the GM's."""
    source = cause.table.character(cause.source) if cause.source and not effect.of and effect.feet else None
    steps = effect.feet // places.FEET * (1 if effect.way in AWAY else -1)
    told = source is not None and effect.way in AWAY + TOWARD and squares.was_placed(source)
    for name in targets:
        who = cause.table.character(name)
        if told and source is not None and squares.was_placed(who):
            places.displace(cause.table, name, squares.pushed(source.position, who.position, steps))
        else:
            leave_to_gm(cause, effect, (name,), path)
    if not targets:
        leave_to_gm(cause, effect, (), path)


@carries("teleport")
def teleport(cause: Cause, effect: kinds.Teleport, targets: Targets, path: str) -> None:
    """Teleport to the square that was named, within the feet of the spell; else the GM says where to."""
    whom = targets or (cause.source,)
    if not cause.at or effect.of:
        leave_to_gm(cause, effect, whom, path)
        return
    square = squares.parse(cause.table, cause.at)
    for name in whom:
        who = cause.table.character(name)
        feet = places.apart(who.position, square)
        states.check_free(cause.table, who, "cannot teleport", "teleport", at="at")
        if effect.feet and squares.was_placed(who) and feet > effect.feet:
            cause.table.refuse(f"That square is {feet} feet away, and {cause.name} reaches {effect.feet}.", "at")
        places.displace(cause.table, name, square)


@carries("summon")
def summon(cause: Cause, effect: kinds.Summon, targets: Targets, path: str) -> None:
    """Bring creatures in by their stat blocks: the chosen one, or the first; they come with the spell and go with it."""
    block = _block_of_spell(cause) if effect.block else None
    if block is None:
        named = [each for each in effect.blocks if slug(each) in map(slug, cause.chosen)] or effect.blocks[:1]
        block = _named_block(named[:1] or cause.chosen)
    if block is None:
        leave_to_gm(cause, effect, targets, path)
        return
    count = effect.count if isinstance(effect.count, int) else max(cause.modifier, 1)
    for _ in range(max(count + effect.slot * cause.level, 1)):
        name = bring(cause.table, block, cause)
        until, data = laying.data_of(cause, effect, path, name)
        conditions.begin(cause.table, name, SUMMONED, source=cause.source, detail=cause.name, until=until, data=data)


def _block_of_spell(cause: Cause) -> Monster | None:
    """The block of the spell itself, with the numbers of its caster."""
    spell = catalogue.spells().get(cause.origin.removeprefix("spell:"))
    if spell is None:
        return None
    numbers = (spell.level + cause.level, cause.modifier, cause.attack, cause.dc)
    return block_of(".".join((spell.key, *map(str, numbers))))


def _named_block(typed: Iterable[str]) -> Monster | None:
    """The stat block of the first of some words that names one."""
    return catalogue.monsters().get(next(filter(None, map(stat_blocks.key_of, typed)), ""))


def bring(table: Table, block: Monster, cause: Cause) -> str:
    """Bring one creature in, on the side and in the fight of who summons it. Returns the id."""
    number = 1
    while table.knows(f"{slug(block.name)}-{number}"):
        number += 1
    source, called = table.character(cause.source), f"{block.name} {number}"
    name = enter(table, name=called, id=slug(called), kind=CharacterKind.MONSTER, seat=source.seat)
    joining.take_block(table, name, block)
    side = sides.side_of(source)
    if sides.side_of(table.character(name)) != side:
        sides.take(table, name, side)
    fight = table.encounter
    if fight is not None and cause.source in fight.order:
        turn_order.insert(table, name, dict(zip(fight.order, fight.scores, strict=False)).get(cause.source, 0))
    return name


@carries("shape")
def shape(cause: Cause, effect: kinds.Shape, targets: Targets, path: str) -> None:
    """Change somebody's shape into the chosen one; the form's hit points come as temporary ones (R5.187)."""
    block = _named_block(cause.chosen)
    for name in targets or (cause.source,):
        laying.lay(cause, effect, (name,), path)
        if block is None or not effect.into:
            leave_to_gm(cause, effect, (name,), path)
            continue
        check_fits(cause.table, cause.table.character(name), effect, block)
        take(cause.table, name, block, mind="int" not in effect.keeps, reason=cause.name)
        if effect.temporary:
            hit_points.give_temporary(cause.table, name, block.hit_points, reason=cause.name)


@carries("create")
def create(cause: Cause, effect: kinds.Create, targets: Targets, path: str) -> None:
    """Put things that are counted into the caster's hands; what is measured is the GM's."""
    if effect.amount and effect.unit in ("", effect.what):
        many = effect.amount + effect.slot * cause.level
        cause.table.record(events.GearGained(character=cause.source, item=effect.what, count=many))
    else:
        leave_to_gm(cause, effect, targets, path)


BODY, MIND = ("str", "dex", "con"), ("int", "wis", "cha")


def take(table: Table, name: str, block: Monster, *, mind: bool = False, reason: str = "") -> None:
    """Take the shape of a stat block; the scores of the mind change only where they do not stay."""
    turn_back(table, name)
    who = table.character(name)
    changes = _changes(who, block, (*BODY, *MIND) if mind else BODY)
    data = {f"by_{stat}": by for stat, by in changes.items()}
    table.record(events.TraitGained(character=name, trait=block.key, kind=stat_blocks.BLOCK, data=data))
    for stat, by in changes.items():
        table.record(events.StatChanged(character=name, stat=stat, amount=by, reason=reason))


def _changes(who: Character, block: Monster, changed: tuple[str, ...]) -> dict[str, int]:
    """The changes of the stats; hit points stay what they are although Constitution changes."""
    found = {each: block.abilities[each].score - abilities.score(who, each) for each in changed}
    con = block.abilities["con"].modifier - abilities.modifier(who, "con")
    found[hit_points.MAX_HP] = -con * who.level
    found[armour.ARMOUR_CLASS] = block.ac - who.stats.get(armour.ARMOUR_CLASS, 0)
    found["speed"] = block.speed.walk - who.stats.get("speed", 0)
    return found


def form_of(who: Character) -> str:
    """The trait of the shape that somebody has taken, "" for their own."""
    shapes = (trait for trait in who.traits_of(stat_blocks.BLOCK) if "by_str" in who.trait_data.get(trait, {}))
    return next(shapes, "")


def turn_back(table: Table, name: str) -> None:
    """Turn back, if somebody is in another shape."""
    who = table.character(name)
    trait = form_of(who)
    for key in who.trait_data.get(trait, {}) if trait else ():
        by = fields.number(who.trait_data[trait], key)
        if key.startswith("by_") and by:
            table.record(events.StatChanged(character=name, stat=key[3:], amount=-by, reason="own form"))
    if trait:
        table.record(events.TraitLost(character=name, trait=trait, kind=stat_blocks.BLOCK))


def check_fits(table: Table, who: Character, effect: Effect, block: Monster) -> None:
    """Refuse a form of another kind, or of a higher challenge than the target's own or its level."""
    own = stat_blocks.block_of(who)
    most = effect.challenge if effect.challenge.isdecimal() else own.cr if own is not None else str(who.level)
    if ("any" not in effect.into and block.kind not in effect.into) or Fraction(block.cr) > Fraction(most):
        sort = "creature" if "any" in effect.into else " or ".join(effect.into)
        table.refuse(f"The form is a {sort} of challenge {most} at most, which a {block.name} is not.", "choose")


SIZED = ("", "medium or smaller")


@lru_cache(maxsize=256)
def block_of(key: str) -> Monster | None:
    """The stat block that such a trait stands for, None for anything else."""
    name, *numbers = key.split(".")
    spell = catalogue.spells().get(name)
    if spell is None or spell.block is None or len(numbers) != 4:
        return None
    level, modifier, attack, dc = map(int, numbers)
    known = {"slot": level, "mod": modifier, "attack": attack, "spell": dc, "above": level - spell.level}
    return _made(key, spell.block, known)


def _made(key: str, block: kinds.SummonedBlock, known: dict[str, int]) -> Monster:
    shared = {field.name: getattr(block, field.name) for field in attrs.fields(kinds.StatBlock)}
    for kind in ("traits", "actions", "bonus_actions"):
        shared[kind] = tuple(data.changed(each, partial(_numbers, known), _is_usual) for each in shared[kind])
    quick, most = block.abilities["dex"].modifier, _total(next(iter(block.hit_points.values())), known)
    return Monster(
        **shared,
        key=key,
        kind=block.kinds[0],
        ac=_total(block.ac, known),
        hit_points=most,
        hit_dice=str(most),
        initiative=quick,
        initiative_score=10 + quick,
        cr="0",
        xp=0,
        proficiency=2,
    )


def _is_usual(part: Part) -> bool:
    """False for what is for creatures of other sizes."""
    return getattr(part, "size", "") in SIZED


def _numbers(known: dict[str, int], part: Part) -> dict[str, Any]:
    """The formulas of a part as numbers."""
    said = {field: getattr(part, field, None) for field in ("dice", "count", "bonus", "dc")}
    changes: dict[str, Any] = {
        field: _number(field, text, known) for field, text in said.items() if isinstance(text, str)
    }
    if isinstance(part, kinds.Damage) and part.slot:
        changes |= {"slot": "", "dice": formulas.grown(changes["dice"], part.slot, known["above"])}
    return changes


def _number(field: str, text: str, known: dict[str, int]) -> int | str:
    return formulas.replaced(text, lambda word: known.get(word, word)) if field == "dice" else _total(text, known)


def _total(text: str, known: dict[str, int]) -> int:
    """A formula such as "10 + slot" or "50 + 10 * (slot - 5)" as a number."""
    return formulas.number(text, lambda word: str(known.get(word, word)))


stat_blocks.MORE.append(block_of)
