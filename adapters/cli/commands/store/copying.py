"""store copy: a whole store into another one."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from rollbook.adapters.backups.backing_up import is_backup
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.errors import Exit, ReportedFailure
from rollbook.adapters.cli.file_names import StoreName
from rollbook.adapters.cli.parameters import command
from rollbook.adapters.local_files import paths
from rollbook.adapters.local_files.own_files import named
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.postgres.server import open_secrets, open_server
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.keeping.copying import Copied, Side, StoreCopy
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.number_words import counted


@command()
@click.argument("source", metavar="FROM", type=StoreName(dir_okay=False))
@click.argument("target", metavar="TO", type=StoreName(dir_okay=False))
@click.option("--leave-seeds", is_flag=True, help="Leave the dice where they are: the copy is only to be looked at.")
def copy(cli: CliContext, source: str, target: str, leave_seeds: bool) -> None:
    """Copy the whole store FROM to the store TO, and compare them byte for byte.

    All campaigns go there, with timelines, tombstones and what commands are known by. TO is empty, or holds what was copied
    from FROM before: stopped at any moment, the copy goes on when it is said again. The unrevealed seeds go along, so open
    sessions are played on in TO; in FROM no more dice fall in them. Links to seats are made again.

    \b
    rollbook store copy rollbook.db postgresql://rollbook@db.example/rollbook
    rollbook store verify --store postgresql://rollbook@db.example/rollbook
    """
    with _opened(source, create=False) as here, _opened(target, create=True) as there:
        copying = StoreCopy(here, there, with_seeds=not leave_seeds)
        try:
            with cli.bar("Copying"):
                copying.make()
            with cli.bar("Comparing"):
                copied = copying.compare()
        except KeyboardInterrupt:
            cli.warn(
                f"Stopped. {counted(copying.new, 'entry', 'entries')} came to {there.name}; say the same again to go on."
            )
            raise ReportedFailure(Exit.ABORTED) from None
        sessions = 0 if copied.behind else copying.hand_over()
    _say(cli, copied, sessions, here.name, there.name)


@contextmanager
def _opened(given: str, *, create: bool) -> Iterator[Side]:
    """One of the two stores, and what is kept beside it."""
    place = paths.store_path(given)
    if not isinstance(place, Path):
        with closing(open_server(place)) as shared:
            yield Side(shared, open_secrets(place, shared.identity(), paths.seeds_folder()), str(place))
        return
    if not create and is_backup(place):
        raise RollbookError(f"{named(place)} is a backup, with seeds in it. Restore it first; then copy the store.")
    with closing(SQLiteEventStore(place, create=create)) as store:
        yield Side(store, SeedKeeper(paths.seeds_folder()).of_store(store.identity()), named(place), place)


def _say(cli: CliContext, copied: Copied, sessions: int, source: str, target: str) -> None:
    for damage in copied.damaged:
        cli.warn(f"Left out, because it is damaged: {damage}")
    if cli.json:
        cli.data({"source": source, "target": target, "sessions": sessions, "copied": copied})
    else:
        cli.print(f"{target} holds {_contents(copied)}, of which {copied.new:,} are new.")
        if not copied.behind and not copied.damaged:
            cli.print(f"Compared byte for byte with {source}: the same. Digest {copied.digest}")
        if sessions:
            cli.print(f"The dice of {counted(sessions, 'session')} fall there from now on, and here no more.")
        if copied.campaigns:
            cli.print("Links to seats stay behind. Make them again there: rollbook seat-link CAMPAIGN SEAT")
    if copied.behind:
        cli.warn(
            f"{counted(copied.behind, 'entry', 'entries')} came to {source} meanwhile. Say it again when nobody plays there."
        )
        raise ReportedFailure(Exit.CONFLICT)
    if copied.damaged:
        raise ReportedFailure(Exit.INTEGRITY)


def _contents(copied: Copied) -> str:
    timelines = f", {counted(copied.timelines, 'timeline')}" if copied.timelines else ""
    stones = f", {counted(copied.tombstones, 'tombstone')}" if copied.tombstones else ""
    entries = f"{copied.entries:,} {'entry' if copied.entries == 1 else 'entries'}"
    return f"{counted(copied.campaigns, 'campaign')}{timelines}{stones}: {entries}"
