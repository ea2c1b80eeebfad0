"""Handles of a character: all that a seat may do to whom it tapped, each with one more tap. It knows handles and no game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlencode

import attrs

from rollbook.adapters.web.acting.odds import weigh
from rollbook.adapters.web.acting.seat_context import SeatContext
from rollbook.application.forms.fields import Offer, words_offers
from rollbook.application.forms.verb_form import Filled
from rollbook.application.lines.seat_view import fitting
from rollbook.domain.actions.dice import PHYSICAL, dice_of_seat
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.events import CharacterKind
from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.handles import Handle, HandleKind
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.spelling import CONDITION
from rollbook.domain.state.campaign_state import Character
from rollbook.domain.state.lookup import shown_names

MOST_WEAPONS = 4
"""Most weapons that are offered at once; the form has them all."""

Given = tuple[tuple[str, str], ...]
"""Names of fields with their values, as a form sends them."""


@attrs.frozen(kw_only=True)
class Tap(Record):
    """A verb that one tap takes. ``reason`` is what is against it now; ``is_form``: dice have to be typed first."""

    verb: str
    label: str
    given: Given
    chance: str = ""
    reason: str = ""
    is_form: bool = False

    @property
    def query(self) -> str:
        """The query of the verb's form with all that is given."""
        return urlencode(self.given)


@attrs.frozen(kw_only=True)
class Points(Record):
    """The verbs that take points from a character and give them back, "" for one that the seat may not take."""

    harm: str
    heal: str
    amount: str
    given: Given


@attrs.frozen(kw_only=True)
class Conditions(Record):
    """The verb that begins a condition: ``name`` is its parameter, and how long it lasts are ``lasts`` and ``unit``."""

    verb: str
    name: str
    given: Given
    offers: tuple[Offer, ...]
    is_open: bool
    lasts: Parameter | None = None
    unit: Parameter | None = None


@attrs.frozen(kw_only=True)
class HandlesOf(Record):
    """The handles of ``who``. ``attacks`` are those of the ``actor``, apart if both are on one side (``is_friend``)."""

    who: CharacterId
    name: str
    actor: str
    is_friend: bool
    attacks: tuple[Tap, ...] = ()
    points: Points | None = None
    afflict: Conditions | None = None
    relieve: tuple[Tap, ...] = ()
    order: tuple[Tap, ...] = ()
    joins: Tap | None = None
    asked: str = ""


def handles_of(seat_context: SeatContext, who: Character, actor: CharacterId, asked: str = "") -> HandlesOf:
    """The handles of a character for a seat that acts as ``actor`` ("": nobody). ``asked`` is the part that was tapped."""
    names = shown_names(seat_context.view.characters())
    acting = seat_context.view.character(actor)
    return HandlesOf(
        who=who.id,
        name=names[who.id],
        actor="" if acting is None else names[acting.id],
        is_friend=acting is not None and _is_of_the_party(acting) == _is_of_the_party(who),
        attacks=tuple(_attacks(seat_context, who, acting, names)),
        points=_points(seat_context, who),
        afflict=_afflict(seat_context, who),
        relieve=tuple(_relieve(seat_context, who)),
        order=tuple(_order(seat_context, who)),
        joins=_joins(seat_context, who),
        asked=asked,
    )


@attrs.frozen(kw_only=True)
class Arrivals(Record):
    """The verb that brings foes in, by its parameters of their ``name``, their ``count``, and ``numbers`` with labels."""

    verb: str
    name: str
    count: str
    numbers: tuple[tuple[str, str], ...]
    given: Given


NUMBERS = (("hp", "HP"), ("ac", "AC"))
"""The numbers of a stat block that a line of foes has, with their labels."""


def arrivals_of(seat_context: SeatContext) -> Arrivals | None:
    """The line by which the GM brings foes in, None for a seat that may not, or in a game without such a verb."""
    found = seat_context.handles.get(HandleKind.BRING_IN)
    if found is None:
        return None
    verb, handle = found
    options = {source: option for option, source in verb.stat_block.items() if verb.has_parameter(option)}
    return Arrivals(
        verb=verb.verb,
        name=handle.who,
        count=handle.amount,
        numbers=tuple((options[source], label) for source, label in NUMBERS if source in options),
        given=tuple(handle.given.items()),
    )


def _is_of_the_party(who: Character) -> bool:
    return who.kind == CharacterKind.PLAYER_CHARACTER


def _parameter(verb: type[Action], name: str) -> Parameter | None:
    return next((each for each in parameters(verb) if each.name == name), None)


def _attacks(
    seat_context: SeatContext, who: Character, actor: Character | None, names: Mapping[CharacterId, str]
) -> Iterator[Tap]:
    """An attack with each weapon, the one used last first, with its chance."""
    found = seat_context.handles.get(HandleKind.ATTACK)
    if found is None or actor is None or actor.id == who.id:
        return
    verb, handle = found
    mine = next((each.name for each in parameters(verb) if each.actor), "")
    edition = seat_context.edition
    against = edition.session.rulebook.available(edition.state, actor.id, seat=edition.seat(seat_context.seat))
    for weapon in _weapons(seat_context, verb, handle, actor):
        given = ((mine, actor.id), (handle.who, who.id), *(((handle.what, weapon),) if weapon else ()))
        label = f"{_spoken(weapon or verb.verb)} at {names[who.id]}"
        tap = Tap(verb=verb.verb, label=label, given=given, reason=against.get(verb.verb, ""))
        yield tap if tap.reason else _weighed(seat_context, verb, tap)


def _weapons(seat_context: SeatContext, verb: type[Action], handle: Handle, actor: Character) -> Sequence[str]:
    parameter = _parameter(verb, handle.what)
    held = fitting(parameter, actor) if parameter is not None else []
    last = seat_context.short.last(seat_context.edition).used(actor.id, verb.verb, handle.what)
    ordered = dict.fromkeys((*((last,) if last in held else ()), *held))
    return tuple(ordered)[:MOST_WEAPONS] or ("",)


def _spoken(word: str) -> str:
    words = word.replace("-", " ").replace("_", " ")
    return words[:1].upper() + words[1:]


def _weighed(seat_context: SeatContext, verb: type[Action], tap: Tap) -> Tap:
    """The tap with its chance, or the reason against it, or as a way to the form if dice have to be typed."""
    edition = seat_context.edition
    must_type = dice_of_seat(edition.state, edition.seat(seat_context.seat)) == PHYSICAL
    found = weigh(seat_context, verb, Filled({name: (value,) for name, value in tap.given}), asks_dice=must_type)
    chance = found.odds.chance.replace(".0", "") if found.odds else ""
    return attrs.evolve(tap, chance=chance, reason=found.reason, is_form=must_type and bool(found.dice))


def _points(seat_context: SeatContext, who: Character) -> Points | None:
    """The verbs for hit points: both in one form, so they have to name whose and how many alike."""
    harm, heal = seat_context.handles.get(HandleKind.HARM), seat_context.handles.get(HandleKind.HEAL)
    first = harm or heal
    if first is None:
        return None
    named = (first[1].who, first[1].amount)
    alike = [found for found in (harm, heal) if found is not None and (found[1].who, found[1].amount) == named]
    verbs = {handle.kind: verb.verb for verb, handle in alike}
    return Points(
        harm=verbs.get(HandleKind.HARM, ""),
        heal=verbs.get(HandleKind.HEAL, ""),
        amount=first[1].amount,
        given=((first[1].who, who.id),),
    )


def _afflict(seat_context: SeatContext, who: Character) -> Conditions | None:
    found = seat_context.handles.get(HandleKind.AFFLICT)
    parameter = _parameter(found[0], found[1].what) if found is not None else None
    if found is None or parameter is None:
        return None
    verb, handle = found
    state, rulebook = seat_context.edition.state, seat_context.edition.session.rulebook
    ruleset = rulebook.ruleset_of(state)
    words = ruleset.vocabulary.get(CONDITION) if ruleset is not None else None
    known = parameter.choices or (words.known if words is not None else ())
    return Conditions(
        verb=verb.verb,
        name=handle.what,
        given=((handle.who, who.id), *handle.given.items()),
        offers=tuple(words_offers(attrs.evolve(parameter, choices=tuple(known)), ())),
        is_open=not parameter.choices,
        lasts=_parameter(verb, handle.lasts),
        unit=_parameter(verb, handle.unit),
    )


def _relieve(seat_context: SeatContext, who: Character) -> Iterator[Tap]:
    found = seat_context.handles.get(HandleKind.RELIEVE)
    if found is not None:
        verb, handle = found
        for name in who.conditions:
            given = ((handle.who, who.id), (handle.what, name), *handle.given.items())
            yield Tap(verb=verb.verb, label=name, given=given)


def _joins(seat_context: SeatContext, who: Character) -> Tap | None:
    """The way into the fight that is on, for one who is not in it."""
    found, fight = seat_context.handles.get(HandleKind.JOIN_FIGHT), seat_context.edition.state.encounter
    if found is None or fight is None or who.id in fight.order or not who.present:
        return None
    return Tap(verb=found[0].verb, label="Joins the fight", given=((found[1].who, who.id),))


def _order(seat_context: SeatContext, who: Character) -> Iterator[Tap]:
    """One place earlier in the order of turns, and one later."""
    found, fight = seat_context.handles.get(HandleKind.REORDER), seat_context.edition.state.encounter
    if found is None or fight is None or who.id not in fight.order:
        return
    verb, handle = found
    order, at = fight.order, fight.order.index(who.id)
    if at:
        yield Tap(verb=verb.verb, label="Earlier", given=((handle.who, who.id), (handle.what, order[at - 1])))
    if at + 1 < len(order):
        after = order[at + 2 : at + 3]
        before = ((handle.what, after[0]),) if after else ()
        yield Tap(verb=verb.verb, label="Later", given=((handle.who, who.id), *before))
