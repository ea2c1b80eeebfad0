"""Which campaigns have gone from here to another computer: a small file beside the seeds, so that no restore forgets it."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import attrs

from rollbook.adapters.local_files.own_files import added_to
from rollbook.application.ports.moved import Moved, gone_of, read_moved
from rollbook.domain.base.identifiers import StreamId

RECORD = "moved.jsonl"


def note(folder: Path, moved: Moved) -> None:
    """Note what became of a campaign; it is on the disk when this returns. Raises OSError."""
    with added_to(folder / RECORD) as file:
        file.write((json.dumps(attrs.asdict(moved), ensure_ascii=False) + "\n").encode())
        file.flush()
        os.fsync(file.fileno())


def away(folder: Path, store: str = "", stream: StreamId = "") -> tuple[Moved, ...]:
    """The campaigns that have gone from a store, or from any, and have not come back; of one name only, if one is given."""
    return gone_of(_all(folder), store, stream)


def carry_over(folder: Path, before: str, store: str) -> frozenset[str]:
    """What had gone from one store has gone from the one that is restored in its place. Raises OSError.

    Returns the sessions whose seeds went with it: older copies of them are not kept again. Without a store ``before``, those are
    meant whose seeds are nowhere on this computer.
    """
    gone = away(folder, before)
    for moved in gone if before else ():
        note(folder, attrs.evolve(moved, store=store))
    sessions = {session for moved in gone for session in moved.sessions}
    return frozenset(session for session in sessions if before or not (folder / f"{session}.json").exists())


def _all(folder: Path) -> Iterator[Moved]:
    try:
        lines = (folder / RECORD).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return
    yield from read_moved(lines)
