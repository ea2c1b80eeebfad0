"""The first question, the chain: whether every stored byte is the one that was written, in its place."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from rollbook.domain.audit.answers import Answer, Finding, answer
from rollbook.domain.audit.witnesses import Witness, lost_entries
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Changeable
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import REMOVABLE, CampaignStarted, NoteRedacted
from rollbook.domain.history.chain import FIRST_EVENT, ROOT, body_of, halves, hash_in, lines_of, removed, seal
from rollbook.domain.history.event_store import StoredEntry
from rollbook.domain.history.numbering import Numbering
from rollbook.domain.history.redaction import is_removable, words_of
from rollbook.domain.history.secrecy import PublicHead

CHAIN = "chain"
"""Name of the first question."""

Read = Callable[[StoredEntry], RecordedEntry]
"""Reader of a stored entry. Raises HistoryDamaged for bytes that make no sense."""


def check_entry(stored: StoredEntry, previous_hash: str, read: Read) -> RecordedEntry:
    """A stored entry, read. Raises HistoryDamaged with the reason if it is not what was stored."""
    entry = read(stored)
    if entry.previous_hash != previous_hash:
        raise HistoryDamaged("it does not follow the entry before it: something was changed, removed or put in")
    body = body_of(stored.data)
    try:
        found = halves(body, entry.hidden_events).hash(previous_hash, entry.previous_public_hash)
    except ValueError:
        found = ""
    if found != entry.hash or stored.data[len(body) - 1 :] != b"\n" + seal(found, previous_hash):
        raise HistoryDamaged("its lines are not the ones that were stored")
    return entry


_REMOVABLE = frozenset(kind.__name__ for kind in REMOVABLE)


@attrs.define
class Removals(Changeable):
    """Words and names that were removed, as a history is read: each removal must be on record, later, and stay one."""

    gone: dict[int, None] = attrs.field(factory=dict)
    recorded: set[int] = attrs.field(factory=set)
    _with_words: set[int] = attrs.field(factory=set)

    def follow(self, stored: StoredEntry, entry: RecordedEntry) -> None:
        """One more entry. Raises HistoryDamaged if something was removed that never can be, or put in the place of words."""
        if b'\n["~' in stored.data:
            kinds = {removed(line) for line in lines_of(stored.data)[FIRST_EVENT:-1]} - {""}
            if not kinds <= _REMOVABLE or not is_removable(entry):
                raise HistoryDamaged("something was removed from it, and only words of notes and names ever can be")
            if words_of(entry):
                raise HistoryDamaged("words were removed from it, and it has others")
            self.gone[entry.number] = None
        elif is_removable(entry) and words_of(entry):
            self._with_words.add(entry.number)
        for event in entry.events if NoteRedacted in map(type, entry.events) else ():
            if isinstance(event, NoteRedacted):
                self.recorded.update(number for number in event.entries if number < entry.number)

    def unrecorded(self) -> Iterator[int]:
        """The entries from which words are gone without a record of it."""
        return (number for number in self.gone if number not in self.recorded)

    def undone(self) -> Iterator[int]:
        """The entries whose words are there, although they were removed on record."""
        return iter(sorted(self._with_words & self.recorded))


RULED = "other rules played it again from here on, so seats and sessions are not followed"
UNRECORDED = "words were removed from it, and no record says so"
PUT_BACK = "its words were removed on record, and are there again"


@attrs.define
class Succession(Changeable):
    """A history as it is read, entry by entry, from its beginning or from a head: each must follow from those before it."""

    read: Read
    hash: str = ROOT
    shown: PublicHead = attrs.field(factory=PublicHead)
    numbering: Numbering = attrs.field(factory=Numbering)
    removals: Removals = attrs.field(factory=Removals)

    def follow(self, stored: StoredEntry) -> RecordedEntry:
        """The next entry, read. Raises HistoryDamaged with the reason if it is not the one that was stored next."""
        due = self.numbering.count.entries + 1
        if stored.version != due:
            raise HistoryDamaged(f"entry @{due} is missing" if stored.version > due else f"entry @{due} is there twice")
        entry = check_entry(stored, self.hash, self.read)
        self.numbering.follow(entry, self.shown)
        self.removals.follow(stored, entry)
        self.hash = entry.hash
        self.shown = self.shown.after(entry)
        return entry


@attrs.define
class Rereading(Succession):
    """A history that was checked to its end a moment ago, from its beginning: its entries are only read and counted."""

    def follow(self, stored: StoredEntry) -> RecordedEntry:
        """The next entry, read. Raises HistoryDamaged if it makes no sense, or is not the next one."""
        entry = self.read(stored)
        self.numbering.count.add(entry)
        self.hash = entry.hash
        self.shown = self.shown.after(entry)
        return entry


@attrs.define
class ChainCheck(Changeable):
    """A chain as it is checked to its end: ``number`` entries, of which ``whole`` follow from those before, and what was wrong.

    From entry ``ruled_from`` on (0: none) seats and sessions are not followed: other rules played it again.
    After the first damage the links and lines of what follows are checked; what is counted can not be known there any more.
    """

    read: Read
    removals: Removals = attrs.field(factory=Removals)
    hash: str = ROOT
    number: int = 0
    entries: int = 0
    whole: int = 0
    events: int = 0
    failed: list[Finding] = attrs.field(factory=list)
    ruled_from: EntryNumber = 0
    _succession: Succession | None = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._succession = Succession(self.read, removals=self.removals)

    def follow(self, stored: StoredEntry) -> RecordedEntry | None:
        """Check one more entry; None if it, or one before it, is damaged."""
        self.entries += 1
        if self._succession is None:
            self._look_on(stored)
            return None
        try:
            entry = self._succession.follow(stored)
        except HistoryDamaged as damage:
            self._fail(stored, damage)
            self._succession = None
            return None
        self.number, self.hash = entry.number, entry.hash
        self.ruled_from = self._succession.numbering.table.ruled_from
        self.whole += 1
        self.events += len(entry.events)
        return entry

    def _look_on(self, stored: StoredEntry) -> None:
        """An entry after a damaged one: it may follow from the one before it all the same."""
        try:
            if stored.version != self.number + 1:
                raise HistoryDamaged(f"entry @{self.number + 1} is missing")
            entry = check_entry(stored, self.hash, self.read)
            self.removals.follow(stored, entry)
        except HistoryDamaged as damage:
            self._fail(stored, damage)
        else:
            self.number, self.hash = entry.number, entry.hash
            self.events += len(entry.events)

    def _fail(self, stored: StoredEntry, damage: HistoryDamaged) -> None:
        self.failed.append(Finding(self.number + 1, str(damage)))
        self.number = stored.version
        self.hash = hash_in(stored.data) or self.hash

    def finish(self) -> None:
        """Nothing follows any more: whatever is gone must have been recorded by now, and stay gone."""
        self.failed.extend(Finding(number, UNRECORDED) for number in self.removals.unrecorded())
        self.failed.extend(Finding(number, PUT_BACK) for number in self.removals.undone())


@attrs.define
class ChainAudit(Changeable):
    """The first question about a history as it is read, entry by entry.

    ``witnesses`` are what was seen of the history before: one that has lost its end is found by them. ``recorded`` are entries
    whose words were removed on the record of another history: that of canon, for one of its timelines.
    """

    check: ChainCheck
    witnesses: Sequence[Witness]
    _hashes: dict[int, str] = attrs.field(factory=dict)
    _wanted: frozenset[int] = frozenset()
    _identity: str = ""

    @classmethod
    def of(cls, read: Read, witnesses: Sequence[Witness] = (), recorded: Iterable[int] = ()) -> "ChainAudit":
        """An audit that is about to read the first entry."""
        check = ChainCheck(read, removals=Removals(recorded=set(recorded)))
        return cls(check, witnesses, wanted=frozenset(witness.entry for witness in witnesses))

    def follow(self, stored: StoredEntry) -> RecordedEntry | None:
        """Check one more entry; None if it, or one before it, is damaged."""
        check = self.check
        entry = check.follow(stored)
        if check.entries == 1 and entry is not None:
            self._identity = next((event.identity for event in entry.events if isinstance(event, CampaignStarted)), "")
        if check.number in self._wanted:
            self._hashes[check.number] = check.hash
        return entry

    def answer(self) -> Answer:
        """Answer whether every stored byte is the one that was written, in its place."""
        check = self.check
        check.finish()
        gone, missing = lost_entries((each for each in self.witnesses if each.is_about(self._identity)), self._hashes)
        if check.ruled_from:
            missing.append(Finding(check.ruled_from, RULED))
        remarks = [counted(check.events, "event")]
        without_words = len(check.removals.gone)
        remarks += [f"words were removed from {counted(without_words, 'entry', 'entries')}"] if without_words else []
        failed = [*check.failed, *gone]
        return answer(CHAIN, check.entries, failed, missing, remarks, covered=check.whole, entries=check.entries)
