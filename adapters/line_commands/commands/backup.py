"""backup: the whole store in one file."""

from pathlib import Path
from shlex import quote

from rollbook.adapters.backups.backing_up import make_backup, what_it_holds
from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import FileName, argument, command, option
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.number_words import counted


@command()
@argument("file", kind=FileName(readable=False))
@option("--overwrite", is_flag=True, help="Replace a file of that name.")
def backup(context: CommandContext, file: str, overwrite: bool) -> None:
    """Copy the whole store to FILE: every campaign and timeline, while others play.

    The copy is read back and every history in it verified before it has its name. It also holds the seeds of dice that are not
    revealed yet, without which an open session could not go on: only you may read the file, so keep it to yourself. To
    give a campaign away, export it.

    \b
    rollbook backup sunday.db
    rollbook restore sunday.db      puts it back; what is in the store by then is kept beside it
    """
    path = context.store_file("Copy it with pg_dump, or into a file with: rollbook store copy")
    if not path.exists():
        raise NotFound(f"There is no store at {path} yet, so there is nothing to copy.")
    store = SQLiteEventStore(path, create=False)
    try:
        with context.bar("Copying and checking"):
            made = make_backup(store, context.secrets(), Path(file), overwrite=overwrite)
    finally:
        store.close()
    for damage in made.damaged:
        context.warn(f"Damaged in the store, and in the backup as it is there: {damage}")
    if context.json:
        context.data(made)
        return
    context.print(f"{file} holds {what_it_holds(made.campaigns, made.entries)}, read back and checked.")
    if made.sessions:
        context.print(f"It also holds the secret seeds of {counted(made.sessions, 'session')}: keep it to yourself.")
    context.print(f"To go back to it: rollbook restore {quote(file)}")
