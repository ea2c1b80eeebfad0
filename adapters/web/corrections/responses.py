"""How previews are answered: at once if they are there soon, else by how far they are."""

import asyncio
import secrets
from concurrent.futures import CancelledError
from functools import partial
from urllib.parse import urlencode

from starlette.responses import Response

from rollbook.adapters.web.corrections.forms import FORMS, correction_form
from rollbook.adapters.web.corrections.previews import Looked, look
from rollbook.adapters.web.corrections.requests import REDO, RequestedCorrection
from rollbook.adapters.web.pages.page import RequestContext, render, status_of_fault, title_of_fault
from rollbook.adapters.web.workers.jobs import Job, Stopped
from rollbook.domain.base.errors import RollbookError

AT_ONCE = 0.5
"""Seconds that a preview is waited for before its progress is shown."""
PATIENCE = 6.0
"""Seconds after which a preview stops that nobody asks for any more."""

STALE, OTHERWISE = "stale", "otherwise"
NOTICES = {
    STALE: "Somebody was faster, so the preview was made again on what is recorded now. Nothing of yours is recorded yet.",
    OTHERWISE: "This is what it comes to as you have it now. Nothing is recorded yet.",
}
"""What stands above a preview that is not the one that was asked for."""
GONE = "That preview is not here any more. Look at a new one."
REASON_MISSING = "Say why: a correction keeps its reason."


def code_of(context: RequestContext, code: int) -> int:
    """The status of an answer. A fragment that says what is wrong is to be shown, so it has 200."""
    return 200 if context.request.is_fragment else code


async def answer_preview(
    context: RequestContext, asked: RequestedCorrection, *, notice: str = "", request: str = ""
) -> Response:
    """Begin a preview, and show it or how far it is. ``request`` is the id of the player's request that it is for."""
    work = partial(look, campaign=context.request.campaign_id, seat=context.seated.acts_as, asked=asked)
    job = context.services.jobs.start(context.seated, work, patience=PATIENCE)
    return await answer_job(context, job, notice=notice, request=request)


def _heard(waiting: asyncio.Future[object]) -> None:
    """What the work raised is said by its job; here it was only waited for."""
    if not waiting.cancelled():
        waiting.exception()


async def answer_job(context: RequestContext, job: Job, *, notice: str = "", request: str = "") -> Response:
    """A preview that was begun."""
    if not job.is_finished:
        waiting = asyncio.wrap_future(job.future)
        waiting.add_done_callback(_heard)
        await asyncio.wait((waiting,), timeout=AT_ONCE)
    if not job.is_finished:
        query = urlencode({name: value for name, value in (("notice", notice), ("request", request)) if value})
        address = f"{context.request.here}/preview/{job.id}{'?' if query else ''}{query}"
        answer = render(context, "corrections/progress.html", job=job, address=address)
        answer.headers["Refresh"] = f"1; url={address}"
        return answer
    looked = looked_in(job)
    if looked is None:
        return gone(context)
    if looked.fault and looked.asked.kind in FORMS and not request:
        return await context.view.worker.run(lambda: show_form(context, looked.asked, looked.fault))
    return show(context, looked, job.id, notice=notice, request=request)


def show_form(context: RequestContext, asked: RequestedCorrection, fault: str = "") -> Response:
    """The form of a correction with what was typed into it, and what is wrong with that. In the thread of the campaign."""
    try:
        form = correction_form(context.view.edition, context.seated, asked)
    except RollbookError as refused:
        return refusal(context, refused)
    code = code_of(context, 422 if fault else 200)
    return render(context, f"corrections/{asked.kind}.html", code, form=form, asked=asked, fault=fault)


def looked_in(job: Job | None) -> Looked | None:
    """What a preview came to; None if it is not finished, was stopped, or is other work. Raises what the work raised."""
    if job is None or not job.is_finished:
        return None
    try:
        found = job.result
    except (Stopped, CancelledError):
        return None
    return found if isinstance(found, Looked) else None


def gone(context: RequestContext, sentence: str = GONE, title: str = "Not here any more", code: int = 404) -> Response:
    """What was asked for is not here any more, or cannot be had."""
    return render(context, "corrections/gone.html", code_of(context, code), title=title, sentence=sentence)


def refusal(context: RequestContext, fault: RollbookError) -> Response:
    """What cannot be corrected so, and why. In the thread of the campaign."""
    return gone(context, str(context.view.said(fault)), title_of_fault(fault), status_of_fault(fault))


def show(
    context: RequestContext, looked: Looked, job: str, *, notice: str = "", request: str = "", reason_fault: str = ""
) -> Response:
    """A preview that is there."""
    code = 409 if notice == STALE else 422 if looked.fault or reason_fault else 200
    return render(
        context,
        "corrections/preview.html",
        code_of(context, code),
        looked=looked,
        asked=looked.asked,
        job=job,
        notice=NOTICES.get(notice, ""),
        is_stale=notice == STALE,
        request_id=request,
        command=secrets.token_urlsafe(12),
        reason_fault=reason_fault,
        needs_reason=looked.asked.kind != REDO,
    )
