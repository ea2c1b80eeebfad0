"""Importer of a Foundry world as the actions of a campaign: seats, characters, sessions, and an action per message.

Messages are imported in the order of their times. Those that a campaign already has are skipped, by their ids, so a
longer log of the same world adds the new ones. A message for some people only becomes an entry that only they see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from rollbook.adapters.imports import Imported, ImportedAction, Known, nothing_known
from rollbook.adapters.imports.course import Course, Remarks, imported, listed
from rollbook.adapters.imports.foundry import messages
from rollbook.adapters.imports.foundry.actors import numbers_of, sheet_changes
from rollbook.adapters.imports.foundry.html import Content, read_content
from rollbook.adapters.imports.foundry.people import Cast, Person, Persona, Table, author_of
from rollbook.adapters.imports.foundry.rolls import FoundryRoll, inline_rolls, read_roll, shown_rolls
from rollbook.adapters.imports.foundry.stores import in_words
from rollbook.adapters.imports.foundry.values import Fields, each, name, number
from rollbook.adapters.imports.foundry.world import World, advises, read_world, recognises
from rollbook.domain import events
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.progress import told
from rollbook.domain.events import CharacterKind, Event, Scalar

__all__ = ["advises", "read_foundry", "recognises"]


def read_foundry(path: Path, name_: str = "", known: Callable[[str], Known] = nothing_known) -> Imported:
    """Import the world at a path as a campaign, or its new messages into a campaign that was made from it.

    Raises NotFound, or RollbookError for a file that is no world of Foundry's.
    """
    world = read_world(path)
    if not (world.messages or world.users or world.actors):
        raise RollbookError(
            f"{path}: there are no messages in it{world.deleted}, and no users or characters beside it. Nothing was imported."
        )
    called = name_.strip() or world.title or "A Foundry world"
    return imported(called, _Telling(world, called, known(called)))


class _Telling:
    """A world while it becomes actions."""

    def __init__(self, world: World, called: str, known: Known) -> None:
        self.world = world
        self.called = called
        self.messages = sorted(world.messages, key=messages.order_of)
        users = [*(str(user.get("_id")) for user in world.users), *map(author_of, self.messages)]
        seats = {
            user: known.seats[key]
            for user in dict.fromkeys(users)
            if (key := messages.key_of("user", user)) in known.seats
        }
        self.is_known = bool(seats) or any(messages.key(one) in known.places for one in self.messages)
        self.known = known if self.is_known else Known(zone=known.zone)
        state = self.known.state
        people = {user: Person(seat, state.seats[seat].role) for user, seat in seats.items()}
        self.table = Table(world.users, self.messages, people)
        self.cast = Cast(world.actors, self.messages, self.table)
        self.course = Course(self.known, self.table.gm.seat)
        self.measured: set[str] = set()
        self.rolls = self.equal = self.new = self.dice = self.seen = self.cards = self.shown = self.unread = 0
        self.changed: list[str] = []
        self.remarks = Remarks()

    def actions(self) -> Iterator[ImportedAction]:
        """All new actions, in order."""
        begin = messages.moment_of(self.messages[0]) if self.messages else 0
        users = {person.seat: messages.key_of("user", user) for user, person in self.table.people.items()}
        if not self.is_known:
            first = str(self.messages[0]["_id"]) if self.messages else self.world.title
            yield self.course.start(name(self.called), first, begin, key=users[self.table.gm.seat])
        for person in self.table.people.values():
            yield from self.course.seat(person.seat, person.role, begin, key=users[person.seat])
        fresh = [message for message in self.messages if not self._is_here(message)]
        for persona in self.cast.player_characters() if fresh else ():
            yield from self._enter(persona, max(self.course.last, begin), is_open=True)
        for message in told(fresh, lambda: len(fresh)):
            at = messages.moment_of(message, self.course.last)
            yield from self.course.reach(at)
            yield from self._message(message, at)
        self.new = len(fresh)
        yield from self.course.close()
        for persona in self.cast.everybody():
            is_unplayed = not self.messages and persona.kind is CharacterKind.PLAYER_CHARACTER
            if is_unplayed or persona.id or self.course.who(messages.key_of("who", persona.key)):
                yield from self._enter(persona, self.course.last or begin, is_open=is_unplayed)

    def _is_here(self, message: Fields) -> bool:
        """True if a message was imported before; one that has changed since is noted."""
        key = messages.key(message)
        place = self.known.places.get(key)
        if place is None:
            return False
        if not self.known.is_same(key, self.table.author(message).seat, messages.source_of(message)):
            self.changed.append(f"#{self.known.actions[key]}")
        return True

    # Characters.

    def _enter(self, persona: Persona, at: int, *, is_open: bool) -> Iterator[ImportedAction]:
        """Add a character with the numbers of its sheet, or reveal a hidden one; nothing if neither is needed."""
        key = messages.key_of("who", persona.key)
        is_new = not self.course.who(key)
        yield from self.course.enter(key, persona.called, persona.kind, at, seat=persona.seat, is_open=is_open)
        persona.id, persona.is_hidden = self.course.who(key), self.course.is_hidden(key)
        yield from self._sheet(persona, key, at, is_new=is_new)

    def _sheet(self, persona: Persona, who: str, at: int, *, is_new: bool) -> Iterator[ImportedAction]:
        """The numbers of a new character, or their changes since the last import. A monster's are GM-only."""
        if not persona.actor or persona.key in self.measured:
            return
        self.measured.add(persona.key)
        numbers = numbers_of(persona.actor)
        key = f"sheet {who.partition(' ')[2][:40]} {numbers.digest}"
        earlier = [place for known, place in self.known.places.items() if known.startswith(key[: -len(numbers.digest)])]
        if not is_new and earlier and self.known.places.get(key) == max(earlier):
            return
        before = None if is_new else self.known.state.characters.get(persona.id)
        changes = [*sheet_changes(persona.id, numbers, before)]
        if changes:
            is_players = persona.kind is CharacterKind.PLAYER_CHARACTER and not persona.is_hidden
            whose = "" if is_players else "gm"
            yield self.course.act(
                "sheet", {"who": persona.id}, at, changes, visibility=whose, actor=persona.id, key=key
            )

    # Messages.

    def _message(self, message: Fields, at: int) -> Iterator[ImportedAction]:
        content, flavour = read_content(message.get("content")), read_content(message.get("flavor")).words
        rolls = self._rolls(message, content)
        persona = self.cast.speaker(message, is_needed=bool(rolls) or content.is_card)
        audience = self.table.audience(message)
        if persona is not None:
            yield from self._enter(persona, at, is_open=not audience)
        spoken = messages.Spoken(message, content, flavour, rolls, persona)
        verb, params, happened = self._told(spoken, audience)
        seat, key, source = self.table.author(message).seat, messages.key(message), messages.source_of(message)
        whose = audience[0] if audience else ""
        actor = persona.id if persona is not None and (not persona.is_hidden or whose == "gm") else ""
        if verb == "note":
            params["to"] = whose or "table"
        yield self.course.act(
            verb, params, at, happened, key=key, seat=seat, source=source, actor=actor, visibility=whose
        )
        for place, other in enumerate(audience[1:], 2):
            text = spoken.in_words
            yield self.course.act(
                "note", {"to": other}, at, [events.NoteWritten(text=text)], key=f"{key} {place}", seat=seat, visibility=other
            )  # fmt: skip

    def _rolls(self, message: Fields, content: Content) -> list[FoundryRoll]:
        """Every roll of a message: those that it lists, then those within its words."""
        values = [value for value in each(message.get("rolls")) if value] or messages.single_of(message.get("roll"))
        shown = content.words if len(values) == 1 else ""
        found = [read_roll(value, shown) for value in values]
        if not found and str(message.get("style", message.get("type"))) == "5" and number(content.words) is not None:
            found = [read_roll({}, content.words)]
        found += inline_rolls(content.rolls, found)
        carded = [*shown_rolls(content.shown, found)]
        found += carded
        self.cards += bool(carded)
        self.shown += len(carded)
        self.unread += content.has_numbers and not found
        for roll in found:
            self._count(roll, str(message["_id"]))
        return found

    def _count(self, roll: FoundryRoll, id_: str) -> None:
        """Count a roll, and note the parts that could not be kept."""
        self.rolls += 1
        self.equal += roll.is_as_recorded
        self.dice += len(roll.dice)
        self.seen += roll.seen
        if roll.reason:
            detail = f": {roll.detail}" if roll.detail else ""
            self.remarks.add(roll.reason, f"message {id_}, {roll.formula}{detail}")

    def _told(self, spoken: messages.Spoken, audience: tuple[str, ...]) -> tuple[str, dict[str, Scalar], list[Event]]:
        """The action of a message: a verb with its parameters, and the events."""
        who = spoken.persona
        is_secret = spoken.message.get("blind") is True and audience == ("gm",)
        about = who.id if who is not None and (not who.is_hidden or audience == ("gm",)) else ""
        roller = about or (who.called if who is not None else self.table.author(spoken.message).seat)
        params: dict[str, Scalar] = {"who": about} if about else {}
        happened: list[Event] = []
        verb = "note"
        if spoken.content.is_card and about:
            power = spoken.card_name(self.cast.actors)
            verb, params = "use", {**params, "what": power}
            happened.append(events.PowerUsed(character=about, power=power))
        elif resting := messages.rest(spoken.message, spoken.flavour, spoken.content):
            verb, params = "rest", {**params, "what": resting}
            happened.append(events.TimePassed(seconds=0, activity="rest"))
        for roll in spoken.rolls:
            meant = messages.occasion(spoken.message, roll, spoken.flavour)
            verb = meant.verb if verb == "note" else verb
            happened.append(roll.rolled(roller, meant.purpose, secret=is_secret))
            met = messages.target(spoken.message, roll, meant.verb)
            if met is not None and about:
                happened.append(
                    events.CheckResolved(
                        character=about, check=meant.purpose, total=roll.total, target=met.number, success=met.success,
                        outcome=met.outcome or ("success" if met.success else "failure"),
                    )
                )  # fmt: skip
        if spoken.words or not happened:
            happened.append(events.NoteWritten(text=spoken.words, about=about))
        return verb, params, happened

    # Results.

    def found(self) -> Iterator[str]:
        """Sentences about the imported messages."""
        if self.is_known and not self.new:
            yield "Nothing is new: every message was here."
            return
        if not self.messages:
            yield self._empty()
            return
        came = counted(self.new, "new message" if self.is_known else "message")
        yield f"{came} with {counted(self.rolls, 'roll')}; the total is as recorded in {self.equal:,} of them."
        if self.seen:
            yield f"Of {counted(self.seen, 'die', 'dice')} on record {self.dice:,} came in."
        if self.cards:
            yield f"{counted(self.shown, 'roll')} of these stood only in the words of {counted(self.cards, 'card')}."

    def _empty(self) -> str:
        players = sum(persona.kind is CharacterKind.PLAYER_CHARACTER for persona in self.cast.everybody())
        people = in_words(len(self.world.users), players)
        actors = counted(len(self.world.actors), "actor")
        return f"There are no messages in it{self.world.deleted}; {people} came in, of {actors}."

    def warnings(self) -> Iterator[str]:
        """Sentences about parts that were skipped, or could not be kept as they were."""
        yield from self.world.warnings
        if self.unread:
            yield f"{counted(self.unread, 'card')} with numbers of dice that could not be read, and came in as words."
        if self.messages and (self.world.edited or self.world.removed):
            changes, deletions = counted(self.world.edited, "change"), counted(self.world.removed, "deletion")
            yield f"The file itself records {changes} of messages and {deletions}; they came in as they are now."
        yield from self.remarks.sentences("roll")
        yield from listed("Edited in Foundry since they were imported, and left as they were: ", self.changed)
        here = {messages.key(message) for message in self.messages}
        known = (key for key in self.known.places if key.startswith("message ") and key.count(" ") == 1)
        gone = sorted(self.known.actions[key] for key in known if key not in here)
        yield from listed("Not in this file any more, and kept: ", [f"#{number}" for number in gone])
        if self.course.late:
            late = counted(self.course.late, "message")
            yield f"{late} older than the last one that was here: added at the end, each with its own time."
