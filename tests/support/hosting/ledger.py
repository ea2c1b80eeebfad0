"""Ledger of clients: every command with its id, and whether it was acknowledged."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter

import attrs


@attrs.define
class Asked:
    """One command. ``mark`` is words of its own, which stand in the history as often as it was carried out, "" for none.

    ``entries`` are the numbers that a client was told, where it was told any; ``parts`` is how many entries it must make at
    once, 0 if that is not known. Times are seconds of the monotonic clock.
    """

    id: str
    campaign: str
    seat: str
    line: str
    mark: str
    first: float
    acknowledged: float = 0.0
    tries: int = 0
    entries: tuple[int, ...] = ()
    parts: int = 0

    @property
    def wait(self) -> float:
        """Seconds from the first try to the acknowledgement; until now if there was none."""
        return (self.acknowledged or time.monotonic()) - self.first


class Ledger:
    """All commands of a run; several threads write into it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.asked: dict[str, Asked] = {}
        self.answers: Counter[str] = Counter()
        self.slowest_answer = 0.0

    def ask(self, one: Asked) -> Asked:
        """Note a command before it is sent for the first time."""
        with self._lock:
            assert one.id not in self.asked
            self.asked[one.id] = one
        return one

    def answered(self, kind: str, seconds: float) -> None:
        """Note an answer that was no acknowledgement, or that there was none, and how long that took. Numbers are left out."""
        with self._lock:
            self.answers[re.sub(r"\d+", "N", kind)] += 1
            self.slowest_answer = max(self.slowest_answer, seconds)

    def acknowledge(self, one: Asked, seconds: float, entries: tuple[int, ...] = ()) -> None:
        """Note that a command was carried out, as far as its client knows."""
        with self._lock:
            one.acknowledged, one.entries = time.monotonic(), entries
            self.slowest_answer = max(self.slowest_answer, seconds)

    @property
    def acknowledged(self) -> list[Asked]:
        """The commands that were acknowledged."""
        return [one for one in [*self.asked.values()] if one.acknowledged]

    @property
    def unanswered(self) -> list[Asked]:
        """The commands without an acknowledged outcome."""
        return [one for one in [*self.asked.values()] if not one.acknowledged]

    @property
    def retries(self) -> int:
        """Number of times that a command was sent again."""
        return sum(max(0, one.tries - 1) for one in self.asked.values())

    @property
    def worst_wait(self) -> float:
        """The longest time in seconds that a client waited for an acknowledgement."""
        return max((one.wait for one in self.asked.values()), default=0.0)
