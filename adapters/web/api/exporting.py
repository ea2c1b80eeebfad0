"""The export of a token's seat: its edition as JSON lines, which can be checked, and imported again."""

import asyncio

from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from rollbook.adapters.web.api.answers import ExportBody
from rollbook.adapters.web.api.endpoint import LINES, NOT_KEPT, check_known, read_body
from rollbook.adapters.web.gm.keeping import exporting
from rollbook.adapters.web.gm.room import FileMade
from rollbook.adapters.web.pages.page import RequestContext


async def export(context: RequestContext) -> Response:
    """Make the file of the seat's edition, and send it."""
    check_known(context.request)
    read_body(context.request, ExportBody)
    work = exporting(context.request.campaign_id, context.seated.acts_as, with_verifier=False)
    job = context.services.jobs.start(context.seated, work)
    made: FileMade = await asyncio.wrap_future(job.future)
    gone = BackgroundTask(made.forget)
    return FileResponse(made.path, filename=made.called, headers=NOT_KEPT, media_type=LINES, background=gone)
