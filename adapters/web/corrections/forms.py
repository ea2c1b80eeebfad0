"""Forms of corrections before their previews: the verb's form as it was filled in, an adjustment, other dice, a line."""

from collections.abc import Iterator
from typing import Any

import attrs

from rollbook.adapters.presentation.plain_text import printable
from rollbook.adapters.presentation.preview_words import described, teller
from rollbook.adapters.web.corrections.requests import (
    ADJUST,
    AMEND,
    INSERT,
    OVERRIDE,
    TICKED,
    RequestedCorrection,
    written,
)
from rollbook.adapters.web.seats.requester import Identity
from rollbook.application.forms.fields import Field, Offer, field_of
from rollbook.application.lines.seat_view import View, sayable
from rollbook.application.lines.verb_line import usage_line
from rollbook.application.verbs import ENGINE_VERBS, verb_summary
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.changes import Amend
from rollbook.domain.corrections.inserting import NOTHING_BEFORE, can_be_inserted
from rollbook.domain.corrections.who_may import check_corrector
from rollbook.domain.dice.record import are_typed
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRolled
from rollbook.domain.history.history import History
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.sheet_rulings import ADJUST as ADJUSTED
from rollbook.domain.rules.sheet_rulings import Adjustment
from rollbook.domain.rules.spelling import typed
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.domain.state.lookup import shown_names

FORM = "fix"
"""Prefix of the ids of its fields: the acting panel is on the same page."""
ON_EVERY_SHEET = ("hp", "xp", "level")
"""Names that an adjustment may change for every character, besides the numbers on its sheet."""


FormValues = dict[str, Any]
"""Values for the template of a form."""


def correction_form(edition: CampaignView, identity: Identity, asked: RequestedCorrection) -> FormValues:
    """The form of a correction of a kind that has one, with the ``action`` and, in ``what``, its words.

    Raises NotFound, Refused if the requester may not correct it in that way.
    """

    def ask(history: History) -> FormValues:
        outcome = history.latest_outcome(asked.action)
        form = FORMS[asked.kind](edition, history, identity, asked)
        return {"action": asked.action, "what": what_was_done(edition, outcome), **form}

    return edition.session.history.looking_back(ask)


def what_was_done(campaign: CampaignView, outcome: RecordedEntry) -> str:
    """An action in a few words."""
    said = described(outcome, teller(campaign.session.rulebook, campaign.state))
    assert said is not None
    return printable(f"{said.who} {said.what}".strip())


def _amending(edition: CampaignView, history: History, identity: Identity, asked: RequestedCorrection) -> FormValues:
    """The verb's form, filled in as the action was or as the correction asks. The ``seldom`` fields were left empty."""
    action = asked.action
    check_corrector(history, edition.session.rulebook, identity.acts_as or "", {action: Amend()})
    before, intent = history.state_before(action), history.intent_of(action)
    verb = edition.session.rulebook.verb(before, intent.verb)
    view = View(before, identity.acts_as or "")
    own = sayable(verb, view)
    if own is None or verb.final:
        raise Refused(f"Action #{action} ({verb.verb}) is not one that this seat can change. Ask the GM.")
    acting = next((str(intent.params.get(each.name, "")) for each in own.values() if each.actor), "")
    actor = view.character(acting)
    texts = {each.name: written(each, intent.params.get(each.name, each.default)) for each in own.values()}
    texts |= {each.name: text for each in own.values() if (text := asked.said_of(each)) is not None}
    said = [
        each for each in own.values() if each.required or each.actor or texts[each.name] != written(each, each.default)
    ]
    rest = [each for each in own.values() if each not in said]
    return {
        "listed": " ".join(each.name for each in (*said, *rest)),
        "usual": [_filled(each, view, actor, texts[each.name]) for each in said],
        "seldom": [_filled(each, view, actor, texts[each.name]) for each in rest],
        "faces": _typed_faces(history.latest_outcome(action)),
    }


def _filled(parameter: Parameter, view: View, actor: Character | None, text: str) -> Field:
    """A filled-in field; a field of several boxes has a value for each that is ticked."""
    values = tuple(text.split(",")) if parameter.want in TICKED else (text,)
    return attrs.evolve(field_of(parameter, view, actor, tuple(filter(None, values))), form=FORM)


def rolls_of(outcome: RecordedEntry) -> list[DiceRolled]:
    """The rolls of an action in which dice fell."""
    return [event for event in outcome.events if isinstance(event, DiceRolled) and event.dice]


def _typed_faces(outcome: RecordedEntry) -> str:
    """The faces that were typed for an outcome, "" if some dice came from elsewhere."""
    rolls = rolls_of(outcome)
    if not all(are_typed(roll.sources) for roll in rolls):
        return ""
    return typed(tuple(die.face for roll in rolls for die in roll.dice))


def _adjusting(edition: CampaignView, history: History, identity: Identity, asked: RequestedCorrection) -> FormValues:
    """The characters and numbers that an adjustment in an action may change, and the adjustments it has."""
    if not identity.is_gm:
        raise Refused("Only the GM adjusts a sheet by ruling. Ask the GM.")
    after, thoughts = history.as_corrected_to(asked.action), history.latest_outcome(asked.action).intent.second_thoughts
    names = shown_names(after.characters.values())
    adjusted = [Adjustment.of(thought) for thought in thoughts if thought.kind == ADJUSTED]
    return {
        "people": [Offer(who.id, printable(names[who.id])) for who in after.characters.values()],
        "numbers": list(dict.fromkeys((*ON_EVERY_SHEET, *_numbers(edition, after)))),
        "adjusted": [printable(f"{one.who} {one.what} {one.by:+d}") for one in adjusted],
    }


def _numbers(edition: CampaignView, after: CampaignState) -> Iterator[str]:
    for who in after.characters.values():
        yield from (value.key for value in edition.session.rulebook.sheet(who, after).values)
        yield from (f"pool:{pool}" for pool in who.pools)


def _overriding(_: CampaignView, history: History, identity: Identity, asked: RequestedCorrection) -> FormValues:
    """The dice of an action that came from the stream, in the order in which they fell."""
    if not identity.is_gm:
        raise Refused("Only the GM overrides dice. Ask the GM.")
    fallen = _stream_dice(history.latest_outcome(asked.action))
    dice = [Offer(str(place), said) for place, said in enumerate(fallen, 1)]
    if not dice:
        raise Refused(f"No die of action #{asked.action} came from the stream. Real dice are typed again with Amend.")
    return {"dice": dice}


def _stream_dice(outcome: RecordedEntry) -> Iterator[str]:
    for roll in rolls_of(outcome):
        of_stream = (source.place is not None for source in roll.sources for _ in range(source.dice))
        for die, fell_from_it in zip(roll.dice, of_stream, strict=False):
            if fell_from_it:
                yield printable(f"{die.face} on a d{die.sides}{f', {roll.purpose}' if roll.purpose else ''}")


def _inserting(edition: CampaignView, history: History, identity: Identity, asked: RequestedCorrection) -> FormValues:
    """The verbs that can be said just before the action, each with how it is written and what it does."""
    if not identity.is_gm:
        raise Refused("Only the GM puts an act into the past. Ask the GM.")
    if history.order_of(asked.action) == 1:
        raise Refused(NOTHING_BEFORE)
    known = edition.session.rulebook.verbs(history.state_before(asked.action))
    verbs = [verb for name, verb in known.items() if name not in ENGINE_VERBS and can_be_inserted(verb)]
    return {
        "verbs": [VerbLine(verb.verb, printable(usage_line(verb)), printable(verb_summary(verb))) for verb in verbs]
    }


@attrs.frozen
class VerbLine(Record):
    """A verb by its name, with how a line of it is written and what it does."""

    verb: str
    usage: str
    summary: str


FORMS = {AMEND: _amending, ADJUST: _adjusting, OVERRIDE: _overriding, INSERT: _inserting}
"""Kinds of corrections that have a form before their preview, and the function that fills it in."""
