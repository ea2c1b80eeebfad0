"""Auditing every campaign and timeline of a store, several at a time in processes of their own."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial

import attrs

from rollbook.application.book import Book
from rollbook.application.history.timeline_marker import campaign_of, is_timeline
from rollbook.application.pictures import faults_of
from rollbook.domain.audit.answers import Answer, Verdict, answer
from rollbook.domain.audit.chain_audit import CHAIN
from rollbook.domain.audit.witnesses import lost_entries
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.base.progress import say
from rollbook.domain.base.records import Record

Opened = Callable[[], Book]

FEW = 20_000
"""Entries that are audited in the time that a process takes to start."""
MOST_AT_ONCE = 16
"""Most streams that a process is given at once."""


@attrs.frozen
class StreamAudit(Record):
    """Result of auditing a campaign or timeline with so many entries; ``fault`` says why it could not be audited.

    ``pictures`` says what is wrong with those beside it, which contradicts no history. One that ``is_gone`` was seen by
    this computer, and the store has nothing of it any more.
    """

    stream: StreamId
    entries: int
    answers: tuple[Answer, ...] = ()
    fault: str = ""
    is_gone: bool = False
    pictures: tuple[str, ...] = ()

    @property
    def is_good(self) -> bool:
        """True if it was audited and nothing contradicts it."""
        return not self.fault and all(answer.is_good for answer in self.answers)

    @property
    def lacks_entries(self) -> bool:
        """True if entries that this computer once saw are not there any more, as may be expected."""
        return any(answer.question == CHAIN and answer.verdict is Verdict.UNPROVEN for answer in self.answers)


def verify(opened: Opened, processes: int = 0) -> Iterator[StreamAudit]:
    """Audit all streams of a store, the longest first, in so many ``processes``; 0: as many as is worth it.

    ``opened`` opens its book, in this process and in each of the others, so it can be pickled.

    At the end come streams that this computer has seen and that have vanished from the store without being deleted.

    Raises RollbookError if the store cannot be opened, or if a process was ended from outside.
    """
    with opened() as book:
        heads = {stream: book.store.head(stream) for stream in book.store.campaigns()}
        gone = [*_gone(book)]
    streams = sorted(heads, key=heads.__getitem__, reverse=True)
    total, done = sum(heads.values()), 0
    many = min(processes or (os.cpu_count() or 1 if total > FEW else 1), len(streams))
    with _auditors(many, opened, streams) as audits:
        for audit in audits:
            done += heads[audit.stream]
            say(done, total)
            yield attrs.evolve(audit, entries=heads[audit.stream])
    yield from gone


def damage_of(book: Book, stream: StreamId) -> str:
    """The known damage of a history in a book, "" for none."""
    try:
        return book.campaign(stream).session.damage
    except RollbookError as fault:
        return str(fault)


def _gone(book: Book) -> Iterator[StreamAudit]:
    """The audit of each stream that was seen here and is gone, except those that a ``restore`` replaced."""
    seen = [witness for witness in book.read_model.witnesses() if not witness.identity]
    for stream in dict.fromkeys(witness.campaign for witness in seen):
        if book.store.marker(stream) is None and not book.store.head(stream):
            failed, missing = lost_entries((witness for witness in seen if witness.campaign == stream), {})
            yield StreamAudit(stream, 0, (answer(CHAIN, 0, failed, missing, [], covered=0, entries=0),), is_gone=True)


@contextmanager
def _auditors(many: int, opened: Opened, streams: Sequence[StreamId]) -> Iterator[Iterator[StreamAudit]]:
    """The audits of streams, by so many processes; by this one if that is enough."""
    if many <= 1:
        with opened() as book:
            yield (_audited(book, stream) for stream in streams)
        return
    import multiprocessing  # noqa: PLC0415 - few stores take several processes
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - as above
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 - as above

    audit = partial(_audit, opened)
    pool = ProcessPoolExecutor(many, multiprocessing.get_context("spawn"), _leave_interrupts)
    try:
        yield pool.map(audit, streams, chunksize=max(1, min(MOST_AT_ONCE, len(streams) // many // 8)))
        pool.shutdown()
    except BrokenProcessPool:
        raise RollbookError(
            "A process that audited was ended from outside, perhaps for want of memory. Try again with fewer: --processes 1"
        ) from None
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
        raise


def _leave_interrupts() -> None:
    """Ctrl-C at a terminal is sent to all processes; the first one ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _audit(opened: Opened, stream: StreamId) -> StreamAudit:
    return _audited(_book(opened), stream)


@cache
def _book(opened: Opened) -> Book:
    return opened()


def _audited(book: Book, stream: StreamId) -> StreamAudit:
    try:
        pictures = () if is_timeline(stream) else faults_of(book.store, stream).sentences
        return StreamAudit(stream, 0, book.campaign(stream).audit(), pictures=pictures)
    except RollbookError as fault:
        return StreamAudit(stream, 0, fault=str(fault))
    finally:
        book.reopen(campaign_of(stream))
