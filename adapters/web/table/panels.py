"""Panels beside the log: the answer to a bell carries those that a page shows, as they are now, so that it is one request."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from urllib.parse import unquote

import attrs
from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import compile_path

from rollbook.adapters.web.live.response_cache import WITH
from rollbook.adapters.web.pages.page import FreshPanel, Page, RequestContext
from rollbook.domain.base.errors import RollbookError

MOST = 6
"""So many panels an answer carries at most."""


class Panels:
    """The pages of the route table that fill a panel."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._pages = [(compile_path(page.path)[0], page) for page in pages if page.panel]

    def asked(self, context: RequestContext) -> tuple[FreshPanel, ...]:
        """The panels that a request asks for besides what it is about, each made by its own page.

        One that cannot be made now stays as it is; what is wrong is said to who asks for it by itself.
        """
        addresses = dict.fromkeys(context.request.query.getlist(WITH)) if context.request.is_fragment else ()
        made = (self._fresh(context, address) for address in islice(addresses, MOST))
        return tuple(panel for panel in made if panel is not None)

    def _fresh(self, context: RequestContext, address: str) -> FreshPanel | None:
        path, _, query = address.partition("?")
        found = ((page, pattern.match(unquote(path))) for pattern, page in self._pages)
        page, match = next((each for each in found if each[1]), (None, None))
        if page is None or match is None or match["campaign"] != context.request.campaign_id:
            return None
        if context.seated.role not in page.roles:
            return None
        try:
            request = context.request.at(unquote(path), query, match.groupdict())
            answer = page.handler(attrs.evolve(context, request=request))
        except RollbookError:
            return None
        assert isinstance(answer, Response)
        # What its own page made: every word of somebody's in it was escaped there.
        return FreshPanel(page.panel, Markup(bytes(answer.body).decode())) if answer.status_code == 200 else None  # noqa: S704
