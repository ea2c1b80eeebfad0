"""Stat blocks of creatures that spells summon: the block of the spell, worked out for a slot and its caster.

On record: the trait of the kind "stat block" is ``SPELL.LEVEL.MODIFIER.ATTACK.DC``, as in ``giant-insect.6.4.9.17``, from
which the block is made again.
"""

import re
from functools import lru_cache, partial
from typing import Any

import attrs

from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Monster, kinds
from rollbook.rulesets.srd5.catalogue.effect import Part, changed
from rollbook.rulesets.srd5.effects.numbers import grown
from rollbook.rulesets.srd5.monsters import stat_blocks

SIZED = ("", "medium or smaller")
_DIFFERENCE = re.compile(r"\((\d+) - (\d+)\)")


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
    known = {"slot": level, "mod": modifier, "attack": attack, "dc": dc, "above": level - spell.level}
    return _made(key, spell.block, known)


def _made(key: str, block: kinds.SummonedBlock, known: dict[str, int]) -> Monster:
    shared = {field.name: getattr(block, field.name) for field in attrs.fields(kinds.StatBlock)}
    for kind in ("traits", "actions", "bonus_actions"):
        shared[kind] = tuple(changed(each, partial(_numbers, known), _is_usual) for each in shared[kind])
    quick, most = block.abilities["dex"].modifier, total(next(iter(block.hit_points.values())), known)
    return Monster(
        **shared,
        key=key,
        kind=block.kinds[0],
        ac=total(block.ac, known),
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
        changes |= {"slot": "", "dice": grown(changes["dice"], part.slot, known["above"])}
    return changes


def _number(field: str, text: str, known: dict[str, int]) -> int | str:
    if field == "dice":
        return text.replace("slot", str(known["slot"])).replace("mod", str(known["mod"]))
    return {"attack": known["attack"], "spell": known["dc"], "slot / 2": known["slot"] // 2}.get(text, text)


def total(text: str, known: dict[str, int]) -> int:
    """A formula such as "10 + slot" or "50 + 10 * (slot - 5)" as a number."""
    plain = _DIFFERENCE.sub(lambda found: str(int(found[1]) - int(found[2])), text.replace("slot", str(known["slot"])))
    summed = 0
    for part in plain.split("+"):
        one, _, other = part.partition("*")
        summed += int(one) * int(other or 1)
    return summed


stat_blocks.MORE.append(block_of)
