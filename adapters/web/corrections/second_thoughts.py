"""The page of a second thought, which is recorded at once, because its dice are seen at once."""

from __future__ import annotations

import secrets

from starlette.responses import Response

from rollbook.adapters.web.corrections.forms import thinking_form
from rollbook.adapters.web.corrections.requests import MOST_DIGITS, OWN, action_of
from rollbook.adapters.web.corrections.responses import code_of, here, refusal
from rollbook.adapters.web.pages.request_context import Visit
from rollbook.application.campaign import Campaign
from rollbook.application.visibility.seen import without_hidden_names
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.dice.physical import parse_faces
from rollbook.domain.entries import SecondThought, second_thought


def think_again(visit: Visit) -> Response:
    """The form of a second thought."""
    return _form(visit, {})


def _form(visit: Visit, said: dict[str, str], fault: str = "") -> Response:
    edition = visit.table.edition(visit.seated.audience)
    try:
        form = thinking_form(edition, visit.seated, action_of(visit.path["action"]))
    except RollbookError as reason:
        return refusal(visit, reason)
    return visit.page(
        "corrections/think_again.html",
        code_of(visit, 422 if fault else 200),
        fault=fault,
        said_before=said,
        command=secrets.token_urlsafe(12),
        form=form,
    )


def record_thought(visit: Visit) -> Response:
    """Have a second thought on the last action that the requester may see."""
    said = {name.removeprefix(OWN): str(value).strip() for name, value in visit.form.multi_items()}
    roll = said.get("roll", "")
    try:
        thought = second_thought(
            said.get("kind", ""),
            character=said.get("who", ""),
            roll=int(roll) if roll.isascii() and roll.isdigit() and len(roll) <= MOST_DIGITS else 0,
            keep=said.get("keep", ""),
        )
        faces = parse_faces(said["faces"]) if said.get("faces") else None
        _record(visit, thought, faces, said.get("command", ""))
    except RollbookError as fault:
        return _form(visit, said, str(visit.table.said_to(fault, visit.seated)))
    finally:
        visit.follow()
    return visit.done() if visit.is_fragment else visit.redirect(f"{here(visit)}#a{visit.path['action']}")


def _record(visit: Visit, thought: SecondThought, faces: tuple[int, ...] | None, command: str) -> None:
    """Record it. What the rules say of what is hidden is not told a player."""
    table, seat = visit.table, visit.seated.acts_as
    edition = table.edition(visit.seated.audience)

    def think(campaign: Campaign, command: str = "") -> object:
        return campaign.corrections.record_second_thought(thought, seat=seat, dice=faces, command=command)

    try:
        think(table.campaign, command)
    except RollbookError as fault:
        raise without_hidden_names(table.campaign, fault, seat, lambda: think(edition)) from None
