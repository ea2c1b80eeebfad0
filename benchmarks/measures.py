"""The measurements. Each runs two things in turn, so that a machine whose speed drifts shifts both."""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from uuid import UUID

import attrs
from eventsourcing.application import Application

from benchmarks import out_of_the_box, raw
from benchmarks.long_fight import CAMPAIGN, EVENTS_PER_BLOW, blows, book, entry_log, opening, raw_rows, written
from rollbook.application.book import Book
from rollbook.application.history.head import Head
from rollbook.domain.dice.evaluation import evaluate
from rollbook.domain.dice.stream import Stream
from rollbook.domain.entries import RecordedEntry
from rollbook.rulesets import storytoken

ROOT = Path(__file__).parent.parent


@attrs.frozen(kw_only=True)
class Row:
    """One line of the table. ``ratio`` is compared with ``bound``; ``at_least`` says from which side."""

    name: str
    ours: str
    other: str
    ratio: float
    bound: float
    at_least: bool = True

    @classmethod
    def of_rates(cls, name: str, count: int, ours: list[float], other: list[float], *, at_least: float) -> Row:
        """So many a second, by the seconds of each round, against as many of something else."""
        found = ratio(ours, other)
        return cls(name=name, ours=rate(count, ours), other=rate(count, other), ratio=found, bound=at_least)

    @classmethod
    def of_times(cls, name: str, ours: list[float], other: list[float], *, at_most: float) -> Row:
        """Seconds of each round, against those of something else."""
        shown, found = (milliseconds(ours), milliseconds(other)), ratio(other, ours)
        return cls(name=name, ours=shown[0], other=shown[1], ratio=found, bound=at_most, at_least=False)

    @classmethod
    def of_memory(cls, name: str, most: int, least: int, *, at_most: float) -> Row:
        """Kilobytes on much, against those on little."""
        shown = [f"{kilobytes / 1024:.0f} MB" for kilobytes in (most, least)]
        return cls(name=name, ours=shown[0], other=shown[1], ratio=most / least, bound=at_most, at_least=False)

    @property
    def holds(self) -> bool:
        """True if the figure is what it should be."""
        return self.ratio >= self.bound if self.at_least else self.ratio <= self.bound


@attrs.frozen(kw_only=True)
class Scale:
    """Scale of the measurements: events in the long campaign, commits and rounds of each, process starts."""

    events: int
    commits: int
    rounds: int
    processes: int


QUICK = Scale(events=50_000, commits=300, rounds=3, processes=3)
FULL = Scale(events=200_000, commits=2_000, rounds=5, processes=7)


def processor_seconds() -> float:
    """The processor time of this process so far and of those that it has waited for: what others do meanwhile is not in it."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def timed(work: Callable[[], object]) -> float:
    """Seconds of processor time that the work takes."""
    gc.collect()
    began = processor_seconds()
    work()
    return processor_seconds() - began


def in_turn(rounds: int, *works: Callable[[], object]) -> list[list[float]]:
    """The times of each, run one after the other, round by round."""
    times = [[timed(work) for work in works] for _ in range(rounds)]
    return [list(column) for column in zip(*times, strict=True)]


def ratio(one: list[float], other: list[float]) -> float:
    """The median, round by round, of how many times faster the first is than the other."""
    return statistics.median(theirs / ours for ours, theirs in zip(one, other, strict=True))


def rate(count: int, seconds: list[float]) -> str:
    """Rate a second, by the median, as it is shown."""
    return f"{count / statistics.median(seconds):,.0f}/s"


def milliseconds(seconds: list[float]) -> str:
    """A median, as it is shown."""
    return f"{statistics.median(seconds) * 1000:.3g} ms"


def appending(folder: Path, scale: Scale) -> Iterator[Row]:
    """An entry of five events a commit: from values in memory to bytes on disk, against the same bytes ready as five rows.

    On a disk, by the clock; and in memory, where nothing is flushed, by processor time.
    """
    count = scale.commits * EVENTS_PER_BLOW
    mine, raws = _appended(folder, scale, time.perf_counter)
    yield Row.of_rates("append, an entry of 5 events a commit / 5 raw rows", count, mine, raws, at_least=0.82)
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as memory:
        mine, raws = _appended(Path(memory), scale, time.process_time)
    yield Row.of_rates(
        "append, an entry of 5 events a commit / 5 raw rows, without a flush", count, mine, raws, at_least=0.8
    )


MEMORY = Path("/dev/shm")
"""A file system in memory, where there is one."""


def _appended(folder: Path, scale: Scale, clock: Callable[[], float]) -> tuple[list[float], list[float]]:
    """Seconds of rollbook, and of raw rows. They take turns commit by commit, so both meet the same caches."""
    ours, theirs = entry_log(folder / "append.db"), raw.connect(folder / "append-raw.db")
    rehearsal = entry_log(folder / "rehearsal.db")
    head = _after(ours.write(Head(), [opening()]))
    rehearsed = _after(rehearsal.write(Head(), [opening()]))
    mine, raws = [], []
    for round_ in range(scale.rounds):
        waiting = list(blows(scale.commits, first=2 + round_ * scale.commits))
        before = rehearsed.entry
        rehearsed = _after(rehearsal.write(rehearsed, waiting))
        rows = list(raw_rows(rehearsal.stored(before), 1 + before * EVENTS_PER_BLOW))
        gc.collect()
        gc.freeze()  # what waits to be stored would not be in memory at a table
        mine.append(0.0)
        raws.append(0.0)
        for at, blow in enumerate(waiting):
            ready = rows[at * EVENTS_PER_BLOW : (at + 1) * EVENTS_PER_BLOW]
            began = clock()
            entries = ours.write(head, [blow])
            wrote = clock()
            raw.append(theirs, ready)
            raws[-1] += clock() - wrote
            mine[-1] += wrote - began
            head = _after(entries)
        gc.unfreeze()
    return mine, raws


def _after(entries: list[RecordedEntry]) -> Head:
    last = entries[-1]
    return Head(last.number, last.hash, last.action)


def replaying(folder: Path, scale: Scale) -> Iterator[Row]:
    """Read and fold a whole campaign, against fetching its bytes row by row, and against the library out of the box."""
    ours = written(folder / "replay.db", scale.events)
    theirs = raw.connect(folder / "replay-raw.db")
    rows = list(raw_rows(ours.stored()))
    raw.append(theirs, rows)
    count = len(rows)
    del rows
    mine, whole, raws = in_turn(
        scale.rounds,
        lambda: ours.history().state.characters,
        lambda: (history := ours.history()).state.characters and list(history.entries),
        lambda: raw.read(theirs, CAMPAIGN),
    )
    yield Row.of_rates(
        "replay: read, decode what the state needs, fold / raw sqlite3, bytes only", count, mine, raws, at_least=0.4
    )
    yield Row.of_rates("replay, and every entry decoded / raw sqlite3, bytes only", count, whole, raws, at_least=0.25)
    env = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "box.db")}
    box: Application[UUID] = Application(env)
    box_events = max(10_000, scale.events // 4)
    fight = out_of_the_box.fill(box, box_events, 200)
    again, boxed = in_turn(
        max(1, scale.rounds - 2), lambda: ours.history().state.characters, lambda: box.repository.get(fight)
    )
    per_event = [seconds * count / box_events for seconds in boxed]
    yield Row.of_rates("replay / eventsourcing out of the box", count, again, per_event, at_least=6)


def undoing(folder: Path, scale: Scale) -> Iterator[Row]:
    """Take the last action back in a warm campaign of 50,000 events, stored and projected, against loading it cold."""
    events = min(50_000, scale.events)
    store = folder / "undo.db"
    written(store, events)
    cold = [timed(lambda: _opened(store).campaign(CAMPAIGN).history.state) for _ in range(scale.rounds)]
    warm = _opened(store).campaign(CAMPAIGN)
    warm.history.state  # noqa: B018 - load it
    last = warm.history.actions
    undone = [
        timed(lambda action=action: warm.corrections.undo(action, reason="mistake").apply())  # type: ignore[misc]
        for action in range(last, last - 3 * scale.rounds, -1)
    ]
    yield Row(
        name=f"undo the last action, warm / cold load, {events:,} events",
        ours=milliseconds(undone),
        other=milliseconds(cold),
        ratio=statistics.median(undone) / statistics.median(cold),
        bound=0.02,
        at_least=False,
    )


def _opened(store: Path) -> Book:
    return book(store)


def commanding(folder: Path, scale: Scale) -> Iterator[Row]:
    """One more action, stored and projected, in a long campaign against a short one: warm, and as a whole process."""
    long, short = folder / "long.db", folder / "short.db"
    written(long, min(100_000, scale.events))
    written(short, 1_000)
    for store in (long, short):
        opened = _opened(store)
        opened.campaign(CAMPAIGN).session.project()
        opened.close()
    books = [_opened(store).campaign(CAMPAIGN) for store in (long, short)]

    def act(at: int) -> None:
        for _ in range(20):
            books[at].do("roll", {"expression": "1d20+5", "who": "robin"}, dice=(14,))
            books[at].session.project()

    for at in (0, 1):
        act(at)
    many, few = in_turn(2 * scale.rounds, lambda: act(0), lambda: act(1))
    yield Row.of_times(
        f"a command, warm: at {min(100_000, scale.events):,} / at 1,000 events",
        [seconds / 20 for seconds in many],
        [seconds / 20 for seconds in few],
        at_most=1.2,
    )
    long, short = folder / "long-played.db", folder / "short-played.db"
    written(long, min(100_000, scale.events), storytoken.RULESET)
    written(short, 1_000, storytoken.RULESET)
    for command in (("do", "roll", "1d20+5", "--who", "robin", "--dice", "14"), ("sheet", "robin")):
        yield _whole_process(command, long, short, scale)


def _whole_process(command: tuple[str, ...], long: Path, short: Path, scale: Scale) -> Row:
    """A command of the command line by a fresh interpreter, in a long campaign against a short one."""
    start = ("-c", "import sys, rollbook; sys.exit(rollbook.main())")
    works = [partial(run, *start, *command, "--store", str(store)) for store in (long, short)]
    for work in works:
        work()
    many, few = in_turn(scale.processes, *works)
    return Row.of_times(
        f"rollbook {' '.join(command[:2])}, whole process: at {min(100_000, scale.events):,} / at 1,000 events",
        many,
        few,
        at_most=1.2,
    )


def run(*arguments: str) -> str:
    """Run a fresh interpreter with these arguments, and return its output."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *arguments], check=True, capture_output=True, text=True, cwd=ROOT, env=environment
    )
    return done.stdout


def rebuilding(folder: Path, scale: Scale) -> Iterator[Row]:
    """Rebuild all projections, and what memory that takes on a campaign four times as long."""
    long, short = folder / "rebuild.db", folder / "rebuild-short.db"
    log = written(long, scale.events)
    written(short, scale.events // 4)
    rates, peaks = [], []
    for _ in range(max(1, scale.rounds - 2)):
        whole = json.loads(run("-m", "benchmarks.one_rebuild", str(long)))
        less = json.loads(run("-m", "benchmarks.one_rebuild", str(short)))
        rates.append(whole["events"] / whole["seconds"])
        peaks.append((whole["peak_kb"], less["peak_kb"]))
    yield Row(
        name="rebuild all projections, events a second",
        ours=f"{statistics.median(rates):,.0f}/s",
        other="40,000/s",
        ratio=statistics.median(rates) / 40_000,
        bound=1,
    )
    with _opened(long) as opened:
        rebuilt, replayed = in_turn(
            scale.rounds,
            lambda: opened.read_model.rebuild(opened.store, opened.rulebook),
            lambda: (history := log.history()).state.characters and list(history.entries),
        )
    yield Row.of_rates("rebuild / replay with fold, every entry decoded", scale.events, rebuilt, replayed, at_least=0.4)
    most, least = peaks[-1]
    yield Row.of_memory(
        f"rebuild, peak memory: at {scale.events:,} / at {scale.events // 4:,} events", most, least, at_most=1.25
    )


def helping(folder: Path, scale: Scale) -> Iterator[Row]:
    """``rollbook --help``, against three empty interpreters and the import of click and rich."""
    _ = folder
    empty, imports, shown = in_turn(
        scale.processes,
        lambda: run("-c", "pass"),
        lambda: run("-c", "import click, rich.console, rich.table"),
        lambda: run("-m", "rollbook", "--help"),
    )
    allowed = [3 * nothing + (loaded - nothing) for nothing, loaded in zip(empty, imports, strict=True)]
    yield Row.of_times("rollbook --help / 3 x python -c pass + click + rich", shown, allowed, at_most=1)


def rolling(folder: Path, scale: Scale) -> Iterator[Row]:
    """A proven 1d20+5 with its full record, against the unproven one of the package d20."""
    _ = folder
    if importlib.util.find_spec("d20") is None:
        return
    import d20  # type: ignore[import-untyped,import-not-found,unused-ignore]  # noqa: PLC0415 - it may not be there

    stream = Stream(bytes(range(32)))
    count = 2_000

    def proven() -> None:
        for index in range(count):
            evaluate("1d20+5", stream.roll(1, index).draw)

    def unproven() -> None:
        for _ in range(count):
            d20.roll("1d20+5")

    proven()
    unproven()
    ours, theirs = in_turn(4 * scale.rounds, proven, unproven)
    yield Row.of_rates("one 1d20+5, proven and recorded / d20, unproven", count, ours, theirs, at_least=1)


ENGINE = (appending, replaying, undoing, commanding, rebuilding, helping, rolling)
"""Measures of the engine, in the order of the table."""
