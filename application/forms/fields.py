"""Fields of a verb's form: a control for each parameter, its words, and the values offered for the acting character.

No control needs a script, and none knows a game: everything follows from the parameters' types and from what a seat may
see.
"""

import enum
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import attrs

from rollbook.application.lines.party_words import DEAD
from rollbook.application.lines.seat_view import View, fitting
from rollbook.application.lines.verb_line import PEOPLE
from rollbook.domain.base.letters import caseless
from rollbook.domain.base.records import Record
from rollbook.domain.events import CharacterKind, Role
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.spelling import typed
from rollbook.domain.state.campaign_state import Character
from rollbook.domain.state.lookup import shown_names

FEW = 8
"""Most offers that are buttons side by side; more are a list that opens."""
OWN = ".own"
"""Suffix of a field's name for words of one's own beside the offers."""
_NEVER_ALL = (ParameterType.TEXT, ParameterType.TEXTS)
"""Parameters whose offers are only what is usual: other words may be typed."""
_LISTS = (ParameterType.CHARACTERS, ParameterType.CHOICES)


def label_of(parameter: Parameter) -> str:
    """A parameter's name as a label."""
    words = parameter.name.replace("_", " ")
    return words[:1].upper() + words[1:]


def hint_of(parameter: Parameter, *, is_typed: bool = True) -> str:
    """The help of a parameter, with the way to type several values."""
    return f"{parameter.help} (several: with commas between)" if is_typed and parameter.want.is_list else parameter.help


MOST_CHOICES = 12
"""Most choices that are listed: of more only those that somebody at the table has."""
LONGEST_HINT = 300
"""Letters of a hint; one that goes on is a list of all that there is, and only its first sentence is shown at a table."""


def help_of(parameter: Parameter, people: Collection[Character] = ()) -> str:
    """A parameter's hint with its unit, choices, range and default; of long lists only what the ``people`` have."""
    hint = hint_of(parameter)
    parts = [hint if len(hint) <= LONGEST_HINT or not people else f"{hint.partition('. ')[0].partition(': ')[0]}."]
    if parameter.unit:
        parts.append(f"(in {parameter.unit})")
    if parameter.gm_only:
        parts.append("(for the GM to say)")
    named = [choice for choice in parameter.choices if choice]
    if len(named) > MOST_CHOICES and people:
        parts.append(_some_of(named, people))
    elif named:
        parts.append(f"[{', '.join(named)}]")
    if parameter.default is not None and parameter.default != parameter.want.nothing:
        parts.append(f"(default: {typed(parameter.default)})")
    return " ".join(parts)


def _some_of(named: Sequence[str], people: Collection[Character]) -> str:
    """The choices that somebody has, and how many there are besides."""
    had = {caseless(word) for who in people for word in (*who.traits, *who.gear, *who.conditions, *who.stats)}
    borne = [choice for choice in named if caseless(choice) in had]
    others = f"{len(named) - len(borne)} {'others' if borne else 'words'}, which Tab offers"
    return f"[{', '.join((*borne, others))}]"


def needed(parameter: Parameter) -> str:
    """The sentence for a parameter that is left out and must be given."""
    return f"{parameter.name} is needed."


def default_text(parameter: Parameter) -> str:
    """The default of a parameter as it is typed; "" for nothing and for a number that is 0."""
    default = parameter.default
    if default is None or (default == 0 and not isinstance(default, bool)):
        return ""
    return typed(default)


@attrs.frozen
class Offer(Record):
    """A value that may be chosen: as it is sent, and its label. ``is_usual`` ones come first in a long list."""

    value: str
    label: str
    is_usual: bool = True


def own_offers(view: View) -> Iterator[Offer]:
    """Offers of the characters for whom the seat may act: a player's own, for the GM all."""
    names = shown_names(view.characters())
    for who in view.characters():
        if who.present and (not view.seat or who.seat == view.seat):
            yield Offer(who.id, names[who.id])


def people_offers(view: View, actor: Character | None) -> Iterator[Offer]:
    """Offers of the characters in play: first those in a fight, the actor's foes before others; the dead last."""
    names = shown_names(view.characters())
    order = view.state.encounter.order if view.state.encounter is not None else ()

    def nearness(who: Character) -> tuple[bool, ...]:
        is_like = actor is not None and _is_of_the_party(who) == _is_of_the_party(actor)
        return (
            who.has(DEAD),
            who.elsewhere,
            bool(order) and who.id not in order,
            actor is not None and who.id == actor.id,
            is_like,
        )

    for who in sorted((each for each in view.characters() if each.present), key=nearness):
        yield Offer(who.id, names[who.id], is_usual=who.id in order if order else not who.elsewhere)


def _is_of_the_party(who: Character) -> bool:
    return who.kind == CharacterKind.PLAYER_CHARACTER


def player_seats(view: View) -> Iterator[Offer]:
    """Offers of the seats of players at the table."""
    for seat in view.state.seats.values():
        if seat.present and seat.role is Role.PLAYER:
            yield Offer(seat.name, seat.shown)


def words_offers(parameter: Parameter, held: Iterable[str]) -> Iterator[Offer]:
    """Offers of words: those that fit the acting character (``held``), then the ruleset's own."""
    usual = list(dict.fromkeys(held))
    yield from (Offer(word, word) for word in usual)
    for word in dict.fromkeys(parameter.choices):
        if word not in usual and (word or not parameter.required):
            yield Offer(word, word or "not said", is_usual=not usual)


class Control(enum.StrEnum):
    """Kind of control that a person fills in, by the name of its part of the template."""

    PICK = "pick"
    SELECT = "select"
    CHECKS = "checks"
    FLAG = "flag"
    NUMBER = "number"
    TEXT = "text"
    WORDS = "words"


@attrs.frozen(kw_only=True)
class Field(Record):
    """One parameter as a person fills it in.

    ``values`` are what is filled in, several only for ``CHECKS``. ``is_open`` says that words of one's own may stand beside the
    offers, under the name ``own_name``. ``is_fixed`` ones have one offer, which need not be picked. ``fault`` is what is wrong.
    """

    name: str
    label: str
    hint: str
    control: Control
    values: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    is_open: bool = False
    is_required: bool = False
    is_fixed: bool = False
    is_ruling: bool = False
    is_actor: bool = False
    unit: str = ""
    minimum: int | None = None
    maximum: int | None = None
    fault: str = ""
    form: str = "f"

    @property
    def id(self) -> str:
        """Id on the page: forms that are on one page have names of their own."""
        return f"{self.form}-{self.name}"

    @property
    def own_name(self) -> str:
        """The name under which words of one's own are sent."""
        return f"{self.name}{OWN}"

    @property
    def value(self) -> str:
        """The value that is filled in, "" for none."""
        return self.values[0] if self.values else ""

    @property
    def own_words(self) -> str:
        """The values that are filled in and are none of the offers."""
        known = {offer.value for offer in self.offers}
        return ",".join(value for value in self.values if value not in known) if self.is_open else ""

    @property
    def usual(self) -> tuple[Offer, ...]:
        """The offers of a long list that are buttons side by side; none if all of them are one list."""
        found = tuple(offer for offer in self.offers if offer.is_usual)
        return found if 0 < len(found) <= FEW and len(found) < len(self.offers) and not self.is_open else ()

    @property
    def unusual(self) -> tuple[Offer, ...]:
        """The rest of the list."""
        return tuple(offer for offer in self.offers if not offer.is_usual)

    @property
    def shown(self) -> str:
        """The values that are filled in, by their labels."""
        labels = {offer.value: offer.label for offer in self.offers}
        return ", ".join(labels.get(value, value) for value in self.values if value)

    @property
    def is_signed(self) -> bool:
        """True if a number below 0 may be typed, for which a telephone needs more than digits."""
        return self.minimum is None or self.minimum < 0


def field_of(
    parameter: Parameter, view: View, actor: Character | None, values: Sequence[str] | None, default: str = ""
) -> Field:
    """The field of a parameter. ``values`` are what was filled in, None where nothing was yet: then the ``default`` is."""
    offers = tuple(offers_of(parameter, view, actor))
    is_open = parameter.want in _NEVER_ALL or (parameter.want is ParameterType.GEAR and not parameter.choices)
    control = _control(parameter, offers)
    filled = tuple(values) if values is not None else _defaults(parameter, default, control)
    if control in (Control.PICK, Control.SELECT) and not is_open:
        known = {offer.value for offer in offers}
        offers += tuple(Offer(value, value) for value in filled if value not in known)
    return Field(
        name=parameter.name,
        label=label_of(parameter),
        hint=hint_of(parameter, is_typed=control is not Control.CHECKS),
        control=control,
        values=filled,
        offers=offers,
        is_open=is_open and control in (Control.PICK, Control.SELECT, Control.CHECKS),
        is_required=parameter.required,
        is_ruling=bool(parameter.gm_only),
        is_actor=parameter.actor,
        unit=parameter.unit,
        minimum=parameter.minimum,
        maximum=parameter.maximum,
    )


_PLAIN_TEXT: Mapping[ParameterType, Control] = {ParameterType.NUMBER: Control.NUMBER, ParameterType.FLAG: Control.FLAG}


def _control(parameter: Parameter, offers: Sequence[Offer]) -> Control:
    want = parameter.want
    if want in _PLAIN_TEXT:
        return _PLAIN_TEXT[want] if not parameter.several else Control.TEXT
    if want in _LISTS:
        return Control.CHECKS
    if not any(offer.value for offer in offers):
        is_long = want is ParameterType.TEXT and parameter.required and not parameter.is_name and not parameter.fits
        return Control.WORDS if is_long else Control.TEXT
    return Control.PICK if len(offers) <= FEW else Control.SELECT


def _defaults(parameter: Parameter, default: str, control: Control) -> tuple[str, ...]:
    """The initial values: the usual one for the acting character, else the verb's default."""
    said = default or ("" if parameter.default is None else typed(parameter.default))
    if control is Control.CHECKS:
        return tuple(part for part in said.split(",") if part)
    if default or parameter.default is None:
        return (default,) if default else ()
    is_typed = control in (Control.TEXT, Control.WORDS, Control.NUMBER)
    return () if is_typed and parameter.default == parameter.want.nothing else (said,)


def is_listed(parameter: Parameter) -> bool:
    """True if the offers hold everything that fits."""
    return parameter.fits is not None or parameter.want in PEOPLE


def has_offers(parameter: Parameter, view: View, actor: Character | None) -> bool:
    """True if there is any value to offer for a required parameter."""
    if parameter.want in PEOPLE and not parameter.actor:
        return any(who.present for who in view.characters())
    return any(offers_of(parameter, view, actor))


def offers_of(parameter: Parameter, view: View, actor: Character | None) -> Iterator[Offer]:
    """The values offered for a parameter, as far as they can be listed, with "not said" for an optional one."""
    want = parameter.want
    if want in PEOPLE:
        listed = list(own_offers(view) if parameter.actor else people_offers(view, actor))
    elif want is ParameterType.SEAT:
        listed = [Offer(seat.name, seat.shown) for seat in view.state.seats.values() if seat.present]
    else:
        is_held = want is ParameterType.GEAR or parameter.fits is not None
        listed = list(words_offers(parameter, fitting(parameter, actor) if is_held else ()))
    default = "" if parameter.default is None else str(parameter.default)
    is_missing = listed and not parameter.required and default not in {offer.value for offer in listed}
    if want not in _LISTS and is_missing:
        yield Offer(default, default or "not said")
    yield from listed
