"""The page of talk and handouts, the forms on it, and the pictures that a reader may see.

A picture is served as what it is and nothing else: with its media type, in a sandbox, to those whose edition has it. To
anybody else it is not there, as one that never was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs
from starlette.responses import Response

from rollbook.adapters.web.acting.seat_context import seat_context_of
from rollbook.adapters.web.guards.headers import SANDBOXED
from rollbook.adapters.web.handouts.showing import has_file, take_showing
from rollbook.adapters.web.pages.page import RequestContext, done, redirect, render, status_of_fault
from rollbook.adapters.web.pages.portraits import portraits_of
from rollbook.application.pictures import picture_of
from rollbook.application.view import CampaignView
from rollbook.domain.actions.talk import TABLE
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.events import NoteWritten, ParameterValue, PictureShown, Role
from rollbook.domain.history.secrecy import GM
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections.database import COUNTS
from rollbook.projections.session_log import SqlCondition

MOST = 50
"""Most handouts on the page, the newest first; older ones are in the log."""
HANDOUTS = SqlCondition("verb = 'handout'") & SqlCondition("status = ?", (COUNTS,))
FOR_PICTURES = {
    "Content-Security-Policy": SANDBOXED,
    "Content-Disposition": "inline",
    "Cache-Control": "private, max-age=3600",
}
NO_PICTURE = "There is no such picture here."


@attrs.frozen(kw_only=True)
class HandoutView(Record):
    """A handout as its readers see it. ``picture`` is None if it has none, and ``to`` is "" for everybody."""

    action: int
    to: str
    title: str
    text: str
    picture: PictureShown | None = None


def show_handouts(context: RequestContext, fault: RollbookError | None = None) -> Response:
    """Show the talk box, what was handed out to the requester, and the forms for pictures."""
    edition = context.view.edition
    state, form = edition.state, context.request.form
    seated = context.seated.role is not Role.SPECTATOR
    own = seat_context_of(context).own if seated else ()
    return render(
        context,
        "handouts/page.html",
        200 if fault is None else status_of_fault(fault),
        title=f"Talk and handouts · {state.name}",
        handouts=list(_handouts(edition)),
        readers=_readers(state, context),
        own_characters=own,
        portraits=portraits_of(context, state),
        is_seated=seated,
        fault="" if fault is None else str(fault),
        typed={name: str(form.get(name, "")) for name in ("words", "reader", "title", "text", "alt")},
        given_to=[str(each) for each in form.getlist("to")] if form else [TABLE],
    )


def _handouts(edition: CampaignView) -> Iterator[HandoutView]:
    for line in reversed(edition.read_model.log(edition.id, last=MOST, where=HANDOUTS)):
        entry = edition.history.entry(line.entry)
        words = next((event.text for event in entry.events if isinstance(event, NoteWritten)), "")
        picture = next((event for event in entry.events if isinstance(event, PictureShown) and event.digest), None)
        title, _, text = words.partition("\n")
        yield HandoutView(action=line.action, to=entry.visibility, title=title, text=text, picture=picture)


def _readers(state: CampaignState, context: RequestContext) -> list[tuple[str, str]]:
    """To whom the requester may say something apart: the GM, and the other seats, with their names."""
    own = context.seated.acts_as
    seats = [(seat.name, seat.shown) for seat in state.seats.values() if seat.present and seat.role is not Role.GM]
    return [*((GM, "the GM") for _ in (1,) if own is not None), *(each for each in seats if each[0] != own)]


def talk(context: RequestContext) -> Response:
    """Say something to the table, or whisper it to one reader."""
    words, reader = context.request.sent("words").strip(), context.request.sent("reader", TABLE)
    if reader == TABLE:
        return _act(context, "say", [{"text": words}], needs=words, missing="There is nothing said yet.")
    return _act(context, "whisper", [{"text": words, "to": reader}], needs=words, missing="There is nothing said yet.")


def hand_out(context: RequestContext) -> Response:
    """Give the table, or some of it, something to read or a picture: those who are ticked get it, each for themselves."""
    form, title = context.request.form, context.request.sent("title").strip()
    said = {"title": title, "text": context.request.sent("text").strip(), "alt": context.request.sent("alt").strip()}
    readers = dict.fromkeys(str(each) for each in form.getlist("to"))
    given = [{**said, "to": reader} for reader in ((TABLE,) if TABLE in readers else readers)]
    if not given:
        return show_handouts(context, Refused("Tick who gets it."))
    return _act(context, "handout", given, needs=title, missing="A handout needs a title, by which it is found again.")


def set_portrait(context: RequestContext) -> Response:
    """Give one's own character a portrait, or take it away."""
    who, alt = context.request.sent("who"), context.request.sent("alt").strip()
    is_gone = bool(context.request.sent("gone"))
    sent = "gone" if is_gone else "a picture" if has_file(context) else ""
    return _act(context, "portrait", [{"who": who, "alt": alt}], needs=sent, missing="Choose a picture first.")


def _act(
    context: RequestContext, verb: str, said: Sequence[Mapping[str, ParameterValue]], *, needs: str, missing: str
) -> Response:
    """Take an action for each of ``said``, all of them or none, with the picture that was sent."""
    seat_context = seat_context_of(context)
    try:
        if not needs:
            raise Refused(missing)
        take_showing(context, seat_context, verb, said)
    except RollbookError as fault:
        return show_handouts(context, fault)
    finally:
        context.view.follow()
    return done(context) if context.request.is_fragment else redirect(f"{context.request.here}/handouts")


def send_picture(context: RequestContext) -> Response:
    """Send the bytes of a picture that the requester may see: a map as long as it lies on the board, so a browser asks again."""
    digest = context.request.path["digest"]
    edition = context.view.edition
    media, laid = edition.state.pictures.get(digest), edition.state.board_map
    headers = FOR_PICTURES
    if media is None and laid is not None and laid.digest == digest:
        media, headers = laid.media, {**FOR_PICTURES, "Cache-Control": "private, no-cache", "ETag": f'"{digest}"'}
    data = picture_of(context.view.book.store, edition.id, digest) if media else None
    if data is None:
        raise NotFound(NO_PICTURE)
    if "ETag" in headers and context.request.http.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=media, headers=headers)
