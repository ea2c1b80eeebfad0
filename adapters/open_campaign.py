"""The history of one campaign while it is open: where it stands, what others add meanwhile, and what is appended.

A one-shot command starts from the snapshot in the read model; whatever needs the past reads the whole history, checked
against the chain. What is appended is decided on the head, and decided again if somebody else was faster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from adapters.entry_log import EntryLog
from adapters.head import Head, gc_paused
from adapters.storage.read_model import ReadModel
from domain.corrections import Proposal
from domain.errors import HistoryDamaged, StaleHistory
from domain.events import ActionTaken, NoteRedacted
from domain.history import Entry, History
from domain.state import CampaignState

TRIES = 8
"""How often an action is decided again when somebody else was faster."""


class OpenCampaign:
    """A campaign's entries in the store, and as much of them in memory as was asked for."""

    def __init__(self, journal: EntryLog, read_model: ReadModel) -> None:
        self.journal = journal
        self.read_model = read_model
        self._head: Head | None = None
        self._history: History | None = None
        self._damage = ""

    @property
    def head(self) -> Head:
        """Where the campaign stands now, with whatever other processes have added."""
        if self._head is None:
            self._head = self._from_snapshot() or self._load()
        if self.journal.version() != self._head.version and not self._damage:
            self._follow()
        return self._head

    @property
    def whole(self) -> History:
        """The whole history in memory, every entry checked against the chain as far as it is whole."""
        self.load()
        _ = self.head
        return self.load()

    @property
    def damage(self) -> str:
        """What is wrong with the stored history, "" if nothing is known to be. A damaged history is read-only."""
        return self._damage

    def _from_snapshot(self) -> Head | None:
        head = self.read_model.snapshot(self.journal.campaign)
        if head is None or head.version > self.journal.version() or self.journal.hash_at(head.version) != head.hash:
            return None
        return head

    def _load(self) -> Head:
        """Read and check everything. What is damaged, and all that follows it, is left out and said."""
        history = History()
        head = Head()
        version, last = 0, head.hash
        try:
            with gc_paused():
                for entry, events in self.journal.checked(head):
                    history.add(entry)
                    version, last = version + events, entry.header.witness
        except HistoryDamaged as damage:
            self._damage = f"{damage} What comes before it is shown; nothing can be added. 'rollbook audit' says more."
        self._history = history
        return self._head_of(history, version, last)

    def _head_of(self, history: History, version: int, last: str) -> Head:
        return Head(version, history.head, last, history.actions, history.state, history.ledger, history.shown)

    def _follow(self) -> None:
        """Take in what others have stored since. Words that they removed are not kept in memory either."""
        head = self._head
        assert head is not None
        try:
            for entry, events in self.journal.checked(head):
                if self._history is not None and _removes_words(entry):
                    head = self._load()
                    break
                if self._history is not None:
                    self._history.add(entry)
                    head = self._head_of(self._history, head.version + events, entry.header.witness)
                elif isinstance(entry.header, ActionTaken):
                    head = head.after(entry, events)
                else:
                    head = self._load()
                    break
        except HistoryDamaged as damage:
            self._damage = str(damage)
        self._head = head

    def read_again(self) -> None:
        """Forget what is in memory: what lies in the store has changed."""
        self._head = self._history = None

    def load(self) -> History:
        """The whole history, read and checked anew unless it is in memory already."""
        if self._history is None:
            self._head = self._load()
        assert self._history is not None
        return self._history

    # What is added.

    def append(
        self,
        decide: Callable[[Head], list[Proposal]],
        instead: Mapping[int, bytes] | None = None,
        after: CampaignState | None = None,
    ) -> list[Entry]:
        """Store what ``decide`` makes of the head: all of it or nothing. Raises what it raises, StaleHistory after many tries."""
        for _ in range(TRIES):
            head = self.head
            if self._damage:
                raise HistoryDamaged(self._damage)
            proposals = decide(head)
            try:
                written = self.journal.write(head, proposals, instead, after)
            except StaleHistory:
                continue
            self._took(head, written)
            return [entry for entry, _ in written]
        raise StaleHistory("Others kept writing to this campaign at the same moment. Nothing was recorded; try again.")

    def _took(self, head: Head, written: list[tuple[Entry, int]]) -> None:
        for entry, events in written:
            if self._history is not None:
                self._history.add(entry)
            else:
                head = head.after(entry, events)
        if self._history is not None:
            version = head.version + sum(events for _, events in written)
            head = self._head_of(self._history, version, written[-1][0].header.witness)
        self._head = head


def _removes_words(entry: Entry) -> bool:
    """Whether an entry is the record of words that were removed from the store."""
    return any(isinstance(fact, NoteRedacted) for fact in entry.facts)
