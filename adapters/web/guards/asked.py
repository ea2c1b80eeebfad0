"""A request as the guards look at it, and what they answer where they let nobody pass."""

from __future__ import annotations

from collections.abc import Callable

import attrs
from starlette.responses import Response
from starlette.types import Scope

from rollbook.domain.base.records import Record


class Asked:
    """One request over http. Its headers are read once; of two of one name the first counts."""

    __slots__ = ("headers", "method", "path", "scope")

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.headers: dict[bytes, bytes] = dict(scope["headers"][::-1])

    def said(self, name: bytes) -> str | None:
        """A header, by its name in small letters; None if it was not sent."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")


@attrs.frozen
class Refusal(Record):
    """Why a request is turned away: a status, what is the case, what to do, and headers that belong to it."""

    status: int
    said: str
    instead: str
    headers: tuple[tuple[str, str], ...] = ()


Check = Callable[[Asked], Refusal | None]
"""One thing that a request has to fulfil: None if it does."""

Refuse = Callable[[Scope, int, str, str], Response]
"""The page for a request (its scope) that is turned away: its status, what is the case, and what to do."""
