"""store set-back: a database was restored to an earlier moment."""

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import command
from rollbook.adapters.storage.postgres.server import note_set_back
from rollbook.application.ports.store_address import ServerAddress
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.number_words import counted


@command("set-back")
@click.option("--yes", is_flag=True, required=True, help="The database was restored to an earlier moment.")
def set_back(cli: CliContext, yes: bool) -> None:  # noqa: ARG001 - asked for, so that nobody says it by chance
    """Say that the database of a store was restored to an earlier moment, before it is played on.

    Say it once, as the role that owns the tables, before the nodes start. They make their read models again. Sessions that were
    open roll no more dice, because some may have been seen after that moment: close them, which reveals their seeds, and
    open others.

    \b
    rollbook --store postgresql://owner@db.example/rollbook store set-back --yes
    """
    place = cli.store_path
    if not isinstance(place, ServerAddress):
        raise RollbookError("This store is a file, which is set back with: rollbook restore FILE")
    done = note_set_back(place)
    if cli.json:
        cli.data({"store": str(place), "times": done.epoch, "sessions": done.sessions})
        return
    cli.print(
        f"Noted at {place}. {counted(done.sessions, 'open session')} will roll no more dice: close them and open others."
    )
