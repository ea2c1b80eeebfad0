"""Which roll answered which request: no place in a stream is skipped, met twice or swapped for a better one.

Follows a history entry by entry with the very ledger that the table rolls by. What the rules of the dice allow but a reader
should know of (dice that were typed, undone, met again, granted, overridden) is listed and accuses nobody.
"""

from collections.abc import Container, Iterable
from typing import TypeAlias

import attrs

from domain.audit.answers import Finding
from domain.audit.dice_session import DiceSession, Drawn, FirstSeen, faces
from domain.dice import record
from domain.dice.ledger import DiceLedger, DiceOfAPlace, UndoneRoll, Where, dice_by_place, places_of
from domain.dice.stream import session_identity
from domain.entries import EntryKind, RecordedEntry
from domain.events import (
    CampaignStarted,
    DiceRevealed,
    DiceRolled,
    EntropyAdded,
    Event,
    FreshDiceGranted,
    ScreenCounted,
    SessionClosed,
    SessionOpened,
    TableAgreed,
)
from domain.history import DRAW
from domain.identifiers import ActionNumber, CampaignId, EntryNumber
from domain.records import Changeable, Record
from domain.revisions import Revisions

PHYSICAL, IMPORTED, REDONE, UNDONE = record.PHYSICAL, record.IMPORTED, "redone", "undone"
GRANTED, OVERRIDDEN, AGREED = "granted", "overridden", "agreed"


SessionEvent: TypeAlias = EntropyAdded | DiceRevealed | SessionClosed | ScreenCounted | FreshDiceGranted

_ABOUT_DICE = frozenset(
    (
        CampaignStarted,
        DiceRevealed,
        DiceRolled,
        EntropyAdded,
        FreshDiceGranted,
        ScreenCounted,
        SessionClosed,
        SessionOpened,
        TableAgreed,
    )
)
"""What is looked at; most events are about something else."""


@attrs.frozen
class Listed(Record):
    """Something about dice that a reader should know: in which entry, of what ``kind``, and how many ``dice`` it is about."""

    entry: EntryNumber
    kind: str
    text: str
    dice: int = 1


class Unforeseen(Exception):
    """An action is corrected of which nothing was kept, because it was not said that it would be."""


@attrs.define
class Requests(Changeable):
    """What is known of requests and their dice after some entries. ``timelines``: the numbers of those that this history is.

    ``corrected`` are the actions that will be corrected, if somebody has looked ahead: of the others nothing is kept once their
    dice are proven. Where that turns out wrong, ``follow`` raises Unforeseen.
    """

    timelines: frozenset[int] = frozenset()
    corrected: Container[ActionNumber] | None = None
    dice_sessions: dict[int, DiceSession] = attrs.field(factory=dict)
    failed: list[Finding] = attrs.field(factory=list)
    listed: list[Listed] = attrs.field(factory=list)
    from_canon: int = 0
    campaign: CampaignId = ""
    _revisions: Revisions[tuple[Event, ...]] = attrs.field(factory=Revisions)
    _own: dict[int, set[Where]] = attrs.field(factory=dict)
    _shown: dict[int, set[object]] = attrs.field(factory=dict)
    _undone: dict[Where, int] = attrs.field(factory=dict)
    _agreed: dict[str, str] = attrs.field(factory=dict)
    _ahead: dict[int, list[Drawn]] = attrs.field(factory=dict)

    def follow(self, entry: RecordedEntry) -> None:
        """One more entry. Raises Unforeseen."""
        keeps = self._keeps(entry)
        before, after = self._revisions.replace(entry, entry.events) if keeps else ((), entry.events)
        met: set[Where] = set()
        for event in entry.events:
            if event.__class__ in _ABOUT_DICE:
                self._take(entry, event, met, keeps=keeps)
        if before or after is not entry.events:
            self._swap(entry, before or (), after or ())
        if not keeps:
            self._own.pop(entry.action, None)
            self._shown.pop(entry.action, None)
        if entry.is_outcome and entry.intent.verb == DRAW:
            drawn_for = entry.intent.params.get("action")
            if isinstance(drawn_for, int):
                self._own.setdefault(drawn_for, set()).update(met)

    def _take(self, entry: RecordedEntry, event: Event, met: set[Where], *, keeps: bool) -> None:
        match event:
            case DiceRolled():
                self._rolled(entry, event, met, keeps=keeps)
            case CampaignStarted():
                self.campaign = self.campaign or event.identity
            case SessionOpened():
                self._opened(entry, event)
            case TableAgreed():
                self._agree(entry, event)
            case EntropyAdded() | DiceRevealed() | SessionClosed() | ScreenCounted() | FreshDiceGranted():
                if (dice_session := self.dice_sessions.get(event.session)) is not None:
                    self._of_session(entry, event, dice_session)

    def _keeps(self, entry: RecordedEntry) -> bool:
        """Whether an entry is asked for again: its action is corrected, or its dice are drawn for another's, or met again."""
        if self.corrected is None or entry.action in self.corrected:
            return True
        if entry.kind is not EntryKind.TAKEN:
            raise Unforeseen
        return entry.intent.verb == DRAW or any(map(self._waits, places_of(entry.events)))

    def _waits(self, where: Where) -> bool:
        """Whether the roll of a place was undone, and waits to be met again."""
        session, place = where
        return session in self.dice_sessions and place in self.dice_sessions[session].ledger.undone_rolls

    def _swap(self, entry: RecordedEntry, before: tuple[Event, ...], after: tuple[Event, ...]) -> None:
        """What no longer counts waits for its request from here on; what counts again does not."""
        for session in {session for session, _ in places_of(before)} & self.dice_sessions.keys():
            ledger = self.dice_sessions[session].ledger
            ledger.undone(before)
            ledger.rolled(after)
            self._undone.update(
                ((session, at), entry.number) for at in ledger.undone_rolls if (session, at) not in self._undone
            )
        for session in {session for session, _ in places_of(after)} & self.dice_sessions.keys():
            self.dice_sessions[session].ledger.rolled(after)

    # Rolls.

    def _rolled(self, entry: RecordedEntry, roll: DiceRolled, met: set[Where], *, keeps: bool) -> None:
        self._list_others(entry, roll)
        counts = [source.dice for source in roll.sources]
        if sum(counts) != len(roll.dice) or min(counts, default=0) < 0:
            self._fail(entry, f"nothing says where some of the dice of {roll.purpose or 'a roll'!r} come from")
        own = self._own.setdefault(entry.action, set())
        for drawn in dice_by_place(roll):
            session = drawn.session
            where = session, drawn.place
            dice_session = self.dice_sessions.get(session)
            if dice_session is None and self.timelines:  # from canon, where they corrected something
                self._ahead.setdefault(session, []).append(Drawn(entry.number, drawn, keeps))
                continue
            if dice_session is None:
                self._fail(entry, _never_opened(session))
                continue
            dice_session.draw(Drawn(entry.number, drawn, keeps))
            if where in met:
                self._fail(entry, f"{_named(drawn)} is used twice")
            elif where not in own:
                self._check(entry, roll, drawn, dice_session)
            if any(drawn.overridden):
                self._list_override(entry, drawn, dice_session.first.get(drawn.place))
            if keeps:
                dice_session.first.setdefault(drawn.place, FirstSeen(entry.number, entry.action, roll, drawn.dice))
            met.add(where)
            own.add(where)
        self._meet(roll)

    def _meet(self, roll: DiceRolled) -> None:
        for session, place in places_of((roll,)):
            if session in self.dice_sessions:
                self.dice_sessions[session].ledger.take(place)

    def never_opened(self) -> Iterable[Finding]:
        """Dice of sessions that a timeline has from canon and never opened itself: their seeds are not there."""
        return (Finding(one.entry, _never_opened(number)) for number, dice in self._ahead.items() for one in dice)

    def _check(self, entry: RecordedEntry, roll: DiceRolled, drawn: DiceOfAPlace, dice_session: DiceSession) -> None:
        """Dice that the action has not had before: a new roll in its turn, or one that waited for this very request."""
        fork = drawn.place.fork
        undone = dice_session.ledger.undone_rolls.get(drawn.place)
        if any(drawn.overridden) and self.timelines:
            self.from_canon += 1
        elif any(drawn.overridden):
            self._fail(entry, f"{_named(drawn)} is overridden, and it never fell for #{entry.action}")
        elif dice_session.is_over:
            self._fail(entry, f"{_named(drawn)} comes after the dice of session {dice_session.number} were revealed")
        elif fork and fork not in self.timelines:
            self._fail(entry, f"{_named(drawn)} fell in timeline {fork}, and this history is not that timeline")
        elif undone is not None:
            first = dice_session.first[drawn.place]
            self._check_undone(entry, roll, drawn, undone)
            self._list(entry, REDONE, f"#{entry.action} met again what fell for #{first.action}: {first.text}")
        else:
            self._check_new(entry, roll, drawn, dice_session)

    def _check_undone(self, entry: RecordedEntry, roll: DiceRolled, drawn: DiceOfAPlace, undone: UndoneRoll) -> None:
        if undone.request != roll.request:
            self._fail(entry, f"{_named(drawn)} was undone and waits for another request than this one")
        elif any(was != now for was, now in zip(undone.sides, drawn.sides, strict=False)):
            self._fail(entry, f"{_named(drawn)} was undone, and is met again with other dice")

    def _check_new(
        self, entry: RecordedEntry, roll: DiceRolled, drawn: DiceOfAPlace, dice_session: DiceSession
    ) -> None:
        place, ledger = drawn.place, dice_session.ledger
        following = ledger.next_place(place.counter)
        waits = ledger.waiting(roll.request, secret=place.screen) if roll.occasion and ledger.undone_rolls else []
        if place != following and self.timelines and place.fork != max(self.timelines):
            self.from_canon += 1
        elif place != following:
            self._fail(entry, f"{_named(drawn)} where {following.number} is next")
        elif waits:
            what = dice_session.first[waits[0].place].text
            self._fail(
                entry, f"{_named(drawn)} is new, but {what} waits for this very request, and nothing was granted"
            )

    # What a reader should know.

    def _list(self, entry: RecordedEntry, kind: str, text: str, dice: int = 1) -> None:
        self.listed.append(Listed(entry.number, kind, text, dice))

    def _fail(self, entry: RecordedEntry, text: str) -> None:
        self.failed.append(Finding(entry.number, text))

    def _list_others(self, entry: RecordedEntry, roll: DiceRolled) -> None:
        """Dice that came from no stream; a revision shows the dice of its action again."""
        if None not in [source.place for source in roll.sources]:
            return
        at = 0
        shown = self._shown.setdefault(entry.action, set())
        for source in roll.sources:
            dice = tuple((die.sides, die.face) for die in roll.dice[at : at + source.dice])
            at += source.dice
            known = (roll.roller, roll.purpose, source.kind, dice)
            if source.place is None and known not in shown:
                shown.add(known)
                who = f"{roll.roller}, " if roll.roller else ""
                self._list(entry, source.kind, f"#{entry.action} {who}{roll.purpose}: {faces(dice)}", len(dice))

    def _list_override(self, entry: RecordedEntry, drawn: DiceOfAPlace, first: FirstSeen | None) -> None:
        shown = self._shown.setdefault(entry.action, set())
        if (first is not None or self.timelines) and (drawn.place, drawn.dice) not in shown:
            shown.add((drawn.place, drawn.dice))
            said = f", by {entry.seat or 'nobody'}: {entry.reason}"
            here = f"{first.text} → {faces(drawn.dice)}" if first else f"overridden on canon: {faces(drawn.dice)}"
            self._list(entry, OVERRIDDEN, f"#{entry.action} {here}{said}", sum(drawn.overridden))

    def waiting(self) -> Iterable[Listed]:
        """The rolls that were undone and that nobody asked for again."""
        if not any(dice_session.ledger.undone_rolls for dice_session in self.dice_sessions.values()):
            return
        in_use = {where for events in self._revisions.all_effective() for where in places_of(events)}
        for number, dice_session in self.dice_sessions.items():
            for at in dice_session.ledger.undone_rolls:
                if (number, at) not in in_use and at in dice_session.first:
                    first = dice_session.first[at]
                    entry = self._undone.get((number, at), first.entry)
                    yield Listed(entry, UNDONE, f"#{first.action} {first.text}", len(first.dice))

    # Other events about dice.

    def _opened(self, entry: RecordedEntry, event: SessionOpened) -> None:
        dice_session = DiceSession(event, entry.number, DiceLedger(event.session))
        if event.session in self.dice_sessions:
            self._fail(entry, f"session {event.session} is opened again")
        self.dice_sessions[event.session] = dice_session
        if event.commit_table and not _is_of(event, self.campaign):
            self._fail(entry, f"the dice of session {event.session} were committed to for another campaign")
        ahead = self._ahead.pop(event.session, [])
        for drawn in ahead:
            dice_session.draw(drawn)
        self.from_canon += len(ahead)

    def _agree(self, entry: RecordedEntry, event: TableAgreed) -> None:
        """How the table deals with dice from here on."""
        matter = f"{event.matter} of {event.seat}" if event.seat else event.matter
        before = self._agreed.get(matter)
        self._agreed[matter] = event.value
        self._list(entry, AGREED, f"{matter}: {event.value}" + (f", before that {before}" if before else ""))

    def _of_session(self, entry: RecordedEntry, event: SessionEvent, dice_session: DiceSession) -> None:
        match event:
            case DiceRevealed():
                dice_session.seeds[event.screen] = event.seed
            case SessionClosed():
                dice_session.counts = {count.counter: count.rolls for count in event.counts}
            case ScreenCounted():
                dice_session.screen_counts = {count.counter: count.rolls for count in event.counts}
            case EntropyAdded():
                if dice_session.is_over:
                    self._fail(entry, f"entropy was added after the dice of session {event.session} were revealed")
                elif dice_session.ledger.sealed:
                    self._fail(entry, "entropy was added after the first die")
                dice_session.lines.append(event)
            case FreshDiceGranted():
                for first in filter(None, map(dice_session.first.get, event.places)):
                    text = f"#{first.action} {first.text} need not be met again: {event.why}"
                    self._list(entry, GRANTED, text, len(first.dice))
                dice_session.ledger.rolled((event,))


def _is_of(opened: SessionOpened, campaign: CampaignId) -> bool:
    """Whether a session's identity is made of this campaign's and its own nonce."""
    try:
        made = session_identity(bytes.fromhex(campaign), bytes.fromhex(opened.nonce))
    except ValueError:
        return False
    return made.hex() == opened.identity


def _never_opened(session: int) -> str:
    return f"dice of session {session}, which was never opened"


def _named(drawn: DiceOfAPlace) -> str:
    return f"roll {drawn.place.number} of seat {drawn.place.seat}"
