"""The first question, the chain: whether every stored byte is the one that was written, in its place."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from domain.audit.answers import Answer, Finding, answer
from domain.audit.witnesses import Witness, lost_entries
from domain.chain import FIRST_EVENT, ROOT, halves, hash_in, lines_of, removed, seal
from domain.counted import counted
from domain.entries import RecordedEntry
from domain.errors import HistoryDamaged
from domain.event_store import StoredEntry
from domain.events import CampaignStarted, NoteRedacted, NoteWritten
from domain.redaction import is_note
from domain.secrecy import PublicHead

Read = Callable[[StoredEntry], RecordedEntry]
"""How a stored entry is read. Raises HistoryDamaged for bytes that make no sense."""


def check_entry(stored: StoredEntry, previous_hash: str, read: Read) -> RecordedEntry:
    """A stored entry, read. Raises HistoryDamaged with the reason if it is not what was stored."""
    entry = read(stored)
    if entry.previous_hash != previous_hash:
        raise HistoryDamaged("it does not follow the entry before it: something was changed, removed or put in")
    lines = lines_of(stored.data)
    try:
        found = halves(lines[:-1], entry.hidden_events).hash(previous_hash, entry.previous_public_hash)
    except ValueError:
        found = ""
    if found != entry.hash or lines[-1] != seal(found, previous_hash):
        raise HistoryDamaged("its lines are not the ones that were stored")
    return entry


@attrs.define
class Removals:
    """Words that were removed from notes, as a history is read: each removal must be on record, later."""

    gone: dict[int, None] = attrs.field(factory=dict)
    recorded: set[int] = attrs.field(factory=set)

    def follow(self, stored: StoredEntry, entry: RecordedEntry) -> None:
        """One more entry. Raises HistoryDamaged if something was removed that never can be."""
        if b'\n["~' in stored.data:
            kinds = {removed(line) for line in lines_of(stored.data)[FIRST_EVENT:-1]} - {""}
            if kinds != {NoteWritten.__name__} or not is_note(entry):
                raise HistoryDamaged("something was removed from it, and only the words of a note ever can be")
            self.gone[entry.number] = None
        for event in entry.events:
            if isinstance(event, NoteRedacted):
                self.recorded.update(number for number in event.entries if number < entry.number)

    def unrecorded(self) -> Iterator[int]:
        """The entries from which words are gone without a record of it."""
        return (number for number in self.gone if number not in self.recorded)


def check_shown(entry: RecordedEntry, shown: PublicHead) -> None:
    """Raise HistoryDamaged unless an entry with secrets before it names what the table had ``shown`` until then."""
    is_wanted = shown.secrets or bool(entry.visibility or entry.hidden_events)
    if shown.hash and entry.previous_public_hash != (shown.hash if is_wanted else ""):
        raise HistoryDamaged("the table had not seen what it says came before it")


UNRECORDED = "words were removed from it, and no record says so"


@attrs.define
class ChainCheck:
    """A chain as it is checked entry by entry: the hash of the last good entry and what was wrong so far."""

    read: Read
    hash: str = ROOT
    number: int = 0
    events: int = 0
    failed: list[Finding] = attrs.field(factory=list)
    removals: Removals = attrs.field(factory=Removals)
    shown: PublicHead = attrs.field(factory=PublicHead)

    def follow(self, stored: StoredEntry) -> RecordedEntry | None:
        """Check one more entry; None if it is damaged."""
        self.number += 1
        try:
            if stored.version != self.number:
                raise HistoryDamaged(f"entry @{self.number} is missing")
            entry = check_entry(stored, self.hash, self.read)
            self.removals.follow(stored, entry)
            check_shown(entry, self.shown)
        except HistoryDamaged as damage:
            self.failed.append(Finding(self.number, str(damage)))
            self.number = stored.version
            self.hash = hash_in(stored.data) or self.hash
            self.shown = self.shown._replace(hash="")
            return None
        self.hash = entry.hash
        self.events += len(entry.events)
        self.shown = self.shown.after(entry)
        return entry

    def finish(self) -> None:
        """Nothing follows any more: whatever is gone must have been recorded by now."""
        self.failed.extend(Finding(number, UNRECORDED) for number in self.removals.unrecorded())


def audit_chain(
    stored: Iterable[StoredEntry], read: Read, witnesses: Sequence[Witness] = (), recorded: Iterable[int] = ()
) -> Answer:
    """Whether every stored byte is the one that was written, in its place.

    ``witnesses`` are what was seen of the history before: one that has lost its end is found by them. ``recorded`` are entries
    whose words were removed on the record of another history: that of canon, for one of its timelines.
    """
    check = ChainCheck(read, removals=Removals(recorded=set(recorded)))
    wanted = {witness.entry for witness in witnesses}
    hashes: dict[int, str] = {}
    identity = ""
    entries = 0
    for each in stored:
        entries += 1
        entry = check.follow(each)
        if entries == 1 and entry is not None:
            identity = next((event.identity for event in entry.events if isinstance(event, CampaignStarted)), "")
        if check.number in wanted:
            hashes[check.number] = check.hash
    check.finish()
    gone, missing = lost_entries((each for each in witnesses if each.is_about(identity)), hashes)
    remarks = [f"{entries} entries, {check.events} events"]
    without_words = len(check.removals.gone)
    remarks += [f"words were removed from {counted(without_words, 'entry', 'entries')}"] if without_words else []
    return answer("chain", entries, [*check.failed, *gone], missing, remarks)
