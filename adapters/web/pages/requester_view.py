"""The campaign that a request is about, as the one who asks sees it."""

import sqlite3

import attrs

from rollbook.adapters.web.seats.requester import NOBODY, Identity, Seated, WhoSits, seated_at
from rollbook.adapters.web.workers.campaign_workers import CampaignWorker, WarmCampaign
from rollbook.application.after_commit import is_committed, warn
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.history.timeline_marker import campaign_of
from rollbook.application.visibility.editions.live import AnyEdition
from rollbook.application.visibility.seat_campaign import without_hidden_names
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId


@attrs.define(eq=False)
class RequesterView:
    """A campaign for one request, opened when something of it is first asked for: that is for its worker's thread alone.

    What is called ``name`` and the like is known without that, and is shown on pages that say why there is nothing else.
    ``campaign`` is "" for a page about none, and ``table`` the campaign itself if it is open already. ``whole``: an edition that
    is not there yet is made at once, however long that takes.
    """

    _campaign: CampaignId
    _identity: Identity | None
    _who_sits: WhoSits
    _worker: CampaignWorker | None = None
    _table: WarmCampaign | None = attrs.field(default=None, kw_only=True)
    _whole: bool = attrs.field(default=False, kw_only=True)
    _verbs: frozenset[str] | None = attrs.field(default=None, init=False)

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
        """Whether anything of the campaign was asked for."""
        return self._table is not None

    @property
    def table(self) -> WarmCampaign:
        """The campaign, warm and up to date. Raises NotFound, and what opening a campaign raises."""
        if self._table is None:
            self._table = self.worker.warm(self._campaign, whole=self._whole)
        return self._table

    @property
    def campaign(self) -> Campaign:
        """The whole campaign, for commands and for the GM. Raises what ``table`` does."""
        return self.table.campaign

    @property
    def edition(self) -> AnyEdition:
        """What may be shown to the one who asks. Raises BeingRead, and what ``table`` does."""
        return self.table.edition(self._seated.audience)

    @property
    def cursor(self) -> str:
        """Up to where that is read. Raises what ``edition`` does."""
        return self.table.cursor(self._seated.audience)

    @property
    def _seated(self) -> Identity:
        assert self._identity is not None
        return self._identity

    @property
    def verbs(self) -> frozenset[str]:
        """What a line may begin with; nothing before the campaign is open."""
        if self._verbs is None and self.is_open:
            self._verbs = frozenset(self.campaign.session.rulebook.verbs(self.campaign.state))
        return self._verbs or frozenset()

    def prepare(self) -> None:
        """Have the edition at hand before anything is done that must not be begun again.

        Raises BeingRead if that takes another look, and what opening a campaign raises.
        """
        if self._identity is None or self._identity.audience is None or not self._campaign:
            return
        table = self.worker.warm(self._campaign)
        table.edition(self._identity.audience)
        table.in_stretches = False
        self._table = table

    def follow(self) -> None:
        """Take in what was just done. Where it is recorded and cannot be followed, that is a warning.

        A campaign that cannot be followed is opened again, which helps where the disk is full. Raises what that raises.
        """
        try:
            self.table.follow()
        except (RollbookError, sqlite3.Error, OSError) as fault:
            if not is_committed():
                raise
            warn(fault)
            self._table = self.worker.warm(self._campaign, whole=True)

    def said(self, fault: RollbookError) -> RollbookError:
        """An error as the one who asks may read it: one that names who is hidden says less to players."""
        return without_hidden_names(self.campaign, fault, self._seated.acts_as)

    @property
    def damage(self) -> str:
        """What is wrong with the history, in a sentence; "" if nothing is known to be."""
        return self.table.damage_for(self._identity) if self._identity and self.is_open else ""

    @property
    def name(self) -> str:
        """What the campaign is called; its id, where that is not known."""
        return self._who_sits_there.name or self._campaign

    @property
    def has_board(self) -> bool:
        """Whether its game is played on squares."""
        return self._who_sits_there.has_board

    @property
    def seat_name(self) -> str:
        """What the one who asks is called at the table, "" for the host."""
        name = self._identity.seat if self._identity else ""
        seat = self._who_sits_there.seats.get(name)
        return seat.shown if seat else name

    @property
    def _who_sits_there(self) -> Seated:
        if self.is_open:
            return seated_at(self.campaign)
        return self._who_sits.get(campaign_of(self._campaign), NOBODY)
