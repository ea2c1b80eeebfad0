"""What the table does not know yet: who and what is hidden, how it is revealed, and words that are removed for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from rollbook.adapters.web.faults import status_of_fault
from rollbook.adapters.web.gm.work import in_room
from rollbook.adapters.web.pages.responses import redirect
from rollbook.application.redaction import redact as remove
from rollbook.application.visibility.sight import kept_from_table
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.events import ParameterValue
from rollbook.domain.history.redaction import redactable
from rollbook.projections.numbers import action_number, number_range
from rollbook.projections.session_log import SqlCondition

if TYPE_CHECKING:
    from rollbook.adapters.web.pages.request_context import RequestContext
    from rollbook.application.redaction import Redaction
    from rollbook.projections.session_log import LogLine

MOST = 50
"""So many lines of one sort are listed; what is older is revealed by its number."""
HIDDEN = SqlCondition("visibility = 'gm'")
NOTES = SqlCondition("verb IN ('note', 'whisper')")


def show_secrets(context: RequestContext) -> Response:
    """Who and what is hidden, each with a button."""
    return _show(context)


def _show(context: RequestContext, code: int = 200, /, *, fault: str = "", gone: Redaction | None = None) -> Response:
    campaign = context.view.campaign
    sent = context.request.form
    return in_room(
        context,
        "gm/secrets.html",
        code,
        people=[who for who in campaign.state.characters.values() if who.hidden],
        lines=_lines(context, HIDDEN),
        notes=_lines(context, NOTES),
        fault=fault,
        gone=gone,
        typed={name: str(sent.get(name, "")) for name in ("actions", "note", "why")},
    )


def _lines(context: RequestContext, where: SqlCondition) -> list[LogLine]:
    campaign = context.view.campaign
    return campaign.read_model.log(campaign.id, last=MOST, where=where)[::-1]


def reveal_action(context: RequestContext) -> Response:
    """One hidden action, and the button that reveals it."""
    campaign, action = context.view.campaign, context.request.path["action"]
    lines = _lines(context, HIDDEN & SqlCondition("action = ?", (action_number(action) or 0,)))
    if not lines:
        raise Refused(f"Action #{action} is not hidden from the table, or was undone.")
    return in_room(context, "gm/reveal.html", lines=lines, campaign_id=campaign.id)


def reveal(context: RequestContext) -> Response:
    """Reveal a character (``who``), or the actions that are named, such as ``12 14-16``."""
    campaign, who = context.view.campaign, str(context.request.form.get("who", ""))
    words = str(context.request.form.get("actions", "")).replace(",", " ").split()
    try:
        history = campaign.history
        ranges = [number_range(word) for word in words]
        if None in ranges:
            raise Refused("Name actions by their numbers, such as 12 or 14-16.")
        entries = [entry.number for bounds in ranges if bounds for entry in kept_from_table(history, bounds)]
        params: dict[str, ParameterValue] = {"who": who, "entries": tuple(entries)}
        campaign.do("reveal", params, command=str(context.request.form.get("command", "")))
    except RollbookError as fault:
        return _show(context, status_of_fault(fault), fault=str(fault))
    finally:
        context.view.follow()
    return redirect(f"/c/{context.request.campaign_id}/gm/secrets")


def redact(context: RequestContext) -> Response:
    """Remove the words of a note for good. It has to be said twice: by its number, and that it cannot be undone."""
    campaign, why = context.view.campaign, str(context.request.form.get("why", "")).strip()
    number = str(context.request.form.get("note", "")).removeprefix("#")
    try:
        if not number.isdecimal():
            raise Refused("Say which note: its number, such as 12.")
        redactable(campaign.history, int(number))
        if not why:
            raise Refused("Say why, without the words themselves. The reason stays on record.")
        if context.request.form.get("sure") != "yes":
            raise Refused("Tick that it cannot be undone. Nothing was removed.")
        gone = remove(context.view.book, campaign, int(number), why=why)
    except RollbookError as fault:
        return _show(context, status_of_fault(fault), fault=str(fault))
    finally:
        context.view.follow()
    return _show(context, gone=gone)
