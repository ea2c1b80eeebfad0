"""adopt: change the ruleset in mid-campaign, with a preview."""

from collections.abc import Sequence

import click
from rich.text import Text

from adapters.campaign import Campaign, Trial
from adapters.cli.confirm import Confirmation, confirmation_options
from adapters.cli.context import CliContext
from adapters.cli.parameters import command, complete_ruleset, rules_option, seat_option, why_option
from adapters.cli.text import printable, value_change
from adapters.cli.views.table import print_columns
from adapters.verb_line import pairs
from domain.actions import Adopt
from domain.corrections.changes import SheetChange
from domain.corrections.sheet_changes import sheet_changes
from domain.crossing import set_aside
from domain.events import ParameterValue
from domain.lookup import shown_name
from domain.state import Character

Conversion = tuple[Character, list[SheetChange], tuple[str, ...]]


@command()
@click.argument("ruleset", metavar="KEY", shell_complete=complete_ruleset)
@rules_option("A house rule of the new game.")
@confirmation_options("Do it without asking.")
@seat_option("Who decides it (default: the GM).")
@why_option("The reason; it is kept with the action.")
def adopt(
    cli: CliContext, /, *, ruleset: str, rules: tuple[str, ...], seat: str | None, why: str, confirmation: Confirmation
) -> None:
    """Go over to another ruleset in the middle of a campaign.

    Abilities, armour, health, experience, luck and conditions are converted. Whatever only the old game knows is set aside on
    each character and comes back when the campaign returns. What happened so far stays as it was, and the change can be
    undone like any action: rollbook undo.
    """
    confirmation.check(cli, "do it")
    campaign = cli.campaign()
    params: dict[str, ParameterValue] = {"ruleset": ruleset, "settings": pairs(rules)}
    with cli.wait("Converting the sheets …"):
        trial = campaign.try_out(Adopt.verb, params, seat=seat)
    conversions = _conversions(campaign, trial)
    if not cli.json:
        _show_conversions(cli, trial, conversions)
    done = confirmation.agreed("Go over?")
    if done:
        campaign.do(Adopt.verb, params, seat=seat, reason=why, base=trial.base)
        cli.project()
    if cli.json:
        names = {"campaign": campaign.id, "from": trial.before.ruleset, "to": trial.after.ruleset}
        characters = {who.id: _conversion_json(changes, waits) for who, changes, waits in conversions}
        cli.data({**names, "settings": dict(trial.after.settings), "applied": done, "characters": characters})
    elif done:
        back = f" The way back: rollbook adopt {trial.before.ruleset}" if trial.before.ruleset else ""
        cli.print(f"The campaign plays by {ruleset} from here on.{back}")
    else:
        cli.print("Nothing was recorded.")


def _conversions(campaign: Campaign, trial: Trial) -> list[Conversion]:
    """Everybody, with what changes on the sheet and what is set aside."""
    changes: dict[str, list[SheetChange]] = {name: [] for name in trial.before.characters}
    for change in sheet_changes(trial.before, trial.after, campaign.rulebook):
        changes[change.character].append(change)
    old, new = (campaign.rulebook.ruleset_of(state) for state in (trial.before, trial.after))
    waits: dict[str, tuple[str, ...]] = {}
    if old and new and old.crossing and new.crossing:
        waits = {who.id: set_aside(who, old.crossing, new.crossing) for who in trial.before.characters.values()}
    return [(who, changes[name], waits.get(name, ())) for name, who in trial.before.characters.items()]


def _show_conversions(cli: CliContext, trial: Trial, conversions: Sequence[Conversion]) -> None:
    cli.print(Text(f"From {trial.before.ruleset or 'no ruleset'} to {trial.after.ruleset}", style="bold yellow"))
    for who, changes, waits in conversions:
        rows = [(Text(printable(one.label)), Text(value_change(one.before, one.after), "bold")) for one in changes]
        if waits:
            rows.append((Text("set aside", style="dim"), Text(printable(", ".join(waits)), style="dim")))
        cli.print(Text(printable(shown_name(who, trial.before.characters.values())), style="magenta"))
        print_columns(cli, rows, indent=2)
    if not conversions:
        cli.print("  Nobody has a sheet yet.")


def _conversion_json(changes: Sequence[SheetChange], waits: tuple[str, ...]) -> dict[str, object]:
    shown = [{"label": one.label, "before": one.before, "after": one.after} for one in changes]
    return {"changes": shown, "set_aside": waits}
