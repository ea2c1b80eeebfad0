"""The preview of a correction."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs
from rich.text import Text

from adapters.campaign import Campaign
from adapters.cli.context import CliContext
from adapters.cli.text import names_in, printable, result_without_name, shorten, value_change
from adapters.cli.views.table import print_columns, success_mark
from adapters.sight import seen_preview
from domain.adjustments import ADJUST, Adjustment
from domain.corrections import Consequence, Effect, Proposal, SheetChange
from projections.log_lines import LogText, describe

TITLES = {
    Effect.UNDONE: "Undone",
    Effect.REDONE: "Redone",
    Effect.AMENDED: "Changed",
    Effect.CHANGED: "Comes out differently after that",
    Effect.ORPHANED: "No longer possible after that",
    Effect.DRIFTED: "Left as recorded, because the rules have changed since",
}
MOST_LISTED = 12
"""So many actions of one effect are listed; then they are counted."""


def show_preview(
    cli: CliContext, campaign: Campaign, made: Proposal, titles: Mapping[Effect, str] | None = None
) -> None:
    """What the seat that asks may see of it, in sections, with ``titles`` in place of the usual ones."""
    made = _seen(cli, made)
    names = names_in(campaign.state, made.after)
    for effect, title in {**TITLES, **(titles or {})}.items():
        found = made.of(effect)
        if found:
            cli.print(Text(title, style="bold yellow"))
            print_columns(cli, [_row(one, names) for one in found[:MOST_LISTED]], indent=2)
            if len(found) > MOST_LISTED:
                cli.print(f"  … and {len(found) - MOST_LISTED} more")
    untouched = _untouched(made)
    if untouched and not cli.brief:
        cli.print(Text(untouched, style="dim"))
    if made.changes:
        if not cli.brief:
            cli.print(Text("Sheets", style="bold yellow"))
        print_columns(cli, _sheets(made), indent=2)
    else:
        cli.print(Text("No sheet changes.", style="dim"))


def _seen(cli: CliContext, made: Proposal) -> Proposal:
    return made if cli.reader is None else seen_preview(made, cli.reader)


def _untouched(made: Proposal) -> str:
    """What follows and stays as it is: played again and come out the same, or not even looked at."""
    others = f"{made.skipped:,} later action{'' if made.skipped == 1 else 's'} read nothing that changed"
    if not made.same:
        return f"{others}." if made.skipped else ""
    runs = number_ranges(made.same)
    listed = ", ".join(runs[:MOST_LISTED]) + (", …" if len(runs) > MOST_LISTED else "")
    more = (
        f"; {made.skipped:,} other{'' if made.skipped == 1 else 's'} read nothing that changed" if made.skipped else ""
    )
    return f"Comes out the same: {listed} ({len(made.same):,}){more}."


def number_ranges(numbers: Iterable[int]) -> list[str]:
    """Ascending numbers of actions, with what is in a row drawn together: #13–#18, #21."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [f"#{first}" if first == last else f"#{first}–#{last}" for first, last in runs]


def _row(one: Consequence, names: dict[str, str]) -> tuple[Text, Text, Text]:
    before = _told(one.before, names)
    after = _told(one.after, names)
    known = before or after
    who = Text(printable(known.who) if known else "", style="magenta")
    return Text(f"#{one.action}", style="cyan"), who, _consequence_text(one, before, after)


def _consequence_text(one: Consequence, before: LogText | None, after: LogText | None) -> Text:
    known = after if before is None else before
    what = known.what.removeprefix(": ") if known else ""
    text = Text(f"[{printable(_seen_by(one))} only] " if _seen_by(one) else "", style="bold red")
    text.append(f"{printable(what)}   " if what else "", style="not bold default")
    if one.effect is Effect.DRIFTED:
        return text.append(printable(one.reason), style="dim")
    if before is not None:
        gone = after is None or one.effect in (Effect.UNDONE, Effect.ORPHANED)
        course = success_mark(before.success).plain + _outcome(before, before.who, dice=_only_dice(before, after))
        text.append(course, style="strike dim" if gone else "dim")
    if after is not None and one.effect not in (Effect.UNDONE, Effect.ORPHANED):
        text.append("  →  " if before is not None else "")
        text.append_text(success_mark(after.success))
        who = known.who if known else after.who
        text.append(_outcome(after, who, dice=_only_dice(before, after)), style="bold")
    for each in _adjusted(one):
        text.append(f"   {printable(each.who)} {printable(each.what)} {each.by:+d}", style="dim")
    if one.effect is Effect.ORPHANED:
        becomes = "kept as a ruling" if one.is_kept else "undone too"
        text.append(f"   {becomes}: {printable(one.reason)}", style="red")
    return text


def _only_dice(before: LogText | None, after: LogText | None) -> bool:
    """Whether the dice are all that can be told of what came of it: loose ones, or those that alone are other ones."""
    said = [told.result for told in (before, after) if told is not None]
    return not any(said) or (
        before is not None and after is not None and before.dice != after.dice and len({*said}) == 1
    )


def _outcome(told: LogText, who: str, *, dice: bool) -> str:
    """What came of it, with the dice where they alone make the difference."""
    return " ".join(
        part for part in (shorten(told.dice) if dice else "", result_without_name(who, told.result)) if part
    )


def _adjusted(one: Consequence) -> list[Adjustment]:
    """What the GM has adjusted in an action that is amended."""
    thoughts = one.after.intent.second_thoughts if one.after and one.effect is Effect.AMENDED else ()
    return [Adjustment.of(thought) for thought in thoughts if thought.kind == ADJUST]


def _seen_by(one: Consequence) -> str:
    """Who alone may see the action: "" if everybody may."""
    known = one.before or one.after
    return known.visibility if known else ""


def _told(outcome: Any, names: dict[str, str]) -> LogText | None:
    return None if outcome is None else describe(outcome, names)


def _sheets(made: Proposal) -> list[tuple[Text, Text]]:
    """A row for each character."""
    rows: dict[str, tuple[Text, Text]] = {}
    for change in made.changes:
        _, text = rows.setdefault(change.character, (Text(printable(change.name), style="magenta"), Text()))
        text.append(" · " if text else "", style="dim").append(f"{printable(change.label)} ")
        text.append(value_change(change.before, change.after), style="bold")
    return list(rows.values())


def _orphan_outcome(one: Consequence) -> str:
    """What is done about an action that is no longer possible; "" for any other."""
    return ("kept" if one.is_kept else "undone") if one.effect is Effect.ORPHANED else ""


@attrs.frozen(kw_only=True)
class ConsequenceJson:
    """What becomes of one action, in the words of the log."""

    action: int
    effect: Effect
    reason: str
    becomes: str
    adjusted: Sequence[Adjustment]
    before: LogText | None
    after: LogText | None


@attrs.frozen(kw_only=True)
class PreviewJson:
    """A preview; ``played_again`` and ``untouched`` count the later actions that were, and were not, played again."""

    campaign: str
    base: int
    applied: bool
    consequences: Sequence[ConsequenceJson]
    changes: Sequence[SheetChange]
    same: Sequence[int]
    played_again: int
    untouched: int


def preview_json(cli: CliContext, campaign: Campaign, made: Proposal, *, applied: bool) -> PreviewJson:
    """A preview as it is printed with --json."""
    made = _seen(cli, made)
    names = names_in(campaign.state, made.after)
    return PreviewJson(
        campaign=campaign.id,
        base=made.base,
        applied=applied,
        consequences=[_consequence_json(one, names) for one in made.consequences],
        changes=made.changes,
        same=made.same,
        played_again=made.resolved,
        untouched=made.skipped,
    )


def _consequence_json(one: Consequence, names: dict[str, str]) -> ConsequenceJson:
    is_gone = one.effect in (Effect.UNDONE, Effect.ORPHANED)
    return ConsequenceJson(
        action=one.action,
        effect=one.effect,
        reason=one.reason,
        becomes=_orphan_outcome(one),
        adjusted=_adjusted(one),
        before=_told(one.before, names),
        after=None if is_gone else _told(one.after, names),
    )
