"""delete-campaign: a whole campaign goes for good."""

from shlex import quote

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import command
from rollbook.adapters.cli.terminal import agree, ask
from rollbook.adapters.line_commands.confirm import check_somebody_is_there
from rollbook.application.keeping.deleting import delete_campaign as delete
from rollbook.application.keeping.deleting import stone_of
from rollbook.domain.base.number_words import counted
from rollbook.domain.history.event_store import Tombstone


@command("delete-campaign")
@click.argument("name")
@click.option("-y", "--yes", is_flag=True, help="Do it without asking.")
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
        _ask_twice(stone)
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


def _ask_twice(stone: Tombstone) -> None:
    many = counted(stone.entries, "entry", "entries")
    question = f"Delete {stone.campaign} with all its {many} for good? This cannot be undone"
    agree(question, default=False, abort=True)
    if ask("Type its name, to be sure", default="", show_default=False) != stone.campaign:
        raise click.Abort
