"""adopt: change the ruleset in mid-campaign, with a preview."""

from collections.abc import Sequence

import click

from rollbook.adapters.cli.confirm import Confirmation, confirmation_options
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import command, complete_ruleset, rules_option, seat_option, why_option
from rollbook.adapters.cli.views.adoption import show_conversions
from rollbook.application.campaign import Campaign
from rollbook.application.conversions import conversions
from rollbook.application.lines.verb_line import pairs
from rollbook.application.playing.what_if import Trial
from rollbook.domain.actions import Adopt
from rollbook.domain.corrections.sheet_changes import SheetChange, sheet_changes
from rollbook.domain.events import ParameterValue


@command()
@click.argument("ruleset", metavar="KEY", shell_complete=complete_ruleset)
@rules_option("A house rule of the new game.")
@click.option("--all", "everything", is_flag=True, help="List what is set aside, however long it gets.")
@confirmation_options("Do it without asking.")
@seat_option("Who decides it (default: the GM).")
@why_option("The reason; it is kept with the action.")
def adopt(
    cli: CliContext,
    /,
    *,
    ruleset: str,
    rules: tuple[str, ...],
    everything: bool,
    seat: str | None,
    why: str,
    confirmation: Confirmation,
) -> None:
    """Go over to another ruleset in the middle of a campaign.

    Abilities, armour, health, experience, luck and conditions are converted. Whatever only the old game knows is set aside on
    each character and comes back when the campaign returns. What happened so far stays as it was, and the change can be
    undone like any action: rollbook undo.
    """
    confirmation.check(cli, "do it")
    campaign = cli.campaign()
    params: dict[str, ParameterValue] = {"ruleset": ruleset, "settings": pairs(rules)}
    with cli.bar("Converting the sheets"):
        trial = campaign.try_out(Adopt.verb, params, seat=seat)
    found = conversions(campaign.rulebook, trial.before, trial.after)
    if not cli.json:
        show_conversions(cli, trial, found, everything=everything)
    done = confirmation.agreed(cli, "Go over?")
    if done:
        campaign.do(Adopt.verb, params, seat=seat, reason=why, base=trial.base)
        cli.project()
    if cli.json:
        names = {"campaign": campaign.id, "from": trial.before.ruleset, "to": trial.after.ruleset}
        changed = _changes(campaign, trial)
        characters = {one.id: _conversion_json(changed[one.id], one.waits) for one in found}
        cli.data({**names, "settings": dict(trial.after.settings), "applied": done, "characters": characters})
    elif done:
        back = f" The way back: rollbook adopt {trial.before.ruleset}" if trial.before.ruleset else ""
        cli.print(f"The campaign plays by {ruleset} from here on.{back}")
    else:
        cli.print("Nothing was recorded.")


def _changes(campaign: Campaign, trial: Trial) -> dict[str, list[SheetChange]]:
    """Every value of everybody's sheet that changes."""
    changes: dict[str, list[SheetChange]] = {name: [] for name in trial.before.characters}
    for change in sheet_changes(trial.before, trial.after, campaign.rulebook):
        changes[change.character].append(change)
    return changes


def _conversion_json(changes: Sequence[SheetChange], waits: tuple[str, ...]) -> dict[str, object]:
    shown = [{"label": one.label, "before": one.before, "after": one.after} for one in changes]
    return {"changes": shown, "set_aside": waits}
