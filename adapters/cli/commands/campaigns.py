"""new, campaigns and demo."""

import sqlite3
from contextlib import suppress
from shlex import quote

import click

from rollbook.adapters.cli.context import HOW_TO_START, CliContext
from rollbook.adapters.cli.demo import play_demo
from rollbook.adapters.cli.parameters import command, complete_ruleset, paged, rules_option
from rollbook.adapters.cli.terminal import ask
from rollbook.adapters.cli.views.table import print_table
from rollbook.adapters.cli.views.verbs import show_rulesets
from rollbook.adapters.local_files import paths
from rollbook.adapters.plugins.registry import discover
from rollbook.application.book import deleted
from rollbook.application.lines.verb_line import pairs
from rollbook.domain.actions.time_zone import zone_name
from rollbook.domain.base.counted import counted
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.history.event_store import Tombstone


@command()
@click.argument("name")
@click.option(
    "--ruleset",
    metavar="KEY",
    default="",
    shell_complete=complete_ruleset,
    help="The game; without it you are shown which there are, and asked.",
)
@click.option(
    "--zone",
    metavar="ZONE",
    default="",
    help="The time zone of its days and hours, as Europe/Berlin; without it this computer's.",
)
@rules_option("A house rule; see: rollbook rulesets KEY")
def new(cli: CliContext, name: str, ruleset: str, zone: str, rules: tuple[str, ...]) -> None:
    """Start a campaign by a ruleset, with house rules if you like."""
    chosen = pairs(rules)
    game = ruleset or _asked_for_ruleset(cli, name)
    campaign = cli.book(create=True).new(name, game, chosen, zone=zone)
    cli.select_campaign(campaign)
    cli.project()
    state = campaign.state
    if cli.json:
        said = {"campaign": campaign.id, "name": state.name, "ruleset": state.ruleset, "version": state.version}
        cli.data({**said, "settings": dict(state.settings), "zone": zone_name(state)})
        return
    cli.print(f"{state.name} begins, by {state.ruleset} {state.version}. It is called {campaign.id} in commands.")
    cli.print("Next: rollbook do take-seat NAME --role gm · rollbook verbs · rollbook play")


def _asked_for_ruleset(cli: CliContext, name: str) -> str:
    """The game that is picked from those that are installed. Raises UsageError, which lists them, if nobody can be asked."""
    registry = discover()
    if not cli.is_interactive or not registry.keys:
        known = f"one of {', '.join(registry.keys)}" if registry.keys else "a ruleset, once one is installed"
        raise click.UsageError(f"Which game? Add --ruleset KEY, {known}: rollbook new {quote(name)} --ruleset KEY")
    show_rulesets(cli, registry)
    return ask("Which game", type=click.Choice(list(registry.keys)), show_choices=False)


@command()
@paged
def campaigns(cli: CliContext) -> None:
    """The campaigns in the store, oldest first."""
    book = cli.book()
    last = paths.last_used(cli.store_path)
    with suppress(RollbookError, sqlite3.Error, OSError), cli.bar("Reading"):
        book.read_model.catch_up(book.store, book.rulebook)  # where it cannot, each is read by itself
    rows = []
    for name in book.campaigns():
        campaign = book.campaign(name)
        head = campaign.head
        state = head.state
        sessions = state.session.number if state.session else 0
        if cli.json:
            names = {"campaign": name, "name": state.name, "ruleset": state.ruleset, "version": state.version}
            numbers = {"entries": head.entry, "actions": head.actions, "sessions": sessions}
            cli.data({**names, **numbers, "used_last": name == last, "damage": campaign.damage})
        counts = (
            counted(sessions, "session"),
            counted(head.actions, "action"),
            counted(head.entry, "entry", "entries"),
        )
        marks = [*(["damaged"] if campaign.damage else []), *(["← last used"] if name == last else [])]
        rows.append([name, state.name, f"{state.ruleset} {state.version}".strip(), " · ".join([*counts, *marks])])
    stones = [stone for stone in book.store.tombstones() if stone.campaign not in book.campaigns()]
    if cli.json:
        cli.data(*map(_buried, stones))
        return
    if not rows:
        cli.print(f"There is no campaign in this store yet. {HOW_TO_START}")
    else:
        print_table(cli, ("campaign", "name", "ruleset", ""), rows)
    cli.print(*map(deleted, stones))


def _buried(stone: Tombstone) -> dict[str, object]:
    return {"deleted": stone.campaign, "entries": stone.entries, "hash": stone.hash, "at": stone.at}


@command()
def demo(cli: CliContext) -> None:
    """Play a short session into your store: a fight, a mistake undone, dice proven. You can play on from there."""
    play_demo(cli)
