"""What is offered for a parameter: people by name, seats, things held, and the ruleset's own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rollbook.application.lines.seat_view import DEAD, View
from rollbook.domain.base.records import Record
from rollbook.domain.events import CharacterKind, Role
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.state.campaign_state import Character
from rollbook.domain.state.lookup import shown_names


@attrs.frozen
class Offer(Record):
    """Something that may be said: as it is sent, and as people call it. ``is_usual`` ones come before the rest of a long list."""

    value: str
    label: str
    is_usual: bool = True


def own_offers(view: View) -> Iterator[Offer]:
    """Whom the seat may act for: a player their own characters, the GM everybody."""
    names = shown_names(view.characters())
    for who in view.characters():
        if who.present and (not view.seat or who.seat == view.seat):
            yield Offer(who.id, names[who.id])


def people_offers(view: View, actor: Character | None) -> Iterator[Offer]:
    """Everybody who is there: those of a fight first, among them who is of another side than the actor; the dead last."""
    names = shown_names(view.characters())
    order = view.state.encounter.order if view.state.encounter is not None else ()

    def nearness(who: Character) -> tuple[bool, bool, bool, bool]:
        is_like = actor is not None and _is_of_the_party(who) == _is_of_the_party(actor)
        return who.has(DEAD), bool(order) and who.id not in order, actor is not None and who.id == actor.id, is_like

    for who in sorted((each for each in view.characters() if each.present), key=nearness):
        yield Offer(who.id, names[who.id], is_usual=not order or who.id in order)


def _is_of_the_party(who: Character) -> bool:
    return who.kind == CharacterKind.PLAYER_CHARACTER


def seat_offers(view: View) -> Iterator[Offer]:
    """Everybody who sits at the table."""
    yield from (Offer(seat.name, seat.shown) for seat in view.state.seats.values() if seat.present)


def player_seats(view: View) -> Iterator[Offer]:
    """The players who sit at the table."""
    for seat in view.state.seats.values():
        if seat.present and seat.role is Role.PLAYER:
            yield Offer(seat.name, seat.shown)


def words_offers(parameter: Parameter, held: Iterable[str]) -> Iterator[Offer]:
    """What fits one who acts, then the ruleset's own words for such things."""
    usual = list(dict.fromkeys(held))
    yield from (Offer(word, word) for word in usual)
    for word in dict.fromkeys(parameter.choices):
        if word not in usual and (word or not parameter.required):
            yield Offer(word, word or "not said", is_usual=not usual)
