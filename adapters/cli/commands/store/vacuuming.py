"""store vacuum: what was removed goes from a server's files."""

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import command
from rollbook.adapters.storage.postgres.server import vacuum as wipe
from rollbook.application.ports.store_address import ServerAddress
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.number_words import counted


@command()
def vacuum(cli: CliContext) -> None:
    """Wipe what redact and delete-campaign removed from the files of a PostgreSQL server.

    Name the database with --store, as the role that owns the tables: they are written again without what was removed, and who
    writes meanwhile waits. The server's log, its standbys and its backups hold removed words for longer. A store in a file is
    wiped at every removal.
    """
    place = cli.store_path
    if not isinstance(place, ServerAddress):
        raise RollbookError(
            "This store is a file, which is wiped at every removal. Name a database: --store postgresql://…"
        )
    with cli.bar("Writing the tables again"):
        wiped = wipe(place)
    if cli.json:
        cli.data({"store": str(place), "wiped": wiped})
    else:
        cli.print(f"{counted(wiped, 'removal')} wiped from the tables at {place}.")
