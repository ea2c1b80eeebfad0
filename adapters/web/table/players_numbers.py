"""The numbers that players have for the GM's cards: they see no gaps where something is hidden from them."""

from collections.abc import Callable

from rollbook.adapters.web.pages.page import RequestContext
from rollbook.adapters.web.table.cards import Card, CardKind
from rollbook.application.visibility.editions.live import AnyEdition, BeingRead
from rollbook.domain.events import Role

SeenAs = Callable[[Card], str]


def seen_as(context: RequestContext) -> SeenAs:
    """For the GM, what players call a card, "" where it has the same number for all of them. Others are told nothing.

    A player whose edition is not read yet is left out; a long one goes on being read, one at a time.
    """
    if not context.seated.is_gm or not context.view.campaign.head.shown.secrets:
        return lambda _: ""
    state = context.view.campaign.state
    players = {seat.name: seat.shown for seat in state.seats.values() if seat.present and seat.role is Role.PLAYER}
    editions: dict[str, AnyEdition] = {}
    for seat, shown in players.items():
        try:
            editions[shown] = context.view.table.edition(seat)
        except BeingRead:
            break
    return lambda card: _words(card, editions)


def _words(card: Card, editions: dict[str, AnyEdition]) -> str:
    own, sign = (card.first.entry, "@") if card.kind is CardKind.CORRECTION else (card.first.action, "#")
    found = {
        name: edition.shown_entry(own) if sign == "@" else edition.shown_action(own)
        for name, edition in editions.items()
    }
    seen = {name: number for name, number in found.items() if number}
    if len(seen) > 1 and len(seen) == len(editions) and len({*seen.values()}) == 1:
        seen = {"players": next(iter(seen.values()))}
    others = [(name, number) for name, number in seen.items() if number != own]
    return ", ".join(f"{name} {'see' if name == 'players' else 'sees'} {sign}{number}" for name, number in others)
