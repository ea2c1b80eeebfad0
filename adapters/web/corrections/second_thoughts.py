"""Second thoughts, which are recorded at once, because their dice are seen at once."""

import secrets
from collections.abc import Iterator

import attrs
from starlette.responses import Response

from rollbook.adapters.presentation.plain_text import printable
from rollbook.adapters.web.corrections.forms import FormValues, rolls_of, what_was_done
from rollbook.adapters.web.corrections.pages import code_of, refusal
from rollbook.adapters.web.corrections.requests import OWN, action_of
from rollbook.adapters.web.pages.page import RequestContext, done, render
from rollbook.adapters.web.seats.requester import Identity
from rollbook.application.corrections import Corrections
from rollbook.application.forms.fields import Offer, own_offers
from rollbook.application.forms.verb_form import spoken
from rollbook.application.lines.seat_view import View
from rollbook.application.view import CampaignView
from rollbook.application.visibility.seat_campaign import without_hidden_names
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.preview import last_action
from rollbook.domain.dice.physical import parse_faces
from rollbook.domain.entries import RecordedEntry, SecondThought, second_thought
from rollbook.domain.history.history import History
from rollbook.projections.numbers import action_number
from rollbook.projections.roll_lines import roll_text


@attrs.frozen
class Thinkable(Record):
    """The action that may get a second thought, and the button's label: the kind's name if there is only one."""

    action: ActionNumber
    label: str


def thinkable(edition: CampaignView, identity: Identity) -> Thinkable | None:
    """The last action the requester may see, for a second thought; None if the rules have none, or it has no dice."""
    ruleset = edition.session.rulebook.ruleset_of(edition.state)
    if ruleset is None or not ruleset.second_thoughts:
        return None

    def ask(history: History) -> Thinkable | None:
        try:
            last = last_action(history, identity.acts_as or "")
        except NotFound:
            return None
        if not rolls_of(history.latest_outcome(last)):
            return None
        kinds = tuple(ruleset.second_thoughts)
        return Thinkable(last, spoken(kinds[0]) if len(kinds) == 1 else "Second thought")

    return edition.session.history.looking_back(ask)


def thinking_form(edition: CampaignView, identity: Identity, action: ActionNumber) -> FormValues:
    """The form of a second thought: the kinds that the rules have, the characters who may have one, and the rolls.

    Raises NotFound, Refused if the rules have none or it is too late.
    """
    ruleset = edition.session.rulebook.ruleset_of(edition.state)
    if ruleset is None or not ruleset.second_thoughts:
        raise Refused("The rules of this campaign know no second thoughts. Undo the action, or amend it.")

    def ask(history: History) -> FormValues:
        outcome, last = history.latest_outcome(action), last_action(history, identity.acts_as or "")
        if action != last:
            raise Refused(
                f"A second thought comes before the consequences, so it is for the last action only, which is #{last}."
            )
        nobody = (Offer("", "the GM"),) if identity.is_gm else ()
        return {
            "action": action,
            "what": what_was_done(edition, outcome),
            "kinds": [Offer(kind, printable(said)) for kind, said in ruleset.second_thoughts.items()],
            "people": [*nobody, *own_offers(View(edition.state, identity.acts_as or ""))],
            "rolls": list(_rolls(outcome)),
        }

    return edition.session.history.looking_back(ask)


def _rolls(outcome: RecordedEntry) -> Iterator[Offer]:
    for place, roll in enumerate(rolls_of(outcome)):
        yield Offer(str(place), printable(f"{roll.purpose}: {roll_text(roll)}".removeprefix(": ")))


def think_again(context: RequestContext) -> Response:
    """Show the form of a second thought."""
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
    try:
        thought = second_thought(
            said.get("kind", ""),
            character=said.get("who", ""),
            roll=action_number(said.get("roll", "")) or 0,
            keep=said.get("keep", ""),
        )
        faces = parse_faces(said["faces"]) if said.get("faces") else None
        _record(context, thought, faces, said.get("command", ""))
    except RollbookError as fault:
        return _form(context, said, str(context.view.said(fault)))
    finally:
        context.view.follow()
    return done(context, f"a{context.request.path['action']}")


def _record(context: RequestContext, thought: SecondThought, faces: tuple[int, ...] | None, command: str) -> None:
    """Record a second thought. A player is not told what the rules say about hidden characters."""
    table, seat = context.view.table, context.seated.acts_as
    edition = table.edition(context.seated.audience)

    def think(campaign: CampaignView, command: str = "") -> object:
        return Corrections(campaign.session).record_second_thought(thought, seat=seat, dice=faces, command=command)

    try:
        think(table.campaign, command)
    except RollbookError as fault:
        raise without_hidden_names(table.campaign, fault, seat, lambda: think(edition)) from None
