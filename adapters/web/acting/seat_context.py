"""Context of one acting seat: the campaign that it acts on, and the edition that its pages are made from."""

from collections.abc import Mapping
from functools import cached_property
from weakref import WeakKeyDictionary

import attrs

from rollbook.adapters.web.pages.page import RequestContext
from rollbook.application.campaign import Campaign
from rollbook.application.forms.fields import Offer, own_offers
from rollbook.application.lines.seat_view import View, view_from
from rollbook.application.lines.short_forms import ShortForms
from rollbook.application.playing.request import ActionRequest
from rollbook.application.verbs import verbs_of
from rollbook.application.view import CampaignView
from rollbook.application.visibility.seat_campaign import without_hidden_names
from rollbook.domain.base.errors import NotFound, RollbookError, not_found
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.rules.action import Action, is_the_gms
from rollbook.domain.rules.handles import Handle, HandleKind

RAISE, WITHDRAW, ANSWER = "x-card", "withdraw-x-card", "after-x-card"
"""The verbs of the X-card, which has a button of its own."""
SHOWING = ("handout", "portrait", "lay-map")
"""The verbs that take a file: they have a page of their own."""


@attrs.frozen(slots=False)
class SeatContext(Record):
    """A seat (None: the GM) with the whole campaign, the edition that it sees, and the short forms last used.

    Its words are read in the edition, so that they never match a hidden name; only ``take`` uses the whole campaign.
    """

    campaign: Campaign
    edition: CampaignView
    seat: str | None
    short: ShortForms

    @cached_property
    def view(self) -> View:
        """The seat's view of the state."""
        return view_from(self.edition.state, self.seat)

    @property
    def is_gm(self) -> bool:
        return self.seat is None

    @cached_property
    def own(self) -> tuple[Offer, ...]:
        """The characters that it may act for."""
        return tuple(own_offers(self.view))

    @property
    def current(self) -> str:
        """The character whose turn it is, "" if there is none."""
        return self.edition.state.encounter.current if self.edition.state.encounter is not None else ""

    @cached_property
    def verbs(self) -> Mapping[str, type[Action]]:
        """The verbs that have a form, the ruleset's own first."""
        known = verbs_of(self.edition)
        return {name: verb for name, verb in known.items() if name not in (RAISE, ANSWER, *SHOWING)}

    @cached_property
    def handles(self) -> Mapping[HandleKind, tuple[type[Action], Handle]]:
        """For each kind of handle the first verb that has it and that the seat may take, with the handle."""
        found: dict[HandleKind, tuple[type[Action], Handle]] = {}
        for verb in self.verbs.values():
            if verb.handles and self._may_take(verb):
                for handle in verb.handles:
                    found.setdefault(handle.kind, (verb, handle))
        return found

    def verb(self, name: str) -> type[Action]:
        """The verb of that name, if the seat may use it. Raises NotFound."""
        found = self.verbs.get(name)
        if found is None or not self._may_take(found):
            self.edition.session.rulebook.require(self.edition.state)
            unknown = not_found("verb", name, (each for each, verb in self.verbs.items() if self._may_take(verb)))
            unknown.is_open = True
            raise unknown
        return found

    def _may_take(self, verb: type[Action]) -> bool:
        return self.is_gm or not is_the_gms(verb)

    def take(self, *turns: ActionRequest, command: str) -> RecordedEntry:
        """Take actions that were read in the edition, all or none; returns the last one's entry.

        A player is not told what the rules say about hidden characters.

        Raises what ``Campaign.take`` raises.
        """
        try:
            return self.campaign.session.take(*turns, command=command)[-1]
        except RollbookError as fault:
            raise without_hidden_names(
                self.campaign, fault, self.seat, lambda: self.edition.session.take(*turns)
            ) from None


_SHORT: WeakKeyDictionary[CampaignView, ShortForms] = WeakKeyDictionary()
"""The short forms last used, by edition: as an edition grows, only its new entries are read."""


def seat_context_of(context: RequestContext) -> SeatContext:
    """The seat context of the requester. Raises NotFound for a seat that the table no longer has."""
    return context.view.kept(SeatContext, lambda: _made(context))


def _made(context: RequestContext) -> SeatContext:
    identity, table = context.seated, context.view.table
    edition = table.edition(identity.audience)
    if identity.acts_as is not None and identity.acts_as not in edition.state.seats:
        raise NotFound(f"Nobody called {identity.acts_as} sits at this table any more. Ask the GM.")
    short = _SHORT.get(edition)
    if short is None:
        short = _SHORT[edition] = ShortForms(identity.acts_as)
    return SeatContext(table.campaign, edition, identity.acts_as, short)
