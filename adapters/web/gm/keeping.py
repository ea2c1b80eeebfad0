"""Keeping a campaign: a backup of the whole store, and exports for people and for other programs, as files to download."""

import shutil
import tempfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import attrs
from starlette.responses import Response

from rollbook.adapters.backups.backing_up import make_backup
from rollbook.adapters.exports import exporters, find_exporter
from rollbook.adapters.exports.exporter import WHOLE, request_for, seen_by
from rollbook.adapters.exports.reader_file import TABLE, Reader, export_shown
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.web.gm.room import Again, FileMade, begin, in_room
from rollbook.adapters.web.pages.page import RequestContext
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.base.identifiers import CampaignId

OWN_FORMAT = "jsonl"
ENDINGS = {
    OWN_FORMAT: ".jsonl",
    "cloudevents": ".jsonl",
    "json-schema": ".json",
    "sqlite": ".db",
    "replay": "-replay.html",
    "html": ".html",
    "pdf": ".pdf",
    "epub": ".epub",
}
"""Endings of the files of each format. A format without one gets a folder."""
PURPOSES = {
    "replay": "a replay: one page that plays by itself and can be checked",
    "html": "the chronicle, as a page",
    "pdf": "the chronicle, as a PDF",
    "epub": "the chronicle, as an e-book",
    "markdown": "notes in Markdown, in a folder",
    "csv": "tables for a spreadsheet",
    "sqlite": "tables as an SQLite database",
    OWN_FORMAT: "JSON lines with the verifier: all that can be checked, and imported again",
    "cloudevents": "events for other programs (CloudEvents)",
    "json-schema": "the schema of the events (JSON Schema)",
}
"""Formats by what they are for. One of another package is called by its name."""
EVERYBODY = "table"
OWN_SEATS = "seat:"


def show_keeping(context: RequestContext, fault: RollbookError | None = None) -> Response:
    """Show the forms of an export and of a backup."""
    campaign = context.view.campaign
    readers = [(EVERYBODY, "everybody at the table"), (WHOLE, "the GM: everything, with all that is secret")]
    readers[1:1] = [(OWN_SEATS + seat.name, f"{seat.shown} alone") for seat in campaign.state.seats.values()]
    return in_room(context, "gm/keep.html", fault, readers=readers, **export_values(context))


def export_values(context: RequestContext) -> dict[str, object]:
    """The values of an export's form: the formats with their purposes, and what was typed."""
    known, form = (OWN_FORMAT, *exporters()), context.request.form
    named = (*(each for each in PURPOSES if each in known), *(each for each in known if each not in PURPOSES))
    formats = [(each, PURPOSES.get(each, each)) for each in named]
    return {"formats": formats, "typed": {name: str(form.get(name, "")) for name in ("format", "reader", "pseudonyms")}}


def export(context: RequestContext) -> Response:
    """Begin an export, whose file is then sent."""
    return export_for(context, context.request.sent("reader", EVERYBODY), show_keeping)


def export_for(context: RequestContext, reader: str, again: Again) -> Response:
    """Begin an export for a reader. With a fault the page of the form is shown ``again``."""
    form_, pseudonyms = context.request.sent("format", OWN_FORMAT), context.request.form.get("pseudonyms") == "yes"
    try:
        seat = _seat(context.view.campaign, reader)
        work = exporting(context.request.campaign_id, seat, form_, pseudonyms=pseudonyms)
    except RollbookError as fault:
        return again(context, fault)
    return begin(context, work)


def exporting(
    name: CampaignId, seat: str | None, form_: str = OWN_FORMAT, *, pseudonyms: bool = False, with_verifier: bool = True
) -> Callable[[Book], FileMade]:
    """The work of an export for a seat ("" for the table, None for the GM), in one file. Raises NotFound, Refused."""
    if pseudonyms and form_ == OWN_FORMAT:
        raise Refused("JSON lines are the campaign as it was recorded, which its hashes prove: leave out pseudonyms.")
    write = None if form_ == OWN_FORMAT else find_exporter(form_, besides=(OWN_FORMAT,))

    def write_all(book: Book, folder: Path) -> Path:
        campaign, made = book.campaign(name), folder / "made"
        campaign.session.history.check_undamaged()
        made.mkdir()
        called, target = campaign.id, made / f"{campaign.id}{ENDINGS.get(form_, '')}"
        if write is not None:
            campaign.session.project()
            request = request_for(seen_by(campaign, seat), campaign, seat, target, pseudonyms=pseudonyms)
            called = request.campaign.id
            write(attrs.evolve(request, target=made / f"{called}{ENDINGS.get(form_, '')}"))
        elif seat is None:
            export_campaign(campaign.session.log, target)
        else:
            export_shown(campaign.session.log, target, Reader(seat))
        return _packed(made, folder / f"{called}.zip") if with_verifier else target

    return partial(_made, write_all)


def _made(make: Callable[[Book, Path], Path], book: Book) -> FileMade:
    """Make a file in a folder of its own, which is removed with the file, or if making it fails."""
    folder = Path(tempfile.mkdtemp(prefix="rollbook-"))
    forget = partial(shutil.rmtree, folder, ignore_errors=True)
    try:
        made = make(book, folder)
    except BaseException:
        forget()
        raise
    return FileMade(made, made.name, forget)


def _seat(campaign: Campaign, reader: str) -> str | None:
    """The seat whose edition is wanted, "" for the table, None for all. Raises NotFound for an unknown seat."""
    if reader == WHOLE:
        return None
    if reader == EVERYBODY:
        return TABLE
    seat = reader.removeprefix(OWN_SEATS)
    if seat not in campaign.state.seats:
        raise NotFound(f"Nobody sits at this table as {seat!r}.")
    return seat


def _packed(made: Path, packed: Path) -> Path:
    """The one file that was made, or an archive of several."""
    files = sorted(path for path in made.rglob("*") if path.is_file())
    if len(files) == 1:
        return files[0]
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, path.relative_to(made))
    return packed


def back_up(context: RequestContext) -> Response:
    """Begin a backup of the whole store, which is read back and then sent."""

    def write(book: Book, folder: Path) -> Path:
        if not isinstance(book.store, SQLiteEventStore):
            raise Refused(
                "This store is on a server and in no file. Copy it with: rollbook store copy; or as the server is backed up."
            )
        make_backup(book.store, book.seeds, folder / "rollbook-backup.db")
        return folder / "rollbook-backup.db"

    return begin(context, partial(_made, write))
