"""The page of a second thought, which is recorded at once, because its dice are seen at once."""

from __future__ import annotations

import secrets

from starlette.responses import Response

from rollbook.adapters.web.corrections.forms import thinking_form
from rollbook.adapters.web.corrections.requests import MOST_DIGITS, OWN, action_of
from rollbook.adapters.web.corrections.responses import code_of, here, refusal
from rollbook.adapters.web.pages.page import RequestContext, done, redirect, render
from rollbook.application.corrections import Corrections
from rollbook.application.view import CampaignView
from rollbook.application.visibility.seat_campaign import without_hidden_names
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.dice.physical import parse_faces
from rollbook.domain.entries import SecondThought, second_thought


def think_again(context: RequestContext) -> Response:
    """The form of a second thought."""
    return _form(context, {})


def _form(context: RequestContext, said: dict[str, str], fault: str = "") -> Response:
    edition = context.view.edition
    try:
        form = thinking_form(edition, context.seated, action_of(context.request.path["action"]))
    except RollbookError as reason:
        return refusal(context, reason)
    return render(
        context,
        "corrections/think_again.html",
        code_of(context, 422 if fault else 200),
        fault=fault,
        said_before=said,
        command=secrets.token_urlsafe(12),
        form=form,
    )


def record_thought(context: RequestContext) -> Response:
    """Have a second thought on the last action that the requester may see."""
    said = {name.removeprefix(OWN): str(value).strip() for name, value in context.request.form.multi_items()}
    roll = said.get("roll", "")
    try:
        thought = second_thought(
            said.get("kind", ""),
            character=said.get("who", ""),
            roll=int(roll) if roll.isascii() and roll.isdigit() and len(roll) <= MOST_DIGITS else 0,
            keep=said.get("keep", ""),
        )
        faces = parse_faces(said["faces"]) if said.get("faces") else None
        _record(context, thought, faces, said.get("command", ""))
    except RollbookError as fault:
        return _form(context, said, str(context.view.said(fault)))
    finally:
        context.view.follow()
    return (
        done(context) if context.request.is_fragment else redirect(f"{here(context)}#a{context.request.path['action']}")
    )


def _record(context: RequestContext, thought: SecondThought, faces: tuple[int, ...] | None, command: str) -> None:
    """Record it. What the rules say of what is hidden is not told a player."""
    table, seat = context.view.table, context.seated.acts_as
    edition = table.edition(context.seated.audience)

    def think(campaign: CampaignView, command: str = "") -> object:
        return Corrections(campaign.session).record_second_thought(thought, seat=seat, dice=faces, command=command)

    try:
        think(table.campaign, command)
    except RollbookError as fault:
        raise without_hidden_names(table.campaign, fault, seat, lambda: think(edition)) from None
