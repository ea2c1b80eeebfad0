"""A request for a page: its address, its form, the campaign that it is about, and how its answer is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request


@attrs.frozen(eq=False)
class PageRequest:
    """What was sent. ``form`` is empty for a page that is only read."""

    http: Request
    form: FormData = attrs.field(factory=FormData)

    @property
    def path(self) -> Mapping[str, Any]:
        """The parameters of the path."""
        return self.http.path_params

    @property
    def query(self) -> QueryParams:
        """The parameters after the ``?``."""
        return self.http.query_params

    @property
    def campaign_id(self) -> str:
        """The campaign that it is about, "" if it is about none."""
        return str(self.path.get("campaign", ""))

    @property
    def is_fragment(self) -> bool:
        """Whether htmx asks, so that a part of the page is wanted and not the whole."""
        return "hx-request" in self.http.headers

    def at(self, path: str, query: str, parameters: Mapping[str, str]) -> PageRequest:
        """The same reader's request for another address."""
        asked = {"path": path, "query_string": query.encode(), "path_params": dict(parameters)}
        return PageRequest(Request({**self.http.scope, **asked}))
