"""What canon is asked for when a timeline is taken over, and what was done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from adapters.cli import show
from adapters.cli.faults import clean
from adapters.cli.show_preview import preview_data
from adapters.cli.show_what_if import plain, what_of
from domain.corrections.changes import Amend, Preview, Restore, Void
from domain.history import Entry
from domain.timelines import Asked, LeftAlone, Plan
from projections.telling import tell

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook
    from adapters.cli.desk import Desk

MOST = 40
"""So many choices are listed; then they are counted."""


def asked(canon: CampaignBook, timeline: CampaignBook, one: Asked) -> Text:
    """One choice, as canon is asked for it."""
    names = show.names_in(canon.state, timeline.state)
    known = one.canon or one.fork
    assert known is not None
    told = tell(known.entry.header, known.entry.facts, names)
    text = Text(f"  {_asked_for(one)} ", style="yellow")
    text.append(f"#{one.number} " if one.number else "", style="cyan")
    text.append(f"{clean(told.who)} ", style="magenta").append(what_of(told))
    if isinstance(one.change, Amend):
        changed = ", ".join(f"{name}={plain(value)}" for name, value in one.change.params.items())
        text.append(f"   {changed}", style="bold")
    elif not one.number:
        said = ", ".join(f"{name}={plain(value)}" for name, value in known.intent.params.items() if value)
        text.append(f"   {said}", style="dim")
    return text


def _asked_for(one: Asked) -> str:
    kinds = {Void: "take back", Restore: "bring back", Amend: "change"}
    return next((word for kind, word in kinds.items() if isinstance(one.change, kind)), "do anew")


def plan(desk: Desk, canon: CampaignBook, timeline: CampaignBook, wanted: Plan) -> None:
    """Everything that canon is asked for, and what is left alone."""
    if wanted.asked:
        desk.say(Text(f"What {timeline.id} chose and {canon.id} did not", style="bold yellow"))
        desk.say(*(asked(canon, timeline, one) for one in wanted.asked[:MOST]))
        if len(wanted.asked) > MOST:
            desk.say(Text(f"  … and {len(wanted.asked) - MOST} more", style="dim"))
    if wanted.left:
        desk.say(Text("Left alone", style="bold yellow"))
        desk.say(*(_left(one) for one in wanted.left))


def _left(one: LeftAlone) -> Text:
    known = one.canon or one.fork
    assert known is not None
    where = f"#{known.action}" if one.canon else f"#{known.action} of the timeline"
    return Text.assemble(("  " + where, "cyan"), f" {known.intent.verb}   ", (clean(one.why), "dim"))


def taken_over(
    desk: Desk,
    canon: CampaignBook,
    timeline: CampaignBook,
    wanted: Plan,
    made: Preview | None,
    taken: Sequence[Entry],
    refusal: str,
    *,
    applied: bool,
) -> None:
    """What was done, action by action; and where it stopped."""
    if desk.json:
        foretold = preview_data(canon, made, applied=applied) if made else None
        more = {
            "preview": foretold,
            "taken": [show.line_data(show.line_of(canon, entry)) for entry in taken],
            "refused": refusal,
        }
        desk.data({**plan_data(canon, timeline, wanted, applied=applied), **more})
        return
    for entry in taken:
        show.happened(desk, show.line_of(canon, entry))
    if refusal:
        kept = "What is above was recorded, and stays" if taken or wanted.changes else "Nothing was recorded"
        desk.say(Text(f"Refused: {clean(refusal)}", style="bold red"), f"{kept}; nothing after it was tried.")
    elif applied:
        desk.say(f"{canon.id} has chosen as {timeline.id} did, with its own dice. The log keeps what was there before.")
    else:
        desk.say("Nothing was recorded.")


def plan_data(canon: CampaignBook, timeline: CampaignBook, wanted: Plan, *, applied: bool) -> dict[str, Any]:
    """The plan as JSON has it."""
    return {
        "timeline": timeline.id,
        "canon": canon.id,
        "applied": applied,
        "asked": [
            {
                "what": _asked_for(one),
                "action": one.number,
                "verb": (one.canon or one.fork).intent.verb,  # type: ignore[union-attr]
                "params": dict(one.change.params) if isinstance(one.change, Amend) else _params(one),
            }
            for one in wanted.asked
        ],
        "left": [
            {"action": (one.canon or one.fork).action, "why": one.why}  # type: ignore[union-attr]
            for one in wanted.left
        ],
    }


def _params(one: Asked) -> dict[str, Any]:
    return {} if one.number or one.fork is None else dict(one.fork.intent.params)
