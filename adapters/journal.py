"""One campaign as it lies in the store: read entry by entry, checked against the chain, written in whole batches."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence

from adapters.codec import CODEC, Codec
from adapters.scan import Corrected, Head, Scan, checked_entry, without_collector
from domain.audit import Answer, Batch, audit_chain, batches
from domain.chain import entry_hash, sealed, unsealed
from domain.corrections import Proposal
from domain.errors import HistoryDamaged
from domain.event_store import EventStore, StoredEvent
from domain.events import ActionTaken, Event, Header, NoteWritten
from domain.history import Entry, History

Written = list[tuple[str, bytes]]


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

    def stored(self, after: int = 0, until: int | None = None) -> Iterator[Batch]:
        """Stored events entry by entry, from after a version on."""
        return batches(self.store.read(self.campaign, after, until), self._codec.headers.__contains__)

    def checked(self, head: Head) -> Iterator[tuple[Entry, int]]:
        """The entries after a head, each checked against the chain, with how many events it has.

        Raises HistoryDamaged that names the first entry that is not what was stored.
        """
        number, parent, version = head.entry, head.hash, head.version
        for batch in self.stored(head.version):
            number += 1
            entry = checked_entry(batch, number, version, parent, self._codec.decode)
            parent, version = entry.header.witness, batch[-1].version
            yield entry, len(batch)

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
        salt = secrets.token_hex(16) if header.visibility or _holds_words(proposal.facts) else ""
        header.stamp(at, parent, salt)
        name, bare = self._codec.encode(header)
        events = [(name, bare), *map(self._codec.encode, proposal.facts)]
        witness = entry_hash(parent, events, salt)
        events[0] = (name, sealed(bare, witness))
        header.seal(witness)
        return events

    def audit_chain(self, remembered: tuple[int, str] = (0, "")) -> Answer:
        """Whether every stored byte is the one that was written."""
        return audit_chain(
            self.store.read(self.campaign), self._codec.headers.__contains__, self._codec.decode, remembered
        )

    def scan(self) -> Head:
        """Where the campaign stands, found by reading everything once. Raises HistoryDamaged if the chain breaks."""
        with without_collector():
            scan = self.begin_scan()
            for batch in self.stored(until=scan.until):
                scan.follow(batch)
            return scan.head()

    def begin_scan(self) -> Scan:
        """A scan of this campaign that is about to read its first entry."""
        corrected = Corrected()
        until = self.version()
        names = [name for name in self._codec.headers if not name.startswith(f"{ActionTaken.__name__}@")]
        for stored in self.store.read_named(self.campaign, names):
            if stored.version > until:
                break
            after = self.store.read(self.campaign, stored.version - 1)
            (entry,) = self.decoded(next(batches(after, self._codec.headers.__contains__)))
            corrected.add(entry)
        return Scan(corrected, self._codec.decode, until)


def _holds_words(facts: Iterable[Event]) -> bool:
    """Whether somebody's own words are among the facts: they may have to be removed one day."""
    return any(fact.__class__ is NoteWritten for fact in facts)
