"""The table: one page with how things stand and the log, which goes on by itself."""

from __future__ import annotations

from starlette.responses import Response

from adapters.web.pages import SEATED, Page, Visit
from domain.errors import RollbookError
from projections.conditions import SqlCondition
from projections.session_log import LogLine
from projections.status import Status, status_of

LINES = 50
"""So many lines of the log are on the page at first."""


def _status(visit: Visit) -> Status:
    edition = visit.table.edition(visit.seated.audience)
    return status_of(edition.state, edition.rulebook)


def _lines(visit: Visit, after: int | None = None) -> list[LogLine]:
    edition = visit.table.edition(visit.seated.audience)
    if after is None:
        return edition.read_model.log(edition.id, last=LINES)
    return edition.read_model.log(edition.id, where=SqlCondition("entry > ?", (after,)))


def show(visit: Visit) -> Response:
    """The whole page."""
    cursor = visit.table.cursor(visit.seated.audience)
    values = {"campaign": visit.campaign_id, "status": _status(visit), "lines": _lines(visit), "cursor": cursor}
    return visit.page("table.html", said="", fault="", typed="", **values)


def news(visit: Visit) -> Response:
    """What is new after a cursor: the lines since, and how things stand."""
    after = visit.query.get("after", "").partition(".")[0]
    lines = _lines(visit, int(after) if after.isdecimal() else 0)
    cursor = visit.table.cursor(visit.seated.audience)
    return visit.page("live.html", campaign=visit.campaign_id, status=_status(visit), lines=lines, cursor=cursor)


def say(visit: Visit) -> Response:
    """A line, as at the prompt."""
    line, command = str(visit.form.get("line", "")), str(visit.form.get("command", ""))
    try:
        said = visit.table.campaign.say(line, seat=visit.seated.acts_as, command=command)
    except RollbookError as fault:
        return visit.refused(fault, "say.html", said="", typed=line, campaign=visit.campaign_id)
    finally:
        visit.table.follow()
    if said.entries:
        return visit.done()
    return visit.page("say.html", said=said.text, fault="", typed="", campaign=visit.campaign_id)


PAGES = (
    Page(path="/c/{campaign}/live", handler=news, shared=True),
    Page(path="/c/{campaign}", handler=show),
    Page(path="/c/{campaign}/say", handler=say, method="POST", roles=SEATED),
)
