"""Numbering: the parts of an entry that must follow from the entries before it, whatever its hash says.

A chain shows that nothing was changed since its hashes were made, but a forger can make them again. So every reader of
a history counts along: entries, actions and their revisions, corrections, what the table saw, seats and sessions.
"""

from collections.abc import Iterable, Mapping

import attrs

from rollbook.domain import events
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.records import Changeable
from rollbook.domain.entries import REASON, EntryKind, Outline, RecordedEntry
from rollbook.domain.history.secrecy import GM, PublicHead


def _check(holds: object, otherwise: str) -> None:
    if not holds:
        raise HistoryDamaged(otherwise)


@attrs.define
class ActionCount(Changeable):
    """The numbers of entries and actions, and of each corrected action its last revision and which are outcomes.

    ``is_whole`` is false if the counting began in the middle: then nothing is known of the corrections before.
    """

    entries: int = 0
    actions: int = 0
    is_whole: bool = True
    _last: dict[ActionNumber, int] = attrs.field(factory=dict)
    _outcomes: dict[ActionNumber, set[int]] = attrs.field(factory=dict)

    def add(self, entry: Outline | RecordedEntry) -> None:
        """Count an entry. Raises HistoryDamaged if its number, action or revision is not the one that is next."""
        number, action, revision = entry.number, entry.action, entry.revision
        if number != self.entries + 1:
            raise HistoryDamaged(f"it follows entry @{self.entries}")
        _check(
            bool(entry.before) == (entry.kind is EntryKind.INSERTED), "only an inserted action is before another one"
        )
        if entry.kind is not EntryKind.TAKEN and entry.kind is not EntryKind.INSERTED:
            self._correct(entry)
        elif action != self.actions + 1:
            raise HistoryDamaged(f"it takes action #{action}, but #{self.actions + 1} is next")
        elif revision != 1 or entry.restores:
            raise HistoryDamaged(
                f"it takes action #{action} as revision {revision or entry.restores}, and not as the first"
            )
        else:
            if not 0 <= entry.before <= self.actions:
                raise HistoryDamaged(f"it stands before action #{entry.before}, which was never taken")
            self.actions = action
        self.entries = number

    def _correct(self, entry: Outline | RecordedEntry) -> None:
        action, revision, restores = entry.action, entry.revision, entry.restores
        _check(1 <= action <= self.actions, f"it corrects action #{action}, which was never taken")
        if not self.is_whole:
            return
        due, outcomes = self._last.get(action, 1) + 1, self._outcomes.setdefault(action, {1})
        if entry.kind is EntryKind.REDONE:
            _check(restores in outcomes, f"action #{action} has no outcome with revision {restores}")
        else:
            _check(not restores, f"it names revision {restores} of action #{action}, and redoes nothing")
        _check(revision == due, f"it is revision {revision} of action #{action}, but {due} is next")
        if entry.kind is EntryKind.REVISED:
            outcomes.add(revision)
        self._last[action] = revision


@attrs.define
class CorrectionCount(Changeable):
    """The corrections so far: the entries of each are stored together, and share an id that no other has.

    ``begun`` is the entry after which the counting began: what was corrected up to there is not known.
    """

    begun: EntryNumber = 0
    _first: dict[str, EntryNumber] = attrs.field(factory=dict)
    _last: str = ""

    def add(self, entry: RecordedEntry) -> None:
        """Count an entry. Raises HistoryDamaged if it cannot be of the correction it names, or follows from none."""
        id_ = entry.correction
        if bool(id_) != (entry.kind is not EntryKind.TAKEN):
            raise HistoryDamaged("it is a correction without an id, or has the id of one and is none")
        if id_ and id_ != self._last:
            _check(id_ not in self._first, "it has the id of a correction that was over")
            self._first[id_] = entry.number
        self._last = id_
        if (
            cause := entry.causation
        ):  # the first entry of its own correction; of an action that is taken, of any earlier one
            is_known = cause == self._first[id_] if id_ else 1 <= cause <= self.begun or cause in self._first.values()
            _check(is_known, f"it follows from entry @{cause}, where no correction began that it can be a part of")


@attrs.define
class TableCount(Changeable):
    """The seats ever taken with their numbers, the characters who joined, and how many sessions were opened.

    The number of a seat, and the open session, are not judged any more (None) once an action that settled them was
    corrected. The characters who joined are not judged once anything was corrected, if the counting did not begin with
    the history. An action that is a ruling from its first revision comes from another history: in a rerun nothing
    follows from an action that could not be played there, from entry ``ruled_from`` on (0: none). Entries of other
    programs were once stored with names of seats that nobody had taken, so those names are not judged.
    """

    seats: dict[str, int | None] = attrs.field(factory=dict)
    characters: set[str] = attrs.field(factory=set)
    session: int | None = 0
    is_whole: bool = True
    _settled: dict[ActionNumber, list[str]] = attrs.field(factory=dict)
    _knows_names: bool = True
    ruled_from: EntryNumber = 0

    def add(self, entry: RecordedEntry) -> None:
        """Count an entry. Raises HistoryDamaged for a character or seat that was never there, or a number not next."""
        if entry.is_correction:
            self._forget(entry.action)
        elif entry.provenance == "ruling":
            self.ruled_from = self.ruled_from or entry.number
        if self.ruled_from:
            return
        for event in () if _COUNTED.isdisjoint(map(type, entry.events)) else entry.events:
            self._count(event, entry)
        if self._knows_names:
            self._check_names(entry)

    def _check_names(self, entry: RecordedEntry) -> None:
        if entry.provenance != "imported":
            if entry.seat and entry.seat not in self.seats:
                raise HistoryDamaged(f"nobody has taken the seat {entry.seat!r}")
            if entry.actor and entry.actor not in self.characters:
                raise HistoryDamaged(f"no character {entry.actor!r} has joined")
        for_one = entry.visibility
        if for_one not in ("", GM) and for_one not in self.seats:
            raise HistoryDamaged(f"it is for {for_one!r}, who has taken no seat")

    def _forget(self, action: ActionNumber) -> None:
        self._knows_names = self.is_whole
        settled = self._settled.get(action, ()) if self.is_whole else ("", *self.seats)
        for seat in settled:
            if seat:
                self.seats[seat] = None
            else:
                self.session = None

    def _count(self, event: events.Event, entry: RecordedEntry) -> None:
        last = self.session
        match event:
            case events.CampaignStarted():
                _check(entry.number == 1, "it starts a campaign that has begun")
            case events.SeatTaken():
                self._take_seat(event, entry)
            case events.CharacterJoined():
                self.characters.add(event.character)
            case events.SessionOpened(session=opened):
                if last is not None:
                    _check(opened == last + 1, f"it opens session {opened}, but {last + 1} is next")
                    self.session = opened
                self._settled.setdefault(entry.action, []).append("")
            case events.EntropyAdded(session=of) | events.SessionClosed(session=of):
                _check(last is None or 1 <= of == last, f"it is about session {of}, and the last one is {last}")
            case (
                events.DiceRevealed(session=of) | events.ScreenCounted(session=of) | events.FreshDiceGranted(session=of)
            ):
                _check(last is None or 1 <= of <= last, f"it is about session {of}, which was never opened")
            case events.EntriesRevealed(entries=named) | events.NoteRedacted(entries=named):
                later = [number for number in named if not 1 <= number < entry.number]
                _check(not later, f"it names entry @{later[0] if later else 0}, which did not come before it")

    def _take_seat(self, event: events.SeatTaken, entry: RecordedEntry) -> None:
        """Count a seat: it keeps its number, and no other has it; a number that a correction gives may be another's."""
        seat, number = event.seat, event.number
        known = self.seats.get(seat)
        given_to = () if entry.is_correction else self.seats.items()
        others = [other for other, given in given_to if given == number and other != seat]
        _check(number >= 0 and not others, f"the seat {seat!r} has number {number}, which is that of another seat")
        _check(known is None or known == number, f"the seat {seat!r} has number {number}, and had {known}")
        self.seats[seat] = None if entry.is_correction else number
        self._settled.setdefault(entry.action, []).append(seat)


_COUNTED = frozenset(
    (
        events.CampaignStarted,
        events.SeatTaken,
        events.CharacterJoined,
        events.SessionOpened,
        events.EntropyAdded,
        events.SessionClosed,
        events.DiceRevealed,
        events.ScreenCounted,
        events.FreshDiceGranted,
        events.EntriesRevealed,
        events.NoteRedacted,
    )
)
"""The events that are counted; most events are not."""


@attrs.define
class Numbering(Changeable):
    """All counts of a history, kept entry by entry."""

    count: ActionCount = attrs.field(factory=ActionCount)
    corrections: CorrectionCount = attrs.field(factory=CorrectionCount)
    table: TableCount = attrs.field(factory=TableCount)
    _places: list[int] = attrs.field(factory=list)

    @classmethod
    def after(
        cls, entries: int, actions: int, seats: Mapping[str, int], characters: Iterable[str], session: int
    ) -> "Numbering":
        """The numbering of a history of which only the head is known: it judges no correction of earlier actions."""
        table = TableCount(seats={**seats}, characters=set(characters), session=session, is_whole=not entries)
        return cls(ActionCount(entries, actions, is_whole=not entries), CorrectionCount(entries), table)

    def follow(self, entry: RecordedEntry, shown: PublicHead) -> None:
        """Count an entry; the table had ``shown`` before it. Raises HistoryDamaged for a part that does not follow."""
        self.count.add(entry)
        self.corrections.add(entry)
        self.table.add(entry)
        last = REASON - 1
        for place in entry.hidden_events:
            _check(last < place < len(entry.events), f"it hides its event {place}, which is not there or hidden twice")
            last = place
        self._check_shown(entry, shown)

    def _check_shown(self, entry: RecordedEntry, shown: PublicHead) -> None:
        """Check the hash that it names as the last that the table saw, and its action's number among those."""
        has_secrets = shown.secrets or bool(entry.visibility or entry.hidden_events)
        if shown.hash and entry.previous_public_hash != (shown.hash if has_secrets else ""):
            raise HistoryDamaged("the table had not seen what it says came before it")
        is_seen = not entry.visibility
        self._check_order(entry, is_seen=is_seen)
        if entry.is_first:
            place = shown.actions + 1 if is_seen else 0
            self._places.append(place)
            due = place if has_secrets else 0
        elif not self.count.is_whole:
            return
        else:
            due = self._places[entry.action - 1] if is_seen else 0
        if entry.public_number != due:
            raise HistoryDamaged(f"the table counts its action as {entry.public_number}, and it is {due}")

    def _check_order(self, entry: RecordedEntry, *, is_seen: bool) -> None:
        """Check that the table is told before which of its actions an action was inserted."""
        if entry.kind is EntryKind.INSERTED and is_seen and self.count.is_whole:
            due = self._places[entry.before - 1]
            _check(due, f"it stands before action #{entry.before}, which the table did not see")
        elif entry.kind is EntryKind.INSERTED and is_seen:
            return
        else:
            due = 0
        if entry.public_before != due:
            raise HistoryDamaged(f"the table is told that it stands before {entry.public_before}, and not {due}")
