"""take-over: make a timeline's choices in the campaign, with the campaign's own dice."""

from functools import partial

import attrs

from rollbook.adapters.line_commands.confirm import (
    CORRECTOR,
    WHY,
    Confirmation,
    confirmation_options,
    preview_with_dice,
)
from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import argument, command, option
from rollbook.adapters.line_commands.options import seat_option, suggest_timelines, timeline_named, why_option
from rollbook.adapters.line_commands.views.preview import ShownPreview, show_preview
from rollbook.adapters.line_commands.views.take_over import plan_json, request_text, show_plan, show_taken_over
from rollbook.application.corrections import Corrections
from rollbook.application.lines.line_answer import AnsweredFailure
from rollbook.application.playing.engine_parameters import placeholders
from rollbook.application.playing.request import ActionRequest
from rollbook.application.timelines.forking import merge_plan
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.corrections.changes import CorrectionOptions, Proposal
from rollbook.domain.corrections.timelines import MergePlan, WantedChoice
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.rules.action import build


@command("take-over")
@argument("timeline", metavar="TIMELINE", suggest=suggest_timelines)
@option("--keep-later", is_flag=True, help="Keep what canon did after the last choice that both made.")
@confirmation_options(
    "Take over every choice without asking.", "Only show what would be asked, and what it would change."
)
@seat_option(CORRECTOR)
@why_option(WHY)
def take_over(
    context: CommandContext,
    /,
    timeline: str,
    *,
    keep_later: bool,
    seat: str | None,
    why: str,
    confirmation: Confirmation,
) -> None:
    """Make the choices of a timeline on canon. Nothing of what happened there is copied.

    What canon did and the timeline did not is undone; what both did in different ways is changed; what only the timeline
    did is done at canon's end. All of it with canon's own dice, so that nobody gains by having looked.
    """
    source = timeline_named(context, timeline)
    with context.bar("Comparing"):
        canon, wanted = merge_plan(context.book(), source, keep_later=keep_later)
    confirmation.check(context, "take everything over")
    if not context.json:
        show_plan(context, canon, source, wanted)
    if not wanted.asked:
        if context.json:
            context.data(plan_json(canon, source, wanted, applied=False))
        else:
            context.print(f"{canon.id} chose as {source.id} did, as far as it can be asked to.")
        return
    if not (confirmation.preview_only or confirmation.yes):
        wanted = _chosen(context, canon, source, wanted)
    draw = confirmation.yes and not confirmation.preview_only
    confirmation = attrs.evolve(confirmation, options=CorrectionOptions(seat=seat, reason=why, draw=draw))
    _carry_out(context, canon, source, wanted, confirmation.reasoned(context) if wanted.asked else confirmation)


def _chosen(context: CommandContext, canon: CampaignView, timeline: CampaignView, wanted: MergePlan) -> MergePlan:
    """The choices that somebody agrees to, asked one by one."""
    agreed: list[WantedChoice] = []
    for one in wanted.asked:
        context.print(request_text(canon, timeline, one))
        if context.agree("  Take this over?"):
            agreed.append(one)
    return attrs.evolve(wanted, asked=tuple(agreed))


def _carry_out(
    context: CommandContext, canon: CampaignView, timeline: CampaignView, wanted: MergePlan, confirmation: Confirmation
) -> None:
    """One correction for what canon did otherwise, then the new actions, one by one."""
    made = _preview(context, canon, wanted, confirmation)
    if made is not None and not context.json:
        show_preview(context, ShownPreview.of(canon, made))
    applied = bool(wanted.asked) and confirmation.agreed(context, "Apply?")
    taken: list[RecordedEntry] = []
    refusal = ""
    if applied:
        changed = Corrections(canon.session).apply(made) if made is not None else ()
        first = changed[0].number if changed else 0
        taken, refusal = _do_new_actions(canon, wanted, confirmation.options.reason, first)
        canon.session.project()
    show_taken_over(context, canon, timeline, wanted, made, taken, refusal, applied=applied)
    if refusal:
        raise AnsweredFailure("refused")


def _preview(
    context: CommandContext, canon: CampaignView, wanted: MergePlan, confirmation: Confirmation
) -> Proposal | None:
    """The preview of what is changed; None without changes, or if only previewing and it needs new dice."""
    if not wanted.changes:
        return None
    make = partial(Corrections(canon.session).preview, wanted.changes)
    try:
        if confirmation.preview_only:
            return make(options=confirmation.options)
        return preview_with_dice(context, make, confirmation.options)[0]
    except DiceNeeded as needed:
        if not confirmation.preview_only:
            raise
        context.warn(f"{needed.need} It is asked for, or drawn with --yes, when it is done.")
        return None


def _do_new_actions(
    canon: CampaignView, wanted: MergePlan, reason: str, correction: EntryNumber
) -> tuple[list[RecordedEntry], str]:
    """The new actions, at canon's end, as a part of the correction. Stops at the first refusal, and returns its sentence."""
    taken: list[RecordedEntry] = []
    for choice in wanted.new_actions:
        asked, secret = choice.intent, choice.entry.visibility == "gm"
        try:
            verb = canon.session.rulebook.verb(canon.refresh().state, asked.verb)
            action = build(verb, {**placeholders(verb), **asked.params})
            turn = ActionRequest(action, choice.entry.seat or None, None, secret, reason, correction)
            taken.append(canon.session.take(turn))
        except RollbookError as why:
            return taken, f"{asked.verb} (#{choice.action} on the timeline): {why}"
    return taken, ""
