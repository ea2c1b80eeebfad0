"""The fifteen conditions, their rules as a table, and how they lie on a character (R5.111–R5.204, R5.122).

On record: a condition of the engine under its plain name, ``ConditionBegan(condition="prone")``. Where another cause
brings the same one, the second is called ``"restrained (Web)"``, or ``"restrained by mira"`` if only its source is
another, and its data say ``is``; so each ends with its own cause, and nothing adds up. Ask with ``has`` and
``states_of``, never with ``who.has``, for what these names mean. What else the data may say is in ``durations``.
Exhaustion is one condition whose data have the ``level``.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from rollbook.kit import conditions, data, fields, turn_limits
from rollbook.plugin import Character, Condition, Table, events
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.effects.lasting import IS, effects_on
from rollbook.rulesets.srd5.fight import durations
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of

PRONE, UNCONSCIOUS, STABLE, DEAD, SURPRISED = "prone", "unconscious", "stable", "dead", "surprised"
INCAPACITATED, GRAPPLED, EXHAUSTION = "incapacitated", "grappled", "exhaustion"
FRIGHTENED, CHARMED = "frightened", "charmed"
ENDING = frozenset({turn_limits.ENDS, durations.SAVE, durations.CONCENTRATION, durations.REST})
"""The data of what ends by itself."""
MOST_EXHAUSTED = 6
STARVED = ("dehydrated", "malnourished")
"""Conditions that keep somebody exhausted until there is enough to eat and drink (R5.131, R5.173)."""


ROWS = data.by_key(__package__, "conditions.json", kinds.State)


@lru_cache(maxsize=64)
def _rows(key: str) -> tuple[kinds.State, ...]:
    """The row of a condition and of all that it includes."""
    row = ROWS.get(key)
    return (row, *(more for each in row.includes for more in _rows(each))) if row is not None else ()


def states_of(who: Character) -> Iterator[tuple[kinds.State, Condition]]:
    """The rows that hold for a character, each with the condition that brings it."""
    for name, condition in who.conditions.items():
        for row in _rows(str(condition.data.get(IS, name))):
            yield row, condition


def has(who: Character, key: str) -> bool:
    """True if one of the fifteen holds for a character, by itself or as a part of another."""
    return any(row.key == key for row, _ in states_of(who)) if who.conditions else False


def by(who: Character, key: str, source: str | None = None) -> tuple[Condition, ...]:
    """The conditions that bring a character one of the fifteen, from anybody or from one ``source``."""
    return tuple([held for row, held in states_of(who) if row.key == key and source in (None, held.source)])


def forbids(who: Character, *words: str) -> str:
    """The effect that forbids somebody one of these, "" for none."""
    return next((held.label for held in effects_on(who, "restrict") if {*words} & {*held.effect.cannot}), "")


def check_free(table: Table, who: Character, cannot: str, *words: str, at: str = "") -> None:
    """Refuse who is forbidden one of these, in words: somebody "cannot move", because of the effect."""
    because = forbids(who, *words)
    if because:
        table.refuse(f"{who.name} {cannot}, because of {because}.", at)


def is_unable(who: Character) -> bool:
    """True if a character is incapacitated: no action, bonus action or reaction (R5.159)."""
    return any(row.unable for row, _ in states_of(who)) or who.has(DEAD)


def level_of_exhaustion(who: Character) -> int:
    """Levels of exhaustion, 0 to 6 (R5.135)."""
    return conditions.number(who.conditions.get(EXHAUSTION), "level")


def is_immune(table: Table, who: Character, key: str) -> bool:
    """True if a condition cannot begin for a character (R5.87)."""
    block = block_of(who)
    if block is not None and key in block.condition_immunities:
        return True
    if any(key in held.effect.conditions for held in effects_on(who, "immune")):
        return True
    return any(key in row.immune for row, _ in states_of(who)) or any(check(table, who, key) for check in IMMUNITIES)


IMMUNITIES: list[Callable[[Table, Character, str], bool]] = []
"""Further reasons why a condition cannot begin: functions of table, character and condition."""


def begin(
    table: Table,
    name: str,
    key: str,
    *,
    source: str = "",
    detail: str = "",
    until: int = 0,
    data: events.Data | None = None,
) -> bool:
    """Begin a condition unless its target is immune. Returns whether it began (R5.87, R5.122)."""
    who = table.character(name)
    if is_immune(table, who, key) or who.has(DEAD):
        return False
    more = dict(data or {})
    if key == PRONE and not until and not more.keys() & ENDING and _lies(who):
        return True
    label = conditions.name_by(who, key, source, detail) if key in ROWS else key
    more |= {IS: key} if label != key else {}
    conditions.begin(table, name, label, source=source, detail=detail, until=until, data=more, again=True)
    if key == UNCONSCIOUS:
        begin(table, name, PRONE)
    for follow in ON_BEGIN:
        follow(table, name)
    return True


def _lies(who: Character) -> bool:
    """True for who lies there until they get up: whatever else throws them down changes nothing."""
    held = who.conditions.get(PRONE)
    return held is not None and not held.until and not held.data.keys() & ENDING


def is_over(who: Character, data: events.Data, source: str) -> bool:
    """True for what lasts only while somebody is in a condition from a source ("while grappled"), and they are not."""
    key = fields.text(data, "lasts").removeprefix("while ")
    return key in ROWS and not by(who, key, source)


def end_dependent(table: Table, name: str) -> None:
    """End what lasts only while somebody is in a condition that is over."""
    who = table.character(name)
    over = [each.name for each in who.conditions.values() if is_over(who, each.data, each.source)]
    conditions.end_for_all(table, (name,), *over)


ON_BEGIN: list[Callable[[Table, str], object]] = []
"""Consequences of a condition that began: functions of table and id (who is incapacitated lets go, and concentrates no more)."""


def end(table: Table, name: str, key: str) -> bool:
    """End one of the conditions, whatever brought it. Returns whether anything ended."""
    held = table.character(name).conditions.items()
    meant = tuple(each for each, condition in held if key in (each, fields.text(condition.data, IS)))
    conditions.end_for_all(table, (name,), *meant)
    end_dependent(table, name)
    return bool(meant)
