"""What a correction asks before its preview: the verb's form as it was filled in, an adjustment, a second thought."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rollbook.adapters.presentation.plain_text import printable
from rollbook.adapters.presentation.preview_words import described, teller
from rollbook.adapters.web.corrections.requests import RequestedCorrection, written
from rollbook.adapters.web.seats.identity import Identity
from rollbook.application.forms.fields import Control, Field, Offer, field_of, own_offers
from rollbook.application.forms.verb_form import spoken
from rollbook.application.lines.seat_view import View, sayable
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.changes import Amend
from rollbook.domain.corrections.preview import last_action
from rollbook.domain.corrections.who_may import check_corrector
from rollbook.domain.dice.record import are_typed
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRolled
from rollbook.domain.history.history import History
from rollbook.domain.rules.adjustments import ADJUST, Adjustment
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.spelling import typed
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.domain.state.lookup import shown_names
from rollbook.projections.roll_lines import roll_text

FORM = "fix"
"""What the ids of its fields begin with: the acting panel is on the same page."""
ON_EVERY_SHEET = ("hp", "xp", "level")
"""What an adjustment may name of everybody, beside the numbers on their sheets."""


@attrs.frozen(kw_only=True)
class AmendingForm(Record):
    """An action as it was meant, to be changed. ``seldom`` are fields that said nothing. ``faces`` are its real dice, if any."""

    action: ActionNumber
    what: str
    usual: tuple[Field, ...]
    seldom: tuple[Field, ...]
    faces: str

    @property
    def listed(self) -> str:
        """The names of the fields."""
        return " ".join(field.name for field in (*self.usual, *self.seldom))


@attrs.frozen(kw_only=True)
class AdjustingForm(Record):
    """Whose sheet is changed in an action, and the numbers that may be."""

    action: ActionNumber
    what: str
    people: tuple[Offer, ...]
    numbers: tuple[str, ...]
    adjusted: tuple[str, ...]


@attrs.frozen(kw_only=True)
class OverridingForm(Record):
    """The dice of an action that came from the stream, in the order in which they fell."""

    action: ActionNumber
    what: str
    dice: tuple[Offer, ...]


@attrs.frozen(kw_only=True)
class ThinkingForm(Record):
    """Which second thoughts the rules know, who may have one, and about which roll."""

    action: ActionNumber
    what: str
    kinds: tuple[Offer, ...]
    people: tuple[Offer, ...]
    rolls: tuple[Offer, ...]


def amending_form(edition: CampaignView, identity: Identity, asked: RequestedCorrection) -> AmendingForm:
    """The form of an action's verb, filled in as it was meant, or as it is asked for.

    Raises NotFound, Refused if it is not the requester's to change.
    """
    return edition.session.history.looking_back(lambda history: _amending(edition, history, identity, asked))


def _amending(edition: CampaignView, history: History, identity: Identity, asked: RequestedCorrection) -> AmendingForm:
    action = asked.action
    outcome = _outcome(history, action)
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
    return AmendingForm(
        action=action,
        what=_what(edition, outcome),
        usual=tuple(_filled(each, view, actor, texts[each.name]) for each in said),
        seldom=tuple(_filled(each, view, actor, texts[each.name]) for each in own.values() if each not in said),
        faces=_typed_faces(outcome),
    )


def _filled(parameter: Parameter, view: View, actor: Character | None, text: str) -> Field:
    """A field with what was said; a choice among several boxes has a value for each."""
    field = field_of(parameter, view, actor, (text,) if text else ())
    if field.control is Control.CHECKS and text:
        field = field_of(parameter, view, actor, tuple(text.split(",")))
    return attrs.evolve(field, form=FORM)


def _typed_faces(outcome: RecordedEntry) -> str:
    """The faces that were typed for an outcome, "" if dice came from elsewhere, too."""
    rolls = [event for event in outcome.events if isinstance(event, DiceRolled) and event.dice]
    if not all(are_typed(roll.sources) for roll in rolls):
        return ""
    return typed(tuple(die.face for roll in rolls for die in roll.dice))


def adjusting_form(edition: CampaignView, identity: Identity, asked: RequestedCorrection) -> AdjustingForm:
    """The form of an adjustment within an action. Raises NotFound, Refused for all but the GM."""
    if not identity.is_gm:
        raise Refused("Only the GM adjusts a sheet by ruling. Ask the GM.")
    action = asked.action

    def ask(history: History) -> AdjustingForm:
        outcome, after = _outcome(history, action), history.as_corrected_to(action)
        names = shown_names(after.characters.values())
        return AdjustingForm(
            action=action,
            what=_what(edition, outcome),
            people=tuple(Offer(who.id, printable(names[who.id])) for who in after.characters.values()),
            numbers=tuple(dict.fromkeys((*ON_EVERY_SHEET, *_numbers(edition, after)))),
            adjusted=tuple(_adjusted(outcome)),
        )

    return edition.session.history.looking_back(ask)


def overriding_form(edition: CampaignView, identity: Identity, asked: RequestedCorrection) -> OverridingForm:
    """The form of an override. Raises NotFound, Refused where no die came from the stream."""
    if not identity.is_gm:
        raise Refused("Only the GM overrides dice. Ask the GM.")
    action = asked.action

    def ask(history: History) -> OverridingForm:
        outcome = _outcome(history, action)
        dice = tuple(Offer(str(place), said) for place, said in enumerate(_stream_dice(outcome), 1))
        if not dice:
            raise Refused(f"No die of action #{action} came from the stream. Real dice are typed again with Amend.")
        return OverridingForm(action=action, what=_what(edition, outcome), dice=dice)

    return edition.session.history.looking_back(ask)


def _stream_dice(outcome: RecordedEntry) -> Iterator[str]:
    """What each die of the stream shows, and what it was for."""
    for roll in (event for event in outcome.events if isinstance(event, DiceRolled)):
        of_stream = (source.place is not None for source in roll.sources for _ in range(source.dice))
        for die, fell_from_it in zip(roll.dice, of_stream, strict=False):
            if fell_from_it:
                yield printable(f"{die.face} on a d{die.sides}{f', {roll.purpose}' if roll.purpose else ''}")


def _numbers(edition: CampaignView, after: CampaignState) -> Iterator[str]:
    for who in after.characters.values():
        yield from (value.key for value in edition.session.rulebook.sheet(who, after).values)
        yield from (f"pool:{pool}" for pool in who.pools)


def _adjusted(outcome: RecordedEntry) -> Iterator[str]:
    for thought in outcome.intent.second_thoughts:
        if thought.kind == ADJUST:
            one = Adjustment.of(thought)
            yield printable(f"{one.who} {one.what} {one.by:+d}")


@attrs.frozen
class Thinkable(Record):
    """The action that second thoughts may be had about, and what they are called: by their name if there is one sort."""

    action: ActionNumber
    label: str


def thinkable(edition: CampaignView, identity: Identity) -> Thinkable | None:
    """About what the requester may think again; None where the rules know no second thoughts, or the last action has no dice."""
    ruleset = edition.session.rulebook.ruleset_of(edition.state)
    if ruleset is None or not ruleset.second_thoughts:
        return None

    def ask(history: History) -> Thinkable | None:
        try:
            last = last_action(history, identity.acts_as or "")
        except NotFound:
            return None
        if not any(True for _ in _rolls(history.latest_outcome(last))):
            return None
        kinds = tuple(ruleset.second_thoughts)
        return Thinkable(last, spoken(kinds[0]) if len(kinds) == 1 else "Second thought")

    return edition.session.history.looking_back(ask)


def thinking_form(edition: CampaignView, identity: Identity, action: ActionNumber) -> ThinkingForm:
    """The form of a second thought. Raises NotFound, Refused where the rules have none or it is too late."""
    ruleset = edition.session.rulebook.ruleset_of(edition.state)
    if ruleset is None or not ruleset.second_thoughts:
        raise Refused("The rules of this campaign know no second thoughts. Undo the action, or amend it.")

    def ask(history: History) -> ThinkingForm:
        outcome, last = _outcome(history, action), last_action(history, identity.acts_as or "")
        if action != last:
            raise Refused(
                f"A second thought comes before the consequences, so it is for the last action only, which is #{last}."
            )
        nobody = (Offer("", "the GM"),) if identity.is_gm else ()
        return ThinkingForm(
            action=action,
            what=_what(edition, outcome),
            kinds=tuple(Offer(kind, printable(said)) for kind, said in ruleset.second_thoughts.items()),
            people=(*nobody, *own_offers(View(edition.state, identity.acts_as or ""))),
            rolls=tuple(_rolls(outcome)),
        )

    return edition.session.history.looking_back(ask)


def _rolls(outcome: RecordedEntry) -> Iterator[Offer]:
    rolls = [event for event in outcome.events if isinstance(event, DiceRolled) and event.dice]
    for place, roll in enumerate(rolls):
        yield Offer(str(place), printable(f"{roll.purpose}: {roll_text(roll)}".removeprefix(": ")))


def _outcome(history: History, action: ActionNumber) -> RecordedEntry:
    return history.latest_outcome(action)


def _what(edition: CampaignView, outcome: RecordedEntry) -> str:
    said = described(outcome, teller(edition.session.rulebook, edition.state))
    assert said is not None
    return printable(f"{said.who} {said.what}".strip())
