"""Candles, torches and lanterns: who carries which of them alight, and how much oil a lantern has burnt (R3.68–R3.70)."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruleset_plugins import Character, Table, events
from ruleset_plugins.kit import conditions, data
from ruleset_plugins.russell.delve.encumbrance import thing

ALIGHT = "carrying a burning "
"""A light that burns is a condition of whoever bears it, "carrying a burning torch"; its detail says who gets the light."""

BURNT = "burnt "
"""The pool of a lantern's pips, "burnt lantern": oil that is gone (R3.57)."""


@attrs.frozen(kw_only=True)
class Source:
    """A light source: how many it lights fully and dimly, how many feet it is seen, and what of the die ends it.

    One that is ``own`` serves its bearer alone. ``pips`` are marked until it goes out; 0: it is used up at once. The ``note``
    says what else it is good for.
    """

    key: str
    lit: int
    dim: int
    result: str
    feet: int = 0
    own: bool = False
    pips: int = 0
    note: str = ""
    rule: str = ""


SOURCES = {row.key: row for row in data.load(__package__, "lights.json", Source)}


@attrs.frozen
class Burning:
    """A light that somebody bears; ``lit`` and ``dim`` name whom it serves, if that was said (``shared``)."""

    bearer: str
    item: str
    source: Source
    shared: bool = False
    lit: tuple[str, ...] = ()
    dim: tuple[str, ...] = ()


def source_of(who: Character, item: str) -> Source | None:
    """The light source that somebody's thing is, if it is one."""
    held = who.gear.get(item)
    return SOURCES.get(thing(item, held.use).key) if held is not None and held.count > 0 else None


def burning(who: Character) -> Iterator[Burning]:
    """What somebody bears alight. A light that was dropped or handed on is none."""
    for name, condition in who.conditions.items():
        if name.startswith(ALIGHT):
            item = name.removeprefix(ALIGHT)
            source = source_of(who, item)
            if source is not None:
                lit, _, dim = condition.detail.partition("|")
                yield Burning(who.id, item, source, bool(condition.detail), _names(lit), _names(dim))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def kindle(table: Table, name: str, item: str) -> None:
    """A light begins to burn."""
    conditions.begin(table, name, ALIGHT + item, source=item)


def put_out(table: Table, name: str, item: str) -> None:
    """A light burns no more; the thing is still there."""
    conditions.end(table, name, ALIGHT + item)


def use_up(table: Table, name: str, item: str) -> None:
    """A light is gone altogether, and with a lantern the pips that it had burnt (R3.56, R3.70)."""
    put_out(table, name, item)
    who = table.character(name)
    source = source_of(who, item)
    if source is not None and source.pips:
        burnt = pips_burnt(who, item)
        _burn_pips(table, who, item, min(burnt - burnt % source.pips, source.pips * (who.gear[item].count - 1)) - burnt)
    table.record(events.GearLost(character=name, item=item))


def hand_on_light(table: Table, giver: Character, taker: Character, item: str, count: int) -> bool:
    """So many lights are about to change hands, full lanterns first; the last goes as it burns. Returns whether it burns."""
    source = source_of(giver, item)
    if source is None:
        return False
    staying = giver.gear[item].count - count
    oil_gone = max(pips_burnt(giver, item) - source.pips * staying, 0)
    _burn_pips(table, giver, item, -oil_gone)
    _burn_pips(table, taker, item, oil_gone - (0 if source_of(taker, item) else pips_burnt(taker, item)))
    if staying or not giver.has(ALIGHT + item):
        return False
    put_out(table, giver.id, item)
    conditions.begin(table, taker.id, ALIGHT + item, source=item, detail=giver.conditions[ALIGHT + item].detail)
    return True


def _burn_pips(table: Table, who: Character, item: str, pips: int) -> None:
    if pips > 0:
        table.record(events.PoolGained(holder=who.id, pool=BURNT + item, amount=pips, reason="so much has it burnt"))
    elif pips < 0:
        table.record(events.PoolSpent(holder=who.id, pool=BURNT + item, amount=-pips, reason="not theirs any more"))


def forget_lost(table: Table, who: Character) -> None:
    """A light that somebody has dropped, or that was taken away, burns for them no more."""
    for name in tuple(who.conditions):
        if name.startswith(ALIGHT) and source_of(who, name.removeprefix(ALIGHT)) is None:
            conditions.end(table, who.id, name)


def pips_burnt(who: Character, item: str) -> int:
    """Pips of oil that are gone from lanterns of this name."""
    return max(who.pools.get(BURNT + item, 0), 0)


def has_oil(who: Character, item: str, source: Source) -> bool:
    """Whether a lantern of this name has a pip left; whoever carries two has four pips."""
    return not source.pips or pips_burnt(who, item) < source.pips * who.gear[item].count


def mark_pip(table: Table, name: str, light: Burning) -> bool:
    """A lantern marks a pip, and goes out when its last is marked (R3.57). Returns whether it went out."""
    table.record(events.PoolGained(holder=name, pool=BURNT + light.item, amount=1, reason="oil burnt"))
    if pips_burnt(table.character(name), light.item) % light.source.pips:
        return False
    put_out(table, name, light.item)
    return True


def pour_oil(table: Table, name: str, item: str, source: Source) -> None:
    """A full flask undoes both pips (Q3.35)."""
    gone = min(pips_burnt(table.character(name), item), source.pips)
    table.record(events.PoolSpent(holder=name, pool=BURNT + item, amount=gone, reason="refilled"))


def light_carried(who: Character) -> Iterator[tuple[str, str]]:
    """What somebody carries for light, and whether it burns (for the sheet)."""
    lines = list(_lights(who))
    if lines:
        yield "Light", "; ".join(lines)


def _lights(who: Character) -> Iterator[str]:
    alight = {light.item for light in burning(who)}
    for item, held in who.gear.items():
        source = source_of(who, item)
        if source is None:
            continue
        said = [f"{held.count} {item}"]
        if source.pips:
            said.append(f"{max(source.pips * held.count - pips_burnt(who, item), 0)} pips of oil")
        if item in alight:
            said.append("burning")
        if item in alight and source.feet:
            said.append(f"seen {source.feet} feet")
        yield ", ".join(said) + (f" ({source.note})" if source.note else "")
