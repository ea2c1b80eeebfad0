"""The pages of corrections, and the handling of their forms."""

import asyncio
import secrets
from concurrent.futures import CancelledError
from functools import partial
from typing import Any
from urllib.parse import urlencode

import attrs
from starlette.datastructures import ImmutableMultiDict
from starlette.responses import Response

from rollbook.adapters.web.corrections.forms import FORMS, correction_form
from rollbook.adapters.web.corrections.pending import Asked, CorrectionRequest, PendingRequests
from rollbook.adapters.web.corrections.previews import Looked, Wanted, apply, decide, is_still_so, look
from rollbook.adapters.web.corrections.requests import OWN, WITHOUT_REASON, RequestedCorrection, action_of
from rollbook.adapters.web.pages.page import RequestContext, done, render, status_of_fault, title_of_fault
from rollbook.adapters.web.workers.jobs import Job, Stopped
from rollbook.application.after_commit import go_on_after
from rollbook.application.book import Book
from rollbook.domain.base.errors import RollbookError

AT_ONCE = 0.5
"""Seconds to wait for a preview before its progress is shown."""
PATIENCE = 6.0
"""Seconds without a request for a preview after which its work stops."""

STALE, OTHERWISE = "stale", "otherwise"
NOTICES = {
    STALE: "Somebody was faster, so the preview was made again on what is recorded now. Nothing of yours is recorded yet.",
    OTHERWISE: "This is what it comes to as you have it now. Nothing is recorded yet.",
}
"""Notices above a preview that is not the one that was asked for."""
GONE = "That preview is not here any more. Look at a new one."
REASON_MISSING = "Say why: a correction keeps its reason."


def code_of(context: RequestContext, code: int) -> int:
    """The status of an answer. A fragment with a fault has 200, so that htmx shows it."""
    return 200 if context.request.is_fragment else code


async def answer_preview(
    context: RequestContext, asked: RequestedCorrection, *, notice: str = "", request: str = ""
) -> Response:
    """Begin a preview, and show it or its progress. ``request`` is the id of the player's request that it is for."""
    return await answer_job(context, begin_preview(context, asked), notice=notice, request=request)


def begin_preview(context: RequestContext, asked: RequestedCorrection) -> Job:
    """Begin a preview. Its work stops after a while without a request for it."""
    work = partial(look, campaign=context.request.campaign_id, seat=context.seated.acts_as, asked=asked)
    return context.services.jobs.start(context.seated, work, patience=PATIENCE)


async def wait_a_moment(job: Job) -> None:
    """Wait for a preview that takes no longer than its progress is worth showing."""
    if not job.is_finished:
        waiting = asyncio.wrap_future(job.future)
        waiting.add_done_callback(_heard)
        await asyncio.wait((waiting,), timeout=AT_ONCE)


def _heard(waiting: asyncio.Future[object]) -> None:
    """Retrieve the error of finished work, so that asyncio does not log it: the job raises it where it is read."""
    if not waiting.cancelled():
        waiting.exception()


async def answer_job(context: RequestContext, job: Job, *, notice: str = "", request: str = "") -> Response:
    """Show a preview that was begun, or its progress."""
    await wait_a_moment(job)
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
    """The form of a correction as it was typed, with its fault. Runs in the thread of the campaign."""
    try:
        form = correction_form(context.view.edition, context.seated, asked)
    except RollbookError as refused:
        return refusal(context, refused)
    code = code_of(context, 422 if fault else 200)
    return render(context, f"corrections/{asked.kind}.html", code, form=form, asked=asked, fault=fault)


def looked_in(job: Job | None) -> Looked | None:
    """The result of a preview's job; None if it is unfinished, stopped, or other work. Raises what the work raised."""
    if job is None or not job.is_finished:
        return None
    try:
        found = job.result
    except (Stopped, CancelledError):
        return None
    return found if isinstance(found, Looked) else None


def gone(context: RequestContext, sentence: str = GONE, title: str = "Not here any more", code: int = 404) -> Response:
    """A page that says that a preview or request is gone, or cannot be had."""
    return render(context, "corrections/gone.html", code_of(context, code), title=title, sentence=sentence)


def refusal(context: RequestContext, fault: RollbookError) -> Response:
    """A page that says why a correction is impossible. Runs in the thread of the campaign."""
    return gone(context, str(context.view.said(fault)), title_of_fault(fault), status_of_fault(fault))


def show(
    context: RequestContext, looked: Looked, job: str, *, notice: str = "", request: str = "", reason_fault: str = ""
) -> Response:
    """The page of a finished preview."""
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
        needs_reason=looked.asked.kind not in WITHOUT_REASON,
    )


HANDLED = "That request is handled already."


def pending_in(context: RequestContext) -> PendingRequests:
    """The players' requests in the store."""
    return PendingRequests(context.services.request_notes)


def requests_for(context: RequestContext) -> tuple[Asked, ...]:
    """The waiting requests that the requester may see: the GM all, a player their own."""
    identity, campaign = context.seated, context.request.campaign_id
    waiting = context.view.table.beside("requests", lambda: pending_in(context).of(campaign))
    return tuple(each for each in waiting if identity.is_gm or each.seat == identity.seat)


def list_requests(context: RequestContext) -> Response:
    """List the waiting requests."""
    return render(context, "corrections/requests.html", requests=requests_for(context))


async def look_at_request(context: RequestContext) -> Response:
    """Preview the correction of a player's request."""
    found = await asyncio.to_thread(
        pending_in(context).find, context.request.campaign_id, context.request.path["request"]
    )
    if not isinstance(found, CorrectionRequest):
        return gone(context, HANDLED)
    return await answer_preview(context, found.asked, request=found.id)


async def drop_request(context: RequestContext) -> Response:
    """Drop a request: the GM declines it, or the player no longer wants it."""
    await handled(context, context.request.path["request"])
    return done(context)


async def handled(context: RequestContext, id_: str) -> None:
    """Remove a request from the list, and ring for those who see it; do nothing if the requester may not remove it."""
    waiting, campaign, identity = pending_in(context), context.request.campaign_id, context.seated
    found = await asyncio.to_thread(waiting.find, campaign, id_, None if identity.is_gm else identity.seat)
    if found is None:
        return
    await asyncio.to_thread(waiting.drop, campaign, id_)
    for audience in (None, found.seat):
        context.services.hub.ring(campaign, audience)


SENT_AFTER = 0.6
"""Seconds after which a player's page says that a correction was sent, whatever becomes of it."""


async def begin(kind: str, context: RequestContext) -> Response:
    """Preview an undo, a redo or the undoing of a correction."""
    return await answer_preview(context, _asked(kind, context, context.request.query))


def _asked(kind: str, context: RequestContext, said: ImmutableMultiDict[str, Any]) -> RequestedCorrection:
    """The correction asked for. Only the GM may name several actions: a player's edition has other numbers."""
    asked = RequestedCorrection.of(kind, action_of(context.request.path["action"], kind), said)
    return asked if context.seated.is_gm else attrs.evolve(asked, others="", seat="")


def form(kind: str, context: RequestContext) -> Response:
    """The form of a correction that has one, before there is a preview, with what the address fills in."""
    try:
        asked = _asked(kind, context, context.request.query)
    except RollbookError as fault:
        return refusal(context, fault)
    return show_form(context, asked)


async def progress(context: RequestContext) -> Response:
    """Show a preview, or its progress."""
    job = context.services.jobs.find(context.seated, context.request.path["job"])
    if job is None:
        return gone(context)
    return await answer_job(
        context, job, notice=context.request.query.get("notice", ""), request=context.request.query.get("request", "")
    )


async def leave(context: RequestContext) -> Response:
    """Stop working on a preview."""
    job = context.services.jobs.find(context.seated, context.request.path["job"])
    if job is not None:
        job.stop()
    return done(context)


async def send(kind: str, context: RequestContext) -> Response:
    """Handle a form of a correction: preview it, draw the dice that it needs, apply it, or ask the GM."""
    asked = _asked(kind, context, context.request.form)
    is_gm, do = context.seated.is_gm, context.request.sent(f"{OWN}do", "look")
    request = context.request.sent(f"{OWN}request") if is_gm else ""
    if do == "ask" and not is_gm:
        return await _ask(context, asked)
    if do != "apply":
        wants_dice = do == "draw" and is_gm
        return await answer_preview(context, attrs.evolve(asked, draws=wants_dice), request=request)
    job = context.services.jobs.find(context.seated, context.request.sent(f"{OWN}preview"))
    looked = looked_in(job)
    if job is None or looked is None or looked.made is None:
        return await answer_preview(context, asked, notice=STALE, request=request)
    if not asked.is_like(looked.asked):
        return await answer_preview(context, asked, notice=OTHERWISE, request=request)
    asked = attrs.evolve(asked, reason=asked.reason or WITHOUT_REASON.get(kind, ""))
    if not asked.reason:
        return show(context, looked, job.id, request=request, reason_fault=REASON_MISSING)
    return await (_apply(context, looked, asked, request) if is_gm else _send_off(context, looked, asked))


def _command(context: RequestContext) -> str:
    return context.request.sent(f"{OWN}command") or secrets.token_urlsafe(12)


async def _apply(context: RequestContext, looked: Looked, asked: RequestedCorrection, request: str) -> Response:
    if not await is_applied(context, looked, asked.reason, _command(context)):
        return await answer_preview(context, asked, notice=STALE, request=request)
    if request:
        await handled(context, request)
    return done(context, looked.asked.card)


async def is_applied(context: RequestContext, looked: Looked, reason: str, command: str) -> bool:
    """Store the preview that the GM saw. False, storing nothing, if it is stale."""
    campaign = context.request.campaign_id
    job = context.services.jobs.start(context.seated, lambda book: apply(book, campaign, looked, reason, command))
    is_stored: bool = await asyncio.wrap_future(job.future)
    go_on_after(is_committed=job.is_committed, faults=job.faults)
    return is_stored


async def _send_off(context: RequestContext, shown: Looked, asked: RequestedCorrection) -> Response:
    """Make a player's correction if it touches only what is theirs, else a request. Answer and delay are the same."""
    if not await is_sent(context, shown, asked, _command(context)):
        return await answer_preview(context, asked, notice=STALE)
    return done(context, asked.card)


async def is_sent(context: RequestContext, shown: Looked, asked: RequestedCorrection, command: str) -> bool:
    """Send a player's correction off, as it was shown. False, doing nothing, if it would be another one by now."""
    campaign, seat = context.request.campaign_id, context.seated.seat
    check = context.services.jobs.start(context.seated, lambda book: is_still_so(book, campaign, seat, shown))
    if not await asyncio.wrap_future(check.future):
        return False
    await _send(context, Wanted(seat=seat, asked=asked, what=shown.what, command=command))
    return True


async def _ask(context: RequestContext, asked: RequestedCorrection) -> Response:
    campaign, seat = context.request.campaign_id, context.seated.seat
    job = context.services.jobs.start(context.seated, lambda book: look(book, campaign, seat, asked))
    looked: Looked = await asyncio.wrap_future(job.future)
    if looked.fault or not asked.reason:
        return show(context, looked, job.id, reason_fault="" if asked.reason else REASON_MISSING)
    wanted = Wanted(seat=seat, asked=asked, what=looked.what, command=_command(context), must_ask=True)
    await _send(context, wanted)
    return done(context, wanted.asked.card)


async def _send(context: RequestContext, wanted: Wanted) -> None:
    """Send a correction off, and wait for the same time whatever becomes of it, of which the answer says nothing."""
    campaign, waiting, hub = context.request.campaign_id, pending_in(context), context.services.hub
    loop = asyncio.get_running_loop()

    def work(book: Book) -> None:
        request = decide(book, campaign, wanted)
        if request is not None:
            waiting.add(campaign, request)
            for audience in (None, wanted.seat):
                loop.call_soon_threadsafe(hub.ring, campaign, audience)

    context.services.jobs.start(context.seated, work)
    await asyncio.sleep(SENT_AFTER)
