"""With what one seat acts: the campaign that it acts on, and the edition of it that its pages are made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import attrs

from adapters.campaign import Campaign
from adapters.seat_view import View, view_from
from adapters.short_forms import ShortForms
from adapters.verbs import verbs_of
from domain.action import Action
from domain.errors import NotFound, RollbookError, not_found
from domain.records import Record

if TYPE_CHECKING:
    from adapters.web.pages import Visit

RAISE, ANSWER = "x-card", "after-x-card"
"""The verbs of the X-card, which has a button of its own."""


@attrs.frozen
class Hand(Record):
    """A seat (None: the GM) with the whole campaign, what it sees of it, and what was used last."""

    campaign: Campaign
    edition: Campaign
    seat: str | None
    short: ShortForms

    @property
    def view(self) -> View:
        """What it sees."""
        return view_from(self.edition.state, self.seat)

    @property
    def is_gm(self) -> bool:
        return self.seat is None

    def verbs(self) -> Mapping[str, type[Action]]:
        """The verbs that have a form, the ruleset's own first."""
        known = verbs_of(self.edition)
        return {name: verb for name, verb in known.items() if name not in (RAISE, ANSWER)}

    def verb(self, name: str) -> type[Action]:
        """One of them that the seat may say. Raises NotFound."""
        known = {each: verb for each, verb in self.verbs().items() if self.is_gm or not verb.gm_only}
        if name not in known:
            self.edition.rulebook.require(self.edition.state)
            raise not_found("verb", name, known)
        return known[name]


_SHORT: WeakKeyDictionary[Campaign, ShortForms] = WeakKeyDictionary()
"""What was used last, by edition: an edition that goes on is only looked at for what came since."""


def hand_of(visit: Visit) -> Hand:
    """With what the asker acts. Raises NotFound for a seat that nobody has any more."""
    asker, table = visit.seated, visit.table
    edition = table.edition(asker.audience)
    if asker.acts_as is not None and asker.acts_as not in edition.state.seats:
        raise NotFound(f"Nobody called {asker.acts_as} sits at this table any more. Ask the GM.")
    short = _SHORT.get(edition)
    if short is None:
        short = _SHORT[edition] = ShortForms(asker.acts_as)
    return Hand(table.campaign, edition, asker.acts_as, short)


def said_to(visit: Visit, fault: RollbookError) -> str:
    """An error as the asker may read it."""
    return str(visit.table.said_to(fault, visit.seated))
