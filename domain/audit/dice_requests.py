"""Matching of rolls to requests: no place in a stream is skipped, met twice or swapped for a better one.

Follows a history entry by entry with the very ledger that the table rolls by. What the rules of the dice allow but a reader
should know of (dice that were typed, undone, met again, granted, overridden) is listed and accuses nobody.
"""

from collections.abc import Container, Iterable, Iterator

import attrs

from rollbook.domain import events
from rollbook.domain.audit import dice_context
from rollbook.domain.audit.answers import Finding
from rollbook.domain.audit.dice_context import BEGINNINGS, Elsewhere, Outcome
from rollbook.domain.audit.dice_list import REDONE, UNDONE, UNUSED, DiceList, Listed
from rollbook.domain.audit.dice_session import DiceSession, Drawn, FirstSeen, Line, unused_sessions
from rollbook.domain.base.identifiers import ActionNumber, CampaignId
from rollbook.domain.base.records import Changeable
from rollbook.domain.dice.ledger import DiceLedger, DiceOfAPlace, UndoneRoll, Where, dice_by_place, places_of
from rollbook.domain.dice.record import StreamPlace
from rollbook.domain.dice.stream import session_identity
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.history.entry_index import Revisions
from rollbook.domain.history.history import DRAW

_ABOUT_DICE = BEGINNINGS | frozenset(
    (
        events.CampaignStarted,
        events.DiceRevealed,
        events.DiceRolled,
        events.EntropyAdded,
        events.FreshDiceGranted,
        events.ScreenCounted,
        events.SessionClosed,
        events.TableAgreed,
    )
)
"""The events that are looked at; most are about something else."""


class Unforeseen(Exception):
    """An action is corrected of which nothing was kept, because it was not said that it would be."""


@attrs.define
class Requests(Changeable):
    """The requests and their dice as they are known after some entries.

    ``timelines`` are the numbers of those that this history is, and ``elsewhere`` has what was rolled where the last of them
    left. ``corrected`` are the actions that will be corrected, if somebody has looked ahead: of the
    others nothing is kept once their dice are proven. Where that turns out wrong, ``follow`` raises Unforeseen. Requests can be
    counted if the history ``is_whole``, with all that is secret.
    """

    timelines: frozenset[int] = frozenset()
    corrected: Container[ActionNumber] | None = None
    elsewhere: Elsewhere = dice_context.CANON
    is_whole: bool = True
    dice_sessions: dict[int, DiceSession] = attrs.field(factory=dict)
    failed: list[Finding] = attrs.field(factory=list)
    missing: list[Finding] = attrs.field(factory=list)
    listed: DiceList = attrs.field(factory=DiceList)
    from_canon: int = 0
    campaign: CampaignId = ""
    _last_session: int = 0
    _seats: dice_context.SeatsThen = attrs.field(factory=dice_context.SeatsThen)
    _revisions: Revisions[tuple[events.Event, ...]] = attrs.field(factory=Revisions)
    _own: dice_context.OwnDice = attrs.field(factory=dice_context.OwnDice)
    _asked: dice_context.AskedFor = attrs.field(factory=dice_context.AskedFor)
    _undone: dict[Where, int] = attrs.field(factory=dict)
    _ahead: dict[int, list[tuple[RecordedEntry, events.DiceRolled, Drawn]]] = attrs.field(factory=dict)

    def follow(self, entry: RecordedEntry) -> None:
        """One more entry. Raises Unforeseen."""
        keeps = self._keeps(entry)
        before, after = self._revisions.replace(entry, entry.events) if keeps else ((), entry.events)
        outcome = self._own.outcome(entry, is_kept=keeps)
        for event in entry.events:
            if event.__class__ in _ABOUT_DICE:
                self._take(outcome, event)
        if before or after is not entry.events:
            self._swap(entry, before or (), after or ())
        self._asked.settle(entry, after or (), is_kept=keeps)
        self._seats.follow(entry, after or ())
        if not keeps:
            self.listed.forget(entry.action)
        elif entry.is_outcome:
            self._own.add(entry)

    def _take(self, outcome: Outcome, event: events.Event) -> None:
        entry = outcome.entry
        if event.__class__ in BEGINNINGS:
            self._asked.begin()
        match event:
            case events.DiceRolled():
                self._rolled(outcome, event)
            case events.CampaignStarted():
                self.campaign = self.campaign or event.identity
            case events.SessionOpened():
                self._opened(entry, event)
            case events.TableAgreed():
                self.listed.agree(entry, event)
            case _ if (dice_session := self.dice_sessions.get(getattr(event, "session", 0))) is not None:
                self._of_session(entry, event, dice_session)

    def _keeps(self, entry: RecordedEntry) -> bool:
        """True if an entry is asked for again: its action is corrected, or its dice are drawn for another's, or met again."""
        if self.corrected is None or entry.action in self.corrected:
            return True
        if entry.kind is not EntryKind.TAKEN:
            raise Unforeseen
        known = self.dice_sessions
        return entry.intent.verb == DRAW or any(
            session in known and place in known[session].ledger.undone_rolls
            for session, place in places_of(entry.events)
        )

    def _swap(self, entry: RecordedEntry, before: tuple[events.Event, ...], after: tuple[events.Event, ...]) -> None:
        """Let the dice that no longer count wait for their request from here on, and those that count again not."""
        for session in {session for session, _ in places_of(before)} & self.dice_sessions.keys():
            ledger = self.dice_sessions[session].ledger
            ledger.undone(before)
            ledger.rolled(after)
            self._undone.update(
                ((session, at), entry.number) for at in ledger.undone_rolls if (session, at) not in self._undone
            )
        for session in {session for session, _ in places_of(after)} & self.dice_sessions.keys():
            self.dice_sessions[session].ledger.rolled(after)

    def _rolled(self, outcome: Outcome, roll: events.DiceRolled) -> None:
        entry = outcome.entry
        self.listed.others(entry, roll)
        for text in dice_context.odd_sources(roll):
            self._fail(entry, text)
        self._count(entry, roll)
        own, odd = self._own_places(outcome, roll)
        placed = dice_by_place(roll)
        for drawn in placed:
            where = drawn.session, drawn.place
            dice_session = self._session_of(outcome, roll, drawn)
            if dice_session is None:
                continue
            if where in outcome.met:
                self._fail(entry, f"{drawn.named} is used twice")
            elif where in odd:
                self._fail(entry, f"{drawn.named} is not what #{entry.action} takes next of its own dice")
            elif where not in own:
                self._check(entry, roll, drawn, dice_session)
            first = dice_session.first.get(drawn.place)
            if any(drawn.overridden) and (first is not None or self.timelines):
                self.listed.override(entry, drawn, first)
            if outcome.is_kept:
                dice_session.first.setdefault(drawn.place, FirstSeen(entry.number, entry.action, roll, drawn.dice))
            outcome.met.add(where)
        self._meet(placed)

    def _own_places(self, outcome: Outcome, roll: events.DiceRolled) -> tuple[set[Where], set[Where]]:
        """The places of dice that the action had before, and those of them that are out of order; none of a new action."""
        entry, before = outcome.entry, outcome.before
        if before is None:
            return set(), set()
        key = outcome.key(roll)
        own, odd = dice_context.own_places(before, key, roll)
        answered = before.answered.get(key)
        if answered is not None and own and answered[2:] != roll.request[2:]:
            self._fail(
                entry, f"{roll.purpose or 'a roll'!r} has the dice of #{entry.action} and not the request they fell for"
            )
        return own, odd

    def _count(self, entry: RecordedEntry, roll: events.DiceRolled) -> None:
        """A request has the lowest number that is free. Of a correction, and on a timeline, only the rules can say which."""
        due = self._asked.note(roll.request)
        is_due = roll.occasion and entry.kind is EntryKind.TAKEN and entry.provenance == "played"
        if is_due and self.is_whole and not self.timelines and roll.repeat != due:
            self._fail(entry, f"a request is not number {due}, which is free")

    def _session_of(self, outcome: Outcome, roll: events.DiceRolled, drawn: DiceOfAPlace) -> DiceSession | None:
        """The session of some dice, which are to be proven there; None if it was never opened here."""
        shown = Drawn(outcome.entry.number, drawn, outcome.is_kept)
        dice_session = self.dice_sessions.get(drawn.session)
        if dice_session is not None:
            dice_session.draw(shown)
        elif self.timelines:  # from canon, where they corrected something
            self._ahead.setdefault(drawn.session, []).append((outcome.entry, roll, shown))
        else:
            self._fail(outcome.entry, _never_opened(drawn.session))
        return dice_session

    def _meet(self, placed: Iterable[DiceOfAPlace]) -> None:
        for drawn in placed:
            if drawn.session in self.dice_sessions:
                self.dice_sessions[drawn.session].ledger.take(drawn.place)

    def unproven(self) -> Iterator[Finding]:
        """The reasons why dice cannot be proven by any seed."""
        yield from self.missing
        for number, dice in self._ahead.items():  # a timeline has them from canon and never opened the session itself
            yield from (Finding(entry.number, _never_opened(number)) for entry, _, _ in dice)

    def _check(
        self, entry: RecordedEntry, roll: events.DiceRolled, drawn: DiceOfAPlace, dice_session: DiceSession
    ) -> None:
        """Dice that the action has not had before: a new roll in its turn, or one that waited for this very request."""
        fork, place = drawn.place.fork, drawn.place
        undone = dice_session.ledger.undone_rolls.get(place)
        if any(drawn.overridden) and self.timelines:
            self._check_canon(entry, roll, drawn, dice_session)
        elif any(drawn.overridden):
            self._fail(entry, f"{drawn.named} is overridden, and it never fell for #{entry.action}")
        elif dice_session.is_over:
            self._fail(entry, f"{drawn.named} comes after the dice of session {dice_session.number} were revealed")
        elif dice_session.number != self._last_session:
            self._fail(entry, f"{drawn.named} is of session {dice_session.number}, and {self._last_session} is open")
        elif fork and fork not in self.timelines:
            self._fail(entry, f"{drawn.named} fell in timeline {fork}, and this history is not that timeline")
        elif place.screen != roll.secret:
            where, said = ("behind the screen", "open") if place.screen else ("in the open", "secret")
            self._fail(entry, f"{drawn.named} fell {where}, and the roll is called {said}")
        elif undone is not None:
            first = dice_session.first[place]
            self._check_undone(entry, roll, drawn, undone)
            self.listed.add(entry, REDONE, f"#{entry.action} met again what fell for #{first.action}: {first.text}")
        elif self._is_canons(entry, place, dice_session):
            self._check_canon(entry, roll, drawn, dice_session)
        else:
            self._check_new(entry, roll, drawn, dice_session)

    def _check_undone(
        self, entry: RecordedEntry, roll: events.DiceRolled, drawn: DiceOfAPlace, undone: UndoneRoll
    ) -> None:
        if undone.request != roll.request:
            self._fail(entry, f"{drawn.named} was undone and waits for another request than this one")
        elif any(was != now for was, now in zip(undone.sides, drawn.sides, strict=False)):
            self._fail(entry, f"{drawn.named} was undone, and is met again with other dice")

    def _is_canons(self, entry: RecordedEntry, place: StreamPlace, dice_session: DiceSession) -> bool:
        """True if a timeline has a place from a history that it left."""
        if not self.timelines or place.fork == max(self.timelines):
            return False
        return self.elsewhere.is_own(entry.number) or not dice_session.ledger.is_next(place)

    def _check_canon(
        self, entry: RecordedEntry, roll: events.DiceRolled, drawn: DiceOfAPlace, dice_session: DiceSession
    ) -> None:
        """A timeline's dice from a history that it left: there they fell for the same request."""
        self.from_canon += 1
        if roll.request not in self.elsewhere.places.get((dice_session.opened.identity, drawn.place), ()):
            self._miss(
                entry, f"{drawn.named} is not known to have fallen for the same request where this timeline left"
            )

    def _check_new(
        self, entry: RecordedEntry, roll: events.DiceRolled, drawn: DiceOfAPlace, dice_session: DiceSession
    ) -> None:
        place, ledger, seat = drawn.place, dice_session.ledger, self._seats[entry.seat]
        due = seat.number
        waits = ledger.waiting(roll.request, secret=place.screen) if roll.occasion and ledger.undone_rolls else []
        if place.seat != due:
            self._fail(entry, f"{drawn.named} was taken by {entry.seat or 'the GM'}, whose seat is number {due}")
        elif not ledger.is_next(place):
            self._fail(entry, f"{drawn.named} where {ledger.next_place(place.counter).number} is next")
        elif waits:
            what = dice_session.first[waits[0].place].text
            self._fail(entry, f"{drawn.named} is new, but {what} waits for this very request, and nothing was granted")
        elif not roll.occasion:
            self._miss(entry, f"{drawn.named} names no occasion, as of an early rollbook: nothing says what it was for")
        elif entry.provenance != "played":
            self._miss(entry, f"{drawn.named} is of an action that was never played: nothing says what it was for")
        self.listed.choice(entry, drawn, seat, dice_session)

    def _fail(self, entry: RecordedEntry, text: str) -> None:
        self.failed.append(Finding(entry.number, text))

    def _miss(self, entry: RecordedEntry, text: str) -> None:
        self.missing.append(Finding(entry.number, text))

    def all_listed(self) -> list[Listed]:
        """Everything that a reader should know."""
        unused = [Listed(each.entry, UNUSED, text) for each, text in unused_sessions(self.dice_sessions.values())]
        return [*self.listed.found, *self._waiting(), *unused]

    def _waiting(self) -> Iterable[Listed]:
        """The rolls that were undone and that nobody asked for again."""
        if not any(dice_session.ledger.undone_rolls for dice_session in self.dice_sessions.values()):
            return
        in_use = {where for outcome in self._revisions.all_effective() for where in places_of(outcome)}
        for number, dice_session in self.dice_sessions.items():
            for at in dice_session.ledger.undone_rolls:
                if (number, at) not in in_use and at in dice_session.first:
                    first = dice_session.first[at]
                    entry = self._undone.get((number, at), first.entry)
                    yield Listed(entry, UNDONE, f"#{first.action} {first.text}", len(first.dice))

    def _opened(self, entry: RecordedEntry, event: events.SessionOpened) -> None:
        ledger, first_gm = DiceLedger(event.session), self._seats.first_gm
        dice_session = DiceSession(event, entry.number, ledger, gm_seat=first_gm)
        if event.session in self.dice_sessions:
            self._fail(entry, f"session {event.session} is opened again")
        self.dice_sessions[event.session] = dice_session
        self._last_session = event.session
        if event.commit_table and not _is_of(event, self.campaign):
            self._fail(entry, f"the dice of session {event.session} were committed to for another campaign")
        for earlier, roll, drawn in self._ahead.pop(event.session, ()):
            dice_session.draw(drawn)
            self._check_canon(earlier, roll, drawn.dice, dice_session)

    def _mix_in(self, entry: RecordedEntry, event: events.EntropyAdded, dice_session: DiceSession) -> None:
        """A line: a player's if its seat has been a player's since before the session was opened."""
        seat = self._seats[entry.seat]
        if dice_session.is_over:
            self._fail(entry, f"entropy was added after the dice of session {event.session} were revealed")
        elif dice_session.ledger.sealed:
            self._fail(entry, "entropy was added after the first die")
        elif event.number != seat.number:
            self._fail(
                entry, f"the line of {entry.seat or 'the GM'} has seat number {event.number}, and not {seat.number}"
            )
        was_there = seat.role is events.Role.PLAYER and seat.since < dice_session.entry
        is_players = was_there and entry.provenance == "played"
        dice_session.lines.append(Line(event.number, event.text, is_players))

    def _of_session(self, entry: RecordedEntry, event: events.Event, dice_session: DiceSession) -> None:
        match event:
            case events.DiceRevealed():
                dice_session.seeds[event.screen] = event.seed
            case events.SessionClosed():
                dice_session.counts = {count.counter: count.rolls for count in event.counts}
            case events.ScreenCounted():
                dice_session.screen_counts = {count.counter: count.rolls for count in event.counts}
            case events.EntropyAdded():
                self._mix_in(entry, event, dice_session)
            case events.FreshDiceGranted():
                self.listed.grant(entry, event, dice_session)
                dice_session.ledger.rolled((event,))


def _is_of(opened: events.SessionOpened, campaign: CampaignId) -> bool:
    """True if a session's identity is made of this campaign's and its own nonce."""
    try:
        made = session_identity(bytes.fromhex(campaign), bytes.fromhex(opened.nonce))
    except ValueError:
        return False
    return made.hex() == opened.identity


def _never_opened(session: int) -> str:
    return f"dice of session {session}, which was never opened"
