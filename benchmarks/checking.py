"""Costs of checking a whole history (audit), and of taking one in from a file (import)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from benchmarks.measures import QUICK, Row, Scale, in_turn, run
from benchmarks.stored_story import resolve, stored_story, story
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.wiring import open_book


def auditing(folder: Path, scale: Scale) -> Iterator[Row]:
    """An audit of a stored campaign of storytoken, against resolving its actions once; and its memory as the history grows."""
    short, long = (20_000, 100_000) if scale is not QUICK else (10_000, 50_000)
    store, longer = folder / "audit.db", folder / "audit-long.db"
    stored_story(store, short)
    stored_story(longer, long)
    known = story(store)
    history = known.history
    list(history.entries)
    audited, resolved = in_turn(
        scale.rounds, lambda: story(store).audit(), lambda: resolve(history, known.session.rulebook).characters
    )
    yield Row.of_times(
        f"audit of {history.head:,} entries / resolving their actions once", audited, resolved, at_most=1.3
    )
    most, least = (json.loads(run("-m", "benchmarks.one_audit", str(path)))["peak_kb"] for path in (longer, store))
    yield Row.of_memory(f"audit, peak memory: at {long:,} / at {short:,} events", most, least, at_most=1.2)


def importing(folder: Path, scale: Scale) -> Iterator[Row]:
    """An import of an exported campaign with all that follows from it, against a rebuild of the same read model."""
    store, file = folder / "import.db", folder / "import.jsonl"
    stored_story(store, min(20_000, scale.events // 5))
    campaign = story(store)
    entries = export_campaign(campaign.session.log, file).entries
    session = campaign.session
    session.project()
    target = count()

    def take_in() -> None:
        path = folder / f"taken-in-{next(target)}.db"
        with open_book(path, path.with_suffix(".seeds")) as empty:
            report = import_campaign(empty, file)
            seen = {report.campaign: report.place}
            empty.read_model.catch_up(empty.store, empty.rulebook, only=seen, places=seen)
            empty.campaign(report.campaign).session.project()

    taken_in, rebuilt = in_turn(
        scale.rounds, take_in, lambda: session.read_model.rebuild(session.log.store, session.rulebook)
    )
    yield Row.of_times(f"import of {entries:,} entries / rebuild of the same", taken_in, rebuilt, at_most=1.5)


CHECKING = (auditing, importing)
