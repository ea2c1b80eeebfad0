"""One campaign as it lies in the store: read entry by entry, checked against the chain, written in whole batches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from secrets import token_hex

from adapters.head import Head, HeadBuilder, RevisionIndex, checked_entry, gc_paused
from adapters.storage.codec import CODEC, Codec
from domain.audit import UNRECORDED, Answer, Batch, ChainCheck, Removals, audit_chain, batches
from domain.chain import REASON, digest, entry_hash, link, sealed, unsealed
from domain.corrections import Proposal
from domain.errors import HistoryDamaged
from domain.event_store import EventStore, StoredEvent
from domain.events import ActionTaken, Event, Header
from domain.history import Entry, History
from domain.redaction import Redacted, redacted
from domain.secrecy import (
    Names,
    PublicHead,
    counts_secrets,
    hidden_names,
    is_secret_roll,
    names_somebody,
    stored_names_somebody,
)
from domain.state import CampaignState

Written = list[tuple[str, bytes]]


class EntryLog:
    """The entries of one campaign in the store."""

    def __init__(
        self,
        store: EventStore,
        campaign: str,
        clock: Callable[[], int],
        codec: Codec = CODEC,
        removed: Callable[[], Mapping[int, str]] = dict,
    ) -> None:
        """``removed`` tells of words that were removed since a timeline was forked, on record where it was forked from."""
        self.store = store
        self._removed = removed
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
        removals = Removals(recorded=dict(self._removed()))
        for batch in self.stored(head.version):
            number += 1
            entry = checked_entry(batch, number, version, parent, self._codec.decode)
            removals.follow(number, entry.header, batch, entry.facts)
            parent, version = entry.header.witness, batch[-1].version
            yield entry, len(batch)
        for gone in removals.unrecorded():
            raise HistoryDamaged(f"Entry {gone} is damaged: {UNRECORDED}.")

    def history(self) -> History:
        """The whole history, decoded but not checked against the chain."""
        with gc_paused():
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

    def write(
        self,
        head: Head,
        proposals: Sequence[Proposal],
        instead: Mapping[int, bytes] | None = None,
        after: CampaignState | None = None,
    ) -> list[tuple[Entry, int]]:
        """Store entries after a head: all of them or none. Raises StaleHistory if the campaign has moved on.

        ``instead`` is what takes the place of earlier events, by version, whose words are removed for good. ``after`` is the
        campaign after a correction: whoever is hidden before or after it is hidden in it.
        """
        written: Written = []
        entries: list[tuple[Entry, int]] = []
        parent, shown = head.hash, head.shown
        now = self._clock()
        has_secrets = shown.secrets or any(proposal.header.visibility for proposal in proposals)
        for number, proposal in enumerate(proposals, head.entry + 1):
            hidden = hidden_names(head.state, proposal.facts, after) if has_secrets else None
            events = self._seal(proposal, parent, proposal.header.at or now, shown, hidden)
            parent, shown = proposal.header.witness, shown.after(proposal.header)
            written.extend(events)
            entries.append((Entry(number, proposal.header, proposal.facts), len(events)))
        if instead:
            self.store.redact(self.campaign, head.version, written, instead)
        else:
            self.store.append(self.campaign, head.version, written)
        return entries

    def redacted(self, numbers: Collection[int]) -> tuple[list[Redacted], dict[int, bytes]]:
        """Entries as they are left without their words, and what takes the place of their events, by version."""
        left: list[Redacted] = []
        instead: dict[int, bytes] = {}
        for number, batch in enumerate(self.stored(), 1):
            if number in numbers:
                one = redacted(number, [(name, data) for _, name, data in batch])
                left.append(one)
                changed = zip(batch, one.events, strict=True)
                instead |= {old.version: data for old, (_, data) in changed if data != old.data}
        return left, instead

    def _seal(self, proposal: Proposal, parent: str, at: int, shown: PublicHead, hidden: Names | None) -> Written:
        """The events of an entry as they are stored, with time, salt and hashes in its header."""
        header = proposal.header
        facts = [self._codec.encode(fact) for fact in proposal.facts]
        veiled = () if header.visibility else _veiled(proposal, facts, hidden, secrets=shown.secrets)
        salted = shown.secrets or bool(header.visibility or veiled)
        header.stamp(
            at=at,
            parent=parent,
            salt=token_hex(16) if salted else "",
            follows=shown.witness if salted else "",
            place=_place(header, shown) if salted else 0,
            veiled=veiled,
        )
        name, bare = self._codec.encode(header)
        events = [(name, bare), *facts]
        witness = (
            entry_hash(parent, events, header.salt) if salted else link(parent, [digest(*each) for each in events])
        )
        header.seal(witness)
        return [(name, sealed(bare, witness)), *facts]

    def audit_chain(self, remembered: tuple[int, str] = (0, "")) -> Answer:
        """Whether every stored byte is the one that was written."""
        return audit_chain(
            self.store.read(self.campaign),
            self._codec.headers.__contains__,
            self._codec.decode,
            remembered,
            self._removed(),
        )

    def chain_check(self) -> ChainCheck:
        """A check of the whole chain that is about to read its first entry."""
        return ChainCheck(self._codec.decode, removals=Removals(recorded=dict(self._removed())))

    def scan(self) -> Head:
        """Where the campaign stands, found by reading everything once. Raises HistoryDamaged if the chain breaks."""
        with gc_paused():
            scan = self.begin_scan()
            for batch in self.stored(until=scan.until):
                scan.follow(batch)
            return scan.head()

    def begin_scan(self) -> HeadBuilder:
        """A scan of this campaign that is about to read its first entry."""
        corrected = RevisionIndex()
        until = self.version()
        names = [name for name in self._codec.headers if not name.startswith(f"{ActionTaken.__name__}@")]
        for stored in self.store.read_named(self.campaign, names):
            if stored.version > until:
                break
            after = self.store.read(self.campaign, stored.version - 1)
            (entry,) = self.decoded(next(batches(after, self._codec.headers.__contains__)))
            corrected.add(entry)
        return HeadBuilder(corrected, self._codec.decode, until)


def _place(header: Header, shown: PublicHead) -> int:
    """The action's number among those that the table saw; a correction knows it already."""
    if header.visibility:
        return 0
    return shown.actions + 1 if isinstance(header, ActionTaken) else header.place


def _veiled(
    proposal: Proposal, stored: Sequence[tuple[str, bytes]], hidden: Names | None, *, secrets: bool
) -> tuple[int, ...]:
    """The places of what only the GM may see in an entry that is otherwise everybody's."""
    if not secrets and hidden is None:
        return tuple([place for place, fact in enumerate(proposal.facts) if is_secret_roll(fact)])
    places = tuple(
        place
        for place, fact in enumerate(proposal.facts)
        if is_secret_roll(fact) or (secrets and counts_secrets(fact)) or stored_names_somebody(hidden, stored[place][1])
    )
    return (REASON, *places) if names_somebody(hidden, proposal.header.reason) else places
