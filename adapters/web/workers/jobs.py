"""Slow jobs: previews of long histories, audits, exports. Each has a book of its own, and reports its progress."""

import secrets
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import attrs

from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.workers.campaign_workers import OpenBook
from rollbook.application.after_commit import one_act
from rollbook.application.book import Book
from rollbook.domain.base.progress import telling

Work = Callable[[Book], Any]
"""Work on a book of its own. Its progress counts what it reads and plays."""

AT_ONCE = 2
KEPT_SECONDS = 600
MOST_JOBS = 64


class Stopped(Exception):
    """The end of work that no request waits for any more."""


@attrs.define(slots=False)
class Job:
    """One slow job. ``done`` of ``total`` is its last progress; both are 0 before the first.

    ``faults`` are those after the commit, if it ``is_committed``.

    With ``patience`` it stops after so many seconds without a request for it: the page was closed.
    """

    id: str
    identity: Identity
    future: Future[Any] = attrs.field(init=False)
    began: float = attrs.field(factory=time.monotonic)
    done: int = 0
    total: int = 0
    patience: float = 0
    wanted: float = attrs.field(factory=time.monotonic)
    is_stopped: bool = False
    is_committed: bool = False
    faults: list[str] = attrs.field(factory=list)

    def progress(self, done: int, total: int) -> None:
        """Note the progress. Raises Stopped if the work shall end."""
        self.done, self.total = done, total
        if self.is_stopped or (self.patience and time.monotonic() - self.wanted > self.patience):
            raise Stopped

    def stop(self) -> None:
        """End the job at its next progress; work that has not begun never begins."""
        self.is_stopped = True
        self.future.cancel()

    @property
    def is_finished(self) -> bool:
        """True if ``result`` returns at once."""
        return self.future.done()

    @property
    def result(self) -> Any:
        """The result of the work, after waiting for it. Raises what the work raised."""
        return self.future.result()


class Jobs:
    """The jobs in progress, and finished ones for a while."""

    def __init__(self, open_book: OpenBook) -> None:
        self._open_book = open_book
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="slow")
        self._jobs: dict[str, Job] = {}
        self._mark = secrets.token_hex(4)

    def is_elsewhere(self, id_: str) -> bool:
        """True if the job of that id was begun by another process: each process has its own mark."""
        mark, dot, _ = id_.partition(".")
        return bool(dot) and mark != self._mark

    def start(self, identity: Identity, work: Work, *, patience: float = 0) -> Job:
        """Begin a job, with ``patience`` in seconds if it is only for a waiting page."""
        job = Job(f"{self._mark}.{secrets.token_urlsafe(12)}", identity, patience=patience)
        job.future = self._threads.submit(self._work, job, work)
        self._forget_old()
        self._jobs[job.id] = job
        return job

    def find(self, identity: Identity, id_: str) -> Job | None:
        """The job of that id, None if there is none or another requester began it."""
        job = self._jobs.get(id_)
        if job is None or job.identity != identity:
            return None
        job.wanted = time.monotonic()
        return job

    def _work(self, job: Job, work: Work) -> Any:
        with one_act() as act, self._open_book() as book, telling(job.progress):
            made = work(book)
            job.is_committed, job.faults = act.is_committed, act.take_faults()
        return made

    def _forget_old(self) -> None:
        now = time.monotonic()
        for job in list(self._jobs.values()):
            if job.is_finished and (now - job.began > KEPT_SECONDS or len(self._jobs) >= MOST_JOBS):
                self._jobs.pop(job.id, None)

    def close(self) -> None:
        """Begin no more jobs, and end those in progress: they report progress, or store all their entries at once."""
        for job in self._jobs.values():
            job.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)
