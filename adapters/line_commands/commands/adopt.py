"""adopt: change the ruleset in mid-campaign, with a preview."""

from collections.abc import Sequence

from rollbook.adapters.line_commands.confirm import Confirmation, confirmation_options
from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import Words, argument, command, option
from rollbook.adapters.line_commands.options import rules_option, seat_option, suggest_rulesets, why_option
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.timelines import show_conversion_table
from rollbook.adapters.presentation.plain_text import printable
from rollbook.application.conversions import Conversion, conversions
from rollbook.application.lines.verb_line import pairs
from rollbook.application.view import CampaignView, Trial
from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.base.number_words import counted
from rollbook.domain.corrections.sheet_changes import sheet_changes
from rollbook.domain.events import ParameterValue


@command()
@argument("ruleset", metavar="KEY", suggest=suggest_rulesets)
@rules_option("A house rule of the new game.")
@option("--all", "everything", is_flag=True, help="List what is set aside, however long it gets.")
@confirmation_options("Do it without asking.")
@seat_option("Who decides it (default: the GM).")
@why_option("The reason; it is kept with the action.")
def adopt(
    context: CommandContext,
    ruleset: str,
    rules: Words,
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
    confirmation.check(context, "do it")
    campaign = context.campaign()
    params: dict[str, ParameterValue] = {"ruleset": ruleset, "settings": pairs(rules)}
    with context.bar("Converting the sheets"):
        trial = campaign.try_out(Adopt.verb, params, seat=seat)
    found = conversions(campaign.session.rulebook, trial.before, trial.after)
    if not context.json:
        _show_conversions(context, trial, found, everything=everything)
    done = confirmation.agreed(context, "Go over?")
    if done:
        context.played().do(Adopt.verb, params, seat=seat, reason=why, base=trial.base)
        context.project()
    if context.json:
        names = {"campaign": campaign.id, "from": trial.before.ruleset, "to": trial.after.ruleset}
        changed = _changes(campaign, trial)
        characters = {one.id: {"changes": changed[one.id], "set_aside": one.waits} for one in found}
        context.data({**names, "settings": dict(trial.after.settings), "applied": done, "characters": characters})
    elif done:
        back = f" The way back: rollbook adopt {trial.before.ruleset}" if trial.before.ruleset else ""
        context.print(f"The campaign plays by {ruleset} from here on.{back}")
    else:
        context.print("Nothing was recorded.")


def _show_conversions(context: CommandContext, trial: Trial, found: Sequence[Conversion], *, everything: bool) -> None:
    """Print a table of the characters, and below it how much is set aside."""
    old, new = trial.before.ruleset or "no ruleset", trial.after.ruleset
    context.print(Text(f"From {old} to {new}", "bold yellow"))
    if not found:
        context.print("  Nobody has a sheet yet.")
        return
    show_conversion_table(context, found, new)
    for one in found if everything else ():
        if one.waits:
            context.print(Text(f"{printable(one.name)} sets aside: {printable(', '.join(one.waits))}", "dim"))
    waiting = sum(len(one.waits) for one in found)
    if waiting and not everything:
        things = counted(waiting, "thing")
        context.print(Text(f"Set aside for the way back: {things} that only {old} knows; --all lists them.", "dim"))


def _changes(campaign: CampaignView, trial: Trial) -> dict[str, list[dict[str, object]]]:
    changes: dict[str, list[dict[str, object]]] = {name: [] for name in trial.before.characters}
    for one in sheet_changes(trial.before, trial.after, campaign.session.rulebook):
        changes[one.character].append({"label": one.label, "before": one.before, "after": one.after})
    return changes
