"""A chat log while it becomes actions: seats, characters, sessions, and an action for each message.

A message is known by its id, or else by all that it says: a longer log of the same table adds the new ones. A whisper
becomes an entry that only its reader and its writer see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import attrs

from rollbook.adapters.imports import Imported, ImportedAction, Known
from rollbook.adapters.imports.bounded import OUTCOME, Bounds, Source, opened
from rollbook.adapters.imports.chats.messages import BOUNDS, GM, Chat, Clock, Message
from rollbook.adapters.imports.chats.rolls import ChatRoll
from rollbook.adapters.imports.course import GAP, Course, Remarks, imported, listed, seat_name
from rollbook.adapters.imports.foundry.values import name as one_line
from rollbook.domain import events
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.progress import told
from rollbook.domain.events import CharacterKind, Event, Role, Scalar

VERBS = frozenset(("attack", "damage", "healing", "save", "check", "initiative"))


def import_chat(
    path: Path, name: str, known: Callable[[str], Known], read: Callable[[Source, Clock], Chat], bounds: Bounds = BOUNDS
) -> Imported:
    """Import the chat log at a path as a campaign, or its new messages into a campaign that was made from it.

    Raises NotFound, or RollbookError for a file that ``read`` finds no messages in.
    """
    called = one_line(name) or one_line(path.stem) or "A chat"
    before = known(called)
    with opened(path, OUTCOME, bounds) as source:
        chat = read(source, Clock.of(source, before.zone))
    said = tuple(message for message in chat.messages if message.words or message.rolls)
    if not said:
        raise RollbookError(f"{path}: there are no messages in it. {OUTCOME}")
    return imported(called, _Telling(attrs.evolve(chat, messages=said), called, before))


class _Telling:
    """A chat log while it becomes actions."""

    def __init__(self, chat: Chat, called: str, known: Known) -> None:
        self.chat = chat
        self.called = called
        self.messages = [*zip(_keys(chat.messages), chat.messages, strict=True)]
        is_known = any(key in known.places for key, _ in self.messages)
        self.known = known if is_known else Known(zone=known.zone)
        self._seats: dict[str, str] = {}
        leads = (seat for seat, sitting in self.known.state.seats.items() if sitting.role is Role.GM)
        self.gm = next(leads, "") or seat_name(one_line(chat.people.get(chat.gm), "GM"))
        self._taken = {seat.casefold() for seat in (*self.known.state.seats, self.gm)}
        self.course = Course(self.known, self.gm)
        self.new = self.rolls = self.with_dice = 0
        self.remarks = Remarks()
        self.changed: list[str] = []

    def actions(self) -> Iterator[ImportedAction]:
        """All new actions, in the order of the log."""
        fresh = [(key, message) for key, message in self.messages if not self._is_here(key, message)]
        began = next((message.at for _, message in fresh if message.at), 0)
        if not self.known.entries:
            yield self.course.start(self.called, self.messages[0][0], began)
        for key, message in told(fresh, lambda: len(fresh)):
            at = message.at or self.course.last or began or 1
            yield from self.course.reach(at, self.chat.gap or GAP)
            yield from self._message(key, message, at)
        self.new = len(fresh)
        yield from self.course.close()

    def _is_here(self, key: str, message: Message) -> bool:
        """True if a message was imported before; one that has changed since is noted."""
        if key not in self.known.places:
            return False
        if not self.known.is_same(key, self._seat(message.person), message.source):
            self.changed.append(f"#{self.known.actions[key]}")
        return True

    # People.

    def _seat(self, person: str) -> str:
        """The seat of a person: as in the earlier import, else under their own name."""
        if not person:
            return self.gm
        if person not in self._seats:
            leader = self.chat.same.get(person, person)
            new = self._seat(leader) if leader != person else self.gm if person == self.chat.gm else self._free(person)
            self._seats[person] = self.known.seats.get(_digest("seat", person)) or new
        return self._seats[person]

    def _free(self, person: str) -> str:
        stem = seat_name(one_line(self.chat.people.get(person), "Somebody"))
        found, number = stem, 1
        while found.casefold() in self._taken:
            number += 1
            found = f"{stem} {number}"
        self._taken.add(found.casefold())
        return found

    def _sit(self, person: str, at: int) -> Iterator[ImportedAction]:
        seat = self._seat(person)
        if seat != self.gm:
            yield from self.course.seat(seat, Role.PLAYER, at, key=_digest("seat", self.chat.same.get(person, person)))

    def _enter(self, called: str, at: int, *, is_open: bool) -> Iterator[ImportedAction]:
        """Add a character at the first message in which it acts."""
        player = self.chat.plays.get(called, "")
        yield from self._sit(player, at)
        is_players = self._seat(player) != self.gm
        kind = CharacterKind.PLAYER_CHARACTER if is_players else CharacterKind.NPC
        seat = self._seat(player) if is_players else ""
        yield from self.course.enter(_digest("who", called.casefold()), called, kind, at, seat=seat, is_open=is_open)

    def _id(self, called: str) -> str:
        return self.course.who(_digest("who", called.casefold())) if called else ""

    # Messages.

    def _message(self, key: str, message: Message, at: int) -> Iterator[ImportedAction]:
        yield from self._sit(message.person, at)
        yield from self._sit(message.to if message.to != GM else "", at)
        seat = self._seat(message.person)
        whose = "" if not message.to else GM if message.to == GM else self._seat(message.to)
        whose = GM if whose == self.gm else whose
        acting = dict.fromkeys(filter(None, (message.actor if message.rolls else "", *(r.by for r in message.rolls))))
        for called in acting:
            yield from self._enter(called, at, is_open=not whose)
        is_secret = whose == GM and seat == self.gm
        who = self._id(message.actor) if message.rolls or not whose else ""
        params: dict[str, Scalar] = {"who": who} if who else {}
        happened = [event for roll in message.rolls for event in self._rolled(roll, message, who, seat, is_secret)]
        verb = next((roll.purpose if roll.purpose in VERBS else "roll" for roll in message.rolls), "note")
        if verb == "note":
            params["to"] = whose or "table"
        if message.words or not happened:
            happened.append(events.NoteWritten(text=message.words, about=who))
        yield self.course.act(
            verb, params, at, happened, key=key, seat=seat, source=message.source, actor=who, visibility=whose
        )

    def _rolled(self, roll: ChatRoll, message: Message, who: str, seat: str, is_secret: bool) -> Iterator[Event]:
        self.rolls += 1
        self.with_dice += bool(roll.dice)
        if roll.reason:
            self.remarks.add(roll.reason, f"line {message.line}, {roll.formula} = {roll.total}")
        roller = self._id(roll.by) or who
        yield roll.rolled(roller or seat, roll.purpose, secret=is_secret)
        if roller and roll.difficulty is not None:
            success = roll.total >= roll.difficulty if roll.success is None else roll.success
            yield events.CheckResolved(
                character=roller, check=roll.purpose, total=roll.total, target=roll.difficulty, success=success
            )

    # Results.

    def found(self) -> Iterator[str]:
        """Sentences about the imported messages."""
        if self.known.entries and not self.new:
            yield "Nothing is new: every message was here."
            return
        came = counted(self.new, "new message" if self.known.entries else "message")
        yield f"{came} with {counted(self.rolls, 'roll')}, {self.with_dice:,} of them with dice."
        yield from self.chat.said

    def warnings(self) -> Iterator[str]:
        """Sentences about what could not be read, or kept as it was."""
        yield from self.chat.unread.sentences("line")
        yield from self.remarks.sentences("roll")
        yield from listed("Edited since they were imported, and left as they were: ", self.changed)
        if self.course.late:
            late = counted(self.course.late, "message")
            yield f"{late} older than the last one that was here: added at the end, each with its own time."


def _digest(kind: str, said: str) -> str:
    return f"{kind} {sha256(said.encode('utf-8', 'replace')).hexdigest()[:40]}"


def _keys(messages: tuple[Message, ...]) -> Iterator[str]:
    """The key of each message: a digest of its id, and a number for repeated ones."""
    seen: Counter[str] = Counter()
    for message in messages:
        seen[message.id] += 1
        number = "" if seen[message.id] == 1 else f" {seen[message.id]}"
        yield f"{_digest('said', message.id)}{number}"
