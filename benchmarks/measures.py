"""The measurements. Each compares two things that are run in turn, so that a machine whose speed drifts shifts both."""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import attrs
from eventsourcing.application import Application

from benchmarks import out_of_the_box, raw
from benchmarks.evenings import CAMPAIGN, EVENTS_PER_BLOW, blows, book, journal, opening, written
from domain.chain import unsealed
from domain.dice.evaluation import evaluate
from domain.dice.stream import Stream


@attrs.frozen(kw_only=True)
class Row:
    """One line of the table. ``ratio`` is held against ``bound``; ``at_least`` says from which side."""

    name: str
    ours: str
    other: str
    ratio: float
    bound: float
    at_least: bool = True

    @property
    def holds(self) -> bool:
        """Whether the figure is what it should be."""
        return self.ratio >= self.bound if self.at_least else self.ratio <= self.bound


@attrs.frozen(kw_only=True)
class Scale:
    """How much to measure on."""

    events: int
    commits: int
    rounds: int
    processes: int


QUICK = Scale(events=60_000, commits=400, rounds=3, processes=3)
FULL = Scale(events=200_000, commits=2_000, rounds=5, processes=7)


def timed(work: Callable[[], object]) -> float:
    """Seconds that the work takes."""
    gc.collect()
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def in_turn(rounds: int, *works: Callable[[], object]) -> list[float]:
    """The best time of each, run one after the other, round by round."""
    times = [[timed(work) for work in works] for _ in range(rounds)]
    return [min(column) for column in zip(*times, strict=True)]


def _rate(count: int, seconds: float) -> str:
    return f"{count / seconds:,.0f}/s"


def appending(folder: Path, scale: Scale) -> Iterator[Row]:
    """Five events a commit: from events in memory to bytes on disk, against bytes that are ready."""
    ours = journal(folder / "append.db")
    theirs = raw.connect(folder / "append-raw.db")
    first = ours.write(_head(), [opening()])
    head = [_head_after(first)]
    queue = blows(scale.commits * (scale.rounds + 1))
    version = [0]

    def append_ours() -> None:
        for blow in islice(queue, scale.commits):
            head[0] = _head_after(ours.write(head[0], [blow]), head[0])

    def append_raw() -> None:
        stored = list(ours.store.read(CAMPAIGN, head[0].version - EVENTS_PER_BLOW * scale.commits))
        rows = [(CAMPAIGN, version[0] + at, event.name, event.data) for at, event in enumerate(stored, 1)]
        version[0] += len(rows)
        batches = [rows[at : at + EVENTS_PER_BLOW] for at in range(0, len(rows), EVENTS_PER_BLOW)]
        seconds.append(timed(lambda: [raw.append(theirs, batch) for batch in batches]))

    seconds: list[float] = []
    mine = []
    for _ in range(scale.rounds):
        mine.append(timed(append_ours))
        append_raw()
    count = scale.commits * EVENTS_PER_BLOW
    ratio = statistics.median(theirs_s / ours_s for ours_s, theirs_s in zip(mine, seconds, strict=True))
    yield Row(
        name="append, 5 events a commit, against raw sqlite3",
        ours=_rate(count, min(mine)),
        other=_rate(count, min(seconds)),
        ratio=ratio,
        bound=0.7,
    )


def _head() -> object:
    from adapters.journal import Head

    return Head()
