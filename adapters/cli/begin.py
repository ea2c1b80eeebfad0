"""Beginning: a new campaign, the campaigns there are, and the games that can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from adapters.cli.desk import Desk
from adapters.cli.options import completions, pass_desk, shared

if TYPE_CHECKING:
    from adapters.plugins import Shelf
    from domain.ruleset import Ruleset


def _rulesets(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from adapters.plugins import discover

    return completions(lambda: tuple(discover().rulesets), incomplete)


@click.command(short_help="Start a campaign.")
@click.argument("name")
@click.option("--ruleset", metavar="KEY", required=True, shell_complete=_rulesets, help="The game: rollbook rulesets")
@click.option("--set", "rules", multiple=True, metavar="key=value", help="A house rule; see: rollbook rulesets KEY")
@shared
@pass_desk
def new(desk: Desk, name: str, ruleset: str, rules: tuple[str, ...]) -> None:
    """Start a campaign by a ruleset, with house rules if you like."""
    from adapters.spoken import pairs

    chosen = pairs(rules)
    campaign = desk.book(create=True).new(name, ruleset, chosen)
    desk.sit_at(campaign)
    desk.project()
    state = campaign.state
    if desk.json:
        said = {"campaign": campaign.id, "name": state.name, "ruleset": state.ruleset, "version": state.version}
        desk.data({**said, "settings": dict(state.settings)})
        return
    desk.say(f"{state.name} begins, by {state.ruleset} {state.version}. It is called {campaign.id} in commands.")
    desk.say("Next: rollbook do take-seat NAME --role gm · rollbook verbs · rollbook play")


@click.command(short_help="The campaigns in the store.")
@shared
@pass_desk
def campaigns(desk: Desk) -> None:
    """The campaigns in the store, oldest first."""
    from adapters import paths
    from adapters.cli import show

    book = desk.book()
    last = paths.last_used(desk.store_path)
    rows = []
    for name in book.campaigns():
        campaign = book.campaign(name)
        head = campaign.head
        state = head.state
        sessions = state.session.number if state.session else 0
        if desk.json:
            desk.data(
                {
                    "campaign": name,
                    "name": state.name,
                    "ruleset": state.ruleset,
                    "version": state.version,
                    "entries": head.entry,
                    "actions": head.actions,
                    "sessions": sessions,
                    "used_last": name == last,
                    "damage": campaign.damage,
                }
            )
        counted = (str(sessions), str(head.actions), str(head.entry))
        mark = "damaged" if campaign.damage else "← last used" if name == last else ""
        rows.append([name, state.name, f"{state.ruleset} {state.version}".strip(), *counted, mark])
    if desk.json:
        return
    if not rows:
        desk.say("There is no campaign in this store yet. Start with: rollbook new NAME --ruleset storytoken")
        return
    show.table(desk, ("campaign", "name", "ruleset", "sessions", "actions", "entries", ""), rows, right=(3, 4, 5))


@click.command(short_help="The games that can be played, and their house rules.")
@click.argument("key", required=False, shell_complete=_rulesets)
@shared
@pass_desk
def rulesets(desk: Desk, key: str | None) -> None:
    """The rulesets at hand and where they come from; with KEY, the house rules and verbs of one."""
    from adapters.plugins import discover

    shelf = discover()
    if key:
        _one_ruleset(desk, shelf, key)
    else:
        _all_rulesets(desk, shelf)


def _all_rulesets(desk: Desk, shelf: Shelf) -> None:
    from adapters.cli import show

    if desk.json:
        for key, ruleset in shelf.rulesets.items():
            desk.data({**_ruleset_data(key, ruleset), "origin": shelf.origins.get(key, "")})
        for fault in shelf.broken:
            desk.data({"broken": str(fault)})
        return
    rows = [
        (key, ruleset.title, ruleset.version, shelf.origins.get(key, ""), ruleset.summary)
        for key, ruleset in shelf.rulesets.items()
    ]
    if rows:
        show.table(desk, ("ruleset", "title", "version", "from", ""), rows)
    else:
        desk.say("No ruleset is installed.")
    for fault in shelf.broken:
        desk.remark(str(fault))


def _ruleset_data(key: str, ruleset: Ruleset) -> dict[str, Any]:
    return {"ruleset": key, "title": ruleset.title, "version": ruleset.version, "summary": ruleset.summary}


def _one_ruleset(desk: Desk, shelf: Shelf, key: str) -> None:
    from rich.text import Text

    from adapters.cli import show
    from adapters.cli.ask import verb_data
    from adapters.cli.verbs import summary
    from domain.ruleset import settings_fields

    ruleset = _found(shelf, key)
    settings = settings_fields(ruleset)
    if desk.json:
        desk.data(
            {
                **_ruleset_data(key, ruleset),
                "origin": shelf.origins.get(key, ""),
                "settings": [
                    {"name": s.name, "default": s.default, "choices": list(s.choices), "help": s.help} for s in settings
                ],
                "second_thoughts": dict(ruleset.second_thoughts),
                "verbs": [verb_data(action, key) for action in ruleset.actions],
            }
        )
        return
    desk.say(Text.assemble((ruleset.title, "bold"), f"  {ruleset.version}  from {shelf.origins.get(key, 'here')}"))
    desk.say(ruleset.summary)
    if settings:
        desk.say(Text("House rules (rollbook new NAME --set key=value)", style="bold yellow"))
        rows = [
            (Text(rule.name, "bold"), _written(rule.default), Text("|".join(rule.choices), "dim"), rule.help)
            for rule in settings
        ]
        show.grid(desk, rows, indent=2)
    desk.say(Text("Verbs", style="bold yellow"))
    show.grid(desk, [(Text(a.verb, style="bold"), Text(summary(a), style="dim")) for a in ruleset.actions], indent=2)


def _found(shelf: Shelf, key: str) -> Ruleset:
    from domain.errors import not_found

    if key in shelf.rulesets:
        return shelf.rulesets[key]
    for fault in shelf.broken:
        if repr(key) in str(fault):
            raise fault
    raise not_found("ruleset", key, shelf.rulesets)


def _written(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
