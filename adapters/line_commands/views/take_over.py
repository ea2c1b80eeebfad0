"""The plan of a take-over, and what was done."""

from collections.abc import Mapping, Sequence

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views import log
from rollbook.adapters.line_commands.views.log_of_entry import log_line_of
from rollbook.adapters.line_commands.views.preview import ShownPreview, preview_json
from rollbook.adapters.line_commands.views.timelines import parameter_text, what_was_done
from rollbook.adapters.presentation.plain_text import printable
from rollbook.adapters.presentation.preview_words import teller
from rollbook.application.view import CampaignView
from rollbook.domain.base.number_words import counted
from rollbook.domain.corrections.changes import Amend, Proposal, Redo, Undo
from rollbook.domain.corrections.timelines import Choice, LeftAlone, MergePlan, WantedChoice
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import ParameterValue

MOST_LISTED = 40
"""So many choices are listed; then they are counted."""


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
    *,
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
