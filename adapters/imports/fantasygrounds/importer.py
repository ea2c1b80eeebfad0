"""Importer of Fantasy Grounds' chatlog.html as the actions of a campaign.

A line is a message, and begins with a name. The log has totals and no single dice, and says the time only where a
session starts. It names no people: who speaks, or throws dice by hand, in a name has a seat, and all else is the GM's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import attrs

from rollbook.adapters.imports import Imported, Known, nothing_known
from rollbook.adapters.imports.bounded import MIB, OUTCOME, Source, first_lines
from rollbook.adapters.imports.chats.importer import import_chat
from rollbook.adapters.imports.chats.markup import fragment
from rollbook.adapters.imports.chats.messages import BOUNDS, GM, UNREAD, Chat, Clock, Message, lines_of
from rollbook.adapters.imports.chats.rolls import ChatRoll, chat_roll, purpose_of
from rollbook.adapters.imports.course import Remarks
from rollbook.adapters.imports.foundry.values import name, words
from rollbook.domain.base.errors import RollbookError

__all__ = ["read_fantasy_grounds", "recognises"]

PAGE = attrs.evolve(BOUNDS, line=MIB)
RESTART = 12 * 3_600_000_000
"""Microseconds between two starts of the program that are of two sessions: it may stop in the middle of one."""
LOOKED_AT = 200
TOTALS = "Fantasy Grounds records no single dice: the totals came in alone."
STARTED = re.compile(r"Session started at ([0-9]{4})-([0-9]{2})-([0-9]{2}) / ([0-9]{2}):([0-9]{2})")
CLOCK = re.compile(r"^\[([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?\]\s*")
SPOKEN = re.compile(
    r"^(?P<tags>(?:\[[^\]]{0,80}\]\s*)*)(?:(?P<from>[^:\[\]]{0,80}?)\s*-> ?)?"
    r"(?P<who>[^:\[\]<>]{1,80}?):(?:\s+(?P<said>.*))?$"
)
DICE = r"[^\[\]()=]{0,200}?[0-9]{0,4}[dgrbpt][0-9]{1,4}[^\[\]()=]{0,200}"
RESULT = re.compile(rf"\[(?P<roll>{DICE}) = (?P<total>-?[0-9]{{1,9}})\]")
WITHIN = re.compile(rf"\((?P<roll>{DICE})=(?P<total>-?[0-9]{{1,9}})\)")
"""A roll inside a line of damage; the same roll stands behind the line."""
SHOWS_ROLL = re.compile(r"\[[^\]=]{0,200}?[0-9]?[dg][0-9]+[^\]=]{0,200}=")
MET = re.compile(r"\(vs\.? DC (?P<number>[0-9]{1,3})\)")
SECRET, WHISPER = re.compile(r"\[(GM|TOWER)\]"), re.compile(r"\[w\]", re.IGNORECASE)
LEADS = frozenset(("gm", "dm", "gamemaster", "game master"))


def read_fantasy_grounds(path: Path, name: str = "", known: Callable[[str], Known] = nothing_known) -> Imported:
    """Import a chat log as a campaign, or its new lines into a campaign that was made from it.

    Raises NotFound, or RollbookError for a file that is no log of Fantasy Grounds'.
    """
    return import_chat(path, name, known, _read, PAGE)


def recognises(path: Path) -> bool:
    """True if a file seems to be a log of Fantasy Grounds'."""
    first = b"".join(first_lines(path, LOOKED_AT, PAGE)).decode("utf-8", "replace")
    return STARTED.search(first) is not None or "ruleset for Fantasy Grounds" in first


@attrs.frozen
class _Line:
    """A line of the log: its number, its words, and the time and session in which it was said."""

    number: int
    text: str
    at: int
    session: str


def _read(source: Source, clock: Clock) -> Chat:
    lines = [*_lines(source, clock)]
    if not any(line.session for line in lines):
        raise RollbookError(
            f"{source.path}, line 1: this is no chat log of Fantasy Grounds': no line says when a session started. {OUTCOME}"
        )
    players = {who: who for line in lines if (who := _player(line.text))}
    unread = Remarks()
    messages = tuple(_message(line, players, unread) for line in lines if not STARTED.search(line.text))
    return Chat(messages=messages, people=players, plays=players, unread=unread, said=(TOTALS,), gap=RESTART)


def _lines(source: Source, clock: Clock) -> Iterator[_Line]:
    """The lines that say something. After midnight it is the next day."""
    began, at, session = clock.saved, 0, ""
    for number, line in enumerate(lines_of(source), 1):
        text = words(fragment(source, number, line).text()).replace("\n", " ") if line else ""
        if started := STARTED.search(text):
            session = started[0]
            at = clock.at(*map(int, started.groups()))
            began = datetime.fromtimestamp(at / 1_000_000, clock.zone)
        elif at and (said := CLOCK.match(text)):
            text = text[said.end() :]
            hour, minute = int(said[1]), int(said[2])
            day = began + timedelta(days=(hour, minute) < (began.hour, began.minute))
            at = max(at, clock.at(day.year, day.month, day.day, hour, minute))
        if text:
            yield _Line(number, text, at, session)


def _player(text: str) -> str:
    """The name in which a person speaks or throws dice in this line, "" if none does. Foes are numbered."""
    found = SPOKEN.match(text)
    if found is None or found["tags"] or found["from"] is not None:
        return ""
    who, said = name(found["who"]), found["said"] or ""
    is_thrown = RESULT.fullmatch(said.strip()) is not None
    is_foe = re.search(r" [0-9]+$", who) is not None or who.casefold() in LEADS
    return "" if is_foe or ("[" in said and not is_thrown) else who


def _message(line: _Line, players: dict[str, str], unread: Remarks) -> Message:
    found = SPOKEN.match(line.text)
    tags = found["tags"] if found else ""
    is_whisper = WHISPER.search(tags) is not None
    who = name(found["who"]) if found else ""
    writer = name(found["from"]) if found and found["from"] is not None else who
    said = (found["said"] or "") if found else line.text
    rolls = [*_rolls(line, said, unread)]
    others = [one for one in (writer, who) if one in players and is_whisper]
    to = others[-1] if others else GM if is_whisper or SECRET.search(line.text) else ""
    text = RESULT.sub("", said).strip()
    return Message(
        line=line.number,
        id=f"{line.session} {line.text}",
        at=line.at,
        person=players.get(writer, ""),
        actor="" if who.casefold() in LEADS else who,
        rolls=tuple(rolls),
        words=words(text if who in players or rolls or not found else line.text),
        to=to,
    )


def _rolls(line: _Line, said: str, unread: Remarks) -> Iterator[ChatRoll]:
    found = [*RESULT.finditer(said)] or [*WITHIN.finditer(said)]
    if not found and SHOWS_ROLL.search(said):
        unread.add(UNREAD, f"line {line.number}, {line.text}")
    met = MET.search(said)
    for one in found:
        formula = re.sub(r"[grbpt](?=[0-9])", "d", one["roll"].strip())
        roll = chat_roll(formula, int(one["total"]), shows_dice=False)
        success = True if "[SUCCESS]" in said else False if "[FAILURE]" in said else None
        yield attrs.evolve(
            roll, purpose=purpose_of(said) or "roll", difficulty=int(met["number"]) if met else None, success=success
        )
