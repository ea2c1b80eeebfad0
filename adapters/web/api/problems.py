"""Refusals and faults as problem details (RFC 9457): the one sentence that a page would show."""

import json

from starlette.responses import Response

from rollbook.adapters.web.pages.page import status_of_fault, title_of_fault
from rollbook.domain.base.errors import RollbookError

MEDIA = "application/problem+json"
UNKNOWN = 'Bearer realm="rollbook"'


def problem(status: int, title: str, sentence: str, parameter: str = "") -> Response:
    """An answer that says what is wrong; ``parameter`` is the name of the parameter at fault, "" if no single one is."""
    said: dict[str, object] = {"type": "about:blank", "title": title, "status": status, "detail": sentence}
    if parameter:
        said["parameter"] = parameter
    headers = {"Cache-Control": "no-store"}
    if status == 401:
        headers["WWW-Authenticate"] = UNKNOWN
    if status == 503:
        headers["Retry-After"] = "1"
    return Response(json.dumps(said, ensure_ascii=True), status, headers, MEDIA)


def problem_of(fault: RollbookError) -> Response:
    """An answer that says an error."""
    return problem(status_of_fault(fault), title_of_fault(fault), str(fault), fault.parameter)
