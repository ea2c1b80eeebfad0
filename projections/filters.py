"""Which actions are meant: ``who=ogre scene=3 verb=attack after=210``, one small language for every question and correction.

A filter is words; all must hold. ``field=value`` compares whole words whatever their case, ``field~part`` looks for a part,
``!=`` and ``!~`` turn them round, commas mean any of several, ``12-20`` is a range with both ends. Without a field,
``12`` and ``12-20`` are actions, ``@47`` is an entry, and any other word must occur in what the log says.
``docs/filters.md`` lists the fields.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo

import attrs

from domain.errors import RollbookError
from domain.events import vocabulary
from projections.numbers import Bounds, action_number, entry_number, number_range


class BadFilter(RollbookError):
    """A filter that cannot be read; the message shows where with a caret."""

    def __init__(self, text: str, at: int, why: str) -> None:
        super().__init__(f"{why}\n  {text}\n  {' ' * at}^")
        self.at = at


@attrs.frozen
class SqlCondition:
    """A piece of SQL about rows of the session log, with its values."""

    sql: str
    values: tuple[object, ...] = ()

    def __and__(self, other: SqlCondition) -> SqlCondition:
        return SqlCondition(f"({self.sql}) AND ({other.sql})", self.values + other.values)


EVERYTHING = SqlCondition("1")
UNDONE_ONLY = SqlCondition("status = 'undone'")
CORRECTIONS_ONLY = SqlCondition("status = 'correction' OR revision > 1")


@attrs.frozen
class _Word:
    """A word of a filter and its position."""

    text: str
    at: int
    is_quoted: bool = False
    field: str = ""
    sign: str = ""
    value: str = ""
    value_at: int = 0


_PART = re.compile(r"""(?P<field>[\w-]+)(?P<sign>!=|!~|=|~)(?P<value>"[^"]*"|\S*)|(?P<text>"[^"]*"|\S+)""")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_HOUR = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")
_KIND = re.compile(r"[^a-z]")
KINDS = {kind.__name__.casefold(): kind.__name__ for kind in vocabulary()}
STATUSES = ("counts", "undone", "replaced", "correction")


def read(text: str, *, zone: tzinfo = UTC) -> SqlCondition:
    """The condition that a filter means; times of day are in ``zone``. Raises BadFilter with a caret under the fault."""
    meant = EVERYTHING
    for word in _words(text):
        meant &= _part(text, word, zone)
    return meant


def named(text: str) -> Iterator[tuple[str, str]]:
    """Every single value that a filter compares whole with the log, with its field. Raises BadFilter."""
    for word in _words(text):
        if word.field in NAMED and "~" not in word.sign:
            yield from ((word.field, one) for one in word.value.split(",") if one)


def _words(text: str) -> Iterator[_Word]:
    at = 0
    while match := re.compile(r"\s*").match(text, at):
        at = match.end()
        if at == len(text):
            return
        found = _PART.match(text, at)
        assert found is not None
        if found["field"] is not None:
            yield _Word(
                found[0],
                at,
                field=found["field"].casefold(),
                sign=found["sign"],
                value=_bare(found["value"]),
                value_at=found.start("value"),
            )
        else:
            yield _Word(_bare(found["text"]), at, is_quoted=found["text"].startswith('"'))
        if found[0].count('"') == 1:
            raise BadFilter(text, at + found[0].index('"'), "This quotation mark is never closed.")
        at = found.end()


def _bare(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _part(text: str, word: _Word, zone: tzinfo) -> SqlCondition:
    if not word.field:
        numbered = None if word.is_quoted else _numbered(word.text)
        return numbered or _occurs(word.text, ("who", "what", "result", "reason"))
    if word.field not in FIELDS:
        near = difflib.get_close_matches(word.field, FIELDS, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(FIELDS)}."
        raise BadFilter(text, word.at, f"There is no field {word.field!r} to filter by. {hint}")
    if not word.value:
        raise BadFilter(text, word.value_at, f"{word.field} needs a value.")
    try:
        condition = FIELDS[word.field](word.value, "~" in word.sign, zone)
    except ValueError as why:
        raise BadFilter(text, word.value_at, str(why)) from None
    return SqlCondition(f"NOT ({condition.sql})", condition.values) if word.sign.startswith("!") else condition


_Reader = Callable[[str, bool, tzinfo], SqlCondition]


def _any(conditions: list[SqlCondition]) -> SqlCondition:
    return SqlCondition(" OR ".join(one.sql for one in conditions), tuple(v for one in conditions for v in one.values))


def _occurs(part: str, columns: tuple[str, ...]) -> SqlCondition:
    """Whether a part occurs in one of the columns, whatever the case."""
    return _any([SqlCondition(f"instr(fold({column}), ?)", (part.casefold(),)) for column in columns])


def _numbered(text: str) -> SqlCondition | None:
    """What a number without a field means; None for any other word."""
    for column, read in (("action", action_number), ("entry", entry_number)):
        bounds = number_range(text, read)
        if bounds is not None:
            return _within(column, bounds)
    return None


def _numbers(column: str, read: Callable[[str], int | None] = action_number, example: str = "12 or 12-20") -> _Reader:
    def read_numbers(value: str, part: bool, zone: tzinfo) -> SqlCondition:  # noqa: ARG001 - as all fields are read
        if part:
            raise ValueError("A number has no parts; compare it with = or !=.")
        return _any([_within(column, bounds_of(one)) for one in value.split(",")])

    def bounds_of(text: str) -> Bounds:
        bounds = number_range(text, read)
        if text in ("-", ".."):
            raise ValueError("A range needs at least one end, as in 12-20, 12- or -20.")
        if bounds is None:
            raise ValueError(f"{text!r} is not a number, as in {example}.")
        return bounds

    return read_numbers


def _within(column: str, bounds: Bounds) -> SqlCondition:
    """A column between two numbers; an end that is None is open."""
    kept = [(sign, bound) for sign, bound in zip((">=", "<="), bounds, strict=True) if bound is not None]
    return SqlCondition(" AND ".join(f"{column} {sign} ?" for sign, _ in kept), tuple(bound for _, bound in kept))


def _listed(column: str) -> _Reader:
    """A column that holds several words between bars: ``|robin|Robin Hood|``; a beginning of one will do."""

    def read_words(value: str, part: bool, zone: tzinfo) -> SqlCondition:  # noqa: ARG001 - as all fields are read
        wanted = [one.casefold() for one in value.split(",")]
        return _any([SqlCondition(f"instr(fold({column}), ?)", (one if part else f"|{one}",)) for one in wanted])

    return read_words


def _text(column: str) -> _Reader:
    def read_text(value: str, part: bool, zone: tzinfo) -> SqlCondition:  # noqa: ARG001 - as all fields are read
        wanted = [one.casefold() for one in value.split(",")]
        if part:
            return _any([_occurs(one, (column,)) for one in wanted])
        return _any([SqlCondition(f"fold({column}) = ?", (one,)) for one in wanted])

    return read_text


def _kinds(value: str, part: bool, zone: tzinfo) -> SqlCondition:
    """Kinds of events, as they are called or with dashes: DamageTaken, damage-taken."""
    kinds = [_KIND.sub("", one.casefold()) for one in value.split(",")]
    for kind in kinds:
        if not part and not any(known.startswith(kind) for known in KINDS):
            near = difflib.get_close_matches(kind, KINDS, n=1, cutoff=0.4)
            raise ValueError(
                f"There is no kind of event called {kind!r}. Did you mean {KINDS[near[0]] if near else 'DamageTaken'}?"
            )
    plain = ",".join(kinds)
    return _listed("kinds")(plain, part, zone)


def _status(value: str, part: bool, zone: tzinfo) -> SqlCondition:
    for one in value.casefold().split(","):
        if not part and one not in STATUSES:
            raise ValueError(f"A status is {', '.join(STATUSES)}, not {one!r}.")
    return _text("status")(value, part, zone)


def _scene(value: str, part: bool, zone: tzinfo) -> SqlCondition:
    """A scene by its number in the campaign, or by a part of its title."""
    if not part and number_range(value) is not None:
        return _numbers("scene_number")(value, part, zone)
    return _text("scene")(value, True, zone)  # noqa: FBT003 - a title is known by a part of it


def _bound(sign: str) -> _Reader:
    def read_bound(value: str, part: bool, zone: tzinfo) -> SqlCondition:  # noqa: ARG001 - as all fields are read
        for column, read in (("action", action_number), ("entry", entry_number)):
            number = read(value)
            if number is not None:
                return SqlCondition(f"{column} {sign} ?", (number,))
        first, last = _moment(value, zone)
        return SqlCondition(f"at {sign} ?", (last if sign == ">" else first,))

    return read_bound


def _time(value: str, part: bool, zone: tzinfo) -> SqlCondition:  # noqa: ARG001 - as all fields are read
    low, dots, high = value.partition("..")
    first = _moment(low, zone)[0] if low else 0
    last = _moment(high, zone)[1] if high else (2**62 if dots else _moment(low, zone)[1])
    return SqlCondition("at BETWEEN ? AND ?", (first, last))


def _moment(text: str, zone: tzinfo) -> tuple[int, int]:
    """The first and the last microsecond of a day or a minute."""
    try:
        if _DAY.fullmatch(text):
            begins, lasts = datetime.fromisoformat(text), timedelta(days=1)
        elif found := _HOUR.fullmatch(text):
            begins, lasts = datetime.fromisoformat(f"{found[1]}T{found[2]}"), timedelta(minutes=1)
        else:
            raise ValueError(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a time, as in 2026-11-20 or 2026-11-20T21:30.") from None
    since = begins.replace(tzinfo=zone) - datetime.fromtimestamp(0, UTC)
    first = since // timedelta(microseconds=1)
    return first, first + lasts // timedelta(microseconds=1) - 1


FIELDS: Mapping[str, _Reader] = {
    "number": _numbers("action"),
    "entry": _numbers("entry", entry_number, "@47 or @40-@60"),
    "after": _bound(">"),
    "before": _bound("<"),
    "who": _listed("actor"),
    "target": _listed("targets"),
    "seat": _text("seat"),
    "verb": _text("verb"),
    "session": _numbers("session"),
    "scene": _scene,
    "kind": _kinds,
    "time": _time,
    "text": _text("result"),
    "status": _status,
}
"""How the value of each field is read."""

NAMED: Mapping[str, str] = {"who": "actor", "target": "targets", "seat": "seat", "verb": "verb"}
"""The fields whose values are names, and the columns that hold them."""
