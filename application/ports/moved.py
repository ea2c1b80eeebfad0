"""Which campaigns have gone from a store to another computer, as those who keep seeds note it."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Self

import attrs

from rollbook.application.ports.clock import microseconds
from rollbook.domain.base.identifiers import CampaignId, EntryNumber, StreamId
from rollbook.domain.base.records import Record


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


def gone_of(noted: Iterable[Moved], store: str = "", stream: StreamId = "") -> tuple[Moved, ...]:
    """The campaigns that have gone, by what was ``noted``, and have not come back, the oldest first."""
    last: dict[tuple[str, str, str], Moved] = {}
    for moved in noted:
        last[moved.campaign, moved.store, moved.stream] = moved
    return tuple(
        moved
        for moved in last.values()
        if not moved.is_back and store in ("", moved.store) and stream in ("", moved.stream)
    )


def read_moved(lines: Iterable[str]) -> Iterator[Moved]:
    """What lines say of campaigns; one that is damaged says nothing."""
    for line in lines:
        with suppress(ValueError, TypeError):
            yield Moved(**json.loads(line))
