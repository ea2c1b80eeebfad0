"""Finding out where a campaign stands by reading it once, entry by entry, holding on to corrections alone.

The head is all that playing on needs. A scan checks the chain as it goes, so a damaged history never gets a head.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from domain.audit import Batch, Decode, check_batch
from domain.chain import ROOT
from domain.dice.ledger import DiceLedger
from domain.errors import HistoryDamaged
from domain.events import ActionRestored, ActionTaken, ActionVoided, Event
from domain.fold import Draft, fold
from domain.history import Entry
from domain.secrecy import PublicHead
from domain.state import EMPTY, CampaignState

Facts = tuple[Event, ...]


@attrs.frozen
class Head:
    """Where a campaign stands: all that playing on needs, however long the history behind it is."""

    version: int = 0
    entry: int = 0
    hash: str = ROOT
    actions: int = 0
    state: CampaignState = EMPTY
    ledger: DiceLedger = attrs.field(factory=DiceLedger)
    shown: PublicHead = attrs.field(factory=PublicHead)

    def after(self, entry: Entry, events: int, state: CampaignState | None = None) -> Head:
        """The head after one more action (not a correction); ``state`` if it is known already."""
        return Head(
            version=self.version + events,
            entry=entry.number,
            hash=entry.header.witness,
            actions=entry.header.action,
            state=fold(self.state, entry.facts) if state is None else state,
            ledger=self.ledger.copy().after((), entry.facts),
            shown=self.shown.after(entry.header),
        )


def checked_entry(batch: Batch, number: int, version: int, parent: str, decode: Decode) -> Entry:
    """A stored entry, if it is the one that follows ``version`` and ``parent``. Raises HistoryDamaged that names it."""
    try:
        if batch[0].version != version + 1 or batch[-1].version != version + len(batch):
            raise HistoryDamaged("an event is missing")
        header, facts = check_batch(batch, parent, decode)
    except HistoryDamaged as damage:
        raise HistoryDamaged(f"Entry {number} is damaged: {damage}.") from None
    return Entry(number, header, facts)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Loading makes many objects and no garbage: the cycle collector would walk over all of them for nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@attrs.define
class RevisionIndex:
    """The actions that were ever corrected: their outcomes by revision, and which of them counts (0: none)."""

    outcomes: dict[tuple[int, int], Facts] = attrs.field(factory=dict)
    latest: dict[int, int] = attrs.field(factory=dict)
    counted: dict[int, Facts] = attrs.field(factory=dict)

    def add(self, entry: Entry) -> None:
        """One correction, in the order of the entries."""
        header = entry.header
        if isinstance(header, ActionRestored):
            self.latest[header.action] = header.restores
        elif isinstance(header, ActionVoided):
            self.latest[header.action] = 0
        else:
            self.latest[header.action] = header.revision
            self.outcomes[(header.action, header.revision)] = entry.facts

    def effective(self, taken: Entry) -> Facts:
        """What counts of an action that was taken in this entry."""
        action = taken.header.action
        revision = self.latest.get(action, taken.header.revision)
        if revision == taken.header.revision:
            return taken.facts
        return self.outcomes.get((action, revision), ())

    def replaced(self, entry: Entry) -> tuple[Facts, Facts]:
        """What counted of an action before this entry, and what counts since."""
        header = entry.header
        action = header.action
        if action not in self.latest:
            return (), entry.facts
        if isinstance(header, ActionTaken):
            self.outcomes[(action, header.revision)] = entry.facts
        after = self.outcomes[(action, header.restores)] if isinstance(header, ActionRestored) else entry.facts
        before = self.counted.get(action, ())
        self.counted[action] = after
        return before, after


class HeadBuilder:
    """One reading of a campaign from its beginning to the version ``until``, up to which its corrections are known."""

    def __init__(self, corrected: RevisionIndex, decode: Decode, until: int) -> None:
        self.until = until
        self._corrected = corrected
        self._decode = decode
        self._draft = Draft(EMPTY)
        self._ledger = DiceLedger()
        self._actions = 0
        self._last: Entry | None = None
        self._shown = PublicHead()
        self.version = 0

    def follow(self, batch: Batch) -> Entry:
        """One more entry. Raises HistoryDamaged if it is not the one that was stored."""
        last = self._last
        number, parent = (last.number + 1, last.header.witness) if last else (1, ROOT)
        entry = checked_entry(batch, number, self.version, parent, self._decode)
        if isinstance(entry.header, ActionTaken):
            self._actions += 1
            self._draft.apply(self._corrected.effective(entry))
        self._ledger = self._ledger.after(*self._corrected.replaced(entry))
        self._last = entry
        self._shown = self._shown.after(entry.header)
        self.version += len(batch)
        return entry

    def head(self) -> Head:
        """Where the campaign stands after what was read."""
        if self._last is None:
            return Head()
        last = self._last
        state = self._draft.publish()
        return Head(self.version, last.number, last.header.witness, self._actions, state, self._ledger, self._shown)
