"""Ranges and moving in a fight: engaged, close, medium and far, or feet on a map (R3.76, R3.86, Q3.24)."""

from collections.abc import Sequence

from rollbook.kit import conditions, fields
from rollbook.plugin import Character, Table, events
from rollbook.rulesets.russell.counters import change
from rollbook.rulesets.russell.fight import turns
from rollbook.rulesets.russell.party import in_party
from rollbook.rulesets.russell.settings import house

RANGE_TO = "range_to"
"""The field of a condition that names the other character; ``band`` is how far apart the two are."""

APART = "range"
"""The GM's pool that says how many bands apart the two sides began."""

CLOSE, FAR = "close", "far"


def opponents(table: Table, who: Character) -> tuple[Character, ...]:
    """The living of the other side in the fight."""
    return tuple(other for other in _fighters(table) if in_party(other) != in_party(who))


def _fighters(table: Table) -> list[Character]:
    """The living in the fight."""
    order = table.encounter.order if table.encounter is not None else ()
    return [who for who in map(table.character, order) if not who.has(conditions.DEAD)]


def range_between(table: Table, one: str, other: str) -> int:
    """How many bands apart two people are: 0 is engaged."""
    bands, band = house(table).ranges, _band(table, one, other)
    return bands.index(band) if band in bands else max(0, min(table.gm_pools.get(APART, 0), len(bands) - 1))


def _band(table: Table, one: str, other: str) -> str:
    """The range of two people who have moved in this fight, "" if neither has."""
    first, second = sorted((one, other))
    known = conditions.with_data(table.character(first), RANGE_TO)
    return next((fields.text(each.data, "band") for each in known if each.data[RANGE_TO] == second), "")


def engaged_allies(table: Table, shooter: Character, target: Character) -> tuple[str, ...]:
    """Who of the shooter's side has come within arm's length of the target in this fight (R3.80)."""
    others = [who for who in _fighters(table) if who.id not in (shooter.id, target.id)]
    friends = [who.id for who in others if in_party(who) == in_party(shooter)]
    return tuple(name for name in friends if _band(table, name, target.id) == house(table).ranges[0])


def reached(bands: Sequence[str], farthest: str) -> int:
    """The band that a weapon reaches; at a table with names of its own close is the second and far the last (Q3.24)."""
    if farthest in bands:
        return bands.index(farthest)
    by_place = {CLOSE: min(1, len(bands) - 1), FAR: len(bands) - 1}
    return by_place.get(farthest, 0)


def come(table: Table, one: str, other: str, band: int) -> None:
    """Two characters are this many bands apart now."""
    first, second = sorted((one, other))
    reached = house(table).ranges[band]
    data = {RANGE_TO: second, "band": reached}
    table.record(events.ConditionBegan(character=first, condition=f"at range to {second}", detail=reached, data=data))


def band_number(table: Table, name: str) -> int:
    """A band by its name, as a number from the nearest."""
    bands = house(table).ranges
    if name not in bands:
        table.refuse(f"A range is one of {', '.join(bands)}, not {name!r}.", parameter=table.parameter_of(name))
    return bands.index(name)


def end_ranges(table: Table, names: Sequence[str]) -> None:
    """The fight is over, and ranges with it."""
    for name in names:
        for condition in conditions.with_data(table.character(name), RANGE_TO):
            conditions.end(table, name, condition.name)
    change(table, "", APART, -table.gm_pools.get(APART, 0), "the fight is over")


def arrive_at(table: Table, name: str, foes: list[str], band: int) -> None:
    """Somebody is at another range from these foes; those who braced may strike at once (R3.86)."""
    for foe in foes:
        come(table, name, foe, band)
        if band == 0 and conditions.end(table, foe, turns.BRACED):
            turns.grant_free_attack(table, foe, name)


def came_near(table: Table, name: str, foe: str) -> None:
    """Somebody who walked on a map in this turn strikes a foe: they have come within reach, and a brace tells (R3.86)."""
    walked = table.encounter is not None and table.encounter.spent.get(turns.FEET, 0) > 0
    if walked and _band(table, name, foe) != house(table).ranges[0]:
        arrive_at(table, name, [foe], 0)
