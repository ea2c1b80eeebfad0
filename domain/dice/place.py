"""Where a roll lies in a session's streams: its class (open or behind the screen), timeline, seat and number.

Histories hold places as text, "class/fork/seat/number" with a class of 0 or 1; only the functions here read that text.
"""

from __future__ import annotations

from typing import NamedTuple


class StreamCounter(NamedTuple):
    """One run of rolls that are numbered from 0: those of a ``seat`` in timeline ``fork`` (0: what really happens)."""

    screen: bool
    fork: int
    seat: int

    def __str__(self) -> str:
        return f"{int(self.screen)}/{self.fork}/{self.seat}"

    def place(self, number: int) -> StreamPlace:
        """The place of roll ``number`` in this run."""
        return StreamPlace(*self, number)


class StreamPlace(NamedTuple):
    """The place of one roll in the streams of a session."""

    screen: bool
    fork: int
    seat: int
    number: int

    def __str__(self) -> str:
        return f"{self.counter}/{self.number}"

    @property
    def counter(self) -> StreamCounter:
        """The run of rolls in which this one is numbered."""
        return StreamCounter(self.screen, self.fork, self.seat)


def read_place(text: str) -> StreamPlace:
    """A place as histories hold it. Raises ValueError if the text is none."""
    counter, _, number = text.rpartition("/")
    return read_counter(counter).place(_number(number))


def read_counter(text: str) -> StreamCounter:
    """A run of rolls as histories hold it. Raises ValueError if the text is none."""
    cls, fork, seat = text.split("/")
    if cls not in ("0", "1"):
        raise ValueError(f"{text!r} is neither of the open dice (0) nor of those behind the screen (1)")
    return StreamCounter(cls == "1", _number(fork), _number(seat))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or text != str(int(text)):
        raise ValueError(f"{text!r} is not a number as a place is written")
    return int(text)
