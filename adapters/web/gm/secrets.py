"""Secrets of the table: hidden characters and entries, revealing them, and removing the words of notes for good."""

from starlette.responses import Response

from rollbook.adapters.web.gm.room import in_room
from rollbook.adapters.web.pages.page import RequestContext, redirect
from rollbook.application.redaction import Redaction
from rollbook.application.redaction import redact as remove
from rollbook.application.visibility.sight import kept_from_table
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.events import ParameterValue
from rollbook.domain.history.redaction import redactable
from rollbook.projections.numbers import action_number, number_range
from rollbook.projections.session_log import LogLine, SqlCondition

MOST = 50
"""Most listed lines of each kind; older ones are revealed by their numbers."""
HIDDEN = SqlCondition("visibility = 'gm'")
NOTES = SqlCondition("verb IN ('note', 'whisper')")


def show_secrets(
    context: RequestContext, fault: RollbookError | None = None, gone: Redaction | None = None
) -> Response:
    """Show hidden characters and entries, each with a button; ``gone`` are words that were just removed."""
    campaign = context.view.campaign
    sent = context.request.form
    return in_room(
        context,
        "gm/secrets.html",
        fault,
        people=[who for who in campaign.state.characters.values() if who.hidden],
        lines=_lines(context, HIDDEN),
        notes=_lines(context, NOTES),
        gone=gone,
        typed={name: str(sent.get(name, "")) for name in ("actions", "note", "why")},
    )


def _lines(context: RequestContext, where: SqlCondition) -> list[LogLine]:
    campaign = context.view.campaign
    return campaign.read_model.log(campaign.id, last=MOST, where=where)[::-1]


def reveal_action(context: RequestContext) -> Response:
    """Show one hidden action, with the button that reveals it."""
    campaign, action = context.view.campaign, context.request.path["action"]
    lines = _lines(context, HIDDEN & SqlCondition("action = ?", (action_number(action) or 0,)))
    if not lines:
        raise Refused(f"Action #{action} is not hidden from the table, or was undone.")
    return in_room(context, "gm/reveal.html", lines=lines, campaign_id=campaign.id)


def reveal(context: RequestContext) -> Response:
    """Reveal a character (``who``), or the actions that are named, such as ``12 14-16``."""
    campaign, who = context.view.campaign, context.request.sent("who")
    words = context.request.sent("actions").replace(",", " ").split()
    try:
        history = campaign.history
        ranges = [number_range(word) for word in words]
        if None in ranges:
            raise Refused("Name actions by their numbers, such as 12 or 14-16.")
        entries = [entry.number for bounds in ranges if bounds for entry in kept_from_table(history, bounds)]
        params: dict[str, ParameterValue] = {"who": who, "entries": tuple(entries)}
        campaign.do("reveal", params, command=context.request.sent("command"))
    except RollbookError as fault:
        return show_secrets(context, fault)
    finally:
        context.view.follow()
    return redirect(f"{context.request.here}/gm/secrets")


def redact(context: RequestContext) -> Response:
    """Remove the words of a note for good. The form asks for its number, and a tick that it cannot be undone."""
    campaign, why = context.view.campaign, context.request.sent("why").strip()
    number = context.request.sent("note").removeprefix("#")
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
        return show_secrets(context, fault)
    finally:
        context.view.follow()
    return show_secrets(context, gone=gone)
