"""store migrate: the tables of a store on a PostgreSQL server."""

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import command
from rollbook.adapters.storage.postgres.server import migrate as make_tables
from rollbook.application.ports.store_address import ServerAddress
from rollbook.domain.base.errors import RollbookError


@command()
@click.option(
    "--program", default="rollbook", show_default=True, metavar="ROLE", help="The role that rollbook plays under."
)
def migrate(cli: CliContext, program: str) -> None:
    """Make the tables of a store in a PostgreSQL database, or bring them up to date.

    Name the database with --store, as the role that is to own the tables. The program plays under another role, which this
    command gives its rights: it may read and add, and change nothing. Say it once, and again after an update of rollbook.

    \b
    rollbook --store postgresql://owner@db.example/rollbook store migrate
    """
    place = cli.store_path
    if not isinstance(place, ServerAddress):
        raise RollbookError("This store is a file, which needs no tables made. Name a database: --store postgresql://…")
    make_tables(place, program)
    if cli.json:
        cli.data({"store": str(place), "program": program})
    else:
        cli.print(f"{place} is ready; the program plays there as {program}.")
