"""import, move, restore, rebuild and delete-campaign: what comes and goes as a file, or for good."""

import sqlite3
from contextlib import suppress
from pathlib import Path
from shlex import quote

import click

from rollbook.adapters.backups.backing_up import what_it_holds
from rollbook.adapters.backups.moving import is_move, take_in
from rollbook.adapters.backups.moving import move as move_away
from rollbook.adapters.backups.restoring import restore as restore_store
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import FileName
from rollbook.adapters.imports import Imported, Importer, advice_on, find_importer, importers, importers_of
from rollbook.adapters.imports.bounded import check_bounded
from rollbook.adapters.imports.jsonl import import_campaign, is_export
from rollbook.adapters.imports.playing import record_play
from rollbook.adapters.imports.recording import known_of, record_import
from rollbook.adapters.line_commands.confirm import check_somebody_is_there
from rollbook.adapters.line_commands.declared import argument, command, option
from rollbook.adapters.local_files import paths
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.wiring import open_book, read_model_of
from rollbook.application.campaign import Campaign
from rollbook.application.keeping.deleting import delete_campaign as delete
from rollbook.application.keeping.deleting import stone_of
from rollbook.application.playing.recorded_play import Tally
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.number_words import counted

OWN_FORMAT = "rollbook"


@command("import")
@argument("file", kind=FileName())
@option(
    "--from",
    "origin",
    metavar="NAME",
    default=OWN_FORMAT,
    suggest=lambda *_: (OWN_FORMAT, *importers()),
    shows_default=True,
    help="What wrote it: rollbook, or the name of an importer, such as foundry.",
)
@option("--as", "name", metavar="NAME", default="", help="What to call the campaign here.")
@option("--map", "columns", kind=FileName(dir_okay=False), help="For --from csv: what the columns mean.")
@option("--skip-unreadable", is_flag=True, help="For --from csv: leave out rows that cannot be read, and name them.")
@option("--play", is_flag=True, help="For --from avrae: play what is recorded by the rules of srd5, with its dice.")
def import_(
    cli: CliContext, file: str, origin: str, name: str, columns: str | None, *, skip_unreadable: bool, play: bool
) -> None:
    """Take in a campaign that rollbook exported, or with --from what another program recorded.

    \b
    rollbook import sherwood.jsonl                          a whole campaign that rollbook exported
    rollbook import worlds/sherwood --from foundry          a world of Foundry Virtual Tabletop, 9 to 13
    rollbook import rolls.csv --from csv --map columns.toml a spreadsheet, or another program's log
    rollbook import channel.json --from discord             a Discord channel, exported or copied as text
    rollbook import archive.html --from roll20              a chat archive of Roll20's
    rollbook import chatlog.html --from fantasygrounds      a chat log of Fantasy Grounds'
    rollbook import fight.jsonl.gz --from avrae             a recording of the Discord bot
    rollbook import fight.jsonl.gz --from avrae --play      the same, played again by the rules of srd5

    A longer log of the same world or table adds what is new. docs/importing.md has the rest; other importers may be installed
    as packages of their own (docs/write-a-plug-in.md).
    """
    path = Path(file)
    try:
        if origin == OWN_FORMAT:
            check_bounded(path)
            if play:
                raise click.UsageError("--play is for --from avrae.")
            if columns is not None or skip_unreadable:
                raise click.UsageError(f"--{'skip-unreadable' if skip_unreadable else 'map'} is for --from csv.")
            _import_export(cli, path, name)
        else:
            offered = {"columns": columns and Path(columns), "skip_unreadable": skip_unreadable, "play": play}
            _import_record(cli, find_importer(origin), path, name, **offered)
    except RollbookError as fault:
        if type(fault) is RollbookError and (others := _who_reads(path, origin)):
            raise RollbookError(f"{fault} {others}") from None
        raise


def _who_reads(path: Path, origin: str) -> str:
    """Commands that import a file which others recognise, or their advice; "" if this importer reads it, or none.

    Pipes are not reread.
    """
    if not path.exists() or path.is_fifo():
        return ""
    found = [*([OWN_FORMAT] if path.is_file() and is_export(path) else ()), *importers_of(path)]
    if not found:
        return " ".join(advice_on(path, origin))
    named = " or ".join(f"rollbook import {quote(str(path))} --from {name}" for name in found)
    return "" if origin in found else f"It looks like a file for: {named}"


def _import_export(cli: CliContext, path: Path, name: str) -> None:
    if not path.exists():
        raise NotFound(f"There is no file {path}.")
    book = cli.book(create=True)
    if is_move(path):
        _take_in(cli, path, name)
        return
    with cli.bar("Reading and checking"):
        report = import_campaign(book, path, name)
    seen = {report.campaign: report.place}
    with suppress(RollbookError, sqlite3.Error, OSError), cli.bar("Reading"):  # if that fails, opening it says so
        book.read_model.catch_up(book.store, book.rulebook, only=seen, places=seen)
    cli.select_campaign(book.campaign(report.campaign))
    cli.project()
    new = f"{counted(report.entries, 'entry', 'entries')} with {counted(report.events, 'event')}, checked and taken in."
    cli.tell(
        report, f"{report.campaign}: {new}" if report.new else f"{report.campaign} is here already, event for event."
    )


def _take_in(cli: CliContext, path: Path, name: str) -> None:
    with cli.bar("Reading and checking"):
        report = take_in(cli.book(), path, name)
    cli.select_campaign(cli.book().campaign(report.campaign))
    cli.project()
    cli.tell(
        report,
        f"{report.contents}: checked and taken in. Play on here.",
        f"{quote(str(path))} still holds the seeds: delete it, or keep it where nobody else can read it.",
    )


def _import_record(cli: CliContext, importer: Importer, path: Path, name: str, **offered: object) -> None:
    book = cli.book(create=True)
    with cli.bar("Reading"):
        imported = importer(path, name, known=lambda campaign: known_of(book, campaign), **offered)
    with cli.bar("Recording"):
        played = record_play(book, imported, name) if imported.ruleset else None
        campaign = played[0] if played else record_import(book, imported, name)
    cli.select_campaign(campaign)
    cli.project()
    _show_import(cli, campaign, imported, played[1] if played else None)


def _show_import(cli: CliContext, campaign: Campaign, imported: Imported, played: Tally | None) -> None:
    head, explained, corrected = campaign.head, imported.changes_explained, imported.changes_corrected
    if cli.json:
        counts = {"actions": head.actions, "entries": head.entry, "new_entries": head.entry - imported.after}
        changes = {"changes_explained": explained, "changes_corrected": corrected}
        said = {"found": list(imported.found), "warnings": list(imported.warnings)}
        cli.data({"campaign": campaign.id, **counts, **changes, **said, **(played.told() if played else {})})
        return
    new = f", {head.entry - imported.after} of them new" if imported.after else ""
    cli.print(
        f"{campaign.id}: {counted(head.entry, 'entry', 'entries')}{new}, {counted(head.actions, 'action')}.",
        *imported.found,
    )
    if not imported.found:
        cli.print(f"Changes of hit points: {explained} explained, {corrected} taken in as corrections.")
    if played is not None:
        cli.print(*played.sentences())
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
    said = f"The read model was built again from {counted(taken, 'entry', 'entries')}: {model.path}"
    cli.tell({"entries": taken, "read_model": str(model.path)}, said)


@command()
@argument("file", kind=FileName(readable=False))
def move(cli: CliContext, file: str) -> None:
    """Move the campaign to another computer, in FILE: with its timelines, and the seeds of its dice.

    Import FILE there, and play on as if nothing had happened. Here the campaign can be read, and nothing more is added to it. To
    bring it back, move it there and import that file here. FILE holds secrets: only you may read it, so carry it with care and
    delete it once it has arrived. To give somebody a copy, export.

    \b
    rollbook move sherwood.move          here
    rollbook import sherwood.move        there
    """
    cli.store_file("Copy the whole store with rollbook store copy, or a campaign with rollbook export.")
    campaign = cli.campaign()
    with cli.bar("Writing"):
        report = move_away(cli.book(), campaign, Path(file))
    cli.tell(
        report,
        f"{file} holds {report.contents}.",
        f"{report.campaign} has gone from here; it can still be read. To play on elsewhere: rollbook import {quote(file)}",
    )


@command()
@argument("file", kind=FileName())
def restore(cli: CliContext, file: str) -> None:
    """Put the store back from FILE: a backup, or any copy of a store.

    Every history in it is verified first; a damaged file is refused and changes nothing. The store that was there is kept
    beside the restored one, under a name that is said, and is put back in the same way. Those who are playing are told at
    their next command. An open session from which dice were rolled since the backup rolls no more: close it and open another.
    """
    path = cli.store_file("Put it back with pg_restore, or from a file with: rollbook store copy")
    cli.close()
    with cli.bar("Checking"):
        done = restore_store(path, SeedKeeper(paths.seeds_folder()), Path(file))
    with open_book(
        path, paths.seeds_folder(), create=False
    ) as book:  # the read model notices at once that it is another one
        book.read_model.catch_up(book.store, book.rulebook, only=())
    cli.tell(done, f"{path} holds {what_it_holds(done.campaigns, done.entries)}, as {file} has them.")
    if done.before and not cli.json:
        cli.print(
            f"What was there before is kept: {done.before}", f"To go back to it: rollbook restore {quote(done.before)}"
        )


@command("delete-campaign")
@argument("name")
@option("-y", "--yes", is_flag=True, help="Do it without asking.")
def delete_campaign(cli: CliContext, name: str, yes: bool) -> None:
    """Delete the campaign NAME for good: its entries and timelines, its log and sheets, the seeds of its dice.

    You are asked twice, and it cannot be undone. What stays is a tombstone: the name, how many entries there were and the last
    hash, so that an export can still be told from a forgery. Backups and exports are not touched; backups are named.

    \b
    rollbook export sherwood.jsonl        first, if you may want it back: rollbook import brings it back
    rollbook delete-campaign sherwood
    """
    book = cli.book()
    stone = stone_of(book, name)
    if not yes:
        check_somebody_is_there(cli, "Add --yes to delete the campaign.")
        many = counted(stone.entries, "entry", "entries")
        cli.agree(f"Delete {stone.campaign} with all its {many} for good? This cannot be undone", or_stop=True)
        if cli.ask("Type its name, to be sure", default="") != stone.campaign:
            raise click.Abort
    done = delete(book, stone)
    cli.say_what_is_left()
    if cli.json:
        cli.data({"deleted": stone.campaign, "entries": stone.entries, "hash": stone.hash, "backups": done.backups})
        return
    also = f" and {counted(done.timelines, 'timeline')}" if done.timelines else ""
    cli.print(
        f"{stone.campaign} is deleted, with {counted(stone.entries, 'entry', 'entries')}{also}. Its last hash was {stone.hash}."
    )
    if done.backups:
        cli.print(f"Backups of this store may still hold it: {', '.join(map(quote, done.backups))}.")
