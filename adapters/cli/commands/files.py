"""export, import and rebuild."""

import sqlite3
from contextlib import suppress
from pathlib import Path
from shlex import quote

import click

from adapters.book import read_model_path
from adapters.cli.context import CliContext
from adapters.cli.filters import matching_entries
from adapters.cli.parameters import FileName, command, completer
from adapters.cli.readers import for_option, seat_named
from adapters.exports.files import VERIFIER
from adapters.exports.jsonl import export_campaign
from adapters.exports.shown import Reader, export_shown
from adapters.imports import Importer, find_importer, importers, importers_of
from adapters.imports.bounded import check_bounded
from adapters.imports.jsonl import import_campaign, is_export
from adapters.imports.recording import record_import
from adapters.moving import is_move, take_in
from adapters.storage.read_model import ReadModel
from domain.errors import NotFound, RollbookError
from domain.identifiers import CampaignId


@command()
@click.argument("file", type=FileName(dir_okay=False))
@for_option("Only what this seat may see: player:mira, or table for everybody.")
@click.option(
    "--where", metavar="FILTER", default=None, help="Only what fits: 'session=2 who=robin' (docs/filters.md)."
)
@click.option("--overwrite", is_flag=True, help="Replace an earlier export of that name.")
def export(cli: CliContext, file: str, reader: str, where: str | None, overwrite: bool) -> None:
    """Write the campaign to FILE: JSON lines with every event, and all that verifying it needs.

    A player's file leaves out the GM's notes, secret dice, hidden characters and whispers to others, without a gap that
    could be counted. Each file verifies without rollbook: python3 verify_rollbook.py FILE

    \b
    rollbook export sherwood.jsonl                        everything, to keep or to import elsewhere
    rollbook export mira.jsonl --for player:mira          what Mira may see
    rollbook export fight.jsonl --where "scene=3"         one scene; the rest as digests
    """
    if reader and where is not None:
        raise click.UsageError("A file is for a reader or of what fits a filter, not both: leave out --for or --where.")
    campaign = cli.campaign()
    path, whose, shown = Path(file), "", None
    with cli.bar("Writing") as progress:
        if where is not None:
            wanted = matching_entries(cli, [where])
            whose, shown = ", those that fit", Reader(None, lambda entry: entry.number in wanted)
        elif reader:
            seat = seat_named(campaign, reader)
            whose, shown = f", as {seat or 'the table'} may see it", Reader(seat)
        if shown is None:
            report = export_campaign(campaign.log, path, overwrite=overwrite, progress=progress)
        else:
            report = export_shown(campaign.log, path, shown, overwrite=overwrite)
    if path.suffix not in EXPECTED_ENDINGS:
        cli.warn(
            f"{file} is JSON lines, whatever its name says; such files usually end in .jsonl. The log as text: rollbook log"
        )
    if report.verifier != str(path.with_name(VERIFIER)):
        cli.warn(f"{path.with_name(VERIFIER)} is not the verifier, so it was left as it is.")
    if cli.json:
        cli.data(report)
        return
    cli.print(
        f"{file} holds {report.entries} entries of {report.campaign}{whose}.",
        f"Anybody can check it: python3 {quote(report.verifier)} {quote(file)}",
        f"Receipt: {campaign.receipt()}",
    )


OWN_FORMAT = "rollbook"
EXPECTED_ENDINGS = ("", ".jsonl", ".ndjson", ".rollbook")
"""Endings of file names that promise nothing else than what an export holds."""


@command("import")
@click.argument("file", type=FileName(dir_okay=False))
@click.option(
    "--from",
    "origin",
    metavar="NAME",
    default=OWN_FORMAT,
    show_default=True,
    shell_complete=completer(lambda *_: (OWN_FORMAT, *importers())),
    help="What wrote it: rollbook, or the name of an importer, such as avrae.",
)
@click.option("--as", "name", metavar="NAME", default="", help="What to call the campaign here.")
def import_(cli: CliContext, file: str, origin: str, name: str) -> None:
    """Take in a campaign that rollbook exported, or with --from what another program recorded (avrae: the Discord bot).

    Other importers may be installed as packages of their own (docs/api.md).
    """
    path = Path(file)
    check_bounded(path)
    try:
        if origin == OWN_FORMAT:
            _import_export(cli, path, name)
        else:
            _import_record(cli, find_importer(origin), path, name)
    except RollbookError as fault:
        if type(fault) is RollbookError and (others := _who_reads(path, origin)):
            raise RollbookError(f"{fault} It looks like a file for: {others}") from None
        raise


def _who_reads(path: Path, origin: str) -> str:
    """How a file that another importer recognises is imported; "" if this one does, or none. A pipe is gone once it was read."""
    if not path.is_file():
        return ""
    found = [*([OWN_FORMAT] if is_export(path) else ()), *importers_of(path)]
    return "" if origin in found else " or ".join(f"rollbook import {quote(str(path))} --from {name}" for name in found)


def _import_export(cli: CliContext, path: Path, name: str) -> None:
    if not path.exists():
        raise NotFound(f"There is no file {path}.")
    book = cli.book(create=True)
    if is_move(path):
        _take_in(cli, path, name)
        return
    with cli.bar("Reading and checking") as progress:
        report = import_campaign(book, path, name, progress)
    _project(cli, report.campaign)
    cli.select_campaign(book.campaign(report.campaign))
    cli.project()
    if cli.json:
        cli.data(report)
    elif report.new:
        cli.print(f"{report.campaign}: {report.entries} entries with {report.events} events, checked and taken in.")
    else:
        cli.print(f"{report.campaign} is here already, event for event.")


def _project(cli: CliContext, campaign: CampaignId) -> None:
    """Project a campaign before it is opened: the same reading finds its head. If that fails, opening it says so."""
    book = cli.book()
    with suppress(RollbookError, sqlite3.Error, OSError), cli.bar("Reading") as progress:
        book.read_model.catch_up(book.store, book.rulebook, progress=progress, only=(campaign,))


def _take_in(cli: CliContext, path: Path, name: str) -> None:
    with cli.wait("Reading and checking …"):
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


def _import_record(cli: CliContext, importer: Importer, path: Path, name: str) -> None:
    with cli.wait("Reading …"):
        imported = importer(path, name)
    campaign = record_import(cli.book(create=True), imported, name)
    cli.select_campaign(campaign)
    cli.project()
    head, explained, corrected = campaign.head, imported.changes_explained, imported.changes_corrected
    if cli.json:
        counts = {"actions": head.actions, "entries": head.entry}
        changes = {"changes_explained": explained, "changes_corrected": corrected}
        cli.data({"campaign": campaign.id, **counts, **changes, "warnings": list(imported.warnings)})
        return
    cli.print(f"{campaign.id}: {head.entry} entries, {head.actions} actions.")
    cli.print(f"Changes of hit points: {explained} explained, {corrected} taken in as corrections.")
    for warning in imported.warnings:
        cli.warn(warning)


@command()
def rebuild(cli: CliContext) -> None:
    """Build the read model again from the history, which does not change."""
    book = cli.book()
    model = ReadModel(read_model_path(cli.store_path))
    try:
        with cli.bar("Reading the history") as progress:
            taken = model.rebuild(book.store, book.rulebook, progress)
    finally:
        model.close()
    if cli.json:
        cli.data({"entries": taken, "read_model": str(model.path)})
    else:
        cli.print(f"The read model was built again from {taken:,} entries: {model.path}")
