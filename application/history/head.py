"""The head of a campaign, found by reading it once, entry by entry, and keeping only corrections in memory.

The head is all that playing on needs. A scan checks the chain as it goes, so a damaged history never gets a head.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import attrs

from rollbook.domain.actions.speech import Speech
from rollbook.domain.base.errors import HistoryDamaged, StaleHistory, damaged_entry
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.records import Record
from rollbook.domain.dice.ledger import DiceLedger
from rollbook.domain.entries import Entry, EntryKind, RecordedEntry, known_fingerprint
from rollbook.domain.events import Event
from rollbook.domain.history import checkpoints
from rollbook.domain.history.chain import ROOT
from rollbook.domain.history.entry_index import Revisions
from rollbook.domain.history.event_store import StoredEntry
from rollbook.domain.history.play_order import PlayOrder
from rollbook.domain.history.secrecy import PublicHead
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import Draft, fold

if TYPE_CHECKING:
    from rollbook.domain.audit.chain_audit import Read, Removals, Succession

Events = tuple[Event, ...]


@attrs.frozen
class Head(Record):
    """The head of a campaign: all that playing on needs, however long the history behind it is."""

    entry: EntryNumber = 0
    hash: str = ROOT
    actions: int = 0
    state: CampaignState = EMPTY
    ledger: DiceLedger = attrs.field(factory=DiceLedger)
    shown: PublicHead = attrs.field(factory=PublicHead)
    fingerprint: str = ""

    def after(self, entry: RecordedEntry, state: CampaignState | None = None) -> Head:
        """The head after one more action (not a correction); ``state`` if it is known already."""
        return Head(
            entry=entry.number,
            hash=entry.hash,
            actions=entry.action,
            state=fold(self.state, entry.events) if state is None else state,
            ledger=self.ledger.copy().after((), entry.events),
            shown=self.shown.after(entry),
            fingerprint=known_fingerprint(entry.fingerprint) if entry.fingerprint else self.fingerprint,
        )

    def going_on(self, entries: Iterable[Entry], state: CampaignState | None) -> Head:
        """The head on which the next action of one command is decided: as if these entries were stored, but not sealed yet."""
        events = tuple(event for entry in entries for event in entry.events)
        return attrs.evolve(
            self,
            actions=self.actions + 1,
            state=fold(self.state, events) if state is None else state,
            ledger=self.ledger.copy().after((), events),
        )

    def succession(self, read: Read, removals: Removals) -> Succession:
        """The entries that follow this head, about to be read."""
        from rollbook.domain.audit.chain_audit import Succession
        from rollbook.domain.history.numbering import Numbering

        campaign = self.state
        numbering = Numbering.after(
            self.entry,
            self.actions,
            {name: seat.number for name, seat in campaign.seats.items()},
            campaign.characters,
            campaign.session.number if campaign.session else 0,
        )
        return Succession(read, self.hash, self.shown, numbering, removals)

    def check_is_at(self, base: int) -> None:
        """Raise StaleHistory unless this is the head that something was previewed on."""
        if self.entry != base:
            raise StaleHistory(
                f"This preview was made on entry @{base}, and the history is at entry @{self.entry} now. "
                f"Nothing was recorded; look at a new preview."
            )


def checked_entry(stored: StoredEntry, succession: Succession) -> RecordedEntry:
    """A stored entry, if it is the next one. Raises HistoryDamaged that names it."""
    number = succession.numbering.count.entries + 1
    try:
        return succession.follow(stored)
    except HistoryDamaged as damage:
        raise damaged_entry(number, damage) from None


class HeadBuilder:
    """One reading of a campaign from its beginning to the entry ``until``; only outcomes of corrected actions stay in memory.

    ``final`` has every correction up to there, so that an action is folded as it counts in the end, and ``order`` says when
    it is played. ``keep`` is given the state every so many actions, in the order of play. ``is_checked``: the caller has just
    checked the chain up to there.
    """

    def __init__(
        self,
        final: Revisions[Events],
        read: Read,
        until: int,
        keep: Callable[[ActionNumber, CampaignState], None] | None,
        *,
        order: PlayOrder | None = None,
        is_checked: bool = False,
    ) -> None:
        from rollbook.domain.audit.chain_audit import Rereading, Succession

        self.until = until
        self._order = order or PlayOrder()
        self._played = 0
        self._keep = keep
        self._final = final
        self._so_far = Revisions[Events]()
        self._succession = Rereading(read) if is_checked else Succession(read)
        self._draft = Draft(EMPTY)
        self._ledger = DiceLedger()
        self._fingerprint = ""

    def follow(self, stored: StoredEntry) -> RecordedEntry:
        """One more entry. Raises HistoryDamaged if it is not the one that was stored."""
        entry = checked_entry(stored, self._succession)
        if entry.kind is EntryKind.TAKEN:
            for place in range(self._played + 1, self._order.place(entry.action)):
                self._play(self._final.effective(self._order.at(place)) or ())
            self._play(self._effective(entry))
        self._ledger = self._ledger.after(*self._replaced(entry))
        if entry.fingerprint:
            self._fingerprint = known_fingerprint(entry.fingerprint)
        return entry

    def _play(self, events: Events) -> None:
        self._draft.apply(events)
        self._played += 1
        if self._keep and not self._played % checkpoints.CHECKPOINT_EVERY:
            state = self._draft.publish()
            self._draft = Draft(state)
            self._keep(self._played, state)

    def _effective(self, taken: RecordedEntry) -> Events:
        if taken.action not in self._final or self._final.counting(taken.action) == taken.revision:
            return taken.events
        return self._final.effective(taken.action) or ()

    def _replaced(self, entry: RecordedEntry) -> tuple[Events, Events]:
        if entry.action not in self._final:
            return (), entry.events
        before, after = self._so_far.replace(entry, entry.events)
        return before or (), after or ()

    def head(self) -> Head:
        """The head after what was read."""
        read, count = self._succession, self._succession.numbering.count
        if not count.entries:
            return Head()
        state = self._draft.publish()
        return Head(count.entries, read.hash, count.actions, state, self._ledger, read.shown, self._fingerprint)


class Overtaken(StaleHistory):
    """Dice were asked for on a head that is too old: others have rolled after it."""


@attrs.frozen
class Decision(Record):
    """Entries to be appended, the campaign after them if it is known, and the speech of each if it is not the GM's."""

    entries: tuple[Entry, ...]
    state: CampaignState | None = None
    speeches: tuple[Speech, ...] = ()
