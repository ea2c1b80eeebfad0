"""So much at once, and so much a second in the long run: a bucket of tokens for each who is counted, which fills again."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

import attrs

from rollbook.domain.base.records import Record

REMEMBERED = 10_000
"""So many are counted at once; the one that asked longest ago is forgotten first."""


@attrs.frozen(kw_only=True)
class Rate(Record):
    """So many at once (``burst``), and so many a second in the long run."""

    burst: float
    a_second: float


class Buckets:
    """For each who is counted a bucket, from which a request takes a token. ``now`` is in seconds."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> bool:
        """Take a token. False if there is none."""
        now = self._now()
        left, at = self._left.pop(who, (self._rate.burst, now))
        left = min(self._rate.burst, left + (now - at) * self._rate.a_second)
        self._left[who] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return left >= 1
