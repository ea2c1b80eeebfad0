"""Costs of a store that holds much: finding the campaign that is meant, and the first command without a read model."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path

from benchmarks.long_fight import EVENTS_PER_BLOW, blows, opening, written
from benchmarks.measures import QUICK, Row, Scale, in_turn, milliseconds
from benchmarks.starting import ROLLBOOK, home, used_by
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.local_files.paths import read_model_path
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.rulesets import storytoken

CAMPAIGNS, EVENTS_EACH = 2_000, 500
FINDINGS = 50


def finding(folder: Path, scale: Scale) -> Iterator[Row]:
    """Finding the campaign when none is named, in a long store against a short one."""
    events = scale.events if scale is QUICK else 1_000_000
    stores = [folder / "long.db", folder / "short.db"]
    for store, many in zip(stores, (events, 1_000), strict=True):
        written(store, many)
    clis = [_at(store) for store in stores]

    def find(cli: CliContext) -> None:
        for _ in range(FINDINGS):
            cli._last_campaign(cli.book())  # noqa: SLF001 - what every command without a name asks first

    many_events, few = in_turn(2 * scale.rounds + 1, *(lambda cli=cli: find(cli) for cli in clis))
    for cli in clis:
        cli.close()
    yield Row.of_times(
        f"finding the campaign when none is named: in {events:,} / in 1,000 events",
        [seconds / FINDINGS for seconds in many_events],
        [seconds / FINDINGS for seconds in few],
        at_most=1.5,
    )


def _at(store: Path) -> CliContext:
    cli = CliContext()
    cli.store = str(store)
    return cli


def asking_first(folder: Path, scale: Scale) -> Iterator[Row]:
    """The first command in a store of many campaigns that has no read model, against one that holds that campaign alone."""
    many, one, environment = folder / "many.db", folder / "one.db", home(folder)
    each = EVENTS_EACH // (10 if scale is QUICK else 1)
    _fill(many, CAMPAIGNS, each)
    _fill(one, 1, each)
    times = [[_first(store, environment) for store in (many, one)] for _ in range(max(3, scale.processes // 2))]
    in_many, in_one = (list(column) for column in zip(*times, strict=True))
    yield Row(
        name=f"first command without a read model, in {CAMPAIGNS:,} campaigns / in one of {each} events, processor seconds",
        ours=milliseconds(in_many),
        other=milliseconds(in_one),
        ratio=statistics.median(ours / theirs for ours, theirs in times),
        bound=1.5,
        at_least=False,
    )


def _fill(path: Path, campaigns: int, events: int) -> None:
    """A store of so many campaigns, each of so many events."""
    store = SQLiteEventStore(path)
    entries = [opening(storytoken.RULESET), *blows(events // EVENTS_PER_BLOW)]
    for number in range(campaigns):
        EntryLog(store, f"campaign-{number}", lambda: 0).write(Head(), entries)
    store.close()


def _first(store: Path, environment: dict[str, str]) -> float:
    read_model = read_model_path(store)
    for suffix in ("", "-wal", "-shm"):
        Path(f"{read_model}{suffix}").unlink(missing_ok=True)
    return used_by((*ROLLBOOK, "log", "-c", "campaign-0", "--store", str(store)), environment)
