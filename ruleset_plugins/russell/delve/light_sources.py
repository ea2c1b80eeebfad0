"""Candles, torches and lanterns: those alight, their bearers, and the oil that a lantern has burnt (R3.68–R3.70)."""

from collections.abc import Iterator

import attrs

from rollbook.kit import conditions, counters, data, fields
from rollbook.plugin import Character, Record, Table, events
from rollbook.rulesets.russell import gear

ALIGHT = "alight"
"""The field of a condition that says which item burns; ``lit`` and ``dim`` say who gets its light, once it is ``shared``."""

HELD, PUT_DOWN = "held", "put_down"
"""The fields of the conditions of keeping a light in hand in a fight, and of having set it down: the item."""
IN_HAND, SET_DOWN = " in hand", " set down"
"""The ends of the names of these conditions, after the item."""

BURNT = "burnt"
"""The counter of a lantern's pips: oil that is gone (R3.57)."""


class LightSource(data.Row):
    """A light source: how many it lights fully and dimly, how many feet it is seen, and which result ends it.

    One that is ``own`` serves its bearer alone. ``pips`` are marked until it goes out; 0: it is used up at once. The ``note``
    says what else it is good for.
    """

    lit: int
    dim: int
    result: str
    feet: int = 0
    own: bool = False
    pips: int = 0
    note: str = ""
    rule: str = ""


SOURCES = data.by_key(__package__, "lights.json", LightSource)


@attrs.frozen
class Burning(Record):
    """A light with its bearer; ``lit`` and ``dim`` name those it serves, once that was decided (``shared``)."""

    bearer: str
    item: str
    source: LightSource
    shared: bool = False
    lit: tuple[str, ...] = ()
    dim: tuple[str, ...] = ()


def source_of(who: Character, item: str) -> LightSource | None:
    """The light source that a character's thing is, if it is one."""
    held = who.gear.get(item)
    return SOURCES.get(gear.thing(item, held.use).row.key) if held is not None and held.count > 0 else None


def require_source(table: Table, who: Character, item: str) -> LightSource:
    """The light source that a character's thing is. Refused for anything else."""
    source = source_of(who, item)
    if source is None:
        had = ", ".join(held for held in who.gear if source_of(who, held)) or "nothing that gives light"
        known = ", ".join(SOURCES)
        table.refuse(
            f"{who.name} has no {item!r} to light, but {had}. Light sources are: {known}.", table.parameter_of(item)
        )
    return source


def sources_of(who: Character) -> tuple[str, ...]:
    """A character's things that give light, burning or not."""
    return tuple(item for item in who.gear if source_of(who, item))


def alight(who: Character) -> tuple[str, ...]:
    """Names of a character's lights that burn."""
    return tuple(light.item for light in burning(who))


def unlit(who: Character) -> tuple[str, ...]:
    """Names of a character's lights that do not burn."""
    return tuple(item for item in sources_of(who) if item not in alight(who))


def lanterns_of(who: Character) -> tuple[str, ...]:
    """A character's lanterns, which burn oil."""
    return tuple(item for item in sources_of(who) if (source := source_of(who, item)) and source.pips)


def burning(who: Character) -> Iterator[Burning]:
    """A character's burning lights. A light that was dropped or handed on does not count."""
    for condition in conditions.with_data(who, ALIGHT):
        item = fields.text(condition.data, ALIGHT)
        source = source_of(who, item)
        if source is not None:
            lit, dim = (fields.names(condition.data, served) for served in ("lit", "dim"))
            yield Burning(who.id, item, source, fields.flag(condition.data, "shared"), lit, dim)


def burning_of(who: Character, item: str) -> Burning | None:
    """A character's light of this name, if it burns."""
    return next((light for light in burning(who) if light.item == item), None)


def kindle(table: Table, light: Burning) -> None:
    """A light begins to burn, or serves others than before."""
    lit, dim = (", ".join(names) or "nobody" for names in (light.lit, light.dim))
    conditions.begin(
        table,
        light.bearer,
        f"carrying a burning {light.item}",
        source=light.item,
        detail=f"lights {lit}; dimly {dim}" if light.shared else "",
        data={ALIGHT: light.item, "shared": light.shared, "lit": light.lit, "dim": light.dim},
        again=True,
    )


def put_out(table: Table, name: str, item: str) -> None:
    """A light stops burning; the thing is still there."""
    for field in (ALIGHT, HELD, PUT_DOWN):
        conditions.end_with_data(table, name, field, item)


def use_up(table: Table, name: str, item: str) -> None:
    """A light is gone altogether, and with a lantern the pips that it had burnt (R3.56, R3.70)."""
    put_out(table, name, item)
    who = table.character(name)
    source = source_of(who, item)
    if source is not None and source.pips:
        burnt = pips_burnt(who, item)
        left = min(burnt - burnt % source.pips, source.pips * (who.gear[item].count - 1))
        counters.change(table, name, counters.counter(BURNT, item), left - burnt, "gone with the lantern")
    table.record(events.GearLost(character=name, item=item))


def hand_on_light(table: Table, giver: Character, taker: Character, item: str, many: int) -> bool:
    """Hand on the oil and flame of lights, full lanterns first; the last goes as it burns. Returns whether it burns."""
    source = source_of(giver, item)
    if source is None:
        return False
    staying = giver.gear[item].count - many
    oil_gone = max(pips_burnt(giver, item) - source.pips * staying, 0)
    stale = 0 if source_of(taker, item) else pips_burnt(taker, item)
    counters.change(table, giver.id, counters.counter(BURNT, item), -oil_gone, "handed on")
    counters.change(table, taker.id, counters.counter(BURNT, item), oil_gone - stale, "handed on")
    light = burning_of(giver, item)
    if staying or light is None:
        return False
    put_out(table, giver.id, item)
    kindle(table, attrs.evolve(light, bearer=taker.id))
    return True


def forget_lost(table: Table, who: Character) -> None:
    """End the burning of a light for a character who dropped it or from whom it was taken."""
    for condition in conditions.with_data(who, ALIGHT):
        if source_of(who, fields.text(condition.data, ALIGHT)) is None:
            conditions.end(table, who.id, condition.name)


def pips_burnt(who: Character, item: str) -> int:
    """Pips of oil that are gone from lanterns of this name."""
    return counters.count(who.pools, BURNT, item)
