"""store key: the key of the secret dice of a store that several nodes share."""

from pathlib import Path

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.file_names import FileName
from rollbook.adapters.cli.parameters import command
from rollbook.adapters.local_files.own_files import named
from rollbook.adapters.storage.postgres.server import make_key


@command()
@click.argument("file", type=FileName(), metavar="FILE")
@click.option("--add", is_flag=True, help="Put the new key before those in FILE, which still decrypt.")
def key(cli: CliContext, file: str, add: bool) -> None:
    """Make a key for the secrets of a store on a PostgreSQL server, in FILE, which only you may read.

    Seeds of dice that are not revealed lie in the database encrypted. Every node needs the same file, named by
    ROLLBOOK_SEED_KEY_FILE; the database must never have it. Keep a copy elsewhere: without it open sessions lose their dice.

    \b
    rollbook store key /etc/rollbook/seed-key        once for a store
    rollbook store key /etc/rollbook/seed-key --add  a new key in the place of one that others have seen
    """
    path = Path(file)
    make_key(path, add=add)
    if cli.json:
        cli.data({"file": str(path.absolute()), "added": add})
        return
    cli.print(
        f"{named(path)} has a new key. Give every node this file, and name it there: "
        f"ROLLBOOK_SEED_KEY_FILE={named(path.absolute())}"
    )
