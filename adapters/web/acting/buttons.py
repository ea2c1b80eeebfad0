"""The verbs of a seat as buttons: those that fit the moment first, the others with what the rules have against them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

import attrs

from rollbook.adapters.web.acting.fields import Field
from rollbook.adapters.web.acting.forms import Filled, VerbForm, form_of, read, spoken
from rollbook.adapters.web.acting.seat_context import SeatContext
from rollbook.application.lines.short_forms.first_word import END_TURN, may_be_said
from rollbook.application.lines.typed_turns import turn_of
from rollbook.application.verbs import own_and_shared, verb_summary
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.rules.action import Action, is_the_gms
from rollbook.domain.state.campaign_state import CampaignState, Character

TRIED = 6
"""So many offers of a field are tried before a verb counts as one that does not fit the moment."""

ALIKE = 3
"""So many verbs of which the rules say the same are a group of their own."""

CHOOSE = "choose"
"""The verb for open choices, which have buttons of their own."""


@attrs.frozen(kw_only=True)
class VerbButton(Record):
    """A verb. ``reason`` is what the rules have against it at this moment, "" for nothing that is known."""

    verb: str
    hint: str
    reason: str = ""
    ends_turn: bool = False

    @property
    def title(self) -> str:
        """The verb as people say it."""
        return spoken(self.verb)


@attrs.frozen
class Group(Record):
    """Verbs behind a heading; ``reason`` is what the rules have against all of them."""

    title: str
    verbs: tuple[VerbButton, ...]
    reason: str = ""


@attrs.frozen
class Buttons(Record):
    """``now`` are the verbs that fit the moment; ``more`` are the others."""

    now: tuple[VerbButton, ...]
    more: tuple[Group, ...]


_KEPT: WeakKeyDictionary[CampaignView, tuple[tuple[str, int, CampaignState], Buttons]] = WeakKeyDictionary()
"""The last buttons of each edition, with who acts, and what was used last and how things stood when they were made."""


def buttons_of(seat_context: SeatContext, who: str) -> Buttons:
    """The verbs that a seat may say for one who acts ("": for nobody in particular)."""
    at = (who, seat_context.short.changes(seat_context.edition), seat_context.edition.state)
    kept = _KEPT.get(seat_context.edition)
    if kept is None or kept[0] != at:
        kept = _KEPT[seat_context.edition] = at, _made(seat_context, who)
    return kept[1]


def _made(seat_context: SeatContext, who: str) -> Buttons:
    actor = seat_context.view.character(who)
    own, shared = own_and_shared(seat_context.edition)
    known = {*may_be_said(seat_context.edition)} - {CHOOSE}
    mine = [verb for verb in own if verb.verb in known and seat_context.verbs().get(verb.verb) is verb]
    acts = [_button(seat_context, verb, actor) for verb in mine if not is_the_gms(verb)]
    rest = [verb for verb in shared if verb.verb in known and verb.verb in seat_context.verbs()]
    groups = (
        *_not_now([each for each in acts if each.reason]),
        Group("The game", tuple(_plain(verb) for verb in mine if is_the_gms(verb) and seat_context.is_gm)),
        Group("The table", tuple(_plain(verb) for verb in rest if seat_context.is_gm or not is_the_gms(verb))),
    )
    now = sorted((each for each in acts if not each.reason), key=lambda each: each.ends_turn)
    return Buttons(tuple(now), tuple(group for group in groups if group.verbs))


def _not_now(refused: Sequence[VerbButton]) -> Iterator[Group]:
    """The verbs that do not fit: those together that the rules say the same of, then the rest."""
    many = Counter(each.reason for each in refused)
    for reason, count in many.items():
        if count >= ALIKE:
            alike = (attrs.evolve(each, reason="") for each in refused if each.reason == reason)
            yield Group("Not now", tuple(alike), reason)
    yield Group("Does not fit", tuple(each for each in refused if many[each.reason] < ALIKE))


def _plain(verb: type[Action]) -> VerbButton:
    return VerbButton(verb=verb.verb, hint=verb_summary(verb), ends_turn=verb.verb == END_TURN)


def _button(seat_context: SeatContext, verb: type[Action], actor: Character | None) -> VerbButton:
    """A verb with what the rules have against it for one who acts, whomever it is aimed at."""
    return attrs.evolve(_plain(verb), reason="" if actor is None else _against(seat_context, verb, actor))


def _against(seat_context: SeatContext, verb: type[Action], actor: Character) -> str:
    """What the rules say of all that is tried, "" if they take one of them or it cannot be tried without being asked."""
    form = form_of(seat_context.edition, verb, seat_context.seat, seat_context.short, Filled.acting(verb, actor.id))
    if form is None:
        return ""
    for field in form.plain:
        if field.is_required and field.is_listed and not field.offers:
            return f"{actor.name} has nothing of that sort: {field.hint}."
    first = ""
    for tried in _tries(form):
        reason = _refusal(seat_context, verb, tried)
        if not reason or any(_asks_for(field, reason) for field in form.fields):
            return ""
        first = first or reason
    return first


def _asks_for(field: Field, reason: str) -> bool:
    """Whether a refusal only wants something said that may be left out: who is next, say."""
    return not field.is_ruling and f"--{field.name.replace('_', '-')}" in reason


def _tries(form: VerbForm) -> Iterator[Filled]:
    """The form as it is filled in, with some of what is offered where nothing is; nothing where words of one's own are needed."""
    empty = [field for field in form.plain if field.is_required and not field.value]
    if any(not field.offers for field in empty):
        return
    said = {field.name: field.values for field in form.fields}
    if not empty:
        yield Filled(said)
        return
    for place in range(min(TRIED, max(len(_offers(field)) for field in empty))):
        found = {field.name: (_offers(field)[min(place, len(_offers(field)) - 1)],) for field in empty}
        yield Filled(said | found)


def _offers(field: Field) -> tuple[str, ...]:
    return tuple(offer.value for offer in field.offers if offer.value)


def _refusal(seat_context: SeatContext, verb: type[Action], filled: Filled) -> str:
    """What the rules have against a form that is filled in, as far as the seat sees the campaign."""
    try:
        found = read(seat_context.edition, verb, filled, known_only=not seat_context.is_gm)
        if not found.is_sound:
            return ""
        return seat_context.edition.session.what_if.refusal(
            turn_of(seat_context.edition, verb, found.spoken, seat=seat_context.seat, said=lambda _: None)
        )
    except RollbookError as reason:
        return str(reason)
