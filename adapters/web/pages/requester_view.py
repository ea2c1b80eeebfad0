"""The campaign of a request, as the requester sees it."""

import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from rollbook.adapters.web.seats.requester import NOBODY, Identity, Seated, WhoSits, seated_at
from rollbook.adapters.web.workers.campaign_workers import CampaignWorker, WarmCampaign
from rollbook.application.after_commit import is_committed, warn
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.history.timeline_marker import campaign_of, is_timeline
from rollbook.application.visibility.editions.live import AnyEdition
from rollbook.application.visibility.seat_campaign import without_hidden_names
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId, SeatName
from rollbook.domain.base.seat_words import is_word_of_chance

_T = TypeVar("_T")


class SeatLost(Exception):
    """The requester has no longer the seat that it was known by: entries that were read since say so."""


@attrs.define(eq=False)
class RequesterView:
    """A campaign for one request, opened at its first use, which is for its worker's thread alone.

    ``name``, ``has_board`` and ``seat_name`` need no open campaign, so that error pages can show them. ``campaign`` is
    "" for a page about none, and ``table`` the campaign itself if it is open already. ``whole``: a missing edition is
    made at once, however long that takes.
    """

    _campaign: CampaignId
    _identity: Identity | None
    _who_sits: WhoSits
    _worker: CampaignWorker | None = None
    _table: WarmCampaign | None = attrs.field(default=None, kw_only=True)
    _whole: bool = attrs.field(default=False, kw_only=True)
    _verbs: frozenset[str] | None = attrs.field(default=None, init=False)
    _kept: dict[type, Any] = attrs.field(factory=dict, init=False)
    has_followed: bool = attrs.field(default=False, init=False)
    """True once the campaign, as open at its worker, has what this request did."""

    @property
    def worker(self) -> CampaignWorker:
        """The worker in whose thread the campaign is open."""
        assert self._worker is not None
        return self._worker

    @property
    def book(self) -> Book:
        """The book of that thread."""
        return self.worker.book

    @property
    def is_open(self) -> bool:
        """True if the campaign has been opened for this request."""
        return self._table is not None

    @property
    def table(self) -> WarmCampaign:
        """The campaign, warm and up to date. Raises NotFound, SeatLost, and what opening a campaign raises."""
        if self._table is None:
            self._table = self._still_seated(self.worker.warm(self._campaign, whole=self._whole))
        return self._table

    def _still_seated(self, table: WarmCampaign) -> WarmCampaign:
        """The campaign. Raises SeatLost if the requester's seat in it is another by now.

        On timelines nobody sits but by the campaign that they are of.
        """
        identity = self._identity
        if identity is None or not identity.campaign or is_timeline(self._campaign):
            return table
        seat = table.campaign.state.seats.get(identity.seat)
        if seat is None or not seat.present or seat.role is not identity.role:
            raise SeatLost
        return table

    def check_seat(self) -> None:
        """Raise SeatLost if the requester has left the seat with what was done just now."""
        self._still_seated(self.table)

    @property
    def campaign(self) -> Campaign:
        """The whole campaign, for commands and for the GM. Raises what ``table`` raises."""
        return self.table.campaign

    @property
    def edition(self) -> AnyEdition:
        """The edition of the requester. Raises BeingRead, and what ``table`` raises."""
        return self.table.edition(self._seated.audience)

    @property
    def cursor(self) -> str:
        """The cursor of the edition. Raises what ``edition`` raises."""
        return self.table.cursor(self._seated.audience)

    @property
    def _seated(self) -> Identity:
        assert self._identity is not None
        return self._identity

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs that a line may begin with; none before the campaign is open."""
        if self._verbs is None and self.is_open:
            self._verbs = frozenset(self.campaign.session.rulebook.verbs(self.campaign.state))
        return self._verbs or frozenset()

    def prepare(self) -> None:
        """Make the edition before an action begins, which must not begin twice.

        Raises BeingRead if the edition takes longer, SeatLost, and what opening a campaign raises.
        """
        if self._identity is None or self._identity.audience is None or not self._campaign:
            return
        table = self._still_seated(self.worker.warm(self._campaign))
        table.edition(self._identity.audience)
        table.in_stretches = False
        self._table = table

    def kept(self, kind: type[_T], make: Callable[[], _T]) -> _T:
        """A thing that all panels of a request need, made once: until the next ``follow``."""
        if kind not in self._kept:
            self._kept[kind] = make()
        found: _T = self._kept[kind]
        return found

    def follow(self) -> None:
        """Read the new entries. If they were recorded and cannot be read, that is a warning.

        A campaign that cannot be read on is opened again, which helps if the disk is full. Raises what that raises.
        """
        self._kept.clear()
        try:
            self.table.follow(after_adding=True)
            self.has_followed = True
        except (RollbookError, sqlite3.Error, OSError) as fault:
            if not is_committed():
                raise
            warn(fault)
            self._table = self.worker.warm(self._campaign, whole=True)

    def said(self, fault: RollbookError) -> RollbookError:
        """An error as the requester may read it: players do not see the names of hidden characters."""
        return without_hidden_names(self.campaign, fault, self._seated.acts_as)

    @property
    def seated(self) -> Seated | None:
        """The seats at the table as far as this request has read; None if it has opened no campaign, or a timeline."""
        return None if self._table is None or is_timeline(self._campaign) else seated_at(self._table.campaign)

    @property
    def damage(self) -> str:
        """A sentence about damage of the history; "" if none is known."""
        return self.table.damage_for(self._identity) if self._identity and self.is_open else ""

    @property
    def name(self) -> str:
        """The name of the campaign; its id if the name is unknown."""
        return self._who_sits_there.name or self._campaign

    @property
    def has_board(self) -> bool:
        """True if squares are in use as far as the requester sees; while the campaign is not open, if they always are."""
        if not self.is_open or self._identity is None:
            return self._who_sits_there.has_board
        return self.edition.session.rulebook.has_squares(self.edition.state)

    @property
    def notices(self) -> tuple[str, ...]:
        """Paragraphs to be told with the material of the games that were played."""
        return self.campaign.session.rulebook.notices(self.campaign.state)

    @property
    def seat_name(self) -> str:
        """The requester's name at the table, "" for the host."""
        return self.person(self._identity.seat if self._identity else "")

    def person(self, seat: SeatName, campaign: CampaignId = "") -> str:
        """The name of who sits in a seat, as people call them; what is no seat stays. Of another ``campaign``, if it is named."""
        known = self._who_sits.get(campaign, NOBODY) if campaign else self._who_sits_there
        if seat in known.seats:
            return known.seats[seat].shown
        was_undone = not campaign and self.is_open and is_word_of_chance(seat)
        return self.campaign.read_model.people(self.campaign.id).get(seat, seat) if was_undone else seat

    @property
    def _who_sits_there(self) -> Seated:
        if self.is_open:
            return seated_at(self.campaign)
        return self._who_sits.get(campaign_of(self._campaign), NOBODY)
