"""Beginning and keeping: campaigns, rulesets, the audit, files in and out, the read model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from adapters.cli.desk import Desk
from adapters.cli.faults import Exit, Partly
from adapters.cli.options import completions, pass_desk, shared

if TYPE_CHECKING:
    from adapters.plugins import Shelf
    from domain.audit import Answer
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


NOT_PROVEN = (
    "A file alone cannot prove that nothing was left out at its end or told differently from the start: that takes a "
    "receipt that a player noted. Nor does it prove what the words mean; only that they are the words that were stored."
)


@click.command(short_help="Is the history whole, are the dice honest, do the rules agree?")
@shared
@pass_desk
def audit(desk: Desk) -> None:
    """Check the history: its chain, its dice against the revealed seeds, its outcomes against the rules."""
    from domain.audit import Verdict

    campaign = desk.campaign()
    with desk.wait("Checking …"):
        answers = campaign.audit()
    if desk.json:
        desk.data({"campaign": campaign.id, "answers": [_answer_data(answer) for answer in answers]})
    else:
        show_audit(desk, answers)
        desk.say(NOT_PROVEN)
    if any(answer.verdict is Verdict.FAILED for answer in answers):
        raise Partly(Exit.INTEGRITY)


MOST_FINDINGS = 8


def show_audit(desk: Desk, answers: tuple[Answer, ...]) -> None:
    """A line for each answer, with what was found."""
    from rich.text import Text

    from adapters.cli import show

    colours = {"VERIFIED": "bold green", "UNPROVEN": "bold yellow", "FAILED": "bold red"}
    rows = []
    for answer in answers:
        rows.append(
            (answer.question, Text(answer.verdict, style=colours[answer.verdict]), Text("; ".join(answer.remarks)))
        )
        for finding in answer.findings[:MOST_FINDINGS]:
            where = f"entry {finding.entry}: " if finding.entry else ""
            rows.append(("", Text(""), Text(where + finding.text, style=colours[answer.verdict].removeprefix("bold "))))
        if len(answer.findings) > MOST_FINDINGS:
            rows.append(("", Text(""), Text(f"… and {len(answer.findings) - MOST_FINDINGS} more")))
    show.grid(desk, rows)


def _answer_data(answer: Answer) -> dict[str, Any]:
    return {
        "question": answer.question,
        "verdict": str(answer.verdict),
        "checked": answer.checked,
        "remarks": list(answer.remarks),
        "findings": [{"entry": finding.entry, "text": finding.text} for finding in answer.findings],
    }


@click.command(short_help="Write the campaign to a file.")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--overwrite", is_flag=True, help="Replace a file of that name.")
@shared
@pass_desk
def export(desk: Desk, file: str, overwrite: bool) -> None:
    """Write the campaign to FILE: JSON lines with every event, and all that verifying it needs."""
    from adapters.exports.jsonl import export_campaign
    from domain.dice import receipt

    campaign = desk.campaign()
    with desk.wait("Writing …"):
        report = export_campaign(campaign.journal, Path(file), overwrite=overwrite)
    if desk.json:
        desk.data(report)
        return
    desk.say(f"{file} holds {report.entries} entries with {report.events} events of {report.campaign}.")
    desk.say(f"Receipt: entry {report.entries}, {receipt(bytes.fromhex(report.head))}")


@click.command("import", short_help="Take in a campaign from a file.")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--from", "origin", type=click.Choice(["rollbook", "avrae"]), default="rollbook", help="What wrote it.")
@click.option("--as", "name", metavar="NAME", default="", help="What to call the campaign here.")
@shared
@pass_desk
def import_(desk: Desk, file: str, origin: str, name: str) -> None:
    """Take in a campaign that rollbook exported, or a combat that the Avrae bot recorded."""
    if origin == "avrae":
        _import_avrae(desk, Path(file), name)
    else:
        _import_export(desk, Path(file), name)


def _import_export(desk: Desk, path: Path, name: str) -> None:
    from adapters.imports.jsonl import import_campaign
    from domain.errors import NotFound

    if not path.exists():
        raise NotFound(f"There is no file {path}.")
    book = desk.book(create=True)
    with desk.wait("Reading and checking …"):
        report = import_campaign(book, path, name)
    desk.sit_at(book.campaign(report.campaign))
    desk.project()
    if desk.json:
        desk.data(report)
    elif report.new:
        desk.say(f"{report.campaign}: {report.entries} entries with {report.events} events, checked and taken in.")
    else:
        desk.say(f"{report.campaign} is here already, event for event.")


def _import_avrae(desk: Desk, path: Path, name: str) -> None:
    from adapters.imports.avrae import read_avrae
    from adapters.imports.taking_in import take_in

    with desk.wait("Reading …"):
        imported = read_avrae(path, name)
    campaign = take_in(desk.book(create=True), imported, name)
    desk.sit_at(campaign)
    desk.project()
    head = campaign.head
    if desk.json:
        desk.data(
            {
                "campaign": campaign.id,
                "events": head.version,
                "entries": head.entry,
                "changes_explained": imported.changes_explained,
                "changes_corrected": imported.changes_corrected,
                "warnings": list(imported.warnings),
            }
        )
        return
    desk.say(f"{campaign.id}: {head.entry} entries with {head.version} events.")
    explained, corrected = imported.changes_explained, imported.changes_corrected
    desk.say(f"Changes of hit points: {explained} explained, {corrected} taken in as corrections.")
    for warning in imported.warnings:
        desk.remark(warning)


@click.command(short_help="Make the read model anew.")
@shared
@pass_desk
def rebuild(desk: Desk) -> None:
    """Make the read model anew from the history, which stays untouched."""
    from adapters.book import read_model_path
    from adapters.read_model import ReadModel

    book = desk.book()
    model = ReadModel(read_model_path(desk.store_path))
    try:
        with desk.bar("Reading the history") as progress:
            taken = model.rebuild(book.store, book.rulebook, progress)
    finally:
        model.close()
    if desk.json:
        desk.data({"events": taken, "read_model": str(model.path)})
    else:
        desk.say(f"The read model is made anew from {taken:,} events: {model.path}")
