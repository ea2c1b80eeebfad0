"""One person at all tables of a store: what is kept of them as a file, and removing what can be removed."""

import json
import shutil
import tempfile
import zipfile
from functools import partial
from pathlib import Path

import attrs
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from rollbook.adapters.exports.reader_file import TABLE, Reader, export_shown
from rollbook.adapters.web.host.tables import links_of, remains
from rollbook.adapters.web.pages.page import RequestContext, render_form
from rollbook.application.book import Book
from rollbook.application.keeping.persons import Forgotten, PersonAt, forget, person_at
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.events import Role

TEMPLATE = "host/person.html"


def show(context: RequestContext, fault: RollbookError | None = None, **values: object) -> Response:
    """Show the tables at which a person of the asked name has a seat, and what can be done."""
    name = context.request.query.get("name", "") or context.request.sent("name")
    found: tuple[PersonAt, ...] = ()
    try:
        if name.strip():
            found = person_at(context.view.book, links_of(context), name)
    except RollbookError as wrong:
        fault = fault or (None if "done" in values else wrong)
    shown = {"done": (), **values}
    return render_form(
        context, TEMPLATE, fault, name=name, found=found, remains="".join(remains(context.view.book)), **shown
    )


def export(context: RequestContext) -> Response:
    """Send a person's own data: for each table what that seat may see, and a list of what it did."""
    book = context.view.book
    try:
        found = person_at(book, links_of(context), context.request.sent("name"))
    except RollbookError as fault:
        return show(context, fault)
    folder = Path(tempfile.mkdtemp(prefix="rollbook-"))
    forget_it = partial(shutil.rmtree, folder, ignore_errors=True)
    try:
        packed = _packed(book, found, folder)
    except BaseException:
        forget_it()
        raise
    headers = {"Cache-Control": "no-store"}
    return FileResponse(packed, filename="person.zip", headers=headers, background=BackgroundTask(forget_it))


def _packed(book: Book, found: tuple[PersonAt, ...], folder: Path) -> Path:
    packed = folder / "person.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("person.json", json.dumps([_about(person) for person in found], ensure_ascii=False, indent=1))
        for number, person in enumerate(found):
            target = folder / f"{number}.jsonl"
            # What others keep secret from the table is no data of the GM's.
            reader = TABLE if person.role is Role.GM else person.seat
            export_shown(book.campaign(person.campaign).session.log, target, Reader(reader))
            archive.write(target, f"{person.campaign}-{number}.jsonl")
    return packed


def _about(person: PersonAt) -> dict[str, object]:
    links = [attrs.asdict(link) for link in person.links]
    own = {"campaign": person.name, "seat": person.seat, "called": person.shown, "role": person.role.value}
    return {**own, "actions": person.actions, "notes": person.notes, "links": links}


def remove(context: RequestContext) -> Response:
    """Remove a person from all tables, once the name was typed."""
    book, name = context.view.book, context.request.sent("name")
    try:
        found = person_at(book, links_of(context), name)
        if context.request.sent("typed").strip() != name.strip():
            raise Refused(f"Type {name.strip()} to remove this person. Nothing was removed.")
    except RollbookError as fault:
        return show(context, fault)
    done: list[Forgotten] = [forget(book, links_of(context), person) for person in found]
    return show(context, done=done)
