"""The endpoints of the HTTP API: each with the scope that a token needs, in the order in which routes are matched."""

from collections.abc import Iterator
from functools import cache, partial

from starlette.responses import Response

from rollbook.adapters.web.api import acting, answers, correcting, exporting, reading
from rollbook.adapters.web.api.document import document
from rollbook.adapters.web.api.endpoint import AT, EVENTS, LINES, Endpoint, QueryParameter, answered
from rollbook.adapters.web.api.odds_answers import OddsAnswer
from rollbook.adapters.web.guards.asked import API
from rollbook.adapters.web.pages.page import SEATED, STRANGERS, Handler, Page, RequestContext
from rollbook.application.ports.seat_tokens import Scope

CURSOR = QueryParameter(
    name="after", help="A cursor from an earlier answer; without it everything, from the beginning."
)
LIMIT = QueryParameter(name="limit", help="Lines in one answer.", kind=int, least=1, most=reading.MOST_LINES)
MOMENT = QueryParameter(name="at", help="A moment: an action (12), an entry (@47), the end of a session (s2), or now.")
COURSE = QueryParameter(name="as", help='"corrected": the moment as it has been corrected since.')
PARAMETERS = QueryParameter(name="params", help="The parameters of the verb, each by its name.", is_open=True)

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        path=f"{AT}/log",
        name="log",
        summary="The log after a cursor.",
        handler=reading.show_log,
        scope=Scope.READ,
        query=(CURSOR, LIMIT),
        answer=answers.LogAnswer,
    ),
    Endpoint(
        path=f"{AT}/act",
        method="POST",
        name="act",
        summary="Take an action.",
        handler=acting.take,
        roles=SEATED,
        scope=Scope.ACT,
        body=answers.ActBody,
        records=True,
        answer=answers.ActAnswer,
    ),
    Endpoint(
        path=f"{AT}/state",
        name="state",
        summary="How things stand.",
        handler=reading.show_state,
        scope=Scope.READ,
        answer=answers.StateAnswer,
    ),
    Endpoint(
        path=f"{AT}/sheets",
        name="sheets",
        summary="The characters.",
        handler=reading.list_sheets,
        scope=Scope.READ,
        answer=answers.SheetsAnswer,
    ),
    Endpoint(
        path=f"{AT}/sheets/{{who}}",
        name="sheet",
        summary="A sheet, now or at another moment.",
        handler=reading.show_sheet,
        is_slow=True,
        scope=Scope.READ,
        query=(MOMENT, COURSE),
        answer=answers.SheetAnswer,
    ),
    Endpoint(
        path=f"{AT}/verbs",
        name="verbs",
        summary="The verbs that the seat may take.",
        handler=reading.list_verbs,
        roles=SEATED,
        scope=Scope.READ,
        answer=answers.VerbsAnswer,
    ),
    Endpoint(
        path=f"{AT}/odds/{{verb}}",
        name="odds",
        summary="The exact chances of an action.",
        handler=reading.show_odds,
        roles=SEATED,
        is_slow=True,
        scope=Scope.READ,
        query=(PARAMETERS,),
        answer=OddsAnswer,
    ),
    Endpoint(
        path=f"{AT}/previews",
        method="POST",
        name="preview",
        summary="Look at a correction. Nothing is recorded.",
        handler=correcting.preview,
        roles=SEATED,
        scope=Scope.CORRECT,
        body=answers.CorrectionBody,
        answer=answers.PreviewAnswer,
        also={202: answers.ProgressAnswer},
    ),
    Endpoint(
        path=f"{AT}/previews/{{job}}",
        name="preview-progress",
        summary="A preview that was begun.",
        handler=correcting.progress,
        roles=SEATED,
        scope=Scope.CORRECT,
        answer=answers.PreviewAnswer,
        also={202: answers.ProgressAnswer},
    ),
    Endpoint(
        path=f"{AT}/previews/{{job}}/apply",
        method="POST",
        name="correct",
        summary="Do what a preview showed.",
        handler=correcting.apply,
        roles=SEATED,
        scope=Scope.CORRECT,
        body=answers.ApplyBody,
        records=True,
        answer=answers.AppliedAnswer,
        also={202: answers.AppliedAnswer},
    ),
    Endpoint(
        path=f"{AT}/export",
        method="POST",
        name="export",
        summary="The edition of the seat, as JSON lines.",
        handler=exporting.export,
        roles=SEATED,
        scope=Scope.EXPORT,
        body=answers.ExportBody,
        media=LINES,
    ),
    Endpoint(
        path=AT,
        name="campaign",
        summary="The campaign.",
        handler=reading.show_campaign,
        scope=Scope.READ,
        answer=answers.CampaignAnswer,
    ),
    Endpoint(
        path=f"{API}/campaigns",
        name="campaigns",
        summary="The campaigns of the token.",
        handler=reading.list_campaigns,
        scope=Scope.READ,
        answer=answers.CampaignsAnswer,
    ),
)


def events(handler: Handler) -> Endpoint:
    """The stream of bells, whose handler the server has."""
    return Endpoint(
        path=f"{AT}/events",
        name="events",
        summary="A stream of bells: each says that the cursor has moved.",
        handler=handler,
        scope=Scope.READ,
        query=(CURSOR,),
        media=EVENTS,
    )


def with_document(endpoints: tuple[Endpoint, ...]) -> Iterator[Page]:
    """The endpoints, and the document of them, which anybody may read."""
    made = cache(partial(document, endpoints))  # most servers are never asked for it

    async def show(_: RequestContext) -> Response:
        return answered(made())

    yield from endpoints
    yield Page(path=f"{API}/openapi.json", handler=show, roles=STRANGERS)
