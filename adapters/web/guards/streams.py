"""How many streams of bells are open at once: of a browser, of a campaign and of all.

Streams of those who have a seat are counted and no others, so that nobody takes the place of somebody who was let in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rollbook.adapters.web.guards.asked import Asked, Refusal
from rollbook.adapters.web.guards.limits import BrowserOf, Limits
from rollbook.application.history.timeline_marker import campaign_of

STREAM = re.compile(r"/c/([^/]+)/stream")


class Streams:
    """A browser listens in so many tabs at once and no more, and a campaign leaves room for the others."""

    def __init__(self, limits: Limits, browser: BrowserOf) -> None:
        self._limits = limits
        self._browser = browser
        self._of_browser: Counter[str] = Counter()
        self._of_campaign: Counter[str] = Counter()

    @staticmethod
    def is_one(asked: Asked) -> bool:
        """Whether a stream is asked for."""
        return asked.path.endswith("/stream") and STREAM.fullmatch(asked.path) is not None

    def check(self, asked: Asked) -> Refusal | None:
        """Whether it may listen once more. A stranger is turned away where the seat is looked for."""
        browser = self._browser(asked.scope) if self.is_one(asked) else ""
        if not browser or self._has_room(browser, _campaign(asked)):
            return None
        instead = "Close some of them, then load this one again."
        return Refusal(429, "The table is open in too many tabs.", instead, (("Retry-After", "30"),))

    def _has_room(self, browser: str, campaign: str) -> bool:
        return (
            self._of_browser[browser] < self._limits.streams
            and self._of_campaign[campaign] < self._limits.streams_of_campaign
            and self._of_campaign.total() < self._limits.streams_of_all
        )

    @contextmanager
    def counted(self, asked: Asked) -> Iterator[None]:
        """While a stream is open, it is counted."""
        browser, campaign = self._browser(asked.scope), _campaign(asked)
        if not browser:
            yield
            return
        self._of_browser[browser] += 1
        self._of_campaign[campaign] += 1
        try:
            yield
        finally:
            for counter, key in ((self._of_browser, browser), (self._of_campaign, campaign)):
                counter[key] -= 1
                if not counter[key]:
                    del counter[key]


def _campaign(asked: Asked) -> str:
    """The campaign that a stream, or the timeline that it is of, belongs to."""
    found = STREAM.fullmatch(asked.path)
    return campaign_of(found[1]) if found else ""
