"""Which campaigns have gone from here to another computer: a small file beside the seeds, so that no restore forgets it."""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import attrs

from rollbook.adapters.local_files.own_files import added_to
from rollbook.application.ports.clock import microseconds
from rollbook.domain.base.identifiers import CampaignId, EntryNumber, StreamId
from rollbook.domain.base.records import Record

RECORD = "moved.jsonl"


def _strings(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(given)


@attrs.frozen(kw_only=True)
class Moved(Record):
    """A campaign (its identity) that went from a store, where it was called ``stream``, in a ``file``, after ``entry``.

    ``sessions`` are those whose seeds went with it. ``is_done`` is false until the file has its name; ``is_back`` says that the
    campaign has come back since. ``at`` is microseconds since 1970, UTC.
    """

    campaign: CampaignId
    store: str
    stream: StreamId
    file: str
    entry: EntryNumber
    sessions: tuple[str, ...] = attrs.field(default=(), converter=_strings)
    at: int = attrs.field(factory=microseconds)
    is_done: bool = False
    is_back: bool = False

    def back(self) -> Self:
        """The same, now that the campaign has come back, or nothing of it is here any more."""
        return attrs.evolve(self, is_back=True)

    @property
    def sentence(self) -> str:
        """What somebody is told who wants to play on here."""
        moment = datetime.fromtimestamp(self.at / 1_000_000, UTC)
        return (
            f"{self.stream} was moved away from here on {moment:%Y-%m-%d %H:%M} (UTC), after entry @{self.entry}, in the file "
            f"{self.file}: it is played where that file was imported. Here it can be read. To bring it back, move it there "
            f"and import that file here."
        )


def note(folder: Path, moved: Moved) -> None:
    """Note what became of a campaign; it is on the disk when this returns. Raises OSError."""
    with added_to(folder / RECORD) as file:
        file.write((json.dumps(attrs.asdict(moved), ensure_ascii=False) + "\n").encode())
        file.flush()
        os.fsync(file.fileno())


def away(folder: Path, store: str = "", stream: StreamId = "") -> tuple[Moved, ...]:
    """The campaigns that have gone from a store, or from any, and have not come back; of one name only, if one is given."""
    return gone_of(_all(folder), store, stream)


def gone_of(noted: Iterable[Moved], store: str = "", stream: StreamId = "") -> tuple[Moved, ...]:
    """The same out of what was noted, the oldest first."""
    last: dict[tuple[str, str, str], Moved] = {}
    for moved in noted:
        last[moved.campaign, moved.store, moved.stream] = moved
    return tuple(
        moved
        for moved in last.values()
        if not moved.is_back and store in ("", moved.store) and stream in ("", moved.stream)
    )


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


def read_moved(lines: Iterable[str]) -> Iterator[Moved]:
    """What lines say of campaigns; one that is damaged says nothing."""
    for line in lines:
        with suppress(ValueError, TypeError):
            yield Moved(**json.loads(line))
