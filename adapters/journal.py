"""One campaign as it lies in the store: read entry by entry, checked against the chain, and written in whole batches."""

from __future__ import annotations

import gc
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import attrs

from adapters.codec import CODEC, Codec
from domain.audit import Answer, Batch, audit_chain, batches, check_batch
from domain.campaign import EMPTY, Campaign, Draft, fold
from domain.chain import ROOT, entry_hash, sealed, unsealed
from domain.corrections import Proposal
from domain.dice_supply import DiceLedger
from domain.errors import HistoryDamaged
from domain.event_store import EventStore, StoredEvent
from domain.events import ActionRestored, ActionTaken, ActionVoided, Event, Header
from domain.history import Entry, History, opened_session

Written = list[tuple[str, bytes]]


@attrs.frozen
class Head:
    """Where a campaign stands: all that playing on needs, however long the history behind it is."""

    version: int = 0
    entry: int = 0
    hash: str = ROOT
    actions: int = 0
    state: Campaign = EMPTY
    ledger: DiceLedger = attrs.field(factory=DiceLedger)

    def after(self, entry: Entry, events: int, state: Campaign | None = None) -> Head:
        """The head after one more action (not a correction); ``state`` if it is known already."""
        session = opened_session(entry.facts)
        ledger = DiceLedger(session) if session else self.ledger.copy()
        ledger.rolled(entry.facts)
        return Head(
            version=self.version + events,
            entry=entry.number,
            hash=entry.header.witness,
            actions=entry.header.action,
            state=fold(self.state, entry.facts) if state is None else state,
            ledger=ledger,
        )


class Journal:
    """The entries of one campaign in the store."""

    def __init__(self, store: EventStore, campaign: str, clock: Callable[[], int], codec: Codec = CODEC) -> None:
        self.store = store
        self.campaign = campaign
        self._clock = clock
        self._codec = codec

    def decode(self, name: str, data: bytes) -> Event:
        """One stored event. Raises HistoryDamaged."""
        return self._codec.decode(name, data)

    def version(self) -> int:
        """The version of the last stored event, 0 if the campaign does not exist."""
        return self.store.head(self.campaign)

    def stored(self, after: int = 0) -> Iterator[Batch]:
        """Stored events entry by entry, from after a version on."""
        return batches(self.store.read(self.campaign, after), self._codec.headers.__contains__)

    def checked(self, head: Head) -> Iterator[tuple[Entry, int]]:
        """The entries after a head, each checked against the chain, with how many events it has.

        Raises HistoryDamaged that names the first entry that is not what was stored.
        """
        number, parent, version = head.entry, head.hash, head.version
        for batch in self.stored(head.version):
            number += 1
            try:
                if batch[0].version != version + 1 or batch[-1].version != version + len(batch):
                    raise HistoryDamaged("an event is missing")
                header, facts = check_batch(batch, parent, self._codec.decode)
            except HistoryDamaged as damage:
                raise HistoryDamaged(f"Entry {number} is damaged: {damage}.") from None
            parent, version = header.witness, batch[-1].version
            yield Entry(number, header, facts), len(batch)

    def history(self) -> History:
        """The whole history, decoded but not checked against the chain."""
        with without_collector():
            return History(self.entries())

    def entries(self) -> Iterator[Entry]:
        """All entries, decoded but not checked against the chain: the fast way through a long history."""
        return self.decoded(self.store.read(self.campaign))

    def decoded(self, stored: Iterable[StoredEvent], first: int = 1) -> Iterator[Entry]:
        """Entries out of stored events; the first one gets the number ``first``. Raises HistoryDamaged."""
        decoders, headers = self._codec.decoders, self._codec.headers
        header: Header | None = None
        facts: list[object] = []
        number = first
        for _, name, data in stored:
            try:
                event = decoders[name](data)
            except Exception:  # noqa: BLE001 - whatever the bytes are, decode says in one sentence what is wrong
                self._explain(number, name, data)
            if name in headers:
                if header is not None:
                    yield Entry(number, header, tuple(facts))  # type: ignore[arg-type]
                    number += 1
                header = event  # type: ignore[assignment]
                facts = []
            else:
                facts.append(event)
        if header is not None:
            yield Entry(number, header, tuple(facts))  # type: ignore[arg-type]

    def _explain(self, number: int, name: str, data: bytes) -> None:
        try:
            self._codec.decode(name, data)
        except HistoryDamaged as damage:
            raise HistoryDamaged(f"Entry {number} is damaged: {damage}.") from None

    def hash_at(self, version: int, entry_events: int = 64) -> str:
        """The hash that the entry ending at ``version`` carries; "" if there is no header near."""
        found = ""
        for event in self.store.read(self.campaign, max(0, version - entry_events), version):
            if event.name in self._codec.headers:
                found = unsealed(event.data)[1]
        return found

    def write(self, head: Head, proposals: Sequence[Proposal]) -> list[tuple[Entry, int]]:
        """Store entries after a head: all of them or none. Raises StaleHistory if the campaign has moved on."""
        written: Written = []
        entries: list[tuple[Entry, int]] = []
        parent = head.hash
        now = self._clock()
        for number, proposal in enumerate(proposals, head.entry + 1):
            events = self._seal(proposal, parent, proposal.header.at or now)
            parent = proposal.header.witness
            written.extend(events)
            entries.append((Entry(number, proposal.header, proposal.facts), len(events)))
        self.store.append(self.campaign, head.version, written)
        return entries

    def _seal(self, proposal: Proposal, parent: str, at: int) -> Written:
        """The events of an entry as they are stored, with time, salt and hashes in its header."""
        header = proposal.header
        salt = secrets.token_hex(16) if header.visibility else ""
        header.stamp(at=at, parent=parent, salt=salt, witness="")
        name, bare = self._codec.encode(header)
        events = [(name, bare), *map(self._codec.encode, proposal.facts)]
        witness = entry_hash(parent, events, salt)
        events[0] = (name, sealed(bare, witness))
        header.stamp(witness=witness)
        return events

    def audit_chain(self, remembered: tuple[int, str] = (0, "")) -> Answer:
        """Whether every stored byte is the one that was written."""
        return audit_chain(
            self.store.read(self.campaign), self._codec.headers.__contains__, self._codec.decode, remembered
        )

    def scan(self) -> Head:
        """Where the campaign stands, found by reading everything once; only corrections are held in memory."""
        with without_collector():
            return self._scan(self._corrected())

    def _scan(self, corrected: _Corrected) -> Head:
        draft = Draft(EMPTY)
        ledger = DiceLedger()
        entry, events, actions = None, 0, 0
        for entry in self.entries():
            events += 1 + len(entry.facts)
            if entry.header.__class__ is ActionTaken:
                actions += 1
                draft.apply(corrected.effective(entry))
            session = opened_session(entry.facts)
            if session:
                ledger = DiceLedger(session)
            corrected.count(entry, ledger)
        if entry is None:
            return Head()
        last = self.hash_at(events, 1 + len(entry.facts))
        return Head(events, entry.number, last, actions, draft.publish(), ledger)

    def _corrected(self) -> _Corrected:
        """What corrections made of the actions that they are about."""
        corrected = _Corrected()
        names = [name for name in self._codec.headers if not name.startswith(f"{ActionTaken.__name__}@")]
        for stored in self.store.read_named(self.campaign, names):
            after = self.store.read(self.campaign, stored.version - 1)
            (entry,) = self.decoded(next(batches(after, self._codec.headers.__contains__)))
            corrected.add(entry)
        return corrected


@contextmanager
def without_collector() -> Iterator[None]:
    """Loading makes many objects and no garbage: the cycle collector would walk over all of them for nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


Facts = tuple[Event, ...]


@attrs.define
class _Corrected:
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

    def count(self, entry: Entry, ledger: DiceLedger) -> None:
        """Follow the use of the dice stream through one entry."""
        header = entry.header
        action = header.action
        if action not in self.latest:
            ledger.rolled(entry.facts)
            return
        if isinstance(header, ActionTaken):
            self.outcomes[(action, header.revision)] = entry.facts
        after = self.outcomes[(action, header.restores)] if isinstance(header, ActionRestored) else entry.facts
        ledger.taken_back(self.counted.get(action, ()))
        ledger.rolled(after)
        self.counted[action] = after
