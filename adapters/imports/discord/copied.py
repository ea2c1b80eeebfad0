"""Reader of a channel that was copied out of Discord as text.

The client writes name and time once, before all that a person says in a row; the bot's name has its mark after it. A
time without a day is of the day on which the file was saved.
"""

import re
from collections.abc import Iterator
from datetime import timedelta

import attrs

from rollbook.adapters.imports.bounded import OUTCOME, Source
from rollbook.adapters.imports.chats.messages import Clock, hours
from rollbook.adapters.imports.discord.cards import bare, is_title
from rollbook.adapters.imports.foundry.values import name
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record

_TIME = r"(?P<hour>[0-9]{1,2})[:.](?P<minute>[0-9]{2})(?::[0-9]{2})?(?:[ \u202f]?(?P<half>[AP]M))?"
_DAY = (
    r"(?:(?P<word>today|yesterday)(?: at)?|(?P<one>[0-9]{1,2})(?P<dot>[/.-])(?P<two>[0-9]{1,2})[/.-](?P<year>[0-9]{4}|[0-9]{2})"
    r"|(?P<iso>[0-9]{4}-[0-9]{2}-[0-9]{2}))"
)
HEADER = re.compile(rf"^(?P<name>.{{0,120}}?)\s*[—–]\s*(?:{_DAY},?\s+)?{_TIME}$", re.IGNORECASE)
LATER = re.compile(rf"^\[{_TIME}\]\s*", re.IGNORECASE)
"""The time before a line that a person added later."""
MARKS = re.compile(r"\s*(APP|BOT|✓ ?APP|✓ ?BOT|✔ ?BOT)$")
EDITED = re.compile(r"\s*\(edited\)$")
SEPARATOR = re.compile(r"^(NEW|[A-Z][a-z]+ [0-9]{1,2}, [0-9]{4})$")
TURN = re.compile(r"^(Initiative [0-9]|Rolling [0-9]+ iterations|.{0,80}(:game_die:|🎲))")
"""A line of the bot's with which another answer begins."""


@attrs.frozen
class Copied(Record):
    """Lines that somebody said at once: the whole answer of a bot, or one line of a person's."""

    line: int
    who: str
    at: int
    stamp: str
    said: tuple[str, ...]
    is_bot: bool


def read_copied(source: Source, lines: list[str], clock: Clock) -> tuple[list[Copied], bool]:
    """The lines that were said, and True if a time had no day. Raises RollbookError without any line of name and time."""
    heads = [(number, found) for number, line in enumerate(lines) if (found := HEADER.match(line.strip()))]
    if not heads:
        raise RollbookError(
            f"{source.path}, line 1: no line says who wrote and when, as in Mira — 4/16/2025 6:04 PM. {OUTCOME}"
        )
    starts_with_day = _starts_with_day([found for _, found in heads])
    said: list[Copied] = []
    starts = [_start(lines, number, found) for number, found in heads]
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    for (number, found), (_, called), end in zip(heads, starts, ends, strict=True):
        who = name(MARKS.sub("", called), "Somebody")
        is_bot = MARKS.search(called) is not None or who == "Avrae"
        body = [(at + 1, EDITED.sub("", lines[at].strip())) for at in range(number + 1, end)]
        body = [(at, line) for at, line in body if line and not SEPARATOR.match(line)]
        said += _said(who, found, body, clock, starts_with_day=starts_with_day, is_bot=is_bot)
    return said, any(not (found["iso"] or found["one"]) for _, found in heads)


def _starts_with_day(heads: list[re.Match[str]]) -> bool:
    """True if dates are written with the day first: as their numbers tell, else if hours count to 24, or with points."""
    dated = [found for found in heads if found["one"]]
    if any(int(found["one"]) > 12 for found in dated):
        return True
    if any(int(found["two"]) > 12 for found in dated):
        return False
    return any(found["dot"] == "." or not found["half"] for found in dated)


def _start(lines: list[str], number: int, found: re.Match[str]) -> tuple[int, str]:
    """The line with which a header begins, and the name in it: the name may stand one or two lines above the time."""
    if found["name"].strip():
        return number, found["name"]
    above = [(at, lines[at].strip()) for at in range(max(number - 2, 0), number) if lines[at].strip()]
    if len(above) == 2 and MARKS.fullmatch(above[1][1]):
        return above[0][0], f"{above[0][1]} {above[1][1]}"
    return above[-1] if above else (number, "")


def _said(
    who: str, head: re.Match[str], body: list[tuple[int, str]], clock: Clock, *, starts_with_day: bool, is_bot: bool
) -> Iterator[Copied]:
    """The answers of a bot, each from its title on, or the lines of a person."""
    block: list[str] = []
    began, now = 0, head
    for line, text in body:
        later = LATER.match(text)
        if (is_bot and block and (later or is_title(bare(text)) or TURN.match(bare(text)))) or (block and not is_bot):
            yield Copied(began, who, *_moment(head, now, clock, starts_with_day=starts_with_day), tuple(block), is_bot)
            block = []
        if later is not None:
            text, now = text[later.end() :], later  # noqa: PLW2901 - the rest of the line
        began = began if block else line
        block += [text] if text else []
    if block:
        yield Copied(began, who, *_moment(head, now, clock, starts_with_day=starts_with_day), tuple(block), is_bot)


def _moment(head: re.Match[str], now: re.Match[str], clock: Clock, *, starts_with_day: bool) -> tuple[int, str]:
    """A time, and a text for it that is the same whichever of two numbers is taken for the day."""
    hour, minute = hours(now["hour"], now["half"] or ""), int(now["minute"])
    if head["iso"]:
        year, month, day = map(int, head["iso"].split("-"))
    elif head["one"]:
        first, second, year = int(head["one"]), int(head["two"]), int(head["year"]) % 2000 + 2000
        month, day = (second, first) if starts_with_day else (first, second)
    else:
        date = clock.saved - timedelta(days=(head["word"] or "").casefold() == "yesterday")
        year, month, day = date.year, date.month, date.day
    return clock.at(year, month, day, hour, minute), f"{year} {min(month, day)} {max(month, day)} {hour}:{minute:02}"
