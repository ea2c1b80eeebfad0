"""move: a campaign goes to another computer."""

from pathlib import Path
from shlex import quote

import click

from rollbook.adapters.backups.moving import move as move_away
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.file_names import FileName
from rollbook.adapters.cli.parameters import command


@command()
@click.argument("file", type=FileName(readable=False))
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
    if cli.json:
        cli.data(report)
        return
    cli.print(
        f"{file} holds {report.contents}.",
        f"{report.campaign} has gone from here; it can still be read. To play on elsewhere: rollbook import {quote(file)}",
    )
