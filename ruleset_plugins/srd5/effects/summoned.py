"""Stat blocks of creatures that spells summon: the block of the spell, worked out for a slot and its caster.

On record: the trait of the kind "stat block" is ``SPELL.LEVEL.MODIFIER.ATTACK.DC``, as in ``giant-insect.6.4.9.17``, from
which the block is made again.
"""

from functools import lru_cache, partial
from typing import Any

import attrs

from rollbook.kit import data, formulas
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Monster, kinds
from rollbook.rulesets.srd5.catalogue.effect import Part
from rollbook.rulesets.srd5.monsters import stat_blocks

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
