"""restore: the whole store back from one file."""

from pathlib import Path
from shlex import quote

import click

from rollbook.adapters.backups.backing_up import what_it_holds
from rollbook.adapters.backups.restoring import restore as restore_store
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.file_names import FileName
from rollbook.adapters.cli.parameters import command
from rollbook.adapters.local_files import paths
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.wiring import open_book


@command()
@click.argument("file", type=FileName())
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
    _look(path)
    if cli.json:
        cli.data(done)
        return
    cli.print(f"{path} holds {what_it_holds(done.campaigns, done.entries)}, as {file} has them.")
    if done.before:
        cli.print(
            f"What was there before is kept: {done.before}", f"To go back to it: rollbook restore {quote(done.before)}"
        )


def _look(path: Path) -> None:
    """Have the read model notice at once that the store is another one, and note what that one has no more."""
    with open_book(path, paths.seeds_folder(), create=False) as book:
        book.read_model.catch_up(book.store, book.rulebook, only=())
