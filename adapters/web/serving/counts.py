"""What is counted of a server's work: how much, how long and how it ended, by kind of page and by nothing else.

No campaign, seat or name is in any count, and a request about the X-card is in none.
"""

from __future__ import annotations

from collections.abc import Callable

from rollbook.adapters.web.guards.limits import X_CARD
from rollbook.adapters.web.pages.page import Page

Shows = Callable[[str, str, Callable[[], float]], None]
"""Takes a name, what it means, and what says the number as it is now, from any thread."""


class Counts:
    """What is told what happens, from any thread, and may count it. This one counts nothing."""

    def answered(self, page: Page, status: int, seconds: float) -> None:
        """A page was answered, in so many seconds."""

    def kept(self) -> None:
        """An answer was given that had been made for somebody else of the same audience."""

    def turned_away(self, path: str, status: int) -> None:
        """A guard let a request not pass."""

    def conflicts(self, page: Page, times: int) -> None:
        """So often somebody else was faster while a page's command was decided; it was decided again."""


def is_counted(path: str) -> bool:
    """Whether requests for a path, or for a route's, are counted. Those about the X-card are not, whichever they are."""
    return X_CARD.match(path) is None


def kind_of(page: Page) -> str:
    """The kind of a page: the first word of its route after the campaign, so there are as many as routes at most."""
    words = [word for word in page.path.split("/") if word and not word.startswith("{")]
    if page.path.startswith("/c/"):
        return words[1] if len(words) > 1 else "table"
    return words[0] if words else "lobby"


def outcome_of(status: int) -> str:
    """How a command ended, by the status of its answer."""
    if status < 400:
        return "done"
    return "conflict" if status == 409 else "refused" if status < 500 else "failed"
