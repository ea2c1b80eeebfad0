"""Creatures that spells make: summoned ones with a block of the spell's, and other shapes of somebody (R5.187, R5.377).

On record: the trait of the kind "stat block" of a summoned creature is ``SPELL.LEVEL.MODIFIER.ATTACK.DC``, as in
``giant-insect.6.4.9.17``, from which the block is made again. The block of another shape is one more trait, whose data hold
what the numbers were changed by. Hit points stay what they are although Constitution changes; what comes with the form are
temporary ones.
"""

from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import attrs

from rollbook.kit import data, fields, formulas
from rollbook.plugin import Character, Table, events
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect, Monster, kinds
from rollbook.rulesets.srd5.catalogue.effect import Part
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.fight import armour, hit_points
from rollbook.rulesets.srd5.monsters import stat_blocks

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


def key_for(spell: str, *numbers: int) -> str:
    """The trait of a creature: its spell, the slot's level, and the modifier, attack bonus and DC of its caster."""
    return ".".join((spell, *map(str, numbers)))


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
