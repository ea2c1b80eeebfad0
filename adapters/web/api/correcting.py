"""Corrections by a token: a preview first, and then exactly that, as on the pages."""

from typing import Any

import attrs
from starlette.responses import Response

from rollbook.adapters.line_commands.json import plain
from rollbook.adapters.web.api.acting import command_of, typed
from rollbook.adapters.web.api.answers import ApplyBody, CorrectionBody
from rollbook.adapters.web.api.endpoint import answered, check_known, read_body
from rollbook.adapters.web.corrections.pages import (
    GONE,
    NOTICES,
    OTHERWISE,
    REASON_MISSING,
    begin_preview,
    is_applied,
    is_sent,
    looked_in,
    wait_a_moment,
)
from rollbook.adapters.web.corrections.previews import Looked
from rollbook.adapters.web.corrections.requests import AMEND, REVERSE, WITHOUT_REASON, RequestedCorrection
from rollbook.adapters.web.pages.page import RequestContext
from rollbook.adapters.web.workers.jobs import Job
from rollbook.application.after_commit import RecordedBut, faults_so_far, warn
from rollbook.domain.base.errors import NotFound, Refused, StaleHistory, not_found

OF_PLAYERS = ("undo", "redo", "amend", "undo-correction")
OF_GMS = (*OF_PLAYERS, "adjust", "override", "insert")
TEXTS = (
    "retype",
    "who",
    "what",
    "by",
    "over",
    "line",
    "later",
    "along",
    "others",
    "seat",
    "revision",
    "faces",
    "reason",
)


async def preview(context: RequestContext) -> Response:
    """Begin a preview, and answer with it, or with its progress if it takes long."""
    check_known(context.request)
    job = begin_preview(context, _asked(context, read_body(context.request, CorrectionBody)))
    return await _shown(context, job)


def _asked(context: RequestContext, body: CorrectionBody) -> RequestedCorrection:
    """The correction that is asked for. Raises NotFound for a kind that the seat cannot ask for."""
    is_gm = context.seated.is_gm
    kinds = OF_GMS if is_gm else OF_PLAYERS
    if body.kind not in kinds:
        raise not_found("correction", body.kind[:80], kinds)
    if body.action < 0 or (not body.action and body.kind != REVERSE):
        raise NotFound("There is no action of that number at this table.")
    asked = RequestedCorrection(
        kind=body.kind,
        action=body.action,
        given=typed(body.params) if body.kind == AMEND else {},
        listed=tuple(body.params),
        unadjusted="yes" if body.unadjusted else "",
        first=str(body.first) if body.first else "",
        draws=body.draw and is_gm,
        kept=tuple(sorted(set(body.kept))),
        **{name: getattr(body, name) for name in TEXTS},
    )
    return asked if is_gm else attrs.evolve(asked, others="", seat="")


async def progress(context: RequestContext) -> Response:
    """The preview, or how far it is."""
    check_known(context.request)
    return await _shown(context, _job(context))


def _job(context: RequestContext) -> Job:
    job = context.services.jobs.find(context.seated, context.request.path["job"])
    if job is None:
        raise NotFound(GONE)
    return job


async def _shown(context: RequestContext, job: Job) -> Response:
    await wait_a_moment(job)
    if not job.is_finished:
        at = f"{str(context.request.http.url.path).partition('/previews')[0]}/previews/{job.id}"
        more = {"Location": at, "Retry-After": "1"}
        return answered({"preview": job.id, "done": job.done, "total": job.total}, 202, more)
    return answered(_words(job, _looked(job)))


def _looked(job: Job) -> Looked:
    """The result of a preview. Raises NotFound if there is none any more, Refused with what is against the correction."""
    looked = looked_in(job)
    if looked is None:
        raise NotFound(GONE)
    if looked.fault:
        raise Refused(looked.fault)
    return looked


def _words(job: Job, looked: Looked) -> dict[str, Any]:
    page = plain(looked.page)
    if page is not None:
        del page["digest"]  # of no use elsewhere
    return {
        "preview": job.id,
        "kind": looked.asked.kind,
        "action": looked.asked.action,
        "what": looked.what,
        "needed": looked.needed,
        "can_draw": looked.can_draw,
        "page": page,
    }


async def apply(context: RequestContext) -> Response:
    """Do what a preview showed: the GM's correction is applied, a player's is sent off, as on the page."""
    check_known(context.request)
    body, job = read_body(context.request, ApplyBody), _job(context)
    if not job.is_finished:
        raise StaleHistory("That preview is not finished yet. Ask for it until it is.")
    looked = _looked(job)
    if looked.made is None:
        raise Refused(f"First that die has to be known: {looked.needed}")
    asked = attrs.evolve(looked.asked, reason=body.reason.strip() or looked.asked.reason)
    if not asked.is_like(looked.asked):
        raise StaleHistory(NOTICES[OTHERWISE])
    asked = attrs.evolve(asked, reason=asked.reason or WITHOUT_REASON.get(asked.kind, ""))
    if not asked.reason:
        raise Refused(REASON_MISSING, parameter="reason")
    command = command_of(context.request, body.command) or job.id
    is_gm = context.seated.is_gm
    try:
        is_done = await (
            is_applied(context, looked, asked.reason, command) if is_gm else is_sent(context, looked, asked, command)
        )
    except RecordedBut as fault:
        is_done = True
        warn(fault)
    if not is_done:
        raise StaleHistory(STALE_NOW)
    outcome = "applied" if is_gm else "sent"
    return answered({"outcome": outcome, "warnings": faults_so_far()}, 200 if outcome == "applied" else 202)


STALE_NOW = "Somebody was faster, so that preview is no longer what it comes to. Nothing of yours is recorded. Look at a new one."
