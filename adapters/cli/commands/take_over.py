"""take-over: replay a timeline's choices on the campaign, with the campaign's own dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs
import click

from adapters.cli.context import CliContext
from adapters.cli.errors import Exit, ReportedFailure
from adapters.cli.parameters import complete_seat, complete_timeline, pass_cli, shared_parameters, timeline_named
from adapters.cli.views.preview import show_preview
from adapters.cli.views.take_over import plan_data, request_text, show_plan, show_taken_over
from adapters.timelines.merge_plan import merge_plan
from domain.dice.supply import DiceNeeded
from domain.errors import RollbookError

if TYPE_CHECKING:
    from adapters.campaign import Campaign
    from domain.entries import RecordedEntry
    from domain.events import Scalar
    from domain.timelines import Asked, Plan


@click.command("take-over")
@click.argument("timeline", metavar="TIMELINE", shell_complete=complete_timeline)
@click.option("--keep-later", is_flag=True, help="Keep what canon did after the last choice that both made.")
@click.option("--preview", "only_look", is_flag=True, help="Only show what would be asked, and what it would change.")
@click.option("-y", "--yes", is_flag=True, help="Take over every choice without asking.")
@click.option("--seat", metavar="SEAT", shell_complete=complete_seat, help="Who corrects (default: the GM).")
@click.option("--why", metavar="TEXT", default="", help="The reason; it is kept with the correction.")
@shared_parameters
@pass_cli
def take_over(
    cli: CliContext, /, timeline: str, *, keep_later: bool, only_look: bool, yes: bool, seat: str | None, why: str
) -> None:
    """Ask canon for the choices of a timeline. Nothing of what happened there is copied.

    What canon did and the timeline did not is taken back; what both did in different ways is changed; what only the timeline did
    is done anew, at canon's end. All of it with canon's own dice, so that nothing is gained by having looked.
    """
    fork_ = timeline_named(cli, timeline)
    with cli.wait("Comparing …"):
        canon, wanted = merge_plan(cli.book(), fork_, keep_later=keep_later)
    _check_can_ask(cli, only_look=only_look, yes=yes, why=why)
    if not cli.json:
        show_plan(cli, canon, fork_, wanted)
    if not wanted.asked:
        _nothing(cli, fork_, canon, wanted)
        return
    if not (only_look or yes):
        wanted = _chosen(cli, canon, fork_, wanted)
        why = why or (click.prompt("Why") if wanted.asked else "")
    _carry_out(cli, canon, fork_, wanted, {"seat": seat, "reason": why}, only_look=only_look, yes=yes)


def _nothing(cli: CliContext, timeline: Campaign, canon: Campaign, wanted: Plan) -> None:
    if cli.json:
        cli.data(plan_data(canon, timeline, wanted, applied=False))
    else:
        cli.print(f"{canon.id} chose as {timeline.id} did, as far as it can be asked to.")


def _check_can_ask(cli: CliContext, *, only_look: bool, yes: bool, why: str) -> None:
    if only_look:
        return
    if not yes and not cli.is_interactive:
        raise click.UsageError(
            "Nobody is there to be asked. Add --yes to take everything over, or --preview to see it."
        )
    if yes and not why:
        raise click.UsageError("A correction needs its reason: add --why TEXT.")


def _chosen(cli: CliContext, canon: Campaign, timeline: Campaign, wanted: Plan) -> Plan:
    """The choices that somebody agrees to, asked one by one."""
    agreed: list[Asked] = []
    for one in wanted.asked:
        cli.print(request_text(canon, timeline, one))
        if click.confirm("  Take this over?", default=False):
            agreed.append(one)
    return attrs.evolve(wanted, asked=tuple(agreed))


def _carry_out(
    cli: CliContext,
    canon: Campaign,
    timeline: Campaign,
    wanted: Plan,
    how: dict[str, Any],
    *,
    only_look: bool,
    yes: bool,
) -> None:
    """One correction for what canon did otherwise, then the new actions, one by one."""
    changes = wanted.changes
    made = None
    if changes:
        try:
            made = canon.preview(changes, **how, draw=yes and not only_look)
        except DiceNeeded as needed:
            cli.warn(f"{needed} That is asked when it is done.")
            if not only_look and click.confirm("Draw it? A drawn die stays on record", default=False):
                made = canon.preview(changes, **how, draw=True)
            elif not only_look:
                cli.print("Nothing was taken over.")
                return
    if made is not None and not cli.json:
        show_preview(cli, canon, made)
    done = not only_look and bool(wanted.asked) and (yes or click.confirm("Apply?", default=False))
    taken: list[RecordedEntry] = []
    refusal = ""
    if done:
        if made is not None:
            canon.apply(made)
        taken, refusal = _take_anew(canon, wanted, how)
        canon.project()
    show_taken_over(cli, canon, timeline, wanted, made, taken, refusal, applied=done)
    if refusal:
        raise ReportedFailure(Exit.REFUSED)


def _take_anew(canon: Campaign, wanted: Plan, how: dict[str, Any]) -> tuple[list[RecordedEntry], str]:
    """The new actions, at canon's end; at the first that is refused it stops, and says which."""
    taken: list[RecordedEntry] = []
    for choice in wanted.anew:
        header = choice.entry
        params: dict[str, Scalar] = dict(choice.intent.params)
        try:
            taken.append(
                canon.do(
                    choice.intent.verb,
                    params,
                    seat=header.seat or None,
                    secret=header.visibility == "gm",
                    reason=how["reason"],
                )
            )
        except RollbookError as why:
            return taken, f"{choice.intent.verb} (#{choice.action} on the timeline): {why}"
    return taken, ""
