"""take-over: make a timeline's choices in the campaign, with the campaign's own dice."""

from collections.abc import Mapping, Sequence
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
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views import log
from rollbook.adapters.line_commands.views.performed import log_line_of
from rollbook.adapters.line_commands.views.preview import ShownPreview, preview_json, show_preview
from rollbook.adapters.line_commands.views.timelines import parameter_text, what_was_done
from rollbook.adapters.presentation.plain_text import printable
from rollbook.adapters.presentation.preview_words import teller
from rollbook.application.corrections import Corrections
from rollbook.application.lines.answering import AnsweredFailure
from rollbook.application.playing.engine_parameters import placeholders
from rollbook.application.playing.request import ActionRequest
from rollbook.application.timelines.merge_plan import merge_plan
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.number_words import counted
from rollbook.domain.corrections.changes import Amend, CorrectionOptions, Proposal, Redo, Undo
from rollbook.domain.corrections.timelines import Choice, LeftAlone, MergePlan, WantedChoice
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import build

MOST_LISTED = 40
"""So many choices are listed; then they are counted."""


@command("take-over")
@argument("timeline", metavar="TIMELINE", suggest=suggest_timelines)
@option("--keep-later", is_flag=True, help="Keep what canon did after the last choice that both made.")
@confirmation_options(
    "Take over every choice without asking.", "Only show what would be asked, and what it would change."
)
@seat_option(CORRECTOR)
@why_option(WHY)
def take_over(
    context: CommandContext, timeline: str, keep_later: bool, seat: str | None, why: str, confirmation: Confirmation
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


def _choice(one: WantedChoice | LeftAlone) -> Choice:
    choice = one.canon or one.timeline
    assert choice is not None
    return choice


def request_text(canon: CampaignView, timeline: CampaignView, one: WantedChoice) -> Text:
    """One choice, as canon is asked for it."""
    said = teller(canon.session.rulebook, canon.state, timeline.state).text(_choice(one).entry)
    params = {name: value for name, value in _params(one).items() if one.number or value}
    text = Text(f"  {_request_kind(one)} ", style="yellow")
    text.append(f"#{one.number} " if one.number else "", style="cyan")
    text.append(f"{printable(said.who)} ", style="magenta").append(what_was_done(said))
    if params:
        typed = ", ".join(f"{name}={parameter_text(value)}" for name, value in params.items())
        text.append(f"   {typed}", style="bold" if one.number else "dim")
    return text


def _params(one: WantedChoice) -> Mapping[str, ParameterValue]:
    """The parameters that an action is changed in, or that a new one has."""
    if isinstance(one.change, Amend):
        return one.change.params
    return {} if one.number else _choice(one).intent.params


def _request_kind(one: WantedChoice) -> str:
    kinds = {Undo: "undo", Redo: "redo", Amend: "change"}
    return next((word for kind, word in kinds.items() if isinstance(one.change, kind)), "do")


def show_plan(context: CommandContext, canon: CampaignView, timeline: CampaignView, wanted: MergePlan) -> None:
    """Everything that canon is asked for, and what is left alone."""
    if wanted.asked:
        context.print(Text(f"What {timeline.id} chose and {canon.id} did not", style="bold yellow"))
        context.print(*(request_text(canon, timeline, one) for one in wanted.asked[:MOST_LISTED]))
        if len(wanted.asked) > MOST_LISTED:
            context.print(Text(f"  … and {len(wanted.asked) - MOST_LISTED} more", style="dim"))
    if wanted.left:
        context.print(Text("Left alone", style="bold yellow"))
    for one in wanted.left:
        known = _choice(one)
        where = f"  #{known.action}{'' if one.canon else ' of the timeline'}"
        context.print(Text.assemble((where, "cyan"), f" {known.intent.verb}   ", (printable(one.why), "dim")))


def show_taken_over(
    context: CommandContext,
    canon: CampaignView,
    timeline: CampaignView,
    wanted: MergePlan,
    made: Proposal | None,
    taken: Sequence[RecordedEntry],
    refusal: str,
    applied: bool,
) -> None:
    """What was done, action by action; and where it stopped."""
    if context.json:
        shown = preview_json(canon.id, ShownPreview.of(canon, made), applied=applied) if made else None
        more = {"preview": shown, "taken": [log_line_of(canon, entry) for entry in taken], "refused": refusal}
        context.data({**plan_json(canon, timeline, wanted, applied=applied), **more})
        return
    for entry in taken:
        log.show_line(context, log_line_of(canon, entry))
    if refusal:
        kept = "What is above was recorded, and stays" if taken or wanted.changes else "Nothing was recorded"
        context.print(Text(f"Refused: {printable(refusal)}", style="bold red"), f"{kept}; nothing after it was tried.")
    elif applied:
        context.print(
            f"{canon.id} has chosen as {timeline.id} did, with its own dice. The log keeps what was there before.",
            *([] if context.brief else [Text(_undoing(made, taken), style="dim")]),
        )
    else:
        context.print("Nothing was recorded.")


def _undoing(made: Proposal | None, taken: Sequence[RecordedEntry]) -> str:
    """How a take-over is undone: as a correction if it was one, or else as the actions at the end that it added."""
    if made is not None and made.entries:
        return "To undo all of it: rollbook undo --correction"
    first, last = taken[0].action, taken[-1].action
    what = "the action" if first == last else f"the {counted(len(taken), 'action')}"
    return f"To undo {what} that it added: rollbook undo {'last' if first == last else f'{first}-{last}'}"


def plan_json(canon: CampaignView, timeline: CampaignView, wanted: MergePlan, *, applied: bool) -> dict[str, object]:
    """The plan as it is printed with --json."""
    asked = [
        {
            "what": _request_kind(one),
            "action": one.number,
            "verb": _choice(one).intent.verb,
            "params": dict(_params(one)),
        }
        for one in wanted.asked
    ]
    left = [{"action": _choice(one).action, "why": one.why} for one in wanted.left]
    return {"timeline": timeline.id, "canon": canon.id, "applied": applied, "asked": asked, "left": left}
