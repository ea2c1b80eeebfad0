"""Conditions that mean the same in every game, and how they begin, end and expire."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count

from rollbook.domain.events import Data
from rollbook.domain.state.sealing import NOTHING
from rollbook.kit import fields
from rollbook.plugin import Character, Condition, Table, events

__all__ = [
    "ARRIVING",
    "BLEEDING",
    "DEAD",
    "HELPLESS",
    "IS",
    "PRONE",
    "STABLE",
    "STUNNED",
    "SURPRISED",
    "UNCONSCIOUS",
    "begin",
    "change",
    "check_ruling",
    "end",
    "end_for_all",
    "end_with_data",
    "everywhere",
    "expire",
    "flag",
    "lying_on",
    "name_by",
    "name_for",
    "number",
    "plain_name",
    "text",
    "with_data",
]

UNCONSCIOUS = "unconscious"
DEAD = "dead"
PRONE = "prone"
STUNNED = "stunned"
HELPLESS = "helpless"
BLEEDING = "bleeding"
STABLE = "stable"
SURPRISED = "surprised"
ARRIVING = "arriving"
"""Condition of a character who came into a fight and waits for the next round."""

ROUND_LONG = (SURPRISED, ARRIVING)
"""Conditions that last to the end of a round: in a fight until it ends, outside one until as much time has passed."""


def begin(
    table: Table,
    name: str,
    condition: str,
    *,
    source: str = "",
    detail: str = "",
    until: int = 0,
    data: events.Data | None = None,
    again: bool = False,
) -> bool:
    """Begin a condition, unless it has begun and does not begin ``again``. Returns whether it began.

    ``until`` is a clock second, ``data`` what the rules read back; ``detail`` is only shown.
    """
    if not again and table.character(name).has(condition):
        return False
    began = events.ConditionBegan(
        character=name, condition=condition, source=source, detail=detail, until=until, data=data or {}
    )
    table.record(began)
    return True


def with_data(who: Character, field: str, value: str | None = None) -> tuple[Condition, ...]:
    """A character's conditions whose data have this field, with this ``value`` or with any: every light, every foe held off."""
    held = who.conditions.values()
    return tuple(each for each in held if field in each.data and value in (None, each.data[field]))


def lying_on(table: Table, names: Iterable[str]) -> Iterator[tuple[str, Condition]]:
    """All conditions of some characters, each with whom it lies on; they may be changed on the way."""
    for name in names:
        for condition in tuple(table.character(name).conditions.values()):
            yield name, condition


def everywhere(table: Table) -> Iterator[tuple[str, Condition]]:
    """All conditions of everybody, likewise."""
    return lying_on(table, [who.id for who in table.with_conditions()])


IS = "is"
"""The field of the data of a condition that stands under another name: what it is."""


def plain_name(condition: Condition) -> str:
    """The name of a condition without its cause, where it is called by that as well."""
    return fields.text(condition.data, IS) or condition.name


def name_for(who: Character, name: str, is_same: Callable[[Condition], bool], *others: str) -> str:
    """The name under which one cause's condition stands: its own, or one of the others where another cause has that."""
    names = chain((name, *others), (f"{name}, {number}" for number in count(2)))
    return next(each for each in names if each not in who.conditions or is_same(who.conditions[each]))


def name_by(who: Character, name: str, source: str, detail: str) -> str:
    """The same for a cause that is a ``source`` or a ``detail``: ``restrained (web)``, or else ``restrained by mira``."""
    held = who.conditions.get(name)
    about = f"{name} ({detail})" if detail and held is not None and held.detail != detail else name
    others = (about, f"{about} by {source}") if source else (about,)
    return name_for(who, name, lambda each: (each.source, each.detail) == (source, detail), *others)


def number(condition: Condition | None, field: str) -> int:
    """A number in a condition's data; 0 without the condition or the field."""
    return fields.number(condition.data, field) if condition is not None else 0


def flag(condition: Condition | None, field: str) -> bool:
    """True if a field of a condition's data is set; False without the condition."""
    return condition is not None and fields.flag(condition.data, field)


def text(condition: Condition | None, field: str) -> str:
    """A word in a condition's data; "" without the condition or the field."""
    return fields.text(condition.data, field) if condition is not None else ""


def change(
    table: Table,
    name: str,
    condition: Condition,
    *,
    detail: str | None = None,
    until: int | None = None,
    data: Data = NOTHING,
) -> None:
    """Begin a condition again with another ``detail`` or ``until``, or with these fields of its data changed."""
    begin(
        table,
        name,
        condition.name,
        source=condition.source,
        detail=condition.detail if detail is None else detail,
        until=condition.until if until is None else until,
        data={**condition.data, **data},
        again=True,
    )


def end(table: Table, name: str, condition: str) -> bool:
    """End a condition, if somebody is in it. Returns whether it ended."""
    if not table.character(name).has(condition):
        return False
    table.record(events.ConditionEnded(character=name, condition=condition))
    return True


def end_for_all(table: Table, names: Iterable[str], *conditions: str) -> None:
    """End these conditions for everybody named."""
    for condition in conditions:
        for name in names:
            end(table, name, condition)


def end_with_data(table: Table, name: str, field: str, value: str | None = None) -> None:
    """End every condition whose data have this field, with this ``value`` or with any."""
    for each in with_data(table.character(name), field, value):
        end(table, name, each.name)


def expire(table: Table, name: str, now: int | None = None) -> tuple[Condition, ...]:
    """End every condition whose time has come by ``now``, a clock second; the present by default. Returns those."""
    time = table.clock if now is None else now
    held = table.character(name).conditions.values()
    over = tuple(each for each in held if 0 < each.until <= time or _round_is_over(table, name, each, time))
    for condition in over:
        table.record(events.ConditionEnded(character=name, condition=condition.name))
    return over


def _round_is_over(table: Table, name: str, condition: Condition, time: int) -> bool:
    """True if a character outside a fight has been in a round-long condition for as long as a round takes."""
    if condition.name not in ROUND_LONG or (table.encounter is not None and name in table.encounter.order):
        return False
    length = table.ruleset.round_seconds(table) if table.ruleset is not None else 0
    return time - condition.since >= max(length, 1)


def check_ruling(table: Table, who: Character, condition: str, *, ends: bool, follows: Iterable[str] = ()) -> None:
    """Refuse a condition that the GM cannot set: an empty word, one that ``follows`` from other rules, or no change."""
    fault = ""
    if not condition.strip():
        fault = f"A condition is a word, as in: condition {who.id} {PRONE}"
    elif condition in follows:
        fault = f"Whether somebody is {condition} follows from the game. Change hit points with: harm, heal"
    elif who.has(condition) != ends:
        fault = f"{who.name} is {'not' if ends else 'already'} {condition}."
    if fault:
        table.refuse(fault, table.parameter_of(condition))
