"""What a handler is given: who asks, what was sent, the campaign, and the templates to answer with."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import attrs
from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from rollbook.adapters.web.faults import status_of_fault
from rollbook.adapters.web.pages.page import Page
from rollbook.adapters.web.pages.templating import Templates
from rollbook.adapters.web.seats.identity import NOBODY, Identity, Seated, WhoSits, seated_at
from rollbook.application.aftermath import faults_so_far, is_committed, warn
from rollbook.application.timelines.marker import campaign_of
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId

if TYPE_CHECKING:
    from rollbook.adapters.web.workers.campaign_workers import CampaignWorker
    from rollbook.adapters.web.workers.jobs import Job, Jobs, Work
    from rollbook.adapters.web.workers.warm_campaign import WarmCampaign
    from rollbook.application.book import Book
    from rollbook.application.campaign import Campaign


@attrs.define(slots=False)
class Visit:
    """One request, as its handler sees it."""

    page_: Page
    request: Request
    identity: Identity | None
    form: FormData
    templates: Templates
    jobs: Jobs
    _worker: CampaignWorker | None = None

    @property
    def path(self) -> Mapping[str, str]:
        """The parameters of the path."""
        return self.request.path_params

    @property
    def query(self) -> QueryParams:
        """What stands after the ``?``."""
        return self.request.query_params

    @property
    def campaign_id(self) -> str:
        """The campaign that it is about, "" if it is about none."""
        return self.path.get("campaign", "")

    @property
    def seated(self) -> Identity:
        """Who asks, on a page that strangers do not get to."""
        assert self.identity is not None
        return self.identity

    @property
    def book(self) -> Book:
        """The book of this thread."""
        assert self._worker is not None
        return self._worker.book

    async def at_desk(self, work: Callable[[], Response]) -> Response:
        """What is answered in the campaign's thread, for a handler that runs in the server's."""
        assert self._worker is not None
        return await self._worker.run(work)

    @cached_property
    def table(self) -> WarmCampaign:
        """The campaign that it is about, warm and up to date. Raises NotFound, and what opening a campaign raises."""
        assert self._worker is not None
        return self._worker.warm(self.campaign_id, whole=self.page_.acts)

    @cached_property
    def verbs(self) -> frozenset[str]:
        """What a line may begin with in the campaign that it is about."""
        if "table" not in vars(self):
            return frozenset()
        campaign = self.table.campaign
        return frozenset(campaign.rulebook.verbs(campaign.state))

    def follow(self) -> None:
        """Take in what was just done. Where it is recorded and cannot be followed, that is a warning.

        A table that cannot be followed is opened again, which helps where the disk is full. Raises what that raises.
        """
        try:
            self.table.follow()
        except (RollbookError, sqlite3.Error, OSError) as fault:
            if not is_committed():
                raise
            warn(fault)
            del vars(self)["table"]
            assert self._worker is not None
            vars(self)["table"] = self._worker.warm(self.campaign_id, whole=True)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What went wrong since what this visit asked for was recorded."""
        return faults_so_far()

    def make_ready(self) -> None:
        """Have what the requester may see of the campaign at hand, before anything is done that must not be begun again.

        Raises BeingRead if that takes another look, and what opening a campaign raises.
        """
        if self.identity is None or self.identity.audience is None or not self.campaign_id or self.page_.at_once:
            return
        assert self._worker is not None
        table = self._worker.warm(self.campaign_id)
        table.edition(self.identity.audience)
        table.in_stretches = False
        vars(self)["table"] = table

    def within(self, page: Page, path: str, query: str, parameters: Mapping[str, str]) -> Visit:
        """The visit of another page that reads in the same thread, for an answer that carries it too."""
        asked = {"path": path, "query_string": query.encode(), "path_params": dict(parameters)}
        request = Request({**self.request.scope, **asked})
        visit = Visit(page, request, self.identity, FormData(), self.templates, self.jobs, self._worker)
        vars(visit)["table"] = self.table
        return visit

    def glance(self, campaign: CampaignId) -> Campaign:
        """Another campaign, to be looked at and not kept. Raises what opening one raises."""
        assert self._worker is not None
        return self._worker.glance(campaign)

    @property
    def campaign_name(self) -> str:
        """What that campaign is called; its id, where that is not known."""
        return self._at_the_table.name or self.campaign_id

    @property
    def has_board(self) -> bool:
        """Whether its game is played on squares."""
        return self._at_the_table.has_board

    @property
    def seat_name(self) -> str:
        """What the requester is called at the table, "" for the host."""
        seat = self.identity.seat if self.identity else ""
        sitting = self._at_the_table.seats.get(seat)
        return sitting.shown if sitting else seat

    @property
    def _at_the_table(self) -> Seated:
        if "table" in vars(self):
            return seated_at(self.table.campaign)
        application = self.request.scope.get("app")
        who_sits: WhoSits = application.state.who_sits if application else {}
        return who_sits.get(campaign_of(self.campaign_id), NOBODY)

    @property
    def is_fragment(self) -> bool:
        """Whether htmx asks, so that a part of the page is wanted and not the whole."""
        return "hx-request" in self.request.headers

    def page(self, template: str, code: int = 200, /, **values: object) -> Response:
        """A template with these values. It also has ``visit``, ``identity``, and ``spoilt``, what is wrong with the history."""
        html = self.templates.render(template, visit=self, identity=self.identity, spoilt=self._spoilt(), **values)
        return HTMLResponse(html, code, headers={"Cache-Control": "no-store"})

    def _spoilt(self) -> str:
        return self.table.damage_for(self.identity) if self.identity and "table" in vars(self) else ""

    def redirect(self, to: str) -> Response:
        """Go on there, with GET."""
        return RedirectResponse(to, 303, headers={"Cache-Control": "no-store"})

    def done(self, to: str = "") -> Response:
        """After something was recorded: htmx gets nothing, as the bell brings what is new; a form goes back to the table."""
        if self.is_fragment and not to:
            return Response(status_code=200, headers={"Cache-Control": "no-store"})
        return self.redirect(to or f"/c/{self.campaign_id}")

    def refused(self, fault: RollbookError, template: str, /, **values: object) -> Response:
        """A template with ``fault``, the sentence of a refusal, beside what was typed (``visit.form``)."""
        said = str(self.table.said_to(fault, self.seated)) if self.identity and self.campaign_id else str(fault)
        return self.page(template, status_of_fault(fault), fault=said, **values)

    def start(self, work: Work, *, patience: float = 0) -> Job:
        """Begin slow work on a book of its own; ``job`` finds it again, with how far it is."""
        return self.jobs.start(self.seated, work, patience=patience)

    def job(self, id_: str) -> Job | None:
        """Slow work that the same requester began."""
        return self.jobs.find(self.seated, id_)
