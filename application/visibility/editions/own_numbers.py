"""What a player sees of their own characters beyond the edition: the true numbers, of which hidden parts are "unknown"."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import attrs

from rollbook.application.view import CampaignView
from rollbook.application.visibility.editions.cursor import LENGTH
from rollbook.domain.base.identifiers import SeatName
from rollbook.domain.rules.sheet import Sheet, Term, Value

UNKNOWN = "unknown"
"""The one line of all that the table was not told."""


def own_sheet(told: Sheet, true: Sheet) -> Sheet:
    """A player's own sheet: its numbers are true, and of what makes them only what the table was told is named.

    What no open entry says is the one term "unknown". Numbers and words that the table was told nothing of are not on it.
    """
    known = {value.key: value for value in true.values}
    return attrs.evolve(told, values=tuple(_own_value(value, known.get(value.key)) for value in told.values))


def _own_value(told: Value, true: Value | None) -> Value:
    if true is None or (true.amount == told.amount and str(true) == str(told)):
        return told
    difference = true.amount - told.amount
    unknown = (Term(difference, UNKNOWN),) if difference else ()
    return attrs.evolve(told, amount=true.amount, shown=true.shown, terms=(*told.terms, *unknown))


def mark_of_own(whole: CampaignView, edition: CampaignView, seat: SeatName) -> str:
    """A word for what a player's own sheets show beyond their edition, another one whenever that changes; "" for nothing."""
    found = list(_beyond(whole, edition, seat))
    return sha256(repr(found).encode()).hexdigest()[: 2 * LENGTH] if found else ""


def _beyond(whole: CampaignView, edition: CampaignView, seat: SeatName) -> Iterator[tuple[str, str, int, str]]:
    """The numbers that are others than the edition has them: whose, which, how much, and as it is written."""
    for who, character in edition.state.characters.items():
        real = whole.state.characters.get(who)
        if character.seat != seat or real is None:
            continue
        told = edition.session.rulebook.sheet(character, edition.state)
        own = own_sheet(told, whole.session.rulebook.sheet(real, whole.state))
        for value, plain in zip(own.values, told.values, strict=True):
            if value is not plain:
                yield who, value.key, value.amount, str(value)
