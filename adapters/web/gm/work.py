"""Slow work of the GM's pages: begun by a form, looked at until it is done, then shown as a page or sent as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from rollbook.adapters.web.faults import status_of_fault, title_of_fault
from rollbook.adapters.web.pages.responses import redirect, render
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.records import Record

if TYPE_CHECKING:
    from rollbook.adapters.web.pages.request_context import RequestContext
    from rollbook.application.book import Book


@attrs.frozen
class Report(Record):
    """What came of some work, to be shown by a template with these values."""

    template: str
    values: Mapping[str, object]


@attrs.frozen
class FileMade(Record):
    """A file that was made to be sent once. ``forget`` removes it, and what was made around it."""

    path: Path
    called: str
    forget: Callable[[], None]


def begin(context: RequestContext, work: Callable[[Book], Report | FileMade]) -> Response:
    """Begin some work on a book of its own, and go where it is waited for."""
    job = context.services.jobs.start(context.seated, work)
    return redirect(f"/c/{context.request.campaign_id}/gm/job/{job.id}")


def show_work(context: RequestContext) -> Response:
    """How far some work is, and then what came of it. Raises NotFound for work that nobody knows of."""
    job = context.services.jobs.find(context.seated, context.request.path["job"])
    if job is None:
        raise NotFound("That is done and gone, or the server was started again since. Ask for it once more.")
    if not job.is_finished:
        return in_room(context, "gm/wait.html", done=job.done, total=job.total)
    try:
        made = job.result
    except RollbookError as fault:
        return in_room(context, "gm/failed.html", status_of_fault(fault), title=title_of_fault(fault), fault=str(fault))
    if isinstance(made, FileMade):
        return in_room(context, "gm/made.html", called=made.called, job=job.id, is_here=made.path.exists())
    return in_room(context, made.template, **made.values)


def send_file(context: RequestContext) -> Response:
    """The file that some work has made, once. Raises NotFound for one that was sent before."""
    job = context.services.jobs.find(context.seated, context.request.path["job"])
    made = job.result if job is not None and job.is_finished else None
    if not isinstance(made, FileMade) or not made.path.exists():
        raise NotFound("That file was sent, or the server was started again since. Ask for it once more.")
    gone = BackgroundTask(made.forget)
    return FileResponse(made.path, filename=made.called, headers={"Cache-Control": "no-store"}, background=gone)


def in_room(context: RequestContext, template: str, code: int = 200, /, **values: object) -> Response:
    """A page of the GM's room."""
    state = context.view.campaign.state
    return render(context, template, code, campaign_name=state.name, page_name="GM", **values)
