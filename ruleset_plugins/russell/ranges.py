"""How far apart people are in a fight: engaged, close, medium, far (R3.76, Q3.24).

The two sides begin some range apart; whoever moves changes the range to the foes named. A range is on record as a condition
of the one of the two whose id comes first: "at range to goblin", its detail is the band.
"""

from __future__ import annotations

from ruleset_plugins import Character, Kind, Table, conditions, events
from ruleset_plugins.russell.settings import house

RANGE_TO = "at range to "
APART = "range"
"""The GM's pool that says how many bands apart the two sides began."""

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
