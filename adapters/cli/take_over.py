"""``rollbook take-over``: canon chooses as a timeline did, one choice at a time, with its own dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from adapters.cli.desk import Desk
from adapters.cli.options import pass_desk, seat_names, shared
from adapters.cli.what_if import meant, timeline_numbers

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook
    from domain.events import Scalar
    from domain.history import Entry
    from domain.timelines import Asked, Plan


@click.command(
    "take-over", short_help="Have canon choose as a timeline did, one choice at a time, with canon's own dice."
)
@click.argument("timeline", metavar="TIMELINE", shell_complete=timeline_numbers)
@click.option("--keep-later", is_flag=True, help="Keep what canon did after the last choice that both made.")
@click.option("--preview", "only_look", is_flag=True, help="Only show what would be asked, and what it would change.")
@click.option("-y", "--yes", is_flag=True, help="Take over every choice without asking.")
@click.option("--seat", metavar="SEAT", shell_complete=seat_names, help="Who corrects (default: the GM).")
@click.option("--why", metavar="TEXT", default="", help="The reason; it is kept with the correction.")
@shared
@pass_desk
def take_over(
    desk: Desk, /, timeline: str, *, keep_later: bool, only_look: bool, yes: bool, seat: str | None, why: str
) -> None:
    """Ask canon for the choices of a timeline. Nothing of what happened there is copied.

    What canon did and the timeline did not is taken back; what both did in different ways is changed; what only the timeline did
    is done anew, at canon's end. All of it with canon's own dice, so that nothing is gained by having looked.
    """
    from adapters.cli import show_take_over
    from adapters.timelines.taking_over import plan_of

    fork_ = meant(desk, timeline)
    with desk.wait("Comparing …"):
        canon, wanted = plan_of(desk.book(), fork_, keep_later=keep_later)
    _check_can_ask(desk, only_look=only_look, yes=yes, why=why)
    if not desk.json:
        show_take_over.plan(desk, canon, fork_, wanted)
    if not wanted.asked:
        _nothing(desk, fork_, canon, wanted)
        return
    if not (only_look or yes):
        wanted = _chosen(desk, canon, fork_, wanted)
        why = why or (click.prompt("Why") if wanted.asked else "")
    _carry_out(desk, canon, fork_, wanted, {"seat": seat, "reason": why}, only_look=only_look, yes=yes)


def _nothing(desk: Desk, timeline: CampaignBook, canon: CampaignBook, wanted: Plan) -> None:
    from adapters.cli import show_take_over

    if desk.json:
        desk.data(show_take_over.plan_data(canon, timeline, wanted, applied=False))
    else:
        desk.say(f"{canon.id} chose as {timeline.id} did, as far as it can be asked to.")


def _check_can_ask(desk: Desk, *, only_look: bool, yes: bool, why: str) -> None:
    if only_look:
        return
    if not yes and not desk.is_interactive:
        raise click.UsageError(
            "Nobody is there to be asked. Add --yes to take everything over, or --preview to see it."
        )
    if yes and not why:
        raise click.UsageError("A correction needs its reason: add --why TEXT.")


def _chosen(desk: Desk, canon: CampaignBook, timeline: CampaignBook, wanted: Plan) -> Plan:
    """The choices that somebody agrees to, asked one by one."""
    import attrs

    from adapters.cli import show_take_over

    agreed: list[Asked] = []
    for one in wanted.asked:
        desk.say(show_take_over.asked(canon, timeline, one))
        if click.confirm("  Take this over?", default=False):
            agreed.append(one)
    return attrs.evolve(wanted, asked=tuple(agreed))


def _carry_out(
    desk: Desk,
    canon: CampaignBook,
    timeline: CampaignBook,
    wanted: Plan,
    how: dict[str, Any],
    *,
    only_look: bool,
    yes: bool,
) -> None:
    """One correction for what canon did otherwise, then the new actions, one by one."""
    from adapters.cli import show_take_over
    from adapters.cli.faults import Exit, Partly
    from adapters.cli.show_preview import preview
    from domain.dice_supply import DiceNeeded

    changes = wanted.changes
    made = None
    if changes:
        try:
            made = canon.preview(changes, **how, draw=yes and not only_look)
        except DiceNeeded as needed:
            desk.remark(f"{needed} That is asked when it is done.")
            if not only_look and click.confirm("Draw it? A drawn die stays on record", default=False):
                made = canon.preview(changes, **how, draw=True)
            elif not only_look:
                desk.say("Nothing was taken over.")
                return
    if made is not None and not desk.json:
        preview(desk, canon, made)
    done = not only_look and bool(wanted.asked) and (yes or click.confirm("Apply?", default=False))
    taken: list[Entry] = []
    refusal = ""
    if done:
        if made is not None:
            canon.apply(made)
        taken, refusal = _take_anew(canon, wanted, how)
        canon.project()
    show_take_over.taken_over(desk, canon, timeline, wanted, made, taken, refusal, applied=done)
    if refusal:
        raise Partly(Exit.REFUSED)


def _take_anew(canon: CampaignBook, wanted: Plan, how: dict[str, Any]) -> tuple[list[Entry], str]:
    """The new actions, at canon's end; at the first that is refused it stops, and says which."""
    from domain.errors import RollbookError

    taken: list[Entry] = []
    for choice in wanted.anew:
        header = choice.entry.header
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
