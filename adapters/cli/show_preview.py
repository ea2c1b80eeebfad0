"""A correction before it is made: what is taken back, what changes after it, and what becomes of the sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from adapters.cli import show
from adapters.cli.faults import clean
from domain.corrections import Consequence, Fate, Preview
from domain.events import ActionRevised
from projections.telling import Told, tell

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook
    from adapters.cli.desk import Desk

TITLES = {
    Fate.VOIDED: "Taken back",
    Fate.RESTORED: "Brought back",
    Fate.AMENDED: "Changed",
    Fate.CHANGED: "Comes out differently after that",
    Fate.ORPHANED: "No longer possible after that",
    Fate.DRIFTED: "Left as recorded, because the rules have changed since",
}
MANY = 12
"""So many actions of one fate are listed; then they are counted."""


def preview(desk: Desk, campaign: CampaignBook, made: Preview) -> None:
    """All of it, in sections."""
    names = show.names_in(campaign.state, made.after)
    for fate, title in TITLES.items():
        found = made.of(fate)
        if found:
            desk.say(Text(title, style="bold yellow"))
            show.grid(desk, [_row(one, names) for one in found[:MANY]], indent=2)
            if len(found) > MANY:
                desk.say(f"  … and {len(found) - MANY} more")
    if made.changes:
        if not desk.briefly:
            desk.say(Text("Sheets", style="bold yellow"))
        show.grid(desk, _sheets(made), indent=2)
    else:
        desk.say(Text("No sheet changes.", style="dim"))


def _row(one: Consequence, names: dict[str, str]) -> tuple[Text, Text, Text]:
    before = _told(one.before, names)
    after = _told(one.after, names)
    known = before or after
    who = Text(clean(known.who) if known else "", style="magenta")
    return Text(f"#{one.action}", style="cyan"), who, _course(one, before, after)


def _course(one: Consequence, before: Told | None, after: Told | None) -> Text:
    known = after if before is None else before
    what = known.what.removeprefix(": ") if known else ""
    text = Text(f"[{clean(_seen_by(one))} only] " if _seen_by(one) else "", style="bold red")
    text.append(f"{clean(what)}   " if what else "", style="not bold default")
    if one.fate is Fate.DRIFTED:
        return text.append(clean(one.reason), style="dim")
    if before is not None:
        gone = after is None or one.fate in (Fate.VOIDED, Fate.ORPHANED)
        course = show.mark(before.success).plain + show.outcome(before.who, before.result)
        text.append(course, style="strike dim" if gone else "dim")
    if after is not None and one.fate not in (Fate.VOIDED, Fate.ORPHANED):
        text.append("  →  " if before is not None else "")
        text.append_text(show.mark(after.success))
        text.append(show.outcome(after.who, after.result), style="bold")
    if one.fate is Fate.ORPHANED:
        stands = isinstance(one.after.header, ActionRevised) if one.after else False
        text.append(f"   {'stands as a ruling' if stands else 'taken back too'}: {clean(one.reason)}", style="red")
    return text


def _seen_by(one: Consequence) -> str:
    """Who alone may see the action: "" if everybody may."""
    known = one.before or one.after
    return known.header.visibility if known else ""


def _told(outcome: Any, names: dict[str, str]) -> Told | None:
    return None if outcome is None else tell(outcome.header, outcome.facts, names)


def _sheets(made: Preview) -> list[tuple[Text, Text]]:
    """A row for each character."""
    rows: dict[str, tuple[Text, Text]] = {}
    for change in made.changes:
        _, text = rows.setdefault(change.character, (Text(clean(change.name), style="magenta"), Text()))
        text.append(" · " if text else "", style="dim").append(f"{clean(change.label)} ")
        text.append(show.moved(change.before, change.after), style="bold")
    return list(rows.values())


def preview_data(campaign: CampaignBook, made: Preview, *, applied: bool) -> dict[str, Any]:
    """The same as JSON has it."""
    names = show.names_in(campaign.state, made.after)
    return {
        "campaign": campaign.id,
        "base": made.base,
        "applied": applied,
        "consequences": [
            {
                "action": one.action,
                "fate": str(one.fate),
                "reason": one.reason,
                "before": _told(one.before, names),
                "after": None if one.fate in (Fate.VOIDED, Fate.ORPHANED) else _told(one.after, names),
            }
            for one in made.consequences
        ],
        "changes": [
            {"character": c.character, "label": c.label, "before": c.before, "after": c.after} for c in made.changes
        ],
        "played_again": made.resolved,
        "untouched": made.skipped,
    }
