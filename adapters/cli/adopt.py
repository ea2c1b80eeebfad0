"""``rollbook adopt``: go over to another ruleset, shown before it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from adapters.cli.desk import Desk
from adapters.cli.options import completions, desk_of, pass_desk, seat_names, shared

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook, Trial
    from domain.corrections.changes import SheetChange
    from domain.events import Scalar


def _rulesets(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return completions(lambda: sorted(desk_of(ctx).book().rulebook.rulesets), incomplete)


@click.command(short_help="Go over to another ruleset; what has no counterpart waits for the way back.")
@click.argument("ruleset", metavar="KEY", shell_complete=_rulesets)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A house rule of the new game.")
@click.option("--preview", "only_look", is_flag=True, help="Only show what would change.")
@click.option("-y", "--yes", is_flag=True, help="Do it without asking.")
@click.option("--seat", metavar="SEAT", shell_complete=seat_names, help="Who decides it (default: the GM).")
@click.option("--why", metavar="TEXT", default="", help="The reason; it is kept with the action.")
@shared
@pass_desk
def adopt(desk: Desk, /, *, ruleset: str, settings: tuple[str, ...], only_look: bool, yes: bool, **how: Any) -> None:
    """Go over to another ruleset in the middle of a campaign.

    Abilities, armour, health, experience, luck and conditions are converted. Whatever only the old game knows is set aside on
    each character and comes back when the campaign returns. What happened so far stays as it was, and the change can be
    taken back like any action: rollbook undo.
    """
    from domain.actions import Adopt

    campaign = desk.campaign()
    if not only_look and not yes and not desk.is_interactive:
        raise click.UsageError("Nobody is there to be asked. Add --yes to do it, or --preview to see it.")
    before = campaign.state
    params: dict[str, Scalar] = {"ruleset": ruleset, "settings": settings}
    with desk.wait("Writing the sheets anew …"):
        trial = campaign.try_out(Adopt.verb, params, seat=how["seat"])
    if not desk.json:
        _show(desk, campaign, trial)
    done = not only_look and (yes or click.confirm("Go over?", default=False))
    if done:
        campaign.do(Adopt.verb, params, seat=how["seat"], reason=how["why"], base=trial.base)
        desk.project()
    if desk.json:
        desk.data(_data(campaign, trial, before.ruleset, done=done))
    elif done:
        back = f" The way back: rollbook adopt {before.ruleset}" if before.ruleset else ""
        desk.say(f"The campaign plays by {ruleset} from here on.{back}")
    else:
        desk.say("Nothing was recorded.")


def _show(desk: Desk, campaign: CampaignBook, trial: Trial) -> None:
    """Everybody's sheet before and after, and what is set aside."""
    from rich.text import Text

    from adapters.cli import show
    from adapters.cli.faults import clean

    desk.say(Text(f"From {trial.before.ruleset or 'no ruleset'} to {trial.after.ruleset}", style="bold yellow"))
    for name, changes in _by_character(campaign, trial).items():
        who = trial.before.characters[name]
        rows = [
            (Text(clean(change.label)), Text(show.moved(change.before, change.after), style="bold"))
            for change in changes
        ]
        waits = _waits(campaign, trial, name)
        if waits:
            rows.append((Text("set aside", style="dim"), Text(clean(", ".join(waits)), style="dim")))
        desk.say(Text(clean(who.name), style="magenta"))
        show.grid(desk, rows, indent=2)
    if not trial.before.characters:
        desk.say("  Nobody has a sheet yet.")


def _by_character(campaign: CampaignBook, trial: Trial) -> dict[str, list[SheetChange]]:
    from domain.corrections import sheet_changes

    found: dict[str, list[SheetChange]] = {name: [] for name in trial.before.characters}
    for change in sheet_changes(trial.before, trial.after, campaign.rulebook):
        found[change.character].append(change)
    return found


def _waits(campaign: CampaignBook, trial: Trial, name: str) -> tuple[str, ...]:
    from domain.crossing import set_aside

    old, new = campaign.rulebook.ruleset_of(trial.before), campaign.rulebook.ruleset_of(trial.after)
    if old is None or new is None or old.crossing is None or new.crossing is None:
        return ()
    return set_aside(trial.before.characters[name], old.crossing, new.crossing)


def _data(campaign: CampaignBook, trial: Trial, old: str, *, done: bool) -> dict[str, Any]:
    """The same as JSON has it."""
    return {
        "campaign": campaign.id,
        "from": old,
        "to": trial.after.ruleset,
        "settings": dict(trial.after.settings),
        "applied": done,
        "characters": {
            name: {
                "changes": [{"label": one.label, "before": one.before, "after": one.after} for one in changes],
                "set_aside": _waits(campaign, trial, name),
            }
            for name, changes in _by_character(campaign, trial).items()
        },
    }
