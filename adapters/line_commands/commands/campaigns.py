"""campaigns, rulesets and verbs: lists of what the store and the installation hold."""

import sqlite3
from contextlib import suppress

from rollbook.adapters.line_commands.context import HOW_TO_START, CommandContext
from rollbook.adapters.line_commands.declared import argument, command, paged
from rollbook.adapters.line_commands.options import suggest_rulesets
from rollbook.adapters.line_commands.views.table import print_table
from rollbook.adapters.line_commands.views.verbs import show_ruleset, show_rulesets, show_verbs
from rollbook.adapters.local_files import paths
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.book import deleted
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.number_words import counted


@command()
@paged
def campaigns(context: CommandContext) -> None:
    """The campaigns in the store, oldest first."""
    book = context.book()
    last = paths.last_used(context.store_path)
    with suppress(RollbookError, sqlite3.Error, OSError), context.bar("Reading"):
        book.read_model.catch_up(book.store, book.rulebook)  # where it cannot, each is read by itself
    rows = []
    for name in book.campaigns():
        campaign = book.campaign(name)
        head = campaign.head
        state, sessions = head.state, head.state.session.number if head.state.session else 0
        if context.json:
            names = {"campaign": name, "name": state.name, "ruleset": state.ruleset, "version": state.version}
            numbers = {"entries": head.entry, "actions": head.actions, "sessions": sessions}
            context.data({**names, **numbers, "used_last": name == last, "damage": campaign.session.damage})
        counts = (
            counted(sessions, "session"),
            counted(head.actions, "action"),
            counted(head.entry, "entry", "entries"),
        )
        marks = [*(["damaged"] if campaign.session.damage else []), *(["← last used"] if name == last else [])]
        rows.append([name, state.name, f"{state.ruleset} {state.version}".strip(), " · ".join([*counts, *marks])])
    stones = [stone for stone in book.store.tombstones() if stone.campaign not in book.campaigns()]
    if context.json:
        context.data(
            *({"deleted": one.campaign, "entries": one.entries, "hash": one.hash, "at": one.at} for one in stones)
        )
        return
    if not rows:
        context.print(f"There is no campaign in this store yet. {HOW_TO_START}")
    else:
        print_table(context, ("campaign", "name", "ruleset", ""), rows)
    context.print(*map(deleted, stones))


@command()
@argument("verb", required=False)
@paged
def verbs(context: CommandContext, verb: str | None) -> None:
    """The verbs that the campaign has; with VERB, what it needs."""
    show_verbs(context, verb or "")


@command()
@argument("key", required=False, suggest=suggest_rulesets)
@paged
def rulesets(context: CommandContext, key: str | None) -> None:
    """The rulesets at hand and where they come from; with KEY, the house rules and verbs of one."""
    registry = discover()
    if key:
        show_ruleset(context, registry, key)
    else:
        show_rulesets(context, registry)
