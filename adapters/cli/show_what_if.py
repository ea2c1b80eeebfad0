"""Timelines as they look in a terminal: the list, the report against canon, and what canon is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from rich.text import Text

from adapters.cli import show
from adapters.cli.faults import clean
from adapters.cli.show_preview import preview_data
from adapters.timelines.comparing import Comparison, Difference, Remark, Tally
from adapters.timelines.marker import campaign_of
from adapters.timelines.opening import Standing
from domain.changes import Amend, Preview, Restore, Void
from domain.history import Entry
from domain.timelines import Asked, Choice, LeftAlone, Plan
from projections.telling import Told, tell

if TYPE_CHECKING:
    from adapters.book import Book
    from adapters.campaign_book import CampaignBook
    from adapters.cli.desk import Desk

MANY = 12
"""So many lines of one sort are listed; then they are counted."""
MOST = 40
NONE = "–"
"""What a sheet says where a value is missing."""


def made(desk: Desk, one: Standing, timeline: CampaignBook) -> None:
    """A timeline that was just made, and how to play on it."""
    if desk.json:
        desk.data(one)
        return
    last = timeline.head.actions
    desk.say(
        Text.assemble(
            (one.timeline, "bold cyan"),
            f" leaves {one.parent} after entry {one.entry}"
            + (f" (#{last})" if not one.entries else "")
            + f" and plays by {one.ruleset or 'no ruleset'} {one.version}".rstrip()
            + ".",
        )
    )
    desk.say(f"Play on it:  rollbook -c {one.timeline} do VERB …   or   rollbook -c {one.timeline} play")
    desk.say(f"Compare it:  rollbook compare {one.number}")
    desk.say(
        Text(f"Canon stays as it is, and {campaign_of(one.parent)} is what you go on with where nothing is named.", style="dim")
    )


def standings(desk: Desk, found: Sequence[Standing]) -> None:
    """The list."""
    rows = [
        (
            Text(one.timeline, "cyan"),
            f"from the start, by {one.rerun}" if one.rerun else f"{one.parent} at {one.entry}",
            f"{datetime.fromtimestamp(one.at / 1_000_000, UTC).astimezone():%Y-%m-%d %H:%M}",
            f"{one.ruleset} {one.version}".strip(),
            str(one.entries),
            "damaged" if one.damage else f"+{one.moved_on}" if one.moved_on and not one.rerun else "",
            Text(clean(one.why), style="dim"),
        )
        for one in found
    ]
    show.table(desk, ("timeline", "forked", "when", "rules", "entries", "canon", "why"), rows, right=(4, 5))


# The report.


def comparison(desk: Desk, book: Book, report: Comparison, *, everything: bool = False) -> None:
    """The report against canon."""
    told = _Telling(book, report)
    if desk.json:
        desk.data(comparison_data(told, report))
        return
    most = 10**9 if everything else MANY
    marker = report.marker
    where = f"every action again, by {marker.ruleset} {marker.ruleset_version}" if marker.ruleset else ""
    where = where or f"since entry {marker.entry} (#{report.since})"
    desk.say(Text.assemble((report.timeline, "bold cyan"), f" against {report.canon}, {where}"))
    _section(desk, "Comes out differently", [told.difference(one) for one in report.differences], most)
    _section(desk, f"Only on {report.canon}", [told.alone(one, canon=True) for one in report.only_canon], most)
    _section(desk, f"Only on {report.timeline}", [told.alone(one) for one in report.only_here], most)
    fates = [(Text(clean(one.name), "magenta"), _moved(one.canon, one.here)) for one in report.fates]
    _section(desk, "Lives and deaths", fates, most)
    _section(desk, "Experience, wounds, tokens", _tallied(report.tallies), most)
    only = "" if report.is_one_game or everything else ", as far as both games have the same values"
    _section(desk, f"Sheets{only}", _sheets(report, everything=everything), most)
    _section(desk, "Has no meaning there", [told.remark(one) for one in report.meaningless], most)
    _section(desk, "Played, but not quite as it was meant", [told.remark(one) for one in report.remarks], most)
    same = f"{report.same} choice{'' if report.same == 1 else 's'} came out the same."
    desk.say(Text(same if report.same else "Nothing came out the same.", style="dim"))


def _section(desk: Desk, title: str, rows: Sequence[Sequence[Text]], most: int) -> None:
    if not rows:
        return
    desk.say(Text(title, style="bold yellow"))
    show.grid(desk, rows[:most], indent=2)
    if len(rows) > most:
        desk.say(Text(f"  … and {len(rows) - most} more; --all lists them", style="dim"))


def _moved(before: str, after: str) -> Text:
    return Text.assemble((before, "dim"), "  →  ", (after, "bold"))


def _tallied(tallies: Iterable[Tally]) -> list[tuple[Text, Text]]:
    rows: dict[str, tuple[Text, Text]] = {}
    for one in tallies:
        _, text = rows.setdefault(one.character, (Text(clean(one.name), style="magenta"), Text()))
        text.append(" · " if text else "", style="dim").append(f"{clean(one.what)} ")
        text.append(f"{one.canon:,} → {one.here:,}", style="bold")
    return list(rows.values())


def _sheets(report: Comparison, *, everything: bool) -> list[tuple[Text, Text]]:
    """A row for each character; of two games only what stands on both sheets."""
    rows: dict[str, tuple[Text, Text]] = {}
    for change in report.changes:
        if NONE in (change.before, change.after) and not (report.is_one_game or everything):
            continue
        _, text = rows.setdefault(change.character, (Text(clean(change.name), style="magenta"), Text()))
        text.append(" · " if text else "", style="dim").append(f"{clean(change.label)} ")
        text.append(show.moved(change.before, change.after), style="bold")
    return list(rows.values())


class _Telling:
    """Choices in the words of the log, with everybody's names."""

    def __init__(self, book: Book, report: Comparison) -> None:
        canon, here = book.campaign(report.canon), book.campaign(report.timeline)
        self.names = show.names_in(canon.state, here.state)

    def told(self, choice: Choice) -> Told:
        """What a choice came to."""
        return tell(choice.entry.header, choice.entry.facts, self.names)

    def difference(self, one: Difference) -> tuple[Text, Text, Text]:
        """A choice that was made on both."""
        assert one.canon is not None
        assert one.here is not None
        before, after = self.told(one.canon), self.told(one.here)
        number = Text(_numbers(one.canon, one.here), style="cyan")
        what = Text(f"{_what(after)}   ", style="not bold default")
        what.append(_meant_otherwise(one.canon, one.here), style="yellow")
        dice = before.result == after.result
        what.append(show.mark(before.success).plain + _result(before, dice=dice), style="dim").append("  →  ")
        what.append_text(show.mark(after.success)).append(_result(after, dice=dice), style="bold")
        return number, Text(clean(after.who), style="magenta"), what

    def alone(self, choice: Choice, *, canon: bool = False) -> tuple[Text, Text, Text]:
        """A choice that was made on one."""
        told = self.told(choice)
        what = Text(_what(told)).append("   ")
        what.append_text(show.mark(told.success)).append(_result(told), style="dim" if canon else "bold")
        return Text(f"#{choice.action}", style="cyan"), Text(clean(told.who), style="magenta"), what

    def remark(self, one: Remark) -> tuple[Text, Text, Text]:
        """An action that was not played as it was meant."""
        told = self.told(one.choice)
        why = Text(f"{_what(told)}   ").append(clean(one.why.removeprefix("has no meaning here: ")), style="dim")
        return Text(f"#{one.choice.action}", style="cyan"), Text(clean(told.who), style="magenta"), why


def _numbers(canon: Choice, here: Choice) -> str:
    return f"#{canon.action}" if canon.action == here.action else f"#{canon.action}/#{here.action}"


def _what(told: Told) -> str:
    return clean(told.what.removeprefix(": "))


def _result(told: Told, *, dice: bool = False) -> str:
    """What came of it, with the dice where they alone make the difference."""
    said = show.outcome(told.who, told.result) or "nothing to tell"
    return f"{show.short(told.dice)} {said}" if dice and told.dice else said


def _meant_otherwise(canon: Choice, here: Choice) -> str:
    """The parameters that are not the same."""
    said, now = canon.intent.params, here.intent.params
    other = [f"{name}={_plain(now.get(name))}" for name in now if name in said and said[name] != now[name]]
    return f"with {', '.join(other)}   " if other else ""


def _plain(value: object) -> str:
    return show.short(",".join(map(str, value)) if isinstance(value, tuple) else str(value))


def comparison_data(told: _Telling, report: Comparison) -> dict[str, Any]:
    """The same as JSON has it."""
    marker = report.marker
    return {
        "timeline": report.timeline,
        "canon": report.canon,
        "forked": {"entry": marker.entry, "action": report.since, "at": marker.at, "why": marker.why},
        "rerun": {"ruleset": marker.ruleset, "version": marker.ruleset_version} if marker.ruleset else None,
        "differences": [
            {
                "canon": one.canon and _choice_data(told, one.canon),
                "here": one.here and _choice_data(told, one.here),
            }
            for one in report.differences
        ],
        "only_canon": [_choice_data(told, one) for one in report.only_canon],
        "only_here": [_choice_data(told, one) for one in report.only_here],
        "fates": list(report.fates),
        "tallies": list(report.tallies),
        "changes": [
            {"character": c.character, "label": c.label, "canon": c.before, "here": c.after} for c in report.changes
        ],
        "meaningless": [{**_choice_data(told, one.choice), "why": one.why} for one in report.meaningless],
        "remarks": [{**_choice_data(told, one.choice), "why": one.why} for one in report.remarks],
        "same": report.same,
    }


def _choice_data(told: _Telling, choice: Choice) -> dict[str, Any]:
    return {
        "action": choice.action,
        "verb": choice.intent.verb,
        "params": dict(choice.intent.params),
        "told": told.told(choice),
    }


# What canon is asked for.


def asked(canon: CampaignBook, timeline: CampaignBook, one: Asked) -> Text:
    """One choice, as canon is asked for it."""
    names = show.names_in(canon.state, timeline.state)
    known = one.canon or one.fork
    assert known is not None
    told = tell(known.entry.header, known.entry.facts, names)
    text = Text(f"  {_asked_for(one)} ", style="yellow")
    text.append(f"#{one.number} " if one.number else "", style="cyan")
    text.append(f"{clean(told.who)} ", style="magenta").append(_what(told))
    if isinstance(one.change, Amend):
        changed = ", ".join(f"{name}={_plain(value)}" for name, value in one.change.params.items())
        text.append(f"   {changed}", style="bold")
    elif not one.number:
        said = ", ".join(f"{name}={_plain(value)}" for name, value in known.intent.params.items() if value)
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
