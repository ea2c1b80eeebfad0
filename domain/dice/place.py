"""Where a roll lies in a session's streams: its class (open or behind the screen), timeline, seat and number."""

from __future__ import annotations

from typing import NamedTuple


class StreamCounter(NamedTuple):
    """One run of rolls that are numbered from 0: those of a ``seat`` in timeline ``fork`` (0: what really happens)."""

    screen: bool
    fork: int
    seat: int

    def place(self, number: int) -> StreamPlace:
        """The place of roll ``number`` in this run."""
        return StreamPlace(*self, number)


class StreamPlace(NamedTuple):
    """The place of one roll in the streams of a session."""

    screen: bool
    fork: int
    seat: int
    number: int

    @property
    def counter(self) -> StreamCounter:
        return StreamCounter(self.screen, self.fork, self.seat)


class RollCount(NamedTuple):
    """How many ``rolls`` one run of rolls has in a session."""

    screen: bool
    fork: int
    seat: int
    rolls: int

    @property
    def counter(self) -> StreamCounter:
        return StreamCounter(self.screen, self.fork, self.seat)
