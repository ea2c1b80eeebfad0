"""The history of one campaign while it is open: where it stands, what others add meanwhile, and what is appended.

A one-shot command starts from the snapshot in the read model; whatever needs the past reads the whole history, checked
against the chain. What is appended is decided on the head, and decided again if somebody else was faster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from adapters.commands import Command
from adapters.entry_log import EntryLog
from adapters.head import Head, gc_paused
from adapters.storage.read_model import ReadModel
from domain.chain import ROOT
from domain.entries import Entry, RecordedEntry
from domain.errors import HistoryDamaged, StaleHistory
from domain.events import NoteRedacted
from domain.history import History
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
        if self.journal.version() != self._head.entry and not self._damage:
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
        if head is None or head.entry > self.journal.version() or self.journal.hash_at(head.entry) != head.hash:
            return None
        return head

    def _load(self) -> Head:
        """Read and check everything. What is damaged, and all that follows it, is left out and said."""
        history = History()
        try:
            with gc_paused():
                for entry in self.journal.checked(Head()):
                    history.add(entry)
        except HistoryDamaged as damage:
            self._damage = f"{damage} What comes before it is shown; nothing can be added. 'rollbook audit' says more."
        self._history = history
        return self._head_of(history)

    def _head_of(self, history: History) -> Head:
        last = history.entries[-1].hash if history.entries else ROOT
        state, ledger = history.state, history.ledger
        return Head(history.head, last, history.actions, state, ledger, history.shown, history.fingerprint)

    def _follow(self) -> None:
        """Take in what others have stored since. Words that they removed are not kept in memory either."""
        head = self._head
        assert head is not None
        try:
            for entry in self.journal.checked(head):
                if (self._history is not None and _removes_words(entry)) or (
                    self._history is None and entry.is_correction
                ):
                    head = self._load()
                    break
                if self._history is not None:
                    self._history.add(entry)
                    head = self._head_of(self._history)
                else:
                    head = head.after(entry)
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
        decide: Callable[[Head], list[Entry]],
        instead: Mapping[int, bytes] | None = None,
        after: CampaignState | None = None,
        command: Command | None = None,
    ) -> list[RecordedEntry]:
        """Store what ``decide`` makes of the head: all of it or nothing. Raises what it raises, StaleHistory after many tries.

        A ``command`` that was carried out already is not decided again: the answer is what it made. Raises Refused if its id was
        given to another one.
        """
        for _ in range(TRIES):
            head = self.head
            if self._damage:
                raise HistoryDamaged(self._damage)
            if command and (made := self.journal.commanded(command.key)):
                command.check(made)
                return made
            proposals = decide(head)
            try:
                written = self.journal.write(head, proposals, instead, after, command)
            except StaleHistory:
                continue
            self._took(head, written)
            return written
        raise StaleHistory("Others kept writing to this campaign at the same moment. Nothing was recorded; try again.")

    def _took(self, head: Head, written: list[RecordedEntry]) -> None:
        for entry in written:
            if self._history is not None:
                self._history.add(entry)
            else:
                head = head.after(entry)
        self._head = head if self._history is None else self._head_of(self._history)


def _removes_words(entry: RecordedEntry) -> bool:
    """Whether an entry is the record of words that were removed from the store."""
    return any(isinstance(fact, NoteRedacted) for fact in entry.facts)
