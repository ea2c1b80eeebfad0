"""Memory of an open campaign with its whole history, as when something is about to be corrected."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measures import QUICK, Row, Scale, run
from benchmarks.stored_story import stored_story


def remembering(folder: Path, scale: Scale) -> Iterator[Row]:
    """Memory for one more played action, by the resident set of processes that open nothing else.

    The actions are shots, checks and saves of storytoken with their dice and what the rules looked at.
    """
    short, *longer = (1_000, 20_000) if scale is QUICK else (1_000, 20_000, 100_000)
    least = _opened(folder, short)
    for events in longer:
        most = _opened(folder, events)
        actions = most["actions"] - least["actions"]
        yield Row(
            name=f"an open campaign with its whole history, {most['actions']:,} / {least['actions']:,} played actions: "
            "KB for one action more",
            ours=f"{most['bytes'] / 2**20:.0f} MB",
            other=f"{least['bytes'] / 2**20:.0f} MB",
            ratio=(most["bytes"] - least["bytes"]) / actions / 1024,
            bound=0.7,
            at_least=False,
        )


def _opened(folder: Path, events: int) -> dict[str, int]:
    """Number of actions in a campaign of so many events, and bytes of a process that has opened it."""
    store = folder / f"story-{events}.db"
    stored_story(store, events)
    found: dict[str, int] = json.loads(run("-m", "benchmarks.one_opening", str(store)))
    return found
