"""Sight of a campaign: the entries, and parts of them, that a reader may see, their history, and a view of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import attrs

from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head, checked_entry
from rollbook.application.history.open_history import ReadOnlyHistory
from rollbook.application.history.read_model import EntryRows, LogRows
from rollbook.application.playing.dice_factory import DiceToTry
from rollbook.application.session import CampaignSession
from rollbook.application.view import CampaignView
from rollbook.application.visibility.numbers import Numbers
from rollbook.domain.actions.speech import as_recorded
from rollbook.domain.audit.chain_audit import UNRECORDED, Succession
from rollbook.domain.audit.receipts import Receipt
from rollbook.domain.base.errors import HistoryDamaged, Refused, damaged_entry
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.progress import told
from rollbook.domain.dice.ledger import DiceLedger
from rollbook.domain.entries import REASON, Entry, RecordedEntry
from rollbook.domain.history.chain import FIRST_EVENT, NUMBERS, PUBLIC, lines_of
from rollbook.domain.history.history import DRAW, History
from rollbook.domain.history.secrecy import Names, has_secret_roll, hidden_names, is_secret_roll, may_see
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.projections.in_words import sheet_in_words
from rollbook.projections.numbers import Bounds

if TYPE_CHECKING:
    from rollbook.application.visibility.pseudonyms import Pseudonyms
    from rollbook.domain.history.event_store import StreamState

AnyEntry = TypeVar("AnyEntry", bound=Entry)


class Sight:
    """The sight of a seat: the part of a history that it may see. The seat "" is the table as such."""

    def __init__(self, log: EntryLog, state: CampaignState, seat: str, until: EntryNumber) -> None:
        """``state`` is the campaign after entry ``until``: a character hidden in it is hidden in all entries."""
        self._log = log
        self._seat = seat
        self._revealed = frozenset(log.revealed(until))
        self._names = hidden_names(state)
        self._open = self._open_of(self._revealed, state)

    def _open_of(self, numbers: frozenset[EntryNumber], state: CampaignState) -> frozenset[EntryNumber]:
        """The revealed entries that name no character who is still hidden. Their private envelopes stay unseen."""
        names = hidden_names(state) if numbers else None
        return frozenset(number for number in numbers if not self._names_somebody(number, state, names))

    def _names_somebody(self, number: EntryNumber, state: CampaignState, names: Names | None) -> bool:
        (stored,) = self._log.stored(number - 1, number)
        entry, lines = self._log.read(stored), lines_of(stored.data)
        spoken, events = as_recorded(state, entry), zip(entry.events, lines[FIRST_EVENT:-1], strict=True)
        return spoken.envelope_names(names, entry, lines[PUBLIC]) or any(
            spoken.event_names(names, event, line) for event, line in events
        )

    def holds(self, numbers: frozenset[EntryNumber], state: CampaignState) -> bool:
        """True if visibility is the same as before, now that the entries of these ``numbers`` are revealed.

        ``state`` is the campaign now: it says who is hidden, and an entry that names such a character is not seen.
        """
        names = hidden_names(state) if numbers else None
        if numbers == self._revealed and (not numbers or names == self._names):
            return True
        if self._open_of(numbers, state) != self._open:
            return False
        self._revealed, self._names = numbers, names
        return True

    def sees(self, entry: RecordedEntry) -> bool:
        """True if the seat may see an entry, with or without the events that it hides."""
        return may_see(self._seat, entry) or self.is_revealed(entry)

    def is_revealed(self, entry: RecordedEntry) -> bool:
        """True if an entry was revealed, and names no character who is still hidden."""
        return entry.number in self._open

    def shown(self, entry: RecordedEntry) -> RecordedEntry:
        """An entry that the seat may see, without its hidden parts; the reason of a revealed one stays hidden."""
        public, intent = without_hidden(entry), entry.intent
        if not NUMBERS.isdisjoint(intent.params):
            params = {name: value for name, value in intent.params.items() if name not in NUMBERS}
            intent = attrs.evolve(intent, params=params)
        return public._replace(
            events=entry.events if self.is_revealed(entry) else public.events,
            intent=intent,
            causation=0,
            correction="",
            reads=(),
            hidden_events=(),
            fingerprint="",
            command="",
            command_digest="",
        )


EVERY = 16
"""Entries that are read again at once when one of them is needed."""


class Source:
    """The entries of a campaign, of which few are in memory, up to where they were read.

    ``damage`` says what is wrong with the first entry that is not what was stored; it and what follows it are left out.
    ``removals`` is the store's count of removals of words when reading began.
    """

    def __init__(self, campaign: CampaignSession) -> None:
        self._campaign = campaign
        self._log = campaign.log
        self.removals = self._log.store.removals()
        self._entries = self._log.to_be_read(EVERY)
        self._last_hash = ""
        self._head = Head()
        self._reading: Succession | None = None
        self._revealed: tuple[EntryNumber, frozenset[EntryNumber]] = (0, frozenset())
        self.damage = ""

    @property
    def entries(self) -> Sequence[RecordedEntry]:
        """The entries that were read so far: that of number n is at n - 1."""
        return self._entries

    @property
    def head(self) -> EntryNumber:
        """The last entry that the campaign has now."""
        return self._campaign.head.entry

    def holds(self, seen: StreamState | None = None) -> bool:
        """True if the entries read are still those stored: no words were removed since, and no store was replaced.

        ``seen`` is what the store had just now; the store is asked if that has not the last entry read.
        """
        last = len(self._entries), self._last_hash
        if seen is None or seen.known[0] != last[0]:
            seen = self._log.state(last[0])
        return (seen.removals, seen.known) == (self.removals, last)

    def revealed(self) -> frozenset[EntryNumber]:
        """The numbers of the entries that were revealed, as far as the campaign goes now."""
        at, known = self._revealed
        if at != self.head:
            self._revealed = self.head, known | self._log.revealed(self.head, at)
        return self._revealed[1]

    def after(self, number: EntryNumber, most: int | None = None) -> Iterator[RecordedEntry]:
        """The entries after a number, ``most`` of them, up to the campaign's head now. Exhaust the iterator."""
        head, known = self._campaign.head, self._entries
        until = head.entry if most is None else min(number + most, head.entry)
        yield from (known[at] for at in range(number, min(until, len(known))))
        if until <= len(known) or self.damage:
            return
        reading = self._reading = self._reading or self._log.succession(self._head)
        try:
            stored = told(self._log.recent(len(known), until), lambda: head.entry, before=len(known))
            for each in stored:
                entry = checked_entry(each, reading)
                self._last_hash = entry.hash
                known.append(entry)
                yield entry
            if until == head.entry:
                for gone in reading.removals.unrecorded():
                    raise damaged_entry(gone, UNRECORDED)
                self._head, self._reading = head, None
        except HistoryDamaged as damage:
            what_now = "What comes before it is shown; nothing can be added."
            self.damage = f"{damage} {what_now}"


DAMAGED = "The history of this campaign is damaged: it can be read as far as it is whole. The GM is told more."
"""The sentence about damage for readers who may not know how many entries there are."""


class ShownHistory(ReadOnlyHistory):
    """The entries of an edition: those of a source that ``seat`` may see (None: the GM), without hidden parts.

    ``to_correct``: with the data of corrections, which is never shown: reads of actions, and the action that dice fell
    for.
    """

    refused = "An edition records nothing."

    def __init__(
        self,
        whole: CampaignSession,
        seat: str | None,
        source: Source,
        names: Pseudonyms | None = None,
        *,
        to_correct: bool = False,
    ) -> None:
        super().__init__(whole.log, whole.read_model.apart())
        head = whole.head
        self._whole = whole
        self._names = names
        self._source = source
        self._to_correct = to_correct
        self._sight = None if seat is None else Sight(whole.log, head.state, seat, head.entry)
        self.taken = 0
        self.numbers = Numbers()
        self._history = self._seen = History(self._kept(source))
        self._history.begin_at(EMPTY, DiceLedger())

    def _kept(self, _: Source) -> Iterable[RecordedEntry]:
        """The list for the entries: one in memory, because exports read it again and again."""
        return ()

    def _here(self, entry: RecordedEntry) -> RecordedEntry | None:
        """An entry as the reader sees it, None if it is not here."""
        is_here = (self._sight is None or self._sight.sees(entry)) and self.numbers.add(entry)
        return self._as_shown(entry) if is_here else None

    def _as_shown(self, entry: RecordedEntry) -> RecordedEntry:
        shown = self.numbers.of(entry if self._sight is None else self._sight.shown(entry))
        if self._names is not None:
            shown = self._names.of_entry(shown)
        if not self._to_correct:
            return shown
        drawn_for = entry.intent.params.get("action")
        if entry.intent.verb == DRAW and isinstance(drawn_for, int):
            params = {**shown.intent.params, "action": self.numbers.actions.place(drawn_for)}
            shown = shown._replace(intent=attrs.evolve(shown.intent, params=params))
        return shown._replace(reads=entry.reads)

    def can_follow(self) -> bool:
        """True if new entries do not change the visibility of earlier ones."""
        return self._sight is None or self._sight.holds(self._source.revealed(), self._whole.state)

    def take_in(self, most: int | None = None) -> Iterator[RecordedEntry]:
        """Take in the source's new entries, at most ``most``. Returns those that are here, as the reader sees them."""
        for entry in self._source.after(self.taken, most):
            self.taken = entry.number
            self.numbers.follow(entry)
            if (shown := self._here(entry)) is not None:
                self._seen.add(shown)
                yield shown
        self._settle(self._seen)
        if self._source.damage:
            self.damage = HistoryDamaged(self._damaged(self._source.damage))

    def _damaged(self, damage: str) -> str:
        return damage if self._sight is None else DAMAGED

    def _settle(self, history: History) -> None:
        self._head = self._head_of(history)


class SeatView(CampaignView):
    """A campaign with only the entries of ``shown``. It answers questions, and records nothing."""

    def __init__(
        self, whole: CampaignView, shown: ReadOnlyHistory, *, words_for_foes: bool, log: EntryLog | None = None
    ) -> None:
        """``words_for_foes``: the condition of foes is in words, and nothing shows the hit points they have or lose."""
        self._whole, session = whole, whole.session
        super().__init__(
            CampaignSession(
                shown,
                session.rulebook.telling(sheet_in_words) if words_for_foes else session.rulebook.apart(),
                session.dice.seeds,
                timeline=session.timeline,
                surroundings=session.surroundings,
                dice=DiceToTry,
                words_for_foes=words_for_foes,
                log=log,
            )
        )

    @cached_property
    def read_model(self) -> EntryRows:
        """The log and the experience of the entries seen, made when first needed."""
        return self.rows_of(self.history.entries)

    def _rows_by_now(self) -> LogRows:
        return self.read_model  # made of what is seen, which moves on with it

    def receipt(self) -> Receipt:
        """The receipt for what the whole table saw."""
        return self._whole.receipt()


def without_hidden(entry: AnyEntry) -> AnyEntry:
    """An entry without the events that only the GM may see, and without its reason if that is hidden."""
    if not entry.hidden_events and not has_secret_roll(entry.events):
        return entry
    events = (event for place, event in enumerate(entry.events) if place not in entry.hidden_events)
    shown = tuple(event for event in events if not is_secret_roll(event))
    return entry._replace(events=shown, reason="" if REASON in entry.hidden_events else entry.reason)


def kept_from_table(history: History, bounds: Bounds) -> list[RecordedEntry]:
    """The entries of a range of actions that the table does not see. Raises NotFound, Refused for one action that has none."""
    low, high = bounds
    if low is not None and low == high:
        history.check(low)
    wanted = range(low or 1, min(high or history.actions, history.actions) + 1)
    entries = (entry for action in wanted for entry in history.revisions(action))
    found = [entry for entry in entries if entry.visibility or entry.hidden_events]
    if low == high and not found:
        raise Refused(f"Action #{low} keeps nothing from the table.")
    return found
