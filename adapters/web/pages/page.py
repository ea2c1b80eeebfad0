"""A page: its address, who may ask for it, where its handler runs, and the handler."""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable

import attrs
from starlette.responses import Response

from rollbook.adapters.web.pages.request_context import RequestContext
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role

EVERYBODY = frozenset(Role)
SEATED = frozenset({Role.GM, Role.PLAYER})
GM_ONLY = frozenset({Role.GM})
STRANGERS: frozenset[Role] = frozenset()
"""For pages that need no seat: to join, files."""


class Where(enum.Enum):
    """Where a handler runs: in its campaign's thread, in another with a book of its own, or, ``async``, in the server's."""

    WORKER = "worker"
    SLOW = "slow"
    LOOP = "loop"


Handler = Callable[[RequestContext], Response] | Callable[[RequestContext], Awaitable[Response]]


@attrs.frozen(kw_only=True)
class Page(Record):
    """A route: who may ask for it, and what answers. ``{campaign}`` in the ``path`` is the campaign that it is about.

    ``roles`` is empty for what strangers may see. A ``shared`` page is made of the audience, the path and the query alone: its
    answer is kept and given to everybody of that audience until something changes for them. ``is_host_only`` is for what
    concerns the whole store. A page that ``acts`` may record something, so bells are rung after it; one that does so ``at_once``
    waits for nothing that has to be read. ``panel`` is the id of the panel that it fills beside the log, "" if it is none:
    such a page reads in its campaign's thread.
    """

    path: str
    handler: Handler
    method: str = "GET"
    roles: frozenset[Role] = EVERYBODY
    where: Where = Where.WORKER
    shared: bool = False
    is_host_only: bool = False
    at_once: bool = False
    panel: str = ""

    @property
    def acts(self) -> bool:
        return self.method != "GET"
