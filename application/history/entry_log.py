"""One campaign as it lies in the store: read entry by entry, checked against the chain, written in whole batches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, TypeVar

import attrs

from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.head import Events, Head, HeadBuilder, checked_entry
from rollbook.application.history.idempotency_keys import IdempotencyKey
from rollbook.application.history.sealing import Sealer, new_id
from rollbook.application.history.verified_ranges import (
    EntriesInRanges,
    Past,
    StoredEntries,
    VerifiedEntry,
    VerifiedRanges,
)
from rollbook.application.ports.rules_in_force import RulesCheck
from rollbook.domain.actions.speech import GMS, Speech
from rollbook.domain.base.errors import HistoryDamaged, damaged_entry
from rollbook.domain.base.identifiers import ActionNumber, CampaignId, EntryNumber
from rollbook.domain.base.progress import gc_paused, told
from rollbook.domain.dice.ledger import DiceLedger
from rollbook.domain.entries import CORRECTIONS, UNKNOWN, Entry, EntryKind, RecordedEntry
from rollbook.domain.events import EntriesRevealed, NoteRedacted
from rollbook.domain.history.chain import ROOT, hash_in
from rollbook.domain.history.checkpoints import CHECKPOINT_EVERY
from rollbook.domain.history.entry_index import Revisions
from rollbook.domain.history.event_store import EventStore, StoredEntry, StreamState, hash_at
from rollbook.domain.history.history import History
from rollbook.domain.history.play_order import PlayOrder
from rollbook.domain.history.redaction import without_notes
from rollbook.domain.history.secrecy import hidden_names, revealed
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import fold

if TYPE_CHECKING:
    from rollbook.domain.audit.chain_audit import ChainAudit, Succession
    from rollbook.domain.audit.witnesses import Witness

TRIES = 10
"""Most times that a history is read while others remove words from it."""
RECENT = 16
"""Most entries that stay in memory as they were stored: all who follow a campaign read the same ones after an act."""

Found = TypeVar("Found")


@attrs.define(eq=False, slots=False)
class EntryLog:
    """The entries of one campaign in the store.

    ``removed`` gives entries whose words were removed since a timeline was forked, on the record of its parent.
    ``fingerprint`` is that of the rules that are installed for a campaign, "" if it is not known. ``rules`` checks that
    they may be played by, if several computers share the store; ``quota`` that there is room for more entries.
    """

    store: EventStore
    campaign: CampaignId
    _clock: Callable[[], int]
    _removed: Callable[[], Iterable[int]] = tuple
    _fingerprint: Callable[[CampaignState], str] = lambda _: ""
    _rules: RulesCheck | None = None
    _quota: Callable[[CampaignId, EntryNumber, Iterable[Entry]], None] | None = None
    _recent: dict[EntryNumber, StoredEntry] = attrs.field(init=False, factory=dict)
    _recent_as_of: tuple[str, int] = attrs.field(init=False, default=("", 0))

    def version(self) -> int:
        """The number of the last stored entry, 0 if the campaign does not exist."""
        return self.store.head(self.campaign)

    def state(self, number: int) -> StreamState:
        """The state of the campaign in the store now, with the entry of that number."""
        seen = self.store.stream_state(self.campaign, number)
        if (as_of := (seen.identity, seen.removals)) != self._recent_as_of:
            self._recent_as_of = as_of
            self._recent.clear()
        return seen

    def recent(self, after: EntryNumber, until: EntryNumber) -> Iterator[StoredEntry]:
        """Like ``stored``, but an entry that was just written or read here is not read again: no proof rests on this.

        Words that others removed are in memory until the next look at the ``state``.
        """
        if until - after > RECENT:
            return self.stored(after, until)
        found = [self._recent[number] for number in range(after + 1, until + 1) if number in self._recent]
        if len(found) < until - after:
            found = [*self.stored(after, until)]
            self._keep_recent(found)
        return iter(found)

    def _keep_recent(self, stored: Iterable[StoredEntry]) -> None:
        for entry in stored:
            self._recent[entry.version] = entry
        for number in [*self._recent][:-RECENT]:
            del self._recent[number]

    def stored(self, after: int = 0, until: int | None = None) -> Iterator[StoredEntry]:
        """The stored entries after a number."""
        return self.store.read(self.campaign, after, until)

    def read(self, stored: StoredEntry) -> RecordedEntry:
        """One stored entry, decoded but not checked against the chain. Raises HistoryDamaged that names it."""
        try:
            return CODEC.read(stored)
        except HistoryDamaged as damage:
            raise damaged_entry(stored.version, damage) from None

    def checked(self, head: Head) -> Iterator[RecordedEntry]:
        """The entries after a head, each checked against the chain.

        Raises HistoryDamaged that names the first entry that is not what was stored.
        """
        from rollbook.domain.audit.chain_audit import UNRECORDED

        succession = self.succession(head)
        for stored in self.stored(head.entry):
            yield checked_entry(stored, succession)
        for gone in succession.removals.unrecorded():
            raise damaged_entry(gone, UNRECORDED)

    def succession(self, head: Head) -> Succession:
        """The entries that follow a head, about to be read."""
        from rollbook.domain.audit.chain_audit import Removals

        return head.succession(CODEC.read, Removals(recorded=set(self._removed())))

    def load(self) -> tuple[History, HistoryDamaged | None]:
        """The whole history, each entry checked against the chain, and its damage.

        A damaged entry, and all that follow it, are left out. Of the rest little stays in memory: entries are read
        again when needed, and are those that were checked here, or raise HistoryDamaged.
        """
        return self.undisturbed(self._load)

    def undisturbed(self, read: Callable[[], Found]) -> Found:
        """Read something page by page, and read it again if words were removed meanwhile.

        Otherwise a removal during the read may be seen in part, the mark without its record, which would count as
        damage.
        """
        for _ in range(TRIES):
            removals = self.store.removals()
            try:
                found = read()
            except HistoryDamaged:
                if self.store.removals() == removals:
                    raise
            else:
                if self.store.removals() == removals:
                    return found
        return read()

    def _load(self) -> tuple[History, HistoryDamaged | None]:
        history = History(self.to_be_read())
        history.begin_at(EMPTY, DiceLedger())
        try:
            with gc_paused():
                for entry in told(self.checked(Head()), self.version):
                    history.add(entry)
                    if not entry.number % CHECKPOINT_EVERY:
                        history.keep_up()
        except HistoryDamaged as damage:
            return history, damage
        return history, None

    def history(self) -> History:
        """The whole history, not checked against the chain. Its entries are decoded when they are asked for."""
        with gc_paused():
            return History(StoredEntries(self.stored(), self.read))

    def in_stretches(self, past: Past, head: Head) -> History:
        """The history up to a head, read a stretch at a time; what is read is checked against the chain."""
        places = [place for place in past.places if place.entry < head.entry]
        stretches = self._stretches([*places, VerifiedEntry(head.entry, head.hash)])
        history = History(EntriesInRanges(stretches, head.entry, past.outlines, past.known), past.marks)
        history.begin_at(head.state, head.ledger.copy())
        return history

    def to_be_read(self, every: int = CHECKPOINT_EVERY) -> EntriesInRanges:
        """A list for the entries as they are read and checked; it keeps some of each ``every`` entries.

        The others are read and checked again when needed.
        """
        return EntriesInRanges(self._stretches([VerifiedEntry(0, ROOT)]), 0, every=every)

    def revealed(self, until: EntryNumber, after: EntryNumber = 0) -> set[EntryNumber]:
        """The entries that those of a range revealed, found by the index of kinds and not checked against the chain."""
        kind = EntriesRevealed.__name__
        if until - after <= RECENT:
            found: Iterator[StoredEntry] = (each for each in self.recent(after, until) if kind.encode() in each.data)
        else:
            found = self.store.read_kinds(self.campaign, (kind,), after)
        records = takewhile(lambda stored: stored.version <= until, found)
        return {number for stored in records for number in revealed(self.read(stored).events)}

    def _stretches(self, places: list[VerifiedEntry]) -> VerifiedRanges:
        return VerifiedRanges(places, self.stored, self._recorded_removals)

    def _recorded_removals(self) -> set[EntryNumber]:
        records = self.store.read_kinds(self.campaign, (NoteRedacted.__name__,))
        events = (event for stored in records for event in self.read(stored).events)
        return {*self._removed(), *(n for event in events if isinstance(event, NoteRedacted) for n in event.entries)}

    def entries(self, after: int = 0, until: int | None = None) -> Iterator[RecordedEntry]:
        """The entries after a number, decoded but not checked against the chain: the fast way through a long history."""
        return map(self.read, self.stored(after, until))

    def corrections(self) -> Iterator[RecordedEntry]:
        """The entries that correct an action, found by the index of kinds and not checked against the chain."""
        return map(self.read, self.store.read_kinds(self.campaign, CORRECTIONS))

    def commanded(self, key: str) -> list[RecordedEntry]:
        """The entries that were made by the command of this key."""
        versions = self.store.by_command(self.campaign, key)
        return [self.read(stored) for version in versions for stored in self.stored(version - 1, version)]

    def hash_at(self, number: int) -> str:
        """The hash that an entry carries; "" if there is no such entry or it has none."""
        return hash_at(self.store, self.campaign, number)

    def recent_hash(self, number: int) -> str:
        """Like ``hash_at``, of an entry that may be a recent one."""
        found = next(self.recent(number - 1, number), None) if number else None
        return hash_in(found.data) if found else ""

    # Writing.

    def check_rules(self, campaign: CampaignState, last: str) -> None:
        """Raise RulesetMissing if a campaign may not be played on here, whose ``last`` entry was made by a fingerprint."""
        if self._rules is not None:
            self._rules.check(campaign, last)

    def check_room(self, head: Head, proposals: Sequence[Entry]) -> None:
        """Raise Refused if these entries would be more than the host allows the campaign."""
        if self._quota is not None:
            self._quota(self.campaign, head.entry, proposals)

    def write(
        self,
        head: Head,
        proposals: Sequence[Entry],
        instead: Mapping[int, bytes] | None = None,
        after: CampaignState | None = None,
        command: IdempotencyKey | None = None,
        speeches: Sequence[Speech] = (),
    ) -> list[RecordedEntry]:
        """Store entries after a head: all of them or none. Raises StaleHistory if the campaign has moved on.

        ``instead`` has the bytes that replace earlier entries, by number, whose words are removed for good. ``after``
        is the campaign after a correction: a character who is hidden before or after it is hidden in it. ``command`` is
        the caller's idempotency key. ``speeches`` are those of the entries, where the speaker is not the GM.
        """
        sealer = self.sealed(head, proposals, after, command, speeches)
        if instead:
            self._recent.clear()
            self.store.redact(self.campaign, head.entry, sealer.stored, instead)
        else:
            self.store.append(self.campaign, head.entry, sealer.stored)
            numbered = enumerate(sealer.stored, head.entry + 1)
            self._keep_recent(StoredEntry(number, entry.kind, entry.data) for number, entry in numbered)
        return sealer.entries

    def sealed(
        self,
        head: Head,
        proposals: Sequence[Entry],
        after: CampaignState | None = None,
        command: IdempotencyKey | None = None,
        speeches: Sequence[Speech] = (),
    ) -> Sealer:
        """The entries that ``write`` stores after a head, and nothing is stored.

        Corrections that are stored together are one correction and get an id of their own.
        """
        has_secrets, is_correction = head.shown.secrets, False
        for proposal in proposals:  # not ``any``: every append asks, and a generator costs more than the answer
            has_secrets = has_secrets or proposal.visibility != ""
            is_correction = is_correction or proposal.kind is not EntryKind.TAKEN
        sealer = Sealer(head, self._clock(), self._new_fingerprint(head, proposals), command)
        if is_correction:
            sealer.correction = new_id()
        if command:
            sealer.command_digest = command.digest(event for proposal in proposals for event in proposal.events)
        said = iter(speeches)
        for proposal in proposals:
            hidden = hidden_names(head.state, proposal.events, after) if has_secrets else None
            sealer.add(proposal, hidden, next(said, GMS))
        return sealer

    def write_imported(self, head: Head, proposals: Sequence[Entry]) -> None:
        """Store entries that another program has recorded after a head: all of them or none.

        Visibility is as recorded there, entry by entry: public entries are not searched for names of hidden characters.
        """
        sealer = Sealer(head, self._clock(), "", None)
        for proposal in told(proposals, lambda: len(proposals)):
            sealer.add(proposal, None)
        self.store.append(self.campaign, head.entry, sealer.stored)

    def _new_fingerprint(self, head: Head, proposals: Sequence[Entry]) -> str:
        state = head.state if head.entry or not proposals else fold(head.state, proposals[0].events)
        known = self._fingerprint(state)
        return "" if known == head.fingerprint else known or UNKNOWN

    def without_words(self, numbers: Collection[int]) -> dict[int, bytes]:
        """The bytes that take the place of the stored entries of a note, by number."""
        found = (stored for number in numbers for stored in self.stored(number - 1, number))
        return {stored.version: without_notes(stored.data) for stored in found}

    # Checking.

    def chain_audit(self, witnesses: Sequence[Witness] = ()) -> ChainAudit:
        """An audit of the whole chain that is about to read its first entry."""
        from rollbook.domain.audit.chain_audit import ChainAudit

        return ChainAudit.of(CODEC.read, witnesses, self._removed())

    def scan(self) -> Head:
        """The head of the campaign, found by reading everything once. Raises HistoryDamaged if the chain breaks."""
        with gc_paused():
            scan = self.begin_scan()
            for stored in self.stored(until=scan.until):
                scan.follow(stored)
            return scan.head()

    def begin_scan(
        self, keep: Callable[[ActionNumber, CampaignState], None] | None = None, checked: VerifiedEntry | None = None
    ) -> HeadBuilder:
        """A scan of this campaign that is about to read its first entry. ``keep`` is given the state every so many actions.

        Where everything has just been ``checked`` up to its last entry, the chain is not checked again.
        """
        final = Revisions[Events]()
        until = self.version()
        order = PlayOrder()
        for entry in self.corrections():
            if entry.number > until:
                break
            final.add(entry, entry.events)
            if entry.is_first:
                order.insert(entry.action, entry.before)
        is_checked = checked is not None and checked == VerifiedEntry(until, self.hash_at(until))
        return HeadBuilder(final, CODEC.read, until, keep, order=order, is_checked=is_checked)
