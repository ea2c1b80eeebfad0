"""Effects that last: what the catalogue says of somebody as long as a condition is on record.

On record: one condition per cause and target, as ``kit.lasting`` has it, ``ConditionBegan(condition="bless",
source="mira", data={"of": "spell:bless", "at": ("0",), …})``. An origin is ``spell:KEY``, ``monster:KEY:FEATURE``,
``item:KEY``, ``mastery:KEY``, ``magic:KEY``, or ``class:``, ``species:``, ``feat:`` or ``magic:KEY:FEATURE``. ``slot`` are the
levels above the spell's own, ``chosen`` what was chosen, ``by`` a bonus that was a formula.

Rules ask ``effects_on(who, "bonus")``. What somebody always has is registered with ``@standing``.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import attrs

from rollbook.kit import conditions, fields, lasting
from rollbook.plugin import Character, Condition
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect
from rollbook.rulesets.srd5.monsters import stat_blocks

OF, AT, SLOT, CHOSEN, BY, IS = lasting.OF, lasting.AT, "slot", "chosen", "by", conditions.IS
Held = lasting.Held


ADDING = ("bonus", "speed", "armour", "maximum", "reduce", "extra")
"""Kinds whose numbers would add up if the same spell lay on somebody twice."""


def _laid(who: Character, condition: Condition, effect: Effect) -> Held | None:
    """An effect that lies on somebody, unless it adds to others and the same does so more strongly."""
    if effect.kind in ADDING and not _is_for_source(effect) and not is_strongest(who, condition):
        return None
    by = condition.data.get(BY) if effect.kind == "bonus" else None
    return Held(conditions.plain_name(condition), attrs.evolve(effect, by=by) if by else effect, condition)  # type: ignore[misc]


def _is_for_source(effect: Effect) -> bool:
    """True for what counts only for the one who brought it: each has a mark of their own."""
    return any(word.startswith("source") for word in getattr(effect, "on", ()))


def is_strongest(who: Character, condition: Condition) -> bool:
    """True unless the same spell or feature of another lies on somebody more strongly, or as strongly and later (R5.249)."""
    same = [each for each in who.conditions.values() if each.data.get(OF) == condition.data.get(OF)]
    return max(reversed(same), key=_strength) is condition if len(same) > 1 else True


def _strength(condition: Condition) -> tuple[int, int, int]:
    by = fields.text(condition.data, BY)
    return fields.number(condition.data, SLOT), int(by) if by.lstrip("-").isdecimal() else 0, condition.since


@lru_cache(maxsize=1024)
def effects_of(origin: str) -> tuple[Effect, ...]:
    """All effects of an origin, () for one that the catalogue does not have."""
    sort, key, feature = catalogue.split(origin)
    if sort == "monster":
        block = stat_blocks.block_called(key)
        found: Any = stat_blocks.feature_called(block, feature) if block is not None else None
    else:
        found = catalogue.trait_of(origin) if feature else catalogue.row_of(sort, key)
    effects: tuple[Effect, ...] = getattr(found, "effects", ())
    return effects


LASTING = lasting.Lasting(effects_of, _laid)
effects_on, effect_at, laid, standing = LASTING.on, LASTING.at, LASTING.laid_on, LASTING.standing


@standing
def _of_stat_block(who: Character) -> Iterator[Held]:
    for key in who.traits_of(stat_blocks.BLOCK)[-1:]:
        yield from (Held(trait.name, effect) for trait, effect in stat_blocks.trait_effects(key))


def specials(who: Character, name: str) -> list[Held]:
    """The rules of their own of this name that hold for somebody: by a trait, a feature, a thing or a spell."""
    return [held for held in effects_on(who, "special") if held.effect.name == name]
