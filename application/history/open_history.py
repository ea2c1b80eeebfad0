"""The history of one campaign while it is open: its head, what others add meanwhile, and what is appended.

A one-shot command starts from the snapshot in the read model; what needs the past reads the whole history, checked against
the chain. What is appended is decided on the head, and decided again if another process was faster.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NoReturn, TypeVar

from rollbook.application.after_commit import after_commit, begun, committed
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Decision, Head, Overtaken
from rollbook.application.history.idempotency_keys import IdempotencyKey
from rollbook.application.history.read_model import ReadModel
from rollbook.domain.base.errors import HistoryDamaged, Refused, RollbookError, StaleHistory
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import NoteRedacted
from rollbook.domain.history.chain import ROOT
from rollbook.domain.history.event_store import StreamState, restored
from rollbook.domain.history.history import History
from rollbook.domain.state.campaign_state import CampaignState

Answered = TypeVar("Answered")

TRIES = 8
"""Most times that an action is decided when others were faster."""

FIRST_WAIT = 0.001
"""Seconds at most before the second try, twice as long before each one after it."""


class OpenHistory:
    """A campaign's entries in the store, and as much of them in memory as was asked for."""

    def __init__(self, log: EntryLog, read_model: ReadModel) -> None:
        self.log = log
        self.read_model = read_model
        self._head: Head | None = None
        self._history: History | None = None
        self._is_whole = True
        self.damage: HistoryDamaged | None = None
        """The damage of the stored history, as far as it is known."""
        self._store = log.store.identity()
        self.last_seen: StreamState | None = None
        """The state of the campaign in the store when it was last read or added to."""
        self._has_just_added = False
        self.has_lost_entries = False
        """True if the store had fewer entries than are in memory when it was last read."""
        self.overtaken = 0
        """Number of times that another process was faster, and a decision was made again."""

    @property
    def head(self) -> Head:
        """The head as of when the campaign was last read."""
        return self.refresh() if self._head is None else self._head

    def refresh(self, known: EntryNumber = 0) -> Head:
        """Take in what other processes have added since. Returns the head.

        ``known`` is an entry that ``last_seen`` is to have. Raises StaleHistory if a backup was restored over the store:
        what is in memory is of another history then.
        """
        self._has_just_added = False
        seen = self.last_seen = self.log.state(known)
        if seen.identity != self._store:
            raise restored()
        head = self._head or self._from_snapshot(seen.head) or self._load()
        self._head = head
        self.has_lost_entries = seen.head < head.entry
        if seen.head != head.entry and not self.damage:
            self._head = head = self._follow(head)
        return head

    def refresh_after_adding(self, known: EntryNumber = 0) -> Head:
        """The head after what was just appended here, which is the newest: nobody added anything in between.

        If nothing was, the store is read as ``refresh`` does.
        """
        if not self._has_just_added or self._head is None:
            return self.refresh(known)
        self._has_just_added = False
        return self._head

    def writable_head(self) -> Head:
        """The head now. Raises HistoryDamaged if nothing can be added to it."""
        begun()
        head = self.refresh()
        self.check_undamaged()
        return head

    def check_undamaged(self) -> None:
        """Raise HistoryDamaged if something is known to be wrong with the stored history: it is read-only then."""
        if self.damage:
            raise self.damage.with_traceback(None)

    def _from_snapshot(self, version: int) -> Head | None:
        head = self.read_model.snapshot(self.log.campaign)
        if head is None or head.entry > version or self.log.hash_at(head.entry) != head.hash:
            return None
        return head

    def _load(self) -> Head:
        """Read and check everything. A damaged entry, and all that follow it, are left out and reported."""
        history, damage = self.log.load()
        if damage:
            what_now = "What comes before it is shown; nothing can be added. 'rollbook audit' says more."
            self.damage = HistoryDamaged(f"{damage} {what_now}", entry=damage.entry)
        self._history, self._is_whole = history, True
        return self._head_of(history)

    def _head_of(self, history: History) -> Head:
        last = history.entries[-1].hash if history.entries else ROOT
        state, ledger = history.state, history.ledger
        return Head(history.head, last, history.actions, state, ledger, history.shown, history.fingerprint)

    def _follow(self, head: Head) -> Head:
        """The head with what others have stored since. Words that they removed are not kept in memory either."""
        try:
            for entry in self.log.checked(head):
                if entry.is_correction and self._history is None:
                    self._open_in_stretches(head)
                if self._must_be_read_whole(entry):
                    return self._load()
                head = self._after(head, entry)
        except HistoryDamaged as damage:
            self.damage = damage
        return head

    def _must_be_read_whole(self, entry: RecordedEntry) -> bool:
        if self._history is None:
            return entry.is_correction
        return any(isinstance(event, NoteRedacted) for event in entry.events)

    def _after(self, head: Head, entry: RecordedEntry, state: CampaignState | None = None) -> Head:
        if self._history is None:
            return head.after(entry, state)
        self._history.add(entry, state)
        return self._head_of(self._history)

    def read_again(self) -> None:
        """Forget what is in memory and read it again, because the store has changed."""
        self._head = self._history = self.damage = None
        self.refresh()

    def let_go(self) -> None:
        """Keep only the head in memory; the rest is read and checked when needed."""
        if self._head is not None and not self.damage:
            self._history, self._is_whole = None, True

    def load(self) -> History:
        """The whole history, read and checked unless it is in memory already."""
        if self._history is None or not self._is_whole:
            self._head = self._load()
        assert self._history is not None
        return self._history

    def look_back(self) -> History:
        """The history for questions about a part of it: read in stretches if the notes for that are stored, else whole.

        Later reads of it raise HistoryDamaged if an entry is not as it was when it was checked: see ``looking_back``.
        """
        head = self.head
        if self._history is None and not self.damage:
            self._open_in_stretches(head)
        return self.load() if self._history is None else self._history

    def _open_in_stretches(self, head: Head) -> None:
        """Open the history up to a head without reading it, if the notes for that are stored."""
        past = self.read_model.past(self.log.campaign, self.log.hash_at)
        if past is not None:
            self._history, self._is_whole = self.log.in_stretches(past, head), False

    def looking_back(self, ask: Callable[[History], Answered]) -> Answered:
        """An answer out of the history; if a stretch of it is damaged, out of what comes before the damage."""
        try:
            return ask(self.look_back())
        except HistoryDamaged:
            if self._is_whole:
                raise
            return ask(self.load())

    def entries_after(self, number: EntryNumber) -> Iterable[RecordedEntry]:
        """The entries after one of them, up to the head."""
        return map(self.log.read, self.log.recent(number, self.head.entry))

    def keep_marks(self) -> None:
        """Store the states that were found on the way, for the next look back. If that fails, they are found again."""
        found = self._history.take_checkpoints() if self._history is not None and not self.damage else []
        if found:
            with suppress(RollbookError, sqlite3.Error, OSError):
                self.read_model.keep(self.log.campaign, found, self.log.hash_at)

    # What is added.

    def append(
        self,
        decide: Callable[[Head], Decision],
        instead: Mapping[int, bytes] | None = None,
        command: IdempotencyKey | None = None,
        head: Head | None = None,
    ) -> tuple[RecordedEntry, ...]:
        """Store what ``decide`` makes of the head: all of it or nothing. Raises what it raises, StaleHistory after many tries.

        A ``command`` that was carried out already is not decided again: the answer is what it made. Raises Refused if its id was
        given to another one. ``head`` is given where it has just been read. What goes wrong once it is stored is a warning.
        """
        begun()
        for tried in range(TRIES):
            if tried:
                _wait(FIRST_WAIT * 2 ** (tried - 1))
            head = head or self.writable_head()
            if made := self.made_by(command):
                return made
            self.log.check_rules(head.state, head.fingerprint)
            try:
                decided = decide(head)
            except Overtaken:
                head = None
                self.overtaken += 1
                continue
            self.log.check_room(head, decided.entries)
            try:
                written = self.log.write(head, decided.entries, instead, decided.state, command, decided.speeches)
            except StaleHistory:
                head = None
                self.overtaken += 1
                continue
            if not instead:  # words that are to go are gone only when all that follows is done
                committed(written)
            with after_commit():
                self._go_on_with(head, written, decided.state)
                self._has_just_added = not instead and self.last_seen is not None
            return tuple(written)
        raise StaleHistory("Others kept writing to this campaign at the same moment. Nothing was recorded; try again.")

    def _go_on_with(self, head: Head, written: Sequence[RecordedEntry], state: CampaignState | None) -> None:
        """Continue with the stored entries. If that fails, they are read again when needed."""
        seen, self._head, self.last_seen = self.last_seen, None, None
        known, (*before, last) = (head.entry, head.hash), written
        try:
            for entry in before:
                head = self._after(head, entry)
            self._head = self._after(head, last, state)
            self.last_seen = seen and seen._replace(head=last.number, known=known)
        except BaseException:
            self._history = None
            raise

    def made_by(self, command: IdempotencyKey | None) -> tuple[RecordedEntry, ...]:
        """The entries that a command made, none if it was not carried out. Raises Refused if its id was given to another one."""
        made = self.log.commanded(command.key) if command else []
        if command and made:
            command.check(made)
        return tuple(made)


def _wait(longest: float) -> None:
    """Wait for a random part of ``longest`` seconds, so that two writers do not keep colliding."""
    time.sleep(longest * int.from_bytes(os.urandom(2), "big") / 0x10000)


class ReadOnlyHistory(OpenHistory):
    """A history that is read and never written. ``refused`` is the answer to an attempt to append."""

    refused = ""

    def refresh(self, _: EntryNumber = 0) -> Head:
        """The head; refreshing does not change what is seen."""
        return self.head

    def read_again(self) -> None:
        """Do nothing: what is read is the campaign's."""

    def entries_after(self, number: EntryNumber) -> Iterable[RecordedEntry]:
        """Those that are seen, by the numbers that they have here."""
        return self.load().entries_after(number)

    def writable_head(self) -> Head:
        """Raises Refused: nothing is recorded here."""
        raise Refused(self.refused)

    def append(self, decide: Callable[[Head], Decision], *_: object, **__: object) -> NoReturn:
        """Raises the rules' refusal, as far as it can be seen, else Refused: nothing is recorded."""
        decide(self.head)
        raise Refused(self.refused)
