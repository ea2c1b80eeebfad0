"""What the table does not know yet: who and what is hidden, how it is revealed, and words that are removed for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from rollbook.adapters.web.faults import status_of_fault
from rollbook.adapters.web.gm.work import in_room
from rollbook.application.redaction import redact as remove
from rollbook.application.visibility.sight import kept_from_table
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.events import ParameterValue
from rollbook.domain.history.redaction import redactable
from rollbook.projections.conditions import SqlCondition
from rollbook.projections.numbers import action_number, number_range

if TYPE_CHECKING:
    from rollbook.adapters.web.pages.request_context import Visit
    from rollbook.application.redaction import Redaction
    from rollbook.projections.session_log import LogLine

MOST = 50
"""So many lines of one sort are listed; what is older is revealed by its number."""
HIDDEN = SqlCondition("visibility = 'gm'")
NOTES = SqlCondition("verb IN ('note', 'whisper')")


def show_secrets(visit: Visit) -> Response:
    """Who and what is hidden, each with a button."""
    return _show(visit)


def _show(visit: Visit, code: int = 200, /, *, fault: str = "", gone: Redaction | None = None) -> Response:
    campaign = visit.table.campaign
    sent = visit.form
    return in_room(
        visit,
        "gm/secrets.html",
        code,
        people=[who for who in campaign.state.characters.values() if who.hidden],
        lines=_lines(visit, HIDDEN),
        notes=_lines(visit, NOTES),
        fault=fault,
        gone=gone,
        typed={name: str(sent.get(name, "")) for name in ("actions", "note", "why")},
    )


def _lines(visit: Visit, where: SqlCondition) -> list[LogLine]:
    campaign = visit.table.campaign
    return campaign.read_model.log(campaign.id, last=MOST, where=where)[::-1]


def reveal_action(visit: Visit) -> Response:
    """One hidden action, and the button that reveals it."""
    campaign, action = visit.table.campaign, visit.path["action"]
    lines = _lines(visit, HIDDEN & SqlCondition("action = ?", (action_number(action) or 0,)))
    if not lines:
        raise Refused(f"Action #{action} is not hidden from the table, or was undone.")
    return in_room(visit, "gm/reveal.html", lines=lines, campaign_id=campaign.id)


def reveal(visit: Visit) -> Response:
    """Reveal a character (``who``), or the actions that are named, such as ``12 14-16``."""
    campaign, who = visit.table.campaign, str(visit.form.get("who", ""))
    words = str(visit.form.get("actions", "")).replace(",", " ").split()
    try:
        history = campaign.load_history()
        ranges = [number_range(word) for word in words]
        if None in ranges:
            raise Refused("Name actions by their numbers, such as 12 or 14-16.")
        entries = [entry.number for bounds in ranges if bounds for entry in kept_from_table(history, bounds)]
        params: dict[str, ParameterValue] = {"who": who, "entries": tuple(entries)}
        campaign.do("reveal", params, command=str(visit.form.get("command", "")))
    except RollbookError as fault:
        return _show(visit, status_of_fault(fault), fault=str(fault))
    finally:
        visit.follow()
    return visit.redirect(f"/c/{visit.campaign_id}/gm/secrets")


def redact(visit: Visit) -> Response:
    """Remove the words of a note for good. It has to be said twice: by its number, and that it cannot be undone."""
    campaign, why = visit.table.campaign, str(visit.form.get("why", "")).strip()
    number = str(visit.form.get("note", "")).removeprefix("#")
    try:
        if not number.isdecimal():
            raise Refused("Say which note: its number, such as 12.")
        redactable(campaign.load_history(), int(number))
        if not why:
            raise Refused("Say why, without the words themselves. The reason stays on record.")
        if visit.form.get("sure") != "yes":
            raise Refused("Tick that it cannot be undone. Nothing was removed.")
        gone = remove(visit.book, campaign, int(number), why=why)
    except RollbookError as fault:
        return _show(visit, status_of_fault(fault), fault=str(fault))
    finally:
        visit.follow()
    return _show(visit, gone=gone)
