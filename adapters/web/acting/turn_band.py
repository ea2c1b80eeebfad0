"""The band that says whose turn it is, and ends it with one tap: by the name of who is next where the rules let them choose."""

from collections.abc import Iterator
from urllib.parse import urlencode

import attrs

from rollbook.adapters.web.acting.odds import weigh
from rollbook.adapters.web.acting.seat_context import SeatContext
from rollbook.application.forms.fields import Offer
from rollbook.application.forms.verb_form import Filled
from rollbook.domain.actions.dice import PHYSICAL, dice_of_seat
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.handles import Handle, HandleKind
from rollbook.projections.status import FightStatus

LONGEST_NAME = 40


@attrs.frozen(kw_only=True)
class NextTurn(Record):
    """A button that ends the turn: ``value`` is who is next, "" where nobody is chosen.

    ``form`` is the query of the verb's form, for a seat that has to type the dice that fall.
    """

    label: str
    value: str = ""
    form: str | None = None


@attrs.frozen(kw_only=True)
class TurnBand(Record):
    """The turn that is on. ``key`` tells it from every other turn; ``is_mine``: it is the reader's own.

    ``verb`` ends it, "" if the reader may not, and ``name`` is its parameter of who is next; ``reason`` is why it cannot be
    ended now. ``follows`` is who is next where that is known and nobody chooses.
    """

    heading: str
    key: str
    who: CharacterId
    is_mine: bool
    verb: str = ""
    name: str = ""
    command: str = ""
    reason: str = ""
    follows: str = ""
    nexts: tuple[NextTurn, ...] = ()


def turn_band(seat_context: SeatContext, fight: FightStatus | None) -> TurnBand | None:
    """The band of a fight for an acting seat; None outside one."""
    if fight is None:
        return None
    names = {who.character: who.label for who in fight.fighters}
    whose, current = names.get(fight.current, ""), fight.current
    own = [offer.value for offer in seat_context.own]
    is_mine = current in own and not seat_context.is_gm
    band = TurnBand(
        heading=_heading(whose, is_mine=is_mine, of_several=len(own) > 1),
        key=f"{fight.round}.{current}",
        who=current,
        is_mine=is_mine,
        follows=names[fight.next[0]] if len(fight.next) == 1 else "",
    )
    found = seat_context.handles.get(HandleKind.END_TURN)
    if found is None or not (seat_context.is_gm or current in own):
        return band
    verb, handle = found
    reason = _reason(seat_context, verb, current)
    return attrs.evolve(
        band,
        verb=verb.verb,
        name=handle.who,
        command=f"end.{seat_context.edition.head.entry}.{fight.round}.{current[:LONGEST_NAME]}",
        reason=reason,
        nexts=() if reason else tuple(_nexts(seat_context, verb, handle, fight, names)),
    )


def _heading(whose: str, *, is_mine: bool, of_several: bool) -> str:
    if not whose:
        return "Between turns"
    if is_mine:
        return f"Your turn: {whose}" if of_several else "Your turn"
    return f"{whose}’s turn"


def _reason(seat_context: SeatContext, verb: type[Action], current: CharacterId) -> str:
    """The rules' reason against ending the turn now, "" for none."""
    edition = seat_context.edition
    return edition.session.rulebook.refusal(edition.state, verb, current, seat=edition.seat(seat_context.seat))


def _nexts(
    seat_context: SeatContext, verb: type[Action], handle: Handle, fight: FightStatus, names: dict[CharacterId, str]
) -> Iterator[NextTurn]:
    ends = "End turn" if fight.current else "Go on"
    if not (handle.who and fight.next):
        yield _button(seat_context, verb, Offer("", ends), {})
        return
    for who in fight.next:
        label = f"{ends}: {names[who]}" if len(fight.next) == 1 else names[who]
        yield _button(seat_context, verb, Offer(who, label), {handle.who: (who,)})


def _button(seat_context: SeatContext, verb: type[Action], offer: Offer, given: dict[str, tuple[str, ...]]) -> NextTurn:
    """A button, or a way to the form for a seat that has to type dice, if any fall."""
    edition = seat_context.edition
    must_type = dice_of_seat(edition.state, edition.seat(seat_context.seat)) == PHYSICAL
    if must_type and weigh(seat_context, verb, Filled(given)).dice:
        return NextTurn(
            label=offer.label, value=offer.value, form=urlencode({name: value for name, (value,) in given.items()})
        )
    return NextTurn(label=offer.label, value=offer.value)
