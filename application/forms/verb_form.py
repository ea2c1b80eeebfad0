"""Form of a verb for a seat: made from the verb's own parameters, filled in as at the prompt, and read as a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs

from rollbook.application.forms.fields import OWN, Field, Offer, field_of, needed, own_offers, player_seats
from rollbook.application.lines.seat_view import View, actor_parameter, fitting, is_down, sayable, view_from
from rollbook.application.lines.short_forms import ShortForms
from rollbook.application.lines.verb_line import PEOPLE, ParsedLine, read_value
from rollbook.application.verbs import dice_order, verb_summary
from rollbook.application.view import CampaignView
from rollbook.domain.actions.dice import PHYSICAL, STREAM, dice_of_seat
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.physical import parse_faces
from rollbook.domain.rules.action import Action, handle_of, user_parameters
from rollbook.domain.rules.handles import HandleKind
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.spelling import typed
from rollbook.domain.state.campaign_state import Character

DICE, WHY, SECRET, SEAT, COMMAND = "roll.dice", "roll.why", "roll.secret", "roll.seat", "roll.command"
ACTS_AS = "roll.as"
"""Names of the fields of every verb: no parameter has a full stop in its name. ``ACTS_AS`` is the panel's character."""

MOST_AT_ONCE = 4
"""Most fields that are shown at once for a verb that requires only an actor."""


class Submitted(Protocol):
    """Values that came with a request: a form, or the query of an address."""

    def getlist(self, key: str, /) -> Sequence[object]:
        """Every value of a name."""


@attrs.frozen
class Filled(Record):
    """A form that was sent, before it is read."""

    values: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)

    @classmethod
    def of(cls, sent: Submitted, verb: type[Action]) -> Filled:
        """The values sent for the parameters of a verb and for the fields of every verb."""
        names = [parameter.name for parameter in user_parameters(verb)]
        found = {
            name: tuple(str(value) for value in sent.getlist(name) if isinstance(value, str))
            for name in (*names, *(f"{name}{OWN}" for name in names), DICE, WHY, SECRET, SEAT, COMMAND)
        }
        return cls({name: values for name, values in found.items() if values})

    @classmethod
    def acting(cls, verb: type[Action], who: str) -> Filled:
        """A form in which only the actor is filled in."""
        mine = next((parameter.name for parameter in user_parameters(verb) if parameter.actor), "")
        return cls({mine: (who,)} if mine and who else {})

    def text(self, name: str) -> str:
        """The value sent under a name, the last if there are several."""
        return self.values.get(name, ("",))[-1].strip()

    def of_parameter(self, parameter: Parameter) -> tuple[str, ...] | None:
        """The values sent for a parameter, None if none were; own words replace a picked offer, or end a list."""
        sent = self.values.get(parameter.name)
        own = self.text(f"{parameter.name}{OWN}")
        if sent is None and not own:
            return None
        found = tuple(value for value in sent or () if value)
        return (*found, own) if own and parameter.want.is_list else (own,) if own else found


@attrs.frozen(kw_only=True)
class VerbForm(Record):
    """A verb as a form. ``plain`` fields are shown at once, ``more`` behind a button, ``rulings`` are the GM's.

    ``may_roll``: dice fall in it, at least at times.
    ``seats`` are those of players, for whom the GM may act. ``fault`` is one that belongs to no field.
    """

    verb: str
    summary: str
    plain: tuple[Field, ...]
    more: tuple[Field, ...]
    rulings: tuple[Field, ...]
    order_of_dice: str
    may_roll: bool
    may_type: bool
    must_type: bool
    may_be_secret: bool
    is_asked_why: bool
    is_asked_in_steps: bool = False
    seats: tuple[Offer, ...] = ()
    filled: Filled = attrs.field(factory=Filled)
    fault: str = ""
    dice_fault: str = ""

    @property
    def fields(self) -> tuple[Field, ...]:
        return (*self.plain, *self.more, *self.rulings)

    @property
    def title(self) -> str:
        """The verb as a button says it."""
        return spoken(self.verb)

    @property
    def actor(self) -> Field | None:
        """The field that says who acts."""
        return next((field for field in self.fields if field.is_actor), None)

    @property
    def is_open_at_more(self) -> bool:
        """True if a field behind the button was filled in, or is at fault."""
        fields = (*self.more, *self.rulings)
        return bool(self.filled.text(SEAT)) or any(each.fault or each.name in self.filled.values for each in fields)

    @property
    def refusal(self) -> str:
        """The first fault, which is shown beside the button as well: the button is always in sight."""
        faults = (self.fault, self.dice_fault, *(field.fault for field in self.fields))
        return next(filter(None, faults), "")

    @property
    def is_filled_in(self) -> bool:
        """True if anything was sent besides the actor."""
        aside = (COMMAND, self.actor.name if self.actor else "")
        return any(any(values) for name, values in self.filled.values.items() if name not in aside)

    def with_faults(self, faults: Mapping[str, str], fault: str = "", dice_fault: str = "") -> VerbForm:
        """The same form, with its fault beside each field."""

        def marked(fields: tuple[Field, ...]) -> tuple[Field, ...]:
            return tuple(attrs.evolve(field, fault=faults.get(field.name, "")) for field in fields)

        plain, more, rulings = map(marked, (self.plain, self.more, self.rulings))
        return attrs.evolve(self, plain=plain, more=more, rulings=rulings, fault=fault, dice_fault=dice_fault)


def spoken(verb: str) -> str:
    """A verb's name as a button says it."""
    words = verb.replace("-", " ")
    return words[:1].upper() + words[1:]


def form_of(
    edition: CampaignView, verb: type[Action], seat: str | None, short: ShortForms, filled: Filled | None = None
) -> VerbForm | None:
    """The form of a verb, as a seat (None: the GM) may fill it in with what it sees; None if the verb is not for it."""
    view = view_from(edition.state, seat)
    own = sayable(verb, view)
    if own is None:
        return None
    filled = filled or Filled()
    parameters = tuple(own.values())
    actor = _actor(edition, verb, view, short, filled)
    fields = [_field(edition, verb, each, view, actor, short, filled) for each in parameters]
    plain = _plain(parameters, fields)
    seats = () if view.seat or verb.anonymous else tuple(player_seats(view))
    acting = filled.text(SEAT) if filled.text(SEAT) in (each.value for each in seats) else edition.seat(seat)
    policy = dice_of_seat(edition.state, acting)
    return VerbForm(
        verb=verb.verb,
        summary=verb_summary(verb),
        plain=tuple(sorted((each for each in fields if each.name in plain), key=lambda each: not each.is_actor)),
        more=tuple(each for each in fields if each.name not in plain and not each.is_ruling),
        rulings=tuple(each for each in fields if each.name not in plain and each.is_ruling),
        order_of_dice=dice_order(verb),
        may_roll=bool(verb.typed_dice),
        may_type=policy != STREAM and not verb.anonymous,
        must_type=policy == PHYSICAL,
        may_be_secret=not view.seat and not verb.anonymous,
        is_asked_why=not verb.anonymous,
        is_asked_in_steps=bool(verb.questions),
        seats=seats,
        filled=filled,
    )


def _plain(parameters: Sequence[Parameter], fields: Sequence[Field]) -> set[str]:
    """The names of the fields that are shown at once: required ones, things held, the first distance; or else a few."""
    plain = {field.name for field in fields if field.is_required or field.is_actor}
    free = [
        each for each, field in zip(parameters, fields, strict=True) if not (field.is_ruling or field.name in plain)
    ]
    measured = [each.name for each in free if each.want is ParameterType.NUMBER and each.unit]
    plain |= {each.name for each in free if each.want is ParameterType.GEAR} | set(measured[:1])
    if not any(field.is_required and not field.is_actor for field in fields):
        rest = [each.name for each in free if each.want is not ParameterType.FLAG and each.name not in plain]
        plain |= set(rest[: max(0, MOST_AT_ONCE - len(plain))])
    return plain


def _actor(
    edition: CampaignView, verb: type[Action], view: View, short: ShortForms, filled: Filled
) -> Character | None:
    """The acting character: the one named, else the usual one, else the first for whom the seat may act."""
    mine = actor_parameter(verb)
    named = "" if mine is None else filled.text(mine.name)
    own = [offer.value for offer in own_offers(view)]
    usual = short.usual_actor(edition, verb, view)
    known = (named, usual if not view.seat or usual in own else "", *own[:1], usual)
    return next((who for name in known if (who := view.character(name)) is not None), None)


def _field(
    edition: CampaignView,
    verb: type[Action],
    parameter: Parameter,
    view: View,
    actor: Character | None,
    short: ShortForms,
    filled: Filled,
) -> Field:
    if parameter.actor and view.seat and not verb.by_any_seat:
        parameter = attrs.evolve(parameter, default=None)  # a player says who acts
    default = "" if actor is None else actor.id if parameter.actor else _usual(edition, verb, parameter, actor, short)
    if (begins := handle_of(verb, HandleKind.BEGIN_FIGHT)) is not None and parameter.name == begins.who:
        default = ",".join(who.id for who in view.characters() if who.is_here and not (who.hidden or is_down(who)))
    field = field_of(parameter, view, actor, filled.of_parameter(parameter), default)
    is_only = parameter.actor and len(field.offers) == 1 and bool(view.seat)
    return attrs.evolve(field, is_fixed=is_only, values=(field.offers[0].value,)) if is_only else field


def _usual(edition: CampaignView, verb: type[Action], parameter: Parameter, actor: Character, short: ShortForms) -> str:
    """The actor's last value for this parameter, or the only one that fits."""
    used = short.last(edition).used(actor.id, verb.verb, parameter.name)
    fits = fitting(parameter, actor) if parameter.required else []
    known = (*fitting(parameter, actor), *parameter.choices)
    if parameter.want in PEOPLE:
        people = [edition.state.characters.get(name) for name in used.split(",")]
        return used if all(who is not None and who.present for who in people) else ""
    if parameter.want is not ParameterType.GEAR and parameter.fits is None:
        return ""
    return used if used in known else fits[0] if len(fits) == 1 else ""


@attrs.frozen
class Read(Record):
    """Meaning of a form that was sent, and its faults: by parameter, and in the faces of real dice."""

    spoken: ParsedLine
    faults: Mapping[str, str]
    dice_fault: str = ""

    @property
    def is_sound(self) -> bool:
        return not (self.faults or self.dice_fault)


def read(campaign: CampaignView, verb: type[Action], filled: Filled, *, known_only: bool) -> Read:
    """Read a form as if it were typed. A player's (``known_only``) names no hidden character and no other seat."""
    given: dict[str, str] = {}
    faults: dict[str, str] = {}
    for parameter in user_parameters(verb):
        text = _text(parameter, filled)
        if text is None:
            if parameter.required and verb.pattern not in filled.values:
                faults[parameter.name] = needed(parameter)
            continue
        given[parameter.name] = text
        try:
            if not ("," in text and parameter.several):
                read_value(parameter, text, campaign.state, known_only=known_only, side=campaign.session.rulebook.side)
        except RollbookError as reason:
            faults[parameter.name] = str(reason)
    dice, dice_fault = _faces(filled.text(DICE))
    is_secret, why = filled.text(SECRET) == "yes", filled.text(WHY)
    seat = None if known_only else filled.text(SEAT) or None
    return Read(ParsedLine(given=given, seat=seat, dice=dice, secret=is_secret, why=why), faults, dice_fault)


def _text(parameter: Parameter, filled: Filled) -> str | None:
    """The text filled in for a parameter, as it is typed; None if it is left as it is."""
    if filled.of_parameter(parameter) is None:
        return None
    text = text_of(parameter, filled)
    if parameter.want is ParameterType.FLAG and not text:
        text = "no"
    is_default = parameter.default is not None and text == typed(parameter.default)
    if is_default or (not text and (parameter.required or not parameter.want.is_list)):
        return None
    return text


def text_of(parameter: Parameter, filled: Filled) -> str:
    """The text filled in for a parameter, as it is typed; "" for none."""
    sent = filled.of_parameter(parameter) or ()
    return ",".join(sent) if parameter.want.is_list else (sent[-1] if sent else "").strip()


def _faces(text: str) -> tuple[tuple[int, ...] | None, str]:
    """The faces of real dice, None if none were typed, and their fault."""
    if not text:
        return None, ""
    try:
        return parse_faces(text), ""
    except DiceError as reason:
        return None, str(reason)


def blamed(form: VerbForm, reason: RollbookError) -> VerbForm:
    """The form with a refusal beside the field that is at fault, or else beside the button."""
    is_there = any(field.name == reason.parameter and not field.is_fixed for field in form.fields)
    return form.with_faults({reason.parameter: str(reason)}) if is_there else form.with_faults({}, str(reason))
