"""The first question, the chain: whether every stored byte is the one that was written, in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import attrs

from domain.audit.answers import Answer, Finding, answer
from domain.chain import ROOT, entry_hash, unsealed
from domain.errors import HistoryDamaged
from domain.event_store import StoredEvent
from domain.events import (
    Event,
    Header,
)

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
    bare, witness = unsealed(first.data)
    if header.parent != parent:
        raise HistoryDamaged("it does not follow the entry before it: something was changed, removed or put in")
    told = [(name, data) for _, name, data in batch[1:]]
    if not witness or entry_hash(parent, [(first.name, bare), *told], header.salt) != witness:
        raise HistoryDamaged("its events are not the ones that were stored")
    return header, tuple([decode(name, data) for name, data in told])


@attrs.define
class ChainCheck:
    """A chain as it is checked entry by entry: the hash of the last good entry and what was wrong so far."""

    decode: Decode
    parent: str = ROOT
    version: int = 0
    number: int = 0
    failed: list[Finding] = attrs.field(factory=list)

    def follow(self, batch: Batch) -> tuple[Header, tuple[Event, ...]] | None:
        """Check one more entry; None if it is damaged."""
        self.number += 1
        try:
            for event in batch:
                if event.version != self.version + 1:
                    raise HistoryDamaged(f"event {self.version + 1} is missing")
                self.version = event.version
            header, facts = check_batch(batch, self.parent, self.decode)
        except HistoryDamaged as damage:
            self.failed.append(Finding(self.number, str(damage)))
            self.version = batch[-1].version
            self.parent = unsealed(batch[0].data)[1] or self.parent
            return None
        self.parent = header.witness
        return header, facts


def audit_chain(
    stored: Iterable[StoredEvent],
    is_header: Callable[[str], bool],
    decode: Decode,
    remembered: tuple[int, str] = (0, ""),
) -> Answer:
    """Whether every stored byte is the one that was written, in its place.

    ``remembered`` is an entry number and its hash that somebody noted elsewhere (the read model, a receipt): a history
    that has lost its end is found by it.
    """
    check = ChainCheck(decode)
    events = 0
    at_remembered = ROOT
    for batch in batches(stored, is_header):
        events += len(batch)
        check.follow(batch)
        if check.number == remembered[0]:
            at_remembered = check.parent
    failed = check.failed
    if remembered[0] > check.number:
        failed.append(Finding(check.number + 1, f"the history was longer: it had {remembered[0]} entries"))
    elif remembered[0] and at_remembered != remembered[1]:
        failed.append(Finding(remembered[0], "it is not the entry that was there before"))
    return answer("chain", events, failed, [], [f"{check.number} entries, {events} events"])
