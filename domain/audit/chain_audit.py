"""The first question, the chain: whether every stored byte is the one that was written, in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import attrs

from domain.audit.answers import Answer, Finding, answer
from domain.chain import ROOT, entry_hash, has_halves, remains, unsealed, was
from domain.errors import HistoryDamaged
from domain.event_store import StoredEvent
from domain.events import Event, Header, NoteRedacted, NoteWritten, Resolved
from domain.secrecy import PublicHead

Batch = list[StoredEvent]


Decode = Callable[[str, bytes], Event]


def batches(stored: Iterable[StoredEvent], is_header: Callable[[str], bool]) -> Iterator[Batch]:
    """Stored events, entry by entry: each begins with a header."""
    batch: Batch = []
    for event in stored:
        if batch and is_header(event.name):
            yield batch
            batch = []
        batch.append(event)
    if batch:
        yield batch


def check_batch(batch: Batch, parent: str, decode: Decode) -> tuple[Header, tuple[Event, ...]]:
    """The header and facts of one stored entry. Raises HistoryDamaged with the reason if it is not what was stored."""
    first = batch[0]
    header = decode(first.name, first.data)
    if not isinstance(header, Header):
        raise HistoryDamaged(f"it begins with {first.name}, not with a header")
    if header.parent != parent:
        raise HistoryDamaged("it does not follow the entry before it: something was changed, removed or put in")
    events = [(name, data) for _, name, data in batch]
    try:
        found = entry_hash(parent, events, header.salt)
    except (ValueError, TypeError, AttributeError, RecursionError):
        found = ""
    if not found or found != unsealed(first.data)[1]:
        raise HistoryDamaged("its events are not the ones that were stored")
    return header, tuple([decode(name, data) for name, data in events[1:]])


@attrs.define
class Removals:
    """Words that were removed from notes, as a history is read: each removal must be on record, later and in full."""

    left: dict[int, str] = attrs.field(factory=dict)
    recorded: dict[int, str] = attrs.field(factory=dict)

    def follow(self, number: int, header: Header, batch: Batch, facts: Iterable[Event]) -> None:
        """One more entry. Raises HistoryDamaged if something was removed that never can be."""
        gone = [event.name for event in batch if was(event.data)[1]]
        if gone:
            if not is_note(header) or not all(
                name.startswith(("ActionTaken@", "ActionRevised@", _NOTE)) for name in gone
            ):
                raise HistoryDamaged("something was removed from it, and only the words of a note ever can be")
            self.left[number] = remains((name, data) for _, name, data in batch)
        for fact in facts:
            if isinstance(fact, NoteRedacted):
                self.recorded |= {int(entry): left for entry, left in fact.remains.items() if entry.isdecimal()}

    def unrecorded(self) -> Iterator[int]:
        """The entries from which words are gone without a record of it, or whose rest is not the one that was left."""
        return (number for number, left in self.left.items() if self.recorded.get(number) != left)


def check_shown(name: str, header: Header, shown: PublicHead) -> None:
    """Raise HistoryDamaged unless an entry with secrets before it names what the table had ``shown`` until then."""
    if has_halves(name, header.salt) and shown.witness not in ("", header.follows):
        raise HistoryDamaged("the table had not seen what it says came before it")


_NOTE = f"{NoteWritten.__name__}@"
UNRECORDED = "words were removed from it, and no record says so"


def is_note(header: Header) -> bool:
    """Whether an entry is about a note, whose words may be removed one day."""
    return isinstance(header, Resolved) and header.intent.verb == "note"


@attrs.define
class ChainCheck:
    """A chain as it is checked entry by entry: the hash of the last good entry and what was wrong so far."""

    decode: Decode
    parent: str = ROOT
    version: int = 0
    number: int = 0
    failed: list[Finding] = attrs.field(factory=list)
    removals: Removals = attrs.field(factory=Removals)
    shown: PublicHead = attrs.field(factory=PublicHead)

    def follow(self, batch: Batch) -> tuple[Header, tuple[Event, ...]] | None:
        """Check one more entry; None if it is damaged."""
        self.number += 1
        try:
            for event in batch:
                if event.version != self.version + 1:
                    raise HistoryDamaged(f"event {self.version + 1} is missing")
                self.version = event.version
            header, facts = check_batch(batch, self.parent, self.decode)
            self.removals.follow(self.number, header, batch, facts)
            check_shown(batch[0].name, header, self.shown)
        except HistoryDamaged as damage:
            self.failed.append(Finding(self.number, str(damage)))
            self.version = batch[-1].version
            self.parent = unsealed(batch[0].data)[1] or self.parent
            self.shown = self.shown._replace(witness="")
            return None
        self.parent = header.witness
        self.shown = self.shown.after(header)
        return header, facts

    def finish(self) -> None:
        """Nothing follows any more: whatever is gone must have been recorded by now."""
        self.failed.extend(Finding(number, UNRECORDED) for number in self.removals.unrecorded())


def audit_chain(
    stored: Iterable[StoredEvent],
    is_header: Callable[[str], bool],
    decode: Decode,
    remembered: tuple[int, str] = (0, ""),
    recorded: Mapping[int, str] | None = None,
) -> Answer:
    """Whether every stored byte is the one that was written, in its place.

    ``remembered`` is an entry number and its hash that somebody noted elsewhere (the read model, a receipt): a history
    that has lost its end is found by it. ``recorded`` are removals of words that are on record in another history: that of
    canon, for one of its timelines.
    """
    check = ChainCheck(decode, removals=Removals(recorded=dict(recorded or {})))
    events = 0
    at_remembered = ROOT
    for batch in batches(stored, is_header):
        events += len(batch)
        check.follow(batch)
        if check.number == remembered[0]:
            at_remembered = check.parent
    check.finish()
    failed = check.failed
    if remembered[0] > check.number:
        failed.append(Finding(check.number + 1, f"the history was longer: it had {remembered[0]} entries"))
    elif remembered[0] and at_remembered != remembered[1]:
        failed.append(Finding(remembered[0], "it is not the entry that was there before"))
    remarks = [f"{check.number} entries, {events} events"]
    gone = len(check.removals.left)
    remarks += [f"words were removed from {gone} {'entry' if gone == 1 else 'entries'}"] if gone else []
    return answer("chain", events, failed, [], remarks)
