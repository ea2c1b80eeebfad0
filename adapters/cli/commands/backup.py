"""backup and restore: the whole store in one file, and back from it."""

from pathlib import Path
from shlex import quote

import click

from rollbook.adapters.backups.backing_up import make_backup
from rollbook.adapters.backups.restoring import restore as restore_store
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import FileName, command
from rollbook.adapters.local_files import paths
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import open_book
from rollbook.domain.base.counted import counted
from rollbook.domain.base.errors import NotFound


@command()
@click.argument("file", type=FileName(readable=False))
@click.option("--overwrite", is_flag=True, help="Replace a file of that name.")
def backup(cli: CliContext, file: str, overwrite: bool) -> None:
    """Copy the whole store to FILE: every campaign and timeline, while others play.

    The copy is read back and every history in it verified before it has its name. It also holds the seeds of dice that are not
    revealed yet, without which an open session could not go on: only you may read the file, so keep it to yourself. To
    give a campaign away, export it.

    \b
    rollbook backup sunday.db
    rollbook restore sunday.db      puts it back; what is in the store by then is kept beside it
    """
    path = cli.store_file("Copy it with pg_dump, or into a file with: rollbook store copy")
    if not path.exists():
        raise NotFound(f"There is no store at {path} yet, so there is nothing to copy.")
    store = SQLiteEventStore(path, create=False)
    try:
        with cli.bar("Copying and checking"):
            made = make_backup(store, SeedKeeper(paths.seeds_folder()), Path(file), overwrite=overwrite)
    finally:
        store.close()
    for damage in made.damaged:
        cli.warn(f"Damaged in the store, and in the backup as it is there: {damage}")
    if cli.json:
        cli.data(made)
        return
    cli.print(f"{file} holds {_counts(made.campaigns, made.entries)}, read back and checked.")
    if made.sessions:
        cli.print(f"It also holds the secret seeds of {counted(made.sessions, 'session')}: keep it to yourself.")
    cli.print(f"To go back to it: rollbook restore {quote(file)}")


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
    cli.print(f"{path} holds {_counts(done.campaigns, done.entries)}, as {file} has them.")
    if done.before:
        cli.print(
            f"What was there before is kept: {done.before}", f"To go back to it: rollbook restore {quote(done.before)}"
        )


def _counts(campaigns: tuple[str, ...], entries: int) -> str:
    return f"{counted(len(campaigns), 'campaign')} with {entries:,} {'entry' if entries == 1 else 'entries'}"


def _look(path: Path) -> None:
    """Have the read model notice at once that the store is another one, and note what that one has no more."""
    with open_book(path, paths.seeds_folder(), create=False) as book:
        book.read_model.catch_up(book.store, book.rulebook, only=())
