"""How far apart people are in a fight: engaged, close, medium, far (R3.76, Q3.24).

The two sides begin some range apart; whoever moves changes the range to the foes named. A range is on record as a condition
of the one of the two whose id comes first: "at range to goblin", its detail is the band.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruleset_plugins import Character, Kind, Table, conditions, events
from ruleset_plugins.russell.settings import house

RANGE_TO = "at range to "
APART = "range"
"""The GM's pool that says how many bands apart the two sides began."""

CLOSE, FAR = "close", "far"

PARTY = (Kind.PLAYER_CHARACTER, Kind.HIRELING)


def in_party(who: Character) -> bool:
    """Which side somebody is on: player characters and hirelings are the party."""
    return who.kind in PARTY


def opponents(table: Table, who: Character) -> tuple[Character, ...]:
    """Everybody of the other side who takes part in the fight and lives."""
    order = table.encounter.order if table.encounter is not None else ()
    everybody = (table.character(name) for name in order)
    return tuple(other for other in everybody if in_party(other) != in_party(who) and not other.has(conditions.DEAD))


def range_between(table: Table, one: str, other: str) -> int:
    """How many bands apart two people are: 0 is engaged."""
    first, second = sorted((one, other))
    bands = house(table).ranges
    apart = table.character(first).conditions.get(f"{RANGE_TO}{second}")
    if apart is not None and apart.detail in bands:
        return bands.index(apart.detail)
    return max(0, min(table.gm_pools.get(APART, 0), len(bands) - 1))


def engaged_allies(table: Table, shooter: Character, target: Character) -> tuple[str, ...]:
    """Who of the shooter's side has come within arm's length of the target in this fight (R3.80)."""
    order = table.encounter.order if table.encounter is not None else ()
    friends = [name for name in order if name not in (shooter.id, target.id)]
    return tuple(
        name
        for name in friends
        if in_party(table.character(name)) == in_party(shooter)
        and not table.character(name).has(conditions.DEAD)
        and _came_close(table, name, target.id)
    )


def _came_close(table: Table, one: str, other: str) -> bool:
    first, second = sorted((one, other))
    apart = table.character(first).conditions.get(f"{RANGE_TO}{second}")
    return apart is not None and apart.detail == house(table).ranges[0]


def reached(bands: Sequence[str], farthest: str) -> int:
    """The band that a weapon reaches; at a table with names of its own close is the second and far the last (Q3.24)."""
    if farthest in bands:
        return bands.index(farthest)
    by_place = {CLOSE: min(1, len(bands) - 1), FAR: len(bands) - 1}
    return by_place.get(farthest, 0)


def come(table: Table, one: str, other: str, band: int) -> None:
    """Two people are so many bands apart now."""
    first, second = sorted((one, other))
    detail = house(table).ranges[band]
    table.record(events.ConditionBegan(character=first, condition=f"{RANGE_TO}{second}", detail=detail))


def band_number(table: Table, name: str) -> int:
    """A band by its name, as a number from the nearest."""
    bands = house(table).ranges
    if name not in bands:
        table.refuse(f"A range is one of {', '.join(bands)}, not {name!r}.")
    return bands.index(name)


def begin_apart(table: Table, band: str) -> None:
    """The two sides begin so far apart."""
    number = band_number(table, band)
    if number:
        table.record(events.PoolGained(holder="", pool=APART, amount=number, reason=band))


def end_ranges(table: Table, names: tuple[str, ...]) -> None:
    """The fight is over, and ranges with it."""
    for name in names:
        for condition in tuple(table.character(name).conditions):
            if condition.startswith(RANGE_TO):
                conditions.end(table, name, condition)
    apart = table.gm_pools.get(APART, 0)
    if apart:
        table.record(events.PoolSpent(holder="", pool=APART, amount=apart, reason="the fight is over"))
