"""import and rebuild."""

import sqlite3
from contextlib import suppress
from pathlib import Path
from shlex import quote

import click

from rollbook.adapters.backups.moving import is_move, take_in
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.file_names import FileName
from rollbook.adapters.cli.parameters import command, completer
from rollbook.adapters.imports import Imported, Importer, find_importer, importers, importers_of
from rollbook.adapters.imports.bounded import check_bounded
from rollbook.adapters.imports.jsonl import ImportReport, import_campaign, is_export
from rollbook.adapters.imports.recording import known_of, record_import
from rollbook.adapters.wiring import read_model_of
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.number_words import counted

OWN_FORMAT = "rollbook"


@command("import")
@click.argument("file", type=FileName())
@click.option(
    "--from",
    "origin",
    metavar="NAME",
    default=OWN_FORMAT,
    show_default=True,
    shell_complete=completer(lambda *_: (OWN_FORMAT, *importers())),
    help="What wrote it: rollbook, or the name of an importer, such as foundry.",
)
@click.option("--as", "name", metavar="NAME", default="", help="What to call the campaign here.")
@click.option("--map", "columns", type=FileName(dir_okay=False), help="For --from csv: what the columns mean.")
@click.option(
    "--skip-unreadable", is_flag=True, help="For --from csv: leave out rows that cannot be read, and name them."
)
def import_(cli: CliContext, file: str, origin: str, name: str, columns: str | None, *, skip_unreadable: bool) -> None:
    """Take in a campaign that rollbook exported, or with --from what another program recorded.

    \b
    rollbook import sherwood.jsonl                          a whole campaign that rollbook exported
    rollbook import worlds/sherwood --from foundry          a world of Foundry Virtual Tabletop, 9 to 13
    rollbook import rolls.csv --from csv --map columns.toml a spreadsheet, or another program's log
    rollbook import fight.jsonl.gz --from avrae             a recording of the Discord bot

    A longer log of the same world or table adds what is new. docs/importing.md has the rest; other importers may be installed
    as packages of their own (docs/api.md).
    """
    path = Path(file)
    try:
        if origin == OWN_FORMAT:
            check_bounded(path)
            if columns is not None or skip_unreadable:
                raise click.UsageError(f"--{'skip-unreadable' if skip_unreadable else 'map'} is for --from csv.")
            _import_export(cli, path, name)
        else:
            _import_record(cli, find_importer(origin), path, name, columns, skip_unreadable=skip_unreadable)
    except RollbookError as fault:
        if type(fault) is RollbookError and (others := _who_reads(path, origin)):
            raise RollbookError(f"{fault} It looks like a file for: {others}") from None
        raise


def _who_reads(path: Path, origin: str) -> str:
    """How a file that another importer recognises is imported; "" if this one does, or none. A pipe is gone once it was read."""
    if not path.exists() or path.is_fifo():
        return ""
    found = [*([OWN_FORMAT] if path.is_file() and is_export(path) else ()), *importers_of(path)]
    return "" if origin in found else " or ".join(f"rollbook import {quote(str(path))} --from {name}" for name in found)


def _import_export(cli: CliContext, path: Path, name: str) -> None:
    if not path.exists():
        raise NotFound(f"There is no file {path}.")
    book = cli.book(create=True)
    if is_move(path):
        _take_in(cli, path, name)
        return
    with cli.bar("Reading and checking"):
        report = import_campaign(book, path, name)
    _project(cli, report)
    cli.select_campaign(book.campaign(report.campaign))
    cli.project()
    if cli.json:
        cli.data(report)
    elif report.new:
        cli.print(
            f"{report.campaign}: {counted(report.entries, 'entry', 'entries')} with {counted(report.events, 'event')}, "
            "checked and taken in."
        )
    else:
        cli.print(f"{report.campaign} is here already, event for event.")


def _project(cli: CliContext, report: ImportReport) -> None:
    """Project a campaign before it is opened: the same reading finds its head. If that fails, opening it says so."""
    book, seen = cli.book(), {report.campaign: report.place}
    with suppress(RollbookError, sqlite3.Error, OSError), cli.bar("Reading"):
        book.read_model.catch_up(book.store, book.rulebook, only=seen, places=seen)


def _take_in(cli: CliContext, path: Path, name: str) -> None:
    with cli.bar("Reading and checking"):
        report = take_in(cli.book(), path, name)
    cli.select_campaign(cli.book().campaign(report.campaign))
    cli.project()
    if cli.json:
        cli.data(report)
        return
    cli.print(
        f"{report.contents}: checked and taken in. Play on here.",
        f"{quote(str(path))} still holds the seeds: delete it, or keep it where nobody else can read it.",
    )


def _import_record(
    cli: CliContext, importer: Importer, path: Path, name: str, columns: str | None, *, skip_unreadable: bool
) -> None:
    book = cli.book(create=True)
    with cli.bar("Reading"):
        imported = importer(
            path,
            name,
            known=lambda campaign: known_of(book, campaign),
            columns=None if columns is None else Path(columns),
            skip_unreadable=skip_unreadable,
        )
    with cli.bar("Recording"):
        campaign = record_import(book, imported, name)
    cli.select_campaign(campaign)
    cli.project()
    _show_import(cli, campaign, imported)


def _show_import(cli: CliContext, campaign: Campaign, imported: Imported) -> None:
    head, explained, corrected = campaign.head, imported.changes_explained, imported.changes_corrected
    if cli.json:
        counts = {"actions": head.actions, "entries": head.entry, "new_entries": head.entry - imported.after}
        changes = {"changes_explained": explained, "changes_corrected": corrected}
        said = {"found": list(imported.found), "warnings": list(imported.warnings)}
        cli.data({"campaign": campaign.id, **counts, **changes, **said})
        return
    new = f", {head.entry - imported.after} of them new" if imported.after else ""
    cli.print(
        f"{campaign.id}: {counted(head.entry, 'entry', 'entries')}{new}, {counted(head.actions, 'action')}.",
        *imported.found,
    )
    if not imported.found:
        cli.print(f"Changes of hit points: {explained} explained, {corrected} taken in as corrections.")
    for warning in imported.warnings:
        cli.warn(warning)


@command()
def rebuild(cli: CliContext) -> None:
    """Build the read model again from the history, which does not change."""
    book = cli.book()
    model = read_model_of(cli.store_path, book.store)
    try:
        with cli.bar("Reading the history"):
            taken = model.rebuild(book.store, book.rulebook)
    finally:
        model.close()
    if cli.json:
        cli.data({"entries": taken, "read_model": str(model.path)})
    else:
        cli.print(f"The read model was built again from {counted(taken, 'entry', 'entries')}: {model.path}")
