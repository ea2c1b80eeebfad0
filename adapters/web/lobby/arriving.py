"""A campaign that arrives in a file: one that rollbook exported or moved, or what another program recorded."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from starlette.datastructures import UploadFile
from starlette.responses import Response

from rollbook.adapters.backups.moving import is_move, take_in
from rollbook.adapters.imports import find_importer
from rollbook.adapters.imports.bounded import check_bounded
from rollbook.adapters.imports.jsonl import import_campaign, is_packed, unpacked
from rollbook.adapters.imports.recording import known_of, record_import
from rollbook.adapters.web.faults import status_of_fault
from rollbook.adapters.web.lobby.campaigns import OWN_FORMAT, show_lobby
from rollbook.adapters.web.pages.responses import redirect, render
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.identifiers import CampaignId

if TYPE_CHECKING:
    from rollbook.adapters.web.pages.request_context import RequestContext
    from rollbook.application.book import Book

ENDING = re.compile(r"(\.[a-z0-9]{1,8}){0,2}")
"""What an importer may go by in the name of a file; nothing else of that name is used."""


def begin_import(context: RequestContext) -> Response:
    """Take in what was sent, on a book of its own, and go where that is waited for."""
    form: Mapping[str, object] = context.request.form
    sent, name, origin = form.get("file"), str(form.get("name", "")), str(form.get("origin", "")) or OWN_FORMAT
    try:
        if not isinstance(sent, UploadFile) or not sent.filename:
            raise NotFound("There is no file yet. Choose one, or drop it on the field.")
        if origin != OWN_FORMAT:
            find_importer(origin)
    except RollbookError as fault:
        return show_lobby(context, status_of_fault(fault), fault=str(fault))
    folder = Path(tempfile.mkdtemp(prefix="rollbook-"))
    called = PurePath(sent.filename).name[:80]
    path = folder / f"sent{_ending(called)}"
    with path.open("wb") as file:
        shutil.copyfileobj(sent.file, file)

    def work(book: Book) -> CampaignId:
        try:
            return taken_in(book, path, origin, name)
        except RollbookError as fault:
            raise type(fault)(str(fault).replace(str(path), called)) from None
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    return redirect(f"/import/{context.services.jobs.start(context.seated, work).id}")


def _ending(name: str) -> str:
    found = "".join(PurePath(name).suffixes[-2:]).casefold()
    return found if ENDING.fullmatch(found) else ""


def taken_in(book: Book, path: Path, origin: str, name: str) -> CampaignId:
    """Take in a file by the name of what wrote it. Returns the campaign. Raises RollbookError; then nothing was taken in."""
    if origin != OWN_FORMAT:
        imported = find_importer(origin)(path, name, known=lambda campaign: known_of(book, campaign), columns=None)
        return record_import(book, imported, name).id
    check_bounded(path)
    if is_move(path):
        return take_in(book, path, name).campaign
    return import_campaign(book, unpacked(path) if is_packed(path) else path, name).campaign


def show_import(context: RequestContext) -> Response:
    """How far it is; then the campaign, or why there is none. Raises NotFound for work that nobody knows of."""
    job = context.services.jobs.find(context.seated, context.request.path["job"])
    if job is None:
        raise NotFound(
            "That is done and gone, or the server was started again since. Look whether the campaign is there."
        )
    if not job.is_finished:
        return render(context, "lobby/wait.html", done=job.done, total=job.total)
    try:
        campaign: CampaignId = job.result
    except RollbookError as fault:
        return show_lobby(context, status_of_fault(fault), fault=str(fault))
    return redirect(f"/c/{campaign}")
