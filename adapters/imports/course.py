"""The course of a record while it becomes actions: its seats, its sessions, and the number that each entry will have.

The part of the record that a campaign already has is the beginning of the course; new actions follow it.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import ClassVar, Protocol

import attrs

from rollbook.adapters.imports import Imported, ImportedAction, Known
from rollbook.domain import events
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CharacterId, SeatName
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record
from rollbook.domain.dice.record import IMPORTED, Die, Flat, Source
from rollbook.domain.events import CharacterKind, DiceRolled, Event, Role, Scalar
from rollbook.domain.state.lookup import UNSEEN, slug

GAP = 4 * 3_600_000_000
"""Microseconds without anything recorded after which another session begins: four hours."""
MOST_LISTED = 20
"""Most actions that one sentence names."""


@attrs.frozen
class ImportedRoll(Record):
    """A roll as recorded, in the fields of ``DiceRolled``. In a plain sum ``dice`` and ``flat`` add up to the total.

    ``formula`` is the roll as it was typed, "" if that is the expression.
    """

    expression: str
    total: int
    dice: tuple[Die, ...] = ()
    flat: tuple[Flat, ...] = ()
    formula: str = attrs.field(default="", kw_only=True)

    LOOKED_AT: ClassVar[tuple[int, ...]] = (20,)
    """Numbers of sides of the dice whose natural face counts in the rules."""

    @property
    def typed(self) -> str:
        """The formula, if it is not the expression."""
        return "" if self.formula == self.expression else self.formula

    @property
    def natural(self) -> int:
        """The face of the one kept die of these sides; 0 if there is none, or more than one."""
        kept = [die.face for die in self.dice if die.sides in self.LOOKED_AT and die.kept]
        return kept[0] if len(kept) == 1 else 0

    def rolled(self, roller: str, purpose: str, *, secret: bool = False) -> DiceRolled:
        """The event of this roll."""
        return DiceRolled(
            roller=roller,
            purpose=purpose,
            expression=self.expression,
            typed=self.typed,
            total=self.total,
            dice=self.dice,
            flat=self.flat,
            natural=self.natural,
            sources=(Source(IMPORTED, len(self.dice)),),
            secret=secret,
        )


class Told(Protocol):
    """A record that becomes actions, with its course."""

    course: Course

    def actions(self) -> Iterator[ImportedAction]:
        """All new actions, in order. The warnings and findings are complete once all were read."""

    def warnings(self) -> Iterator[str]:
        """Sentences about skipped parts."""

    def found(self) -> Iterator[str]:
        """Sentences about imported parts."""


def imported(name: str, record: Told) -> Imported:
    """A whole record that has no causes of changed hit points."""
    after = record.course.known.entries
    actions = tuple(record.actions())
    warnings, found = tuple(record.warnings()), tuple(record.found())
    return Imported(name, actions, 0, 0, warnings, after=after, found=found)


class Course:
    """A record while it becomes actions. ``last`` is the time of the last item, ``late`` counts items out of order.

    Raises RollbookError if a session of the campaign is open.
    """

    def __init__(self, known: Known, gm: SeatName) -> None:
        state = known.state
        if state.session is not None and state.session.is_open and known.entries:
            raise RollbookError(
                f"Session {state.session.number} of this campaign is open. Close it before more is imported: "
                "rollbook do close-session"
            )
        self.known = known
        self.gm = gm
        self._taken = {*state.characters}
        self._cast = dict(known.characters)
        self._hidden = {who.id for who in state.characters.values() if who.hidden}
        self._joined = dict(known.places)
        self.session = state.session.number if state.session else 0
        self.title = state.session.title if state.session else ""
        self.last = known.last
        self.entries = known.entries
        self.late = 0
        self._is_open = False
        self._seats = {name: seat.number for name, seat in state.seats.items()}

    def act(
        self, verb: str, params: dict[str, Scalar], at: int, happened: Sequence[Event], *, key: str = "", seat: str = "",
        source: bytes = b"", actor: CharacterId = "", visibility: str = "",
    ) -> ImportedAction:  # fmt: skip
        """Make an action, which becomes the next entry: by default the GM's, and public."""
        self.entries += 1
        return ImportedAction(
            verb, params, seat or self.gm, at, tuple(happened), actor, visibility=visibility, key=key, source=source
        )

    # The campaign and its seats.

    def start(self, called: str, beginning: str, at: int, *, key: str = "") -> ImportedAction:
        """Start the campaign with its GM's seat; ``beginning`` distinguishes this record from all others."""
        identity = hashlib.sha256(f"{called} {beginning} {at}".encode("utf-8", "replace")).hexdigest()[:32]
        started = events.CampaignStarted(name=called, identity=identity)
        return self.act("start-campaign", {"name": called}, at, [started, *self.sit(self.gm, Role.GM)], key=key)

    def sit(self, seat: SeatName, role: Role) -> list[Event]:
        """Take a seat; no event if it is already taken."""
        if seat in self._seats:
            return []
        taken = self._seats.values()
        self._seats[seat] = 0 if role is Role.GM and 0 not in taken else max((*taken, 0)) + 1
        return [events.SeatTaken(seat=seat, role=role, number=self._seats[seat])]

    def seat(self, seat: SeatName, role: Role, at: int, *, key: str = "") -> Iterator[ImportedAction]:
        """Take a seat in an action of its own; none if it is already taken."""
        if happened := self.sit(seat, role):
            yield self.act("take-seat", {"seat": seat}, at, happened, key=key)

    # Characters.

    def who(self, key: str) -> CharacterId:
        """The id of the character imported under a key; "" if there is none."""
        return self._cast.get(key, "")

    def is_hidden(self, key: str) -> bool:
        """True if a character is still hidden from the table."""
        return self.who(key) in self._hidden

    def enter(
        self, key: str, called: str, kind: CharacterKind, at: int, *, seat: SeatName = "", is_open: bool
    ) -> Iterator[ImportedAction]:
        """Add a character, or reveal a hidden one; no action if there is nothing to change."""
        if key not in self._cast:
            yield self._join(key, called, kind, at, seat, is_open=is_open)
        elif is_open and self.is_hidden(key):
            who = self.who(key)
            self._hidden.discard(who)
            shown = events.EntriesRevealed(entries=(self._joined[key],))
            yield self.act("reveal", {"who": who}, at, [events.CharacterRevealed(character=who), shown])

    def _join(
        self, key: str, called: str, kind: CharacterKind, at: int, seat: SeatName, *, is_open: bool
    ) -> ImportedAction:
        who = self._cast[key] = self.new_id(called, is_open=is_open)
        self._joined[key] = self.entries + 1
        came: list[Event] = [events.CharacterJoined(character=who, name=called, kind=kind, seat=seat)]
        if not is_open:
            self._hidden.add(who)
            came.append(events.CharacterHidden(character=who))
        params: dict[str, Scalar] = {"name": called, "kind": kind.value}
        return self.act("join", params, at, came, key=key, visibility="" if is_open else "gm")

    def new_id(self, called: str, *, is_open: bool) -> CharacterId:
        """A free id. A hidden character's begins with UNSEEN, which no public character's does."""
        bare = slug(called)[:60].strip("-") or "somebody"
        stem = bare.removeprefix(UNSEEN) or "somebody" if is_open else f"{UNSEEN}{bare}"
        found, number = stem, 1
        while found in self._taken:
            number += 1
            found = f"{stem}-{number}"
        self._taken.add(found)
        return found

    # Sessions.

    def reach(self, at: int, gap: int = GAP) -> Iterator[ImportedAction]:
        """Note the time of an item: a new session begins if nothing was recorded for longer than the gap."""
        self.late += bool(self.known.last) and at < self.last
        if not self.session or at - self.last > gap:
            yield from self.open(f"{datetime.fromtimestamp(at // 1_000_000, self.known.zone):%Y-%m-%d}", at)
        self.last = max(self.last, at)

    def open(self, title: str, at: int, *, key: str = "") -> Iterator[ImportedAction]:
        """Open a new session, after closing the one that is open."""
        yield from self.close()
        self.session += 1
        self.title = title
        self._is_open = True
        opened = events.SessionOpened(session=self.session, title=title)
        yield self.act("open-session", {"title": title}, at, [opened], key=key)

    def close(self) -> Iterator[ImportedAction]:
        """Close the session that is open."""
        if self._is_open:
            self._is_open = False
            yield self.act("close-session", {}, self.last, [events.SessionClosed(session=self.session)])


def listed(lead: str, found: Iterable[str]) -> Iterator[str]:
    """One sentence that lists items, at most MOST_LISTED."""
    named = [*found]
    if named:
        more = f", and {len(named) - MOST_LISTED:,} more" if len(named) > MOST_LISTED else ""
        yield f"{lead}{', '.join(named[:MOST_LISTED])}{more}."


def seat_name(called: str) -> SeatName:
    """A person's name as a seat name: "gm" and "table" are capitalised, because they name audiences."""
    return {"gm": "GM", "table": "Table"}.get(called, called)


MOST_EXAMPLES = 3
LONGEST_EXAMPLE = 80


class Remarks:
    """Reasons why parts were not kept as they were, with examples, in the order in which each was met first."""

    def __init__(self) -> None:
        self._examples = defaultdict[str, list[str]](list)

    def add(self, reason: str, example: str) -> None:
        """Add an example of a reason."""
        self._examples[reason].append(example)

    def sentences(self, what: str) -> Iterator[str]:
        """One sentence for each reason; ``what`` is a noun in the singular."""
        for reason, found in self._examples.items():
            short = (each if len(each) <= LONGEST_EXAMPLE else f"{each[: LONGEST_EXAMPLE - 1]}…" for each in found)
            more = f"; and {len(found) - MOST_EXAMPLES:,} more" if len(found) > MOST_EXAMPLES else ""
            yield f"{counted(len(found), what)}: {reason} ({'; '.join(islice(short, MOST_EXAMPLES))}{more})."
