"""Endpoints of the HTTP API: pages in JSON, each with what its document says of it; bodies that are read, answers made."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import attrs
import msgspec
from starlette.responses import Response

from rollbook.adapters.line_commands.json import dumps
from rollbook.adapters.web.guards.asked import API
from rollbook.adapters.web.pages.page import Page, PageRequest
from rollbook.domain.base.describing import DESCRIBING
from rollbook.domain.base.errors import Refused, not_found
from rollbook.domain.base.records import Record, field_names

KEY = "Idempotency-Key"
"""The header with an idempotency key, which may be in the body instead."""
AT = f"{API}/campaigns/{{campaign}}"
JSON, LINES, EVENTS = "application/json", "application/x-ndjson", "text/event-stream"
NOT_KEPT = {"Cache-Control": "no-store"}
_T = TypeVar("_T")
_WHERE = re.compile(r"(?P<what>.*?)(?: - at `(?:key in )?\$\.?(?P<at>.*)`)?", re.DOTALL)


@attrs.frozen(kw_only=True)
class QueryParameter(Record):
    """A parameter after the ``?``. ``is_open``: it stands for any number of parameters, whose names are a verb's."""

    name: str
    help: str
    kind: type = str
    least: int | None = None
    most: int | None = None
    is_open: bool = False


@attrs.frozen(kw_only=True)
class Endpoint(Page):
    """A page for programs. ``name`` is its operation's, ``summary`` a sentence on it.

    ``body`` is the type of what is sent, ``answer`` that of what is answered, None for what is no JSON object; ``also``
    are other statuses of success with their answers. ``records``: it takes an idempotency key.
    """

    name: str
    summary: str
    query: tuple[QueryParameter, ...] = ()
    body: type | None = None
    answer: type | None = None
    media: str = JSON
    status: int = 200
    records: bool = False
    also: Mapping[int, type] = attrs.field(factory=dict)


def read_body(request: PageRequest, kind: type[_T]) -> _T:
    """The body of a request as a value of this type. Raises Refused with what is wrong in it, NotFound for an unknown field."""
    try:
        said = msgspec.json.decode(request.body or b"{}")
        known = field_names(kind)
        for name in said if isinstance(said, dict) else ():
            if name not in known:
                raise not_found("field", name[:80], known)
        with DESCRIBING:
            return msgspec.convert(said, kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as fault:
        found = _WHERE.fullmatch(str(fault))
        assert found is not None
        where = f" ({found['at'][:80]})" if found["at"] else ""
        raise Refused(f"What was sent is not as the document says{where}: {_in_words(found['what'])}") from None


def _in_words(what: str) -> str:
    sentence = what.replace("`", "").strip().rstrip(".")
    return f"{sentence[:1].lower()}{sentence[1:]}."


def check_known(request: PageRequest, *names: str) -> None:
    """Raise NotFound for a parameter of the query that there is not: a slip is no other question."""
    for name in request.query:
        if name not in names:
            raise not_found("parameter", name[:80], names)


def number_in(request: PageRequest, name: str, usual: int, most: int) -> int:
    """A number from 1 to ``most`` in the query. Raises Refused for anything else."""
    text = request.query.get(name)
    if text is None:
        return usual
    if text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= most:
        return int(text)
    raise Refused(f"{name} is a number from 1 to {most}.", parameter=name)


def answered(value: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] = NOT_KEPT) -> Response:
    """An answer in JSON. Half a letter, which UTF-8 cannot have, is written as its escape."""
    return Response(dumps(value).encode(errors="backslashreplace"), status, {**NOT_KEPT, **headers}, JSON)
