"""One campaign as it lies in the store: read entry by entry, checked against the chain, written in whole batches."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from secrets import token_hex

from adapters.commands import Command
from adapters.head import Events, Head, HeadBuilder, gc_paused
from adapters.ids import new_id
from adapters.storage.codec import CODEC, Codec
from adapters.storage.stored_entries import StoredEntries
from domain.audit import UNRECORDED, Answer, ChainCheck, Removals, audit_chain, check_lines
from domain.chain import halves, lines_of, seal, seal_of
from domain.entries import CORRECTIONS, REASON, UNKNOWN, Entry, EntryKind, Outline, RecordedEntry
from domain.errors import HistoryDamaged
from domain.event_store import EventStore, NewEntry, StoredEntry
from domain.events import Event
from domain.fold import fold
from domain.history import History
from domain.identifiers import CampaignId
from domain.redaction import without_notes
from domain.revisions import Revisions
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


class EntryLog:
    """The entries of one campaign in the store."""

    def __init__(
        self,
        store: EventStore,
        campaign: CampaignId,
        clock: Callable[[], int],
        codec: Codec = CODEC,
        removed: Callable[[], Iterable[int]] = tuple,
        fingerprint: Callable[[CampaignState], str] = lambda _: "",
    ) -> None:
        """``removed`` gives entries whose words were removed since a timeline was forked, on the record of its parent.

        ``fingerprint`` is that of the rules that are installed for a campaign, "" if it is not known.
        """
        self.store = store
        self._removed = removed
        self.campaign = campaign
        self._clock = clock
        self._codec = codec
        self._fingerprint = fingerprint

    def version(self) -> int:
        """The number of the last stored entry, 0 if the campaign does not exist."""
        return self.store.head(self.campaign)

    def stored(self, after: int = 0, until: int | None = None) -> Iterator[StoredEntry]:
        """The stored entries after a number."""
        return self.store.read(self.campaign, after, until)

    def read(self, stored: StoredEntry) -> RecordedEntry:
        """One stored entry, decoded but not checked against the chain. Raises HistoryDamaged that names it."""
        try:
            return self._codec.read(stored)
        except HistoryDamaged as damage:
            raise HistoryDamaged(f"Entry @{stored.version} is damaged: {damage}.") from None

    def checked(self, head: Head) -> Iterator[RecordedEntry]:
        """The entries after a head, each checked against the chain.

        Raises HistoryDamaged that names the first entry that is not what was stored.
        """
        return (self.read(stored) for stored, _ in self._checked(head))

    def _checked(self, head: Head) -> Iterator[tuple[StoredEntry, Outline]]:
        number, previous_hash = head.entry, head.hash
        removals = Removals(recorded=set(self._removed()))
        for stored in self.stored(head.entry):
            number += 1
            try:
                if stored.version != number:
                    raise HistoryDamaged("an entry is missing")
                outline, events = self._codec.outline(stored), self._codec.changes(stored)
                previous_hash = check_lines(stored, previous_hash, outline)
                removals.follow(stored, outline, events)
            except HistoryDamaged as damage:
                raise HistoryDamaged(f"Entry @{number} is damaged: {damage}.") from None
            yield stored, outline
        for gone in removals.unrecorded():
            raise HistoryDamaged(f"Entry @{gone} is damaged: {UNRECORDED}.")

    def load(self) -> tuple[History, str]:
        """The whole history, each entry checked against the chain, and what is wrong with it, "" if nothing is.

        What is damaged, and all that follows it, is left out.
        """
        entries = StoredEntries((), self._codec, self.read)
        history = History.over(entries)
        try:
            with gc_paused():
                for stored, outline in self._checked(Head()):
                    history.note(outline)
                    entries.add(stored)
        except HistoryDamaged as damage:
            return history, str(damage)
        return history, ""

    def history(self) -> History:
        """The whole history, not checked against the chain. Its entries are decoded when they are asked for."""
        with gc_paused():
            return History.over(StoredEntries(self.stored(), self._codec, self.read))

    def entries(self) -> Iterator[RecordedEntry]:
        """All entries, decoded but not checked against the chain: the fast way through a long history."""
        return map(self.read, self.stored())

    def commanded(self, key: str) -> list[RecordedEntry]:
        """The entries that were made by the command of this key."""
        versions = self.store.by_command(self.campaign, key)
        return [self.read(stored) for version in versions for stored in self.stored(version - 1, version)]

    def hash_at(self, number: int) -> str:
        """The hash that an entry carries; "" if there is no such entry or it has none."""
        stored = next(self.stored(number - 1, number), None) if number else None
        try:
            return seal_of(lines_of(stored.data))[0] if stored else ""
        except ValueError:
            return ""

    # Writing.

    def write(
        self,
        head: Head,
        proposals: Sequence[Entry],
        instead: Mapping[int, bytes] | None = None,
        after: CampaignState | None = None,
        command: Command | None = None,
    ) -> list[RecordedEntry]:
        """Store entries after a head: all of them or none. Raises StaleHistory if the campaign has moved on.

        ``instead`` is what takes the place of earlier entries, by number, whose words are removed for good. ``after`` is the
        campaign after a correction: somebody who is hidden before or after it is hidden in it. ``command`` is what the caller
        asked for all of this with. Corrections that are stored together are one correction and get an id of their own.
        """
        shown = head.shown
        has_secrets = shown.secrets or any(proposal.visibility for proposal in proposals)
        sealer = _Sealer(self._codec, head, self._clock(), self._new_fingerprint(head, proposals), command)
        if any(proposal.is_correction for proposal in proposals):
            sealer.correction = new_id()
        if command:
            sealer.command_digest = command.digest(event for proposal in proposals for event in proposal.events)
        for proposal in proposals:
            sealer.add(proposal, hidden_names(head.state, proposal.events, after) if has_secrets else None)
        if instead:
            self.store.redact(self.campaign, head.entry, sealer.stored, instead)
        else:
            self.store.append(self.campaign, head.entry, sealer.stored)
        return sealer.entries

    def _new_fingerprint(self, head: Head, proposals: Sequence[Entry]) -> str:
        """The fingerprint to be recorded, "" if it is the one that is in force."""
        state = head.state if head.entry or not proposals else fold(head.state, proposals[0].events)
        known = self._fingerprint(state)
        return "" if known == head.fingerprint else known or UNKNOWN

    def without_words(self, numbers: Collection[int]) -> dict[int, bytes]:
        """What takes the place of the stored entries of a note, by number."""
        found = (stored for number in numbers for stored in self.stored(number - 1, number))
        return {stored.version: without_notes(stored.data) for stored in found}

    # Checking.

    def audit_chain(self, remembered: tuple[int, str] = (0, "")) -> Answer:
        """Whether every stored byte is the one that was written."""
        return audit_chain(self.stored(), self._codec.read, remembered, self._removed())

    def chain_check(self) -> ChainCheck:
        """A check of the whole chain that is about to read its first entry."""
        return ChainCheck(self._codec.read, removals=Removals(recorded=set(self._removed())))

    def scan(self) -> Head:
        """Where the campaign stands, found by reading everything once. Raises HistoryDamaged if the chain breaks."""
        with gc_paused():
            scan = self.begin_scan()
            for stored in self.stored(until=scan.until):
                scan.follow(stored)
            return scan.head()

    def begin_scan(self) -> HeadBuilder:
        """A scan of this campaign that is about to read its first entry."""
        final = Revisions[Events]()
        until = self.version()
        for stored in self.store.read_kinds(self.campaign, CORRECTIONS):
            if stored.version > until:
                break
            entry = self.read(stored)
            final.add(entry, entry.events)
        return HeadBuilder(final, self._codec.read, until)


class _Sealer:
    """Entries that are stored together: each gets its number, its salt and its hash, and is written out."""

    def __init__(self, codec: Codec, head: Head, now: int, fingerprint: str, command: Command | None) -> None:
        self.correction = ""
        self.command_digest = ""
        self.entries: list[RecordedEntry] = []
        self.stored: list[NewEntry] = []
        self._codec = codec
        self._number = head.entry
        self._previous_hash = head.hash
        self._shown = head.shown
        self._now = now
        self._fingerprint = fingerprint
        self._command = command
        self._key = command.key if command else ""

    def add(self, proposal: Entry, hidden: Names | None) -> None:
        """One more entry; ``hidden`` finds whom the table does not know."""
        lines = self._codec.event_lines(proposal.events)
        bare = self._numbered(proposal, self._hidden_events(proposal, lines, hidden))
        lines = [*self._codec.envelopes(bare), *lines]
        hash_ = halves(lines, bare.hidden_events).hash(bare.previous_hash, bare.previous_public_hash)
        entry = RecordedEntry._make((*bare[:-1], hash_))
        lines.append(seal(hash_, bare.previous_hash))
        kinds = kinds_of(proposal.events)
        self.stored.append(NewEntry(self._codec.kind(entry.kind), b"\n".join(lines), kinds, self._key))
        self.entries.append(entry)
        self._number, self._previous_hash, self._fingerprint = entry.number, hash_, ""
        self._shown = self._shown.after(entry)

    def _numbered(self, proposal: Entry, hidden_events: tuple[int, ...]) -> RecordedEntry:
        """An entry with everything but its hash."""
        shown, command = self._shown, self._command
        has_secrets = shown.secrets or bool(proposal.visibility or hidden_events)
        return RecordedEntry(
            proposal.kind,
            proposal.action,
            proposal.events,
            self._number + 1,
            proposal.seat,
            proposal.at or self._now,
            proposal.reason,
            proposal.visibility,
            proposal.revision,
            proposal.intent,
            proposal.ruleset,
            proposal.version,
            proposal.provenance,
            proposal.restores,
            _public_number(proposal, shown, has_secrets=has_secrets),
            shown.hash if has_secrets else "",
            token_hex(16) if proposal.visibility else "",
            proposal.causation,
            self.correction if proposal.is_correction else "",
            proposal.stand,
            proposal.reads,
            token_hex(16) if has_secrets else "",
            hidden_events,
            self._fingerprint,
            command.id if command else "",
            self.command_digest,
            self._previous_hash,
        )

    def _hidden_events(self, proposal: Entry, lines: Sequence[bytes], hidden: Names | None) -> tuple[int, ...]:
        """The positions of what only the GM may see in an entry that is otherwise everybody's."""
        if proposal.visibility:
            return ()
        secrets = self._shown.secrets
        if not secrets and hidden is None:
            return tuple([place for place, event in enumerate(proposal.events) if is_secret_roll(event)])
        places = tuple(
            place
            for place, event in enumerate(proposal.events)
            if is_secret_roll(event)
            or (secrets and counts_secrets(event))
            or stored_names_somebody(hidden, lines[place])
        )
        return (REASON, *places) if names_somebody(hidden, proposal.reason) else places


def kinds_of(events: Iterable[Event]) -> tuple[str, ...]:
    """The kinds of events that the store finds an entry by, each once."""
    return _kinds(tuple([event.__class__ for event in events]))


@lru_cache(maxsize=4_096)
def _kinds(classes: tuple[type[Event], ...]) -> tuple[str, ...]:
    """The same few sequences come again and again."""
    return tuple(sorted({cls.__name__ for cls in classes}))


def _public_number(proposal: Entry, shown: PublicHead, *, has_secrets: bool) -> int:
    """The action's number among those that the table saw.

    A correction always says it, because nothing else in a player's file says what it corrects. Actions are counted once
    there are secrets; until then everybody can count them.
    """
    if proposal.visibility:
        return 0
    if proposal.kind is EntryKind.TAKEN:
        return shown.actions + 1 if has_secrets else 0
    return proposal.public_number
