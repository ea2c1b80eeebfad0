"""What an error is on the web: its status, and the title above its sentence."""

from __future__ import annotations

from rollbook.adapters.web.guards.limits import TOO_MUCH
from rollbook.application.after_commit import RecordedBut
from rollbook.domain.base.errors import (
    HistoryDamaged,
    NotFound,
    OutcomeUnknown,
    Refused,
    RollbookError,
    RulesetBroken,
    RulesetMissing,
    StaleHistory,
    StoreAway,
)

STATUSES: tuple[tuple[type[RollbookError], int, str], ...] = (
    (RecordedBut, 200, "Recorded"),
    (NotFound, 404, "Not here"),
    (StaleHistory, 409, "Somebody was faster"),
    (HistoryDamaged, 503, "This history is damaged"),
    (RulesetMissing, 503, "The game is not installed"),
    (RulesetBroken, 503, "The game cannot be played"),
    (OutcomeUnknown, 503, "The store failed"),
    (StoreAway, 503, "The store cannot be used"),
    (Refused, 422, "That cannot be done"),
)


def status_of_fault(fault: RollbookError) -> int:
    """The status of an answer that says this."""
    return next((status for kind, status, _ in STATUSES if isinstance(fault, kind)), 422)


def title_of_fault(fault: RollbookError) -> str:
    """A few words above its sentence."""
    return next((title for kind, _, title in STATUSES if isinstance(fault, kind)), "That did not work")


SENTENCES = {
    400: "What was sent cannot be read. Load the page again, and fill in its form.",
    404: "There is no such page at this table. Go back to the table.",
    405: "That cannot be asked of this page. Go back to the table.",
    408: "What was sent did not arrive in time. Send it again.",
    429: f"{TOO_MUCH.said} {TOO_MUCH.instead}",
    413: "That is more than can be sent here. Send something shorter, or a smaller file.",
}
"""What to say where the question itself is at fault."""


def sentence_of_status(status: int) -> str:
    """What is the case, and what to do."""
    return SENTENCES.get(status, SENTENCES[400])
