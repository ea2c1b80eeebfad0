"""Actions that show a picture: the file that a form sent, and what is taken with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.datastructures import UploadFile

from rollbook.adapters.pictures.decoding import MOST_BYTES, decoded
from rollbook.adapters.web.acting.seat_context import SeatContext
from rollbook.adapters.web.pages.page import RequestContext
from rollbook.application.pictures import Picture, keeping, showing
from rollbook.application.playing.request import ActionRequest
from rollbook.application.verbs import verbs_of
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import build


def take_showing(
    context: RequestContext,
    seat_context: SeatContext,
    verb: str,
    said: Sequence[Mapping[str, ParameterValue]],
    *,
    secret: bool = False,
) -> None:
    """Take an action for each of ``said``, all of them or none, with the picture that was sent. Raises RollbookError."""
    campaign, known = seat_context.campaign, verbs_of(seat_context.edition)[verb]
    turns = [ActionRequest(build(known, each), seat_context.seat, secret=secret) for each in said]
    picture, command = sent_picture(context), context.request.sent("command")
    if picture is None:
        seat_context.take(*turns, command=command)
        return
    with keeping(campaign.session.log.store, campaign.id, picture):
        seat_context.take(*(showing(turn, picture) for turn in turns), command=command)


def has_file(context: RequestContext) -> bool:
    """True if a file was chosen."""
    sent = context.request.form.get("picture")
    return isinstance(sent, UploadFile) and bool(sent.filename)


def sent_picture(context: RequestContext) -> Picture | None:
    """The picture in the file that was sent, None if there is none. No more is read than a picture may have, and a byte."""
    sent = context.request.form.get("picture")
    if not isinstance(sent, UploadFile) or not sent.filename:
        return None
    sent.file.seek(0)
    data = sent.file.read(MOST_BYTES + 1)
    return decoded(data) if data else None
