"""Which entries a seat may see, and what of them: for its file, and for what it is answered."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import attrs

from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.open_history import ReadOnlyHistory
from rollbook.application.history.read_model import EntryRows
from rollbook.application.playing.dice_factory import DiceToTry
from rollbook.application.session import CampaignSession
from rollbook.application.view import CampaignView
from rollbook.domain.actions.speech import as_recorded
from rollbook.domain.audit.receipts import Receipt
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.entries import REASON, Entry, RecordedEntry
from rollbook.domain.history.chain import FIRST_EVENT, NUMBERS, PUBLIC, lines_of
from rollbook.domain.history.history import History
from rollbook.domain.history.secrecy import Names, has_secret_roll, hidden_names, is_secret_roll, may_see, revealed
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections.in_words import sheet_in_words
from rollbook.projections.numbers import Bounds

if TYPE_CHECKING:
    from rollbook.domain.corrections.changes import Consequence
    from rollbook.domain.corrections.sheet_changes import SheetChange

AnyEntry = TypeVar("AnyEntry", bound=Entry)


class Sight:
    """What a seat may see of a history. The seat "" is the table as such."""

    def __init__(self, log: EntryLog, state: CampaignState, seat: str, until: EntryNumber) -> None:
        """``state`` is what the entries up to ``until`` have come to: who is hidden in it is hidden in all of them."""
        self._log = log
        self._seat = seat
        self._revealed = frozenset(log.revealed(until))
        self._names = hidden_names(state)
        self._open = self._open_of(self._revealed, state)

    def _open_of(self, numbers: frozenset[EntryNumber], state: CampaignState) -> frozenset[EntryNumber]:
        """Those of the revealed entries that name nobody who is hidden to this day. Nobody sees their private envelopes."""
        names = hidden_names(state) if numbers else None
        return frozenset(number for number in numbers if not self._names_somebody(number, state, names))

    def _names_somebody(self, number: EntryNumber, state: CampaignState, names: Names | None) -> bool:
        (stored,) = self._log.stored(number - 1, number)
        entry, lines = self._log.read(stored), lines_of(stored.data)
        spoken, events = as_recorded(state, entry), zip(entry.events, lines[FIRST_EVENT:-1], strict=True)
        return spoken.envelope_names(names, entry, lines[PUBLIC]) or any(
            spoken.event_names(names, event, line) for event, line in events
        )

    def holds_after(self, added: Iterable[RecordedEntry], state: CampaignState) -> bool:
        """Whether nothing of what was seen or hidden before is otherwise, now that entries were added."""
        more = {number for entry in added for number in revealed(entry.events)}
        return self.holds(self._revealed | more, state)

    def holds(self, numbers: frozenset[EntryNumber], state: CampaignState) -> bool:
        """Whether nothing is seen or hidden otherwise, now that the entries of these ``numbers`` are revealed.

        ``state`` is what the campaign has come to: it says who is hidden, and an entry that names one of them is not seen.
        """
        names = hidden_names(state) if numbers else None
        if numbers == self._revealed and (not numbers or names == self._names):
            return True
        if self._open_of(numbers, state) != self._open:
            return False
        self._revealed, self._names = numbers, names
        return True

    def sees(self, entry: RecordedEntry) -> bool:
        """Whether the seat may see an entry, with or without the events that it hides."""
        return may_see(self._seat, entry) or self.is_revealed(entry)

    def is_revealed(self, entry: RecordedEntry) -> bool:
        """Whether an entry was revealed, and names nobody who is hidden to this day."""
        return entry.number in self._open

    def shown(self, entry: RecordedEntry) -> RecordedEntry:
        """An entry that the seat may see, without what it hides; of one that was revealed the reason stays hidden."""
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


class SeatView(CampaignView):
    """A campaign of which a reader knows the entries of ``shown`` and nothing else. It answers questions, and records nothing."""

    def __init__(
        self, whole: CampaignView, shown: ReadOnlyHistory, *, words_for_foes: bool, log: EntryLog | None = None
    ) -> None:
        """``words_for_foes``: how foes are is said in words, and nothing says how many hit points they have or lose."""
        self._whole, session = whole, whole.session
        super().__init__(
            CampaignSession(
                shown,
                session.rulebook.telling(sheet_in_words) if words_for_foes else session.rulebook,
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
        """The log and the experience of what is seen, made when they are first asked for."""
        return self.rows_of(self.history.entries)

    def receipt(self) -> Receipt:
        """The receipt is of what the whole table saw."""
        return self._whole.receipt()


def without_hidden(entry: AnyEntry) -> AnyEntry:
    """An entry without the events that only the GM may see, and without its reason if that is hidden."""
    if not entry.hidden_events and not has_secret_roll(entry.events):
        return entry
    events = (event for place, event in enumerate(entry.events) if place not in entry.hidden_events)
    shown = tuple(event for event in events if not is_secret_roll(event))
    return entry._replace(events=shown, reason="" if REASON in entry.hidden_events else entry.reason)


def seen_changes(changes: Iterable[SheetChange], state: CampaignState) -> tuple[SheetChange, ...]:
    """The changes on the sheets of characters whom the table knows."""
    hidden = {who.id for who in state.characters.values() if who.hidden}
    return tuple(change for change in changes if change.character not in hidden)


def sees_consequence(seat: str, one: Consequence) -> bool:
    """Whether a seat may know what a correction makes of an action."""
    return all(may_see(seat, entry) for entry in (one.before, one.after) if entry is not None)


def kept_from_table(history: History, bounds: Bounds) -> list[RecordedEntry]:
    """What the actions of a range keep from the table. Raises NotFound, and Refused for one action that keeps nothing."""
    low, high = bounds
    if low is not None and low == high:
        history.check(low)
    wanted = range(low or 1, min(high or history.actions, history.actions) + 1)
    entries = (entry for action in wanted for entry in history.revisions(action))
    found = [entry for entry in entries if entry.visibility or entry.hidden_events]
    if low == high and not found:
        raise Refused(f"Action #{low} keeps nothing from the table.")
    return found
