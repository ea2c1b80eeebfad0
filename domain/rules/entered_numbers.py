"""The numbers of a sheet that a GM can change: which one is meant, and what has to be entered so that it changes as much.

A ruleset derives its sheet, so whether a number can be entered, and how it counts, is seen by deriving the sheet with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from rollbook.domain import events
from rollbook.domain.base.errors import not_found
from rollbook.domain.rules.sheet import Sheet, Value

if TYPE_CHECKING:
    from rollbook.domain.rules.table import Table
    from rollbook.domain.state.campaign_state import Character


def sheet_of(table: Table, who: Character) -> Sheet:
    """A character's sheet at this moment; empty without a ruleset."""
    if table.ruleset is None:
        return Sheet(character=who.id, name=who.name)
    return table.ruleset.sheet(who, table.campaign)


def change(table: Table, who: Character, name: str, by: int, why: str) -> events.Event:
    """The event by which the number of that name on somebody's sheet is ``by`` more.

    Without a ruleset any name is a number. Raises NotFound, or Refused for what follows from other numbers alone.
    """
    if table.ruleset is None:
        return events.StatChanged(character=who.id, stat=name, amount=by, reason=why)
    sheet = sheet_of(table, who)
    value = sheet.value(name)
    if value is not None:
        return _change_value(table, who, value, by, why)
    if name in who.stats or sheet_of(table, _with_stat(who, name, by or 1)) != sheet:
        return events.StatChanged(character=who.id, stat=name, amount=by, reason=why)
    raise not_found(f"number on {who.name}'s sheet", name, [each.key for each in sheet.values])


def _change_value(table: Table, who: Character, value: Value, by: int, why: str) -> events.Event:
    """Counted from the number that is shown: what was derived until now is replaced, or added to, as its rules have it."""
    for stat in _stats(table, value):
        amount = _needed(table, who, value, stat, by)
        if amount is not None:
            return events.StatChanged(character=who.id, stat=stat, amount=amount, reason=why)
    pool = _pool_of(value)
    if not pool:
        origin = ", ".join(dict.fromkeys(term.label for term in value.terms)) or "other numbers"
        table.refuse(f"{value.label} follows from {origin}. Change one of those, or what {who.name} wears and holds.")
    return change_pool(who, pool, by, why)


def _stats(table: Table, value: Value) -> Iterator[str]:
    """What it may be entered as: under its own name, or another that its game has for it."""
    yield value.key
    if table.ruleset is not None and value.key in table.ruleset.entered_as:
        yield table.ruleset.entered_as[value.key]


def _pool_of(value: Value) -> str:
    """The pool that a number counts, if that is all it does; "" for none."""
    first = value.terms[0].path if len(value.terms) == 1 else ""
    return first.removeprefix("pool.") if first.startswith("pool.") else ""


def change_pool(who: Character, pool: str, by: int, why: str) -> events.Event:
    """The event by which somebody's pool holds ``by`` more."""
    if by >= 0:
        return events.PoolGained(holder=who.id, pool=pool, amount=by, reason=why)
    return events.PoolSpent(holder=who.id, pool=pool, amount=-by, reason=why)


def _needed(table: Table, who: Character, value: Value, stat: str, by: int) -> int | None:
    """How much the stat has to change for the number to be ``by`` more; None if it never is."""
    wanted, amount = value.amount + by, by or 1
    for _ in range(3):
        found = sheet_of(table, _with_stat(who, stat, amount)).value(value.key)
        if found is None or found.amount == value.amount != wanted:
            return None
        if found.amount == wanted:
            return amount
        amount += wanted - found.amount
    return None


def _with_stat(who: Character, stat: str, amount: int) -> Character:
    """The same character if a number were entered."""
    stats = {**who.stats, stat: who.stats.get(stat, 0) + amount}
    return attrs.evolve(who, stats=stats)
