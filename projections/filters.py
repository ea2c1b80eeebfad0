"""Filters of actions: ``who=ogre scene=3 verb=attack after=210``, one small language for every question and correction.

A filter is words; all must hold. ``field=value`` compares whole words without case, ``field~part`` looks for a part,
``!=`` and ``!~`` negate them, commas mean any of several, ``12-20`` is a range with both ends. Without a field,
``12`` and ``12-20`` are actions, ``@47`` is an entry, and any other word must occur in what the log says.
``docs/filters.md`` lists the fields.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from typing import TypeAlias

import attrs

from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import SeatName
from rollbook.domain.base.letters import caseless
from rollbook.domain.base.records import Record
from rollbook.domain.events import vocabulary
from rollbook.projections.numbers import Bounds, action_number, entry_number, number_range
from rollbook.projections.session_log import EVERYTHING, SqlCondition

People: TypeAlias = Callable[[], Mapping[SeatName, str]]
"""The names of those at the table, by the name that their seat is stored under."""


class BadFilter(RollbookError):
    """A filter that cannot be read; the message shows where with a caret."""

    def __init__(self, text: str, at: int, why: str) -> None:
        super().__init__(f"{why}\n  {text}\n  {' ' * at}^")
        self.at = at


@attrs.frozen(kw_only=True)
class _Word(Record):
    """A word of a filter and its position; with a ``field``, the value to compare.

    Times are in its ``zone``, and seats are called as ``people`` says.
    """

    at: int
    zone: Callable[[], tzinfo]
    people: People
    text: str = ""
    field: str = ""
    sign: str = ""
    value: str = ""
    value_at: int = 0

    @property
    def is_part(self) -> bool:
        """True if the value may be a part of the field."""
        return "~" in self.sign

    @property
    def values(self) -> list[str]:
        """The values between commas, without case."""
        return caseless(self.value).split(",")


LONGEST = 10_000
"""Most characters of a filter."""
MOST_VALUES = 200
"""Most words and values between commas in one filter."""

_PART = re.compile(r"""(?P<field>[\w-]+)(?P<sign>!=|!~|=|~)(?P<value>"[^"]*"|\S*)|(?P<text>"[^"]*"|\S+)""")
_KIND = re.compile(r"[^a-z]")
KINDS = {kind.__name__.casefold(): kind.__name__ for kind in vocabulary()}
STATUSES = ("counts", "undone", "replaced", "correction")


def read(text: str, *, zone: Callable[[], tzinfo], people: People = dict) -> SqlCondition:
    """The condition that a filter means. Raises BadFilter with a caret under the fault.

    Days and times are in a ``zone``, and a seat is named as ``people`` call it; each is asked for only if there is one.
    """
    _check_readable(text)
    meant = EVERYTHING
    for word in _words(text, zone, people):
        meant &= _part(text, word)
    return meant


def _check_readable(text: str) -> None:
    """Raise BadFilter for a filter that is far too long, or holds bytes that are not UTF-8."""
    if len(text) > LONGEST or text.count(",") + len(text.split()) > MOST_VALUES:
        raise BadFilter(
            "", 0, f"A filter has at most {LONGEST:,} characters and {MOST_VALUES} values. Ask for fewer at once."
        )
    try:
        text.encode()
    except UnicodeEncodeError as fault:
        raise BadFilter(text, fault.start, "This is not text in UTF-8, so it is in no log.") from None


def named(text: str) -> Iterator[tuple[str, str]]:
    """Yield every value that a filter compares whole with the log, with its field. Raises BadFilter."""
    for word in _words(text, lambda: UTC, dict):
        if word.field in NAMED and not word.is_part:
            yield from ((word.field, one) for one in word.value.split(",") if one)


def _words(text: str, zone: Callable[[], tzinfo], people: People) -> Iterator[_Word]:
    for found in _PART.finditer(text):
        said = found.groupdict("")
        yield _Word(
            at=found.start(),
            zone=zone,
            people=people,
            text=said["text"],
            field=said["field"].casefold(),
            sign=said["sign"],
            value=_bare(said["value"]),
            value_at=found.start("value"),
        )
        if found[0].count('"') == 1:
            raise BadFilter(text, text.index('"', found.start()), "This quotation mark is never closed.")


def _bare(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _part(text: str, word: _Word) -> SqlCondition:
    if not word.field:
        return _numbered(word.text) or _occurs(_bare(word.text), "who", "what", "result", "reason", "why")
    if word.field not in FIELDS:
        near = difflib.get_close_matches(word.field, FIELDS, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(FIELDS)}."
        raise BadFilter(text, word.at, f"There is no field {word.field!r} to filter by. {hint}")
    if not word.value:
        raise BadFilter(text, word.value_at, f"{word.field} needs a value.")
    try:
        condition = FIELDS[word.field](word)
    except ValueError as why:
        raise BadFilter(text, word.value_at, str(why)) from None
    return SqlCondition(f"NOT ({condition.sql})", condition.values) if word.sign.startswith("!") else condition


def _any(conditions: Iterable[SqlCondition]) -> SqlCondition:
    several = list(conditions)
    return SqlCondition(
        " OR ".join(one.sql for one in several), tuple(value for one in several for value in one.values)
    )


def _occurs(part: str, *columns: str) -> SqlCondition:
    return _any(SqlCondition(f"instr(fold({column}), ?)", (caseless(part),)) for column in columns)


def _numbered(text: str) -> SqlCondition | None:
    """The condition for a number without a field; None for any other word."""
    for column, read in _NUMBERED.items():
        bounds = number_range(text, read)
        if bounds is not None:
            return _within(column, bounds)
    return None


_NUMBERED = {"action": action_number, "entry": entry_number}
"""The columns that a number without a field may mean, each with the reader of its notation."""


def _numbers(column: str, word: _Word, example: str = "12 or 12-20") -> SqlCondition:
    if word.is_part:
        raise ValueError("A number has no parts; compare it with = or !=.")
    return _any(_within(column, _bounds(column, one, example)) for one in word.value.split(","))


def _bounds(column: str, text: str, example: str) -> Bounds:
    bounds = number_range(text, _NUMBERED.get(column, action_number))
    if text in ("-", ".."):
        raise ValueError("A range needs at least one end, as in 12-20, 12- or -20.")
    if bounds is None:
        raise ValueError(f"{text!r} is not a number, as in {example}.")
    return bounds


def _within(column: str, bounds: Bounds) -> SqlCondition:
    ends = [(sign, bound) for sign, bound in zip((">=", "<="), bounds, strict=True) if bound is not None]
    return SqlCondition(" AND ".join(f"{column} {sign} ?" for sign, _ in ends), tuple(bound for _, bound in ends))


def _listed(column: str, word: _Word) -> SqlCondition:
    """A column that holds several words between bars: ``|robin|Robin Hood|``; a beginning of one will do."""
    return _any(_occurs(one if word.is_part else f"|{one}", column) for one in word.values)


def _text(column: str, word: _Word) -> SqlCondition:
    if word.is_part:
        return _any(_occurs(one, column) for one in word.values)
    return _any(SqlCondition(f"fold({column}) = ?", (one,)) for one in word.values)


def _seat(word: _Word) -> SqlCondition:
    """The seats that are stored under a name, and those whose people go by it now."""
    called = [(seat, caseless(name)) for seat, name in word.people().items()]
    meant = [seat for seat, name in called if any(one in name if word.is_part else one == name for one in word.values)]
    return _any([_text("seat", word), *(SqlCondition("seat = ?", (seat,)) for seat in meant)])


def _kinds(word: _Word) -> SqlCondition:
    """Kinds of events by their names, with or without dashes: DamageTaken, damage-taken."""
    kinds = [_KIND.sub("", one) for one in word.values]
    for kind in kinds:
        if not word.is_part and not any(known.startswith(kind) for known in KINDS):
            near = difflib.get_close_matches(kind, KINDS, n=1, cutoff=0.4)
            raise ValueError(
                f"There is no kind of event called {kind!r}. Did you mean {KINDS[near[0]] if near else 'DamageTaken'}?"
            )
    return _listed("kinds", attrs.evolve(word, value=",".join(kinds)))


def _status(word: _Word) -> SqlCondition:
    for one in word.values:
        if not word.is_part and one not in STATUSES:
            raise ValueError(f"A status is {', '.join(STATUSES)}, not {one!r}.")
    return _text("status", word)


def _scene(word: _Word) -> SqlCondition:
    """A scene by its number in the campaign, or by a part of its title."""
    if not word.is_part and number_range(word.value) is not None:
        return _numbers("scene_number", word)
    return _text("scene", attrs.evolve(word, sign="~"))


def _bound(sign: str, word: _Word) -> SqlCondition:
    for column, read in _NUMBERED.items():
        number = read(word.value)
        if number is not None:
            return SqlCondition(f"{column} {sign} ?", (number,))
    found = spans(word.value, word.zone())
    return SqlCondition(f"at {sign} ?", (found[0][1] if sign == ">" else found[-1][0],))


def _time(word: _Word) -> SqlCondition:
    low, dots, high = word.value.partition("..")
    if not dots:
        return _any(SqlCondition("at BETWEEN ? AND ?", span) for span in spans(low, word.zone()))
    first = spans(low, word.zone())[0][0] if low else 0
    last = spans(high, word.zone())[-1][1] if high else 2**62
    return SqlCondition("at BETWEEN ? AND ?", (first, last))


FIELDS: Mapping[str, Callable[[_Word], SqlCondition]] = {
    "number": partial(_numbers, "action"),
    "entry": partial(_numbers, "entry", example="@47 or @40-@60"),
    "after": partial(_bound, ">"),
    "before": partial(_bound, "<"),
    "who": partial(_listed, "actor"),
    "target": partial(_listed, "targets"),
    "seat": _seat,
    "verb": partial(_text, "verb"),
    "session": partial(_numbers, "session"),
    "scene": _scene,
    "kind": _kinds,
    "time": _time,
    "text": partial(_text, "result"),
    "status": _status,
}
"""The reader of each field's value."""

NAMED: Mapping[str, str] = {"who": "actor", "target": "targets", "seat": "seat", "verb": "verb"}
"""The fields whose values are names, and the columns that hold them."""


Span: TypeAlias = tuple[int, int]
"""The first and the last microsecond since 1970, UTC."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MINUTE = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")
_MICROSECOND, _SECOND = timedelta(microseconds=1), timedelta(seconds=1)
_BEGINNING = datetime(1970, 1, 1)  # noqa: DTZ001 - what a clock in any zone shows


def spans(text: str, zone: tzinfo) -> Sequence[Span]:
    """The times at which clocks in a zone show a day or a minute: one or two. Raises ValueError with a sentence.

    A minute that clocks skip is an empty stretch, at the moment in which they skip it.
    """
    try:
        if _DAY.fullmatch(text):
            day = datetime.fromisoformat(text)
            return ((_instants(day, zone)[0], _instants(day + timedelta(days=1), zone)[0] - 1),)
        if found := _MINUTE.fullmatch(text):
            return _minutes(datetime.fromisoformat(f"{found[1]}T{found[2]}"), zone)
        raise ValueError(text)
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is not a time, as in 2026-11-20 or 2026-11-20T21:30.") from None


def _minutes(shown: datetime, zone: tzinfo) -> Sequence[Span]:
    is_skipped = _offset(shown, zone, 0) < _offset(shown, zone, 1)
    length = 0 if is_skipped else timedelta(minutes=1) // _MICROSECOND
    return [(first, first + length - 1) for first in _instants(shown, zone)]


def _instants(shown: datetime, zone: tzinfo) -> Sequence[int]:
    """The instants at which clocks show a time, in order: two if they are put back; of the skip if they skip it."""
    early, late = (_offset(shown, zone, fold) for fold in (0, 1))
    wall = (shown - _BEGINNING) // _MICROSECOND
    if early > late:
        return wall - early // _MICROSECOND, wall - late // _MICROSECOND
    if early < late:
        return (_skip(shown, zone),)
    return (wall - early // _MICROSECOND,)


def _offset(shown: datetime, zone: tzinfo, fold: int) -> timedelta:
    return shown.replace(tzinfo=zone, fold=fold).utcoffset() or timedelta()


def _skip(shown: datetime, zone: tzinfo) -> int:
    """The second in which clocks jump from before this time to after it."""
    before, after = ((shown - _offset(shown, zone, fold)).replace(tzinfo=UTC) for fold in (1, 0))
    seconds = range((after - before) // _SECOND)
    until = bisect_left(
        seconds, x=True, key=lambda second: (before + second * _SECOND).astimezone(zone).replace(tzinfo=None) >= shown
    )
    return (before + until * _SECOND - _BEGINNING.replace(tzinfo=UTC)) // _MICROSECOND
