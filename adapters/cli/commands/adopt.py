"""adopt: change the ruleset in mid-campaign, with a preview."""

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
from domain.corrections import sheet_changes
from domain.corrections.changes import SheetChange
from domain.crossing import set_aside
from domain.events import ParameterValue


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
    before = campaign.state
    params: dict[str, ParameterValue] = {"ruleset": ruleset, "settings": pairs(rules)}
    with cli.wait("Converting the sheets …"):
        trial = campaign.try_out(Adopt.verb, params, seat=seat)
    if not cli.json:
        _show_conversion(cli, campaign, trial)
    done = confirmation.agreed("Go over?")
    if done:
        campaign.do(Adopt.verb, params, seat=seat, reason=why, base=trial.base)
        cli.project()
    if cli.json:
        cli.data(_conversion_json(campaign, trial, before.ruleset, done=done))
    elif done:
        back = f" The way back: rollbook adopt {before.ruleset}" if before.ruleset else ""
        cli.print(f"The campaign plays by {ruleset} from here on.{back}")
    else:
        cli.print("Nothing was recorded.")


def _show_conversion(cli: CliContext, campaign: Campaign, trial: Trial) -> None:
    """Everybody's sheet before and after, and what is set aside."""
    cli.print(Text(f"From {trial.before.ruleset or 'no ruleset'} to {trial.after.ruleset}", style="bold yellow"))
    for name, changes in _by_character(campaign, trial).items():
        who = trial.before.characters[name]
        rows = [
            (Text(printable(change.label)), Text(value_change(change.before, change.after), style="bold"))
            for change in changes
        ]
        waits = _set_aside(campaign, trial, name)
        if waits:
            rows.append((Text("set aside", style="dim"), Text(printable(", ".join(waits)), style="dim")))
        cli.print(Text(printable(who.name), style="magenta"))
        print_columns(cli, rows, indent=2)
    if not trial.before.characters:
        cli.print("  Nobody has a sheet yet.")


def _by_character(campaign: Campaign, trial: Trial) -> dict[str, list[SheetChange]]:
    found: dict[str, list[SheetChange]] = {name: [] for name in trial.before.characters}
    for change in sheet_changes(trial.before, trial.after, campaign.rulebook):
        found[change.character].append(change)
    return found


def _set_aside(campaign: Campaign, trial: Trial, name: str) -> tuple[str, ...]:
    old, new = campaign.rulebook.ruleset_of(trial.before), campaign.rulebook.ruleset_of(trial.after)
    if old is None or new is None or old.crossing is None or new.crossing is None:
        return ()
    return set_aside(trial.before.characters[name], old.crossing, new.crossing)


def _conversion_json(campaign: Campaign, trial: Trial, old: str, *, done: bool) -> dict[str, object]:
    return {
        "campaign": campaign.id,
        "from": old,
        "to": trial.after.ruleset,
        "settings": dict(trial.after.settings),
        "applied": done,
        "characters": {
            name: {
                "changes": [{"label": one.label, "before": one.before, "after": one.after} for one in changes],
                "set_aside": _set_aside(campaign, trial, name),
            }
            for name, changes in _by_character(campaign, trial).items()
        },
    }
