"""Effects that last: what the catalogue says of somebody as long as a condition is on record.

On record: one condition per cause and target, ``ConditionBegan(condition="bless", source="mira", data={"of":
"spell:bless", "at": ("0",), …})``. ``of`` is an origin (``spell:KEY``, ``monster:KEY:FEATURE``, ``item:KEY``,
``mastery:KEY``, ``magic:KEY``, or ``class:``, ``species:``, ``feat:`` or ``magic:KEY:FEATURE``), and each path in
``at`` leads to an effect of it: indexes and field names with slashes between, as in ``1/fail/0``. So nothing is copied:
the numbers stay in the catalogue. ``slot`` are the levels above the spell's own, ``chosen`` what was chosen,
``by`` a bonus that was a formula.

Rules ask ``effects_on(who, "bonus")``. What somebody always has comes from ``STANDING``.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import attrs

from rollbook.kit import fields
from rollbook.kit.remembering import remembered
from rollbook.plugin import Character, Condition, Table, events
from rollbook.rulesets.srd5.catalogue import Effect, origins
from rollbook.rulesets.srd5.monsters import stat_blocks

OF, AT, SLOT, CHOSEN, BY, IS = "of", "at", "slot", "chosen", "by", "is"


def plain_name(condition: Condition) -> str:
    """The name of a condition without its cause, where it is called by that as well."""
    return fields.text(condition.data, IS) or condition.name


ADDING = ("bonus", "speed", "armour", "maximum", "reduce", "extra")
"""Kinds whose numbers would add up if the same spell lay on somebody twice."""


class Held(NamedTuple):
    """An effect that holds for somebody: what it is called, the effect of its kind, and the condition that brings it."""

    label: str
    effect: Any
    condition: Condition | None = None

    @property
    def source(self) -> str:
        """The character who brought it, "" for none."""
        return self.condition.source if self.condition is not None else ""

    @property
    def data(self) -> events.Data:
        """The data of the condition that brings it, {} for none."""
        return self.condition.data if self.condition is not None else {}


Standing = Callable[[Character], Iterable[Held]]

STANDING: list[Standing] = []
"""Sources of effects that need no condition: stat blocks, species, feats, features, magic items."""


def standing(found: Standing) -> Standing:
    """Register a source of standing effects, which yields those of a character of all kinds (a decorator)."""
    STANDING.append(found)
    return found


def effects_on(who: Character, kind: str) -> tuple[Held, ...]:
    """The effects of a kind that hold for a character."""
    return _gathered(who).get(kind, ())


def specials(who: Character, name: str) -> list[Held]:
    """The rules of their own of this name that hold for somebody: by a trait, a feature, a thing or a spell."""
    return [held for held in effects_on(who, "special") if held.effect.name == name]


@remembered
def _gathered(who: Character) -> dict[str, tuple[Held, ...]]:
    """All effects on a character by their kinds: those of conditions, then the standing ones."""
    found: dict[str, tuple[Held, ...]] = {}
    for held in (*laid(who), *(each for source in STANDING for each in source(who))):
        found[held.effect.kind] = (*found.get(held.effect.kind, ()), held)
    return found


def laid(who: Character) -> Iterator[Held]:
    """Yield the effects that lie on a character, by conditions."""
    for condition in who.conditions.values():
        origin = condition.data.get(OF)
        for path in fields.names(condition.data, AT) if isinstance(origin, str) else ():
            effect = effect_at(str(origin), path)
            if effect is not None and (
                effect.kind not in ADDING or _is_for_source(effect) or is_strongest(who, condition)
            ):
                by = condition.data.get(BY) if effect.kind == "bonus" else None
                yield Held(plain_name(condition), attrs.evolve(effect, by=by) if by else effect, condition)  # type: ignore[misc]


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


@standing
def _of_stat_block(who: Character) -> Iterator[Held]:
    for key in who.traits_of(stat_blocks.BLOCK)[-1:]:
        yield from (Held(trait.name, effect) for trait, effect in stat_blocks.trait_effects(key))


@lru_cache(maxsize=4096)
def effect_at(origin: str, path: str) -> Effect | None:
    """The effect of an origin to which a path leads, None if the catalogue has none there."""
    found: object = effects_of(origin)
    for step in path.split("/"):
        try:
            found = found[int(step)] if step.isdecimal() else getattr(found, step)  # type: ignore[index]
        except (AttributeError, IndexError, TypeError):
            return None
    return found if isinstance(found, Effect) else None


@lru_cache(maxsize=1024)
def effects_of(origin: str) -> tuple[Effect, ...]:
    """All effects of an origin, () for one that the catalogue does not have."""
    sort, key, feature = origins.split(origin)
    if sort == "monster":
        block = stat_blocks.block_called(key)
        found: Any = stat_blocks.feature_called(block, feature) if block is not None else None
    else:
        found = origins.trait_of(origin) if feature else origins.row_of(sort, key)
    effects: tuple[Effect, ...] = getattr(found, "effects", ())
    return effects


def lying_on(table: Table, names: Iterable[str]) -> Iterator[tuple[str, Condition]]:
    """All conditions of some characters, each with whom it lies on; they may be changed on the way."""
    for name in names:
        for condition in tuple(table.character(name).conditions.values()):
            yield name, condition


def everywhere(table: Table) -> Iterator[tuple[str, Condition]]:
    """All conditions of everybody, likewise."""
    return lying_on(table, [who.id for who in table.with_conditions()])
