"""The preview of a correction."""

from collections.abc import Iterable, Mapping, Sequence

from rich.text import Text

from adapters.campaign import Campaign
from adapters.cli.context import CliContext
from adapters.cli.json import json_hook
from adapters.cli.views.table import change_rows, print_columns, print_section, success_mark
from adapters.sight import seen_preview
from adapters.wording import names_in, printable, result_without_name, shorten, value_change
from domain.adjustments import ADJUST, Adjustment
from domain.audit.drift import describe_drift
from domain.corrections.changes import UNDECIDED, Consequence, Effect, Proposal
from domain.counted import counted
from domain.entries import Entry
from domain.identifiers import ActionNumber
from domain.parameters import typed
from projections.log_lines import LogText, describe

json_hook(LogText, LogText._asdict)

Names = Mapping[str, str]
TITLES = {
    Effect.UNDONE: "Undone",
    Effect.REDONE: "Redone",
    Effect.STAYS_UNDONE: "Stays undone, because it is still impossible",
    Effect.AMENDED: "Changed",
    Effect.CHANGED: "Comes out differently after that",
    Effect.ORPHANED: "No longer possible after that",
    Effect.RESTS: "Imported, and rests on that",
    Effect.DRIFTED: "Left as recorded, because the rules have changed since",
}
GONE = (Effect.UNDONE, Effect.ORPHANED, Effect.STAYS_UNDONE)
NOT_SAID = "–"
"""What stands for a parameter that was not given."""
MOST_LISTED = 12
"""So many actions of one effect are listed; then they are counted."""


def show_preview(
    cli: CliContext, campaign: Campaign, made: Proposal, titles: Mapping[Effect, str] | None = None
) -> None:
    """What the seat that asks may see of it, in sections, with ``titles`` in place of the usual ones."""
    made = _seen(cli, made)
    names = names_in(campaign.state, made.after)
    for effect, title in {**TITLES, **(titles or {})}.items():
        print_section(cli, title, made.of(effect), lambda one: _row(one, names), most=MOST_LISTED)
    untouched = _untouched(made)
    if untouched and not cli.brief:
        cli.print(Text(untouched, style="dim"))
    if made.changes:
        if not cli.brief:
            cli.print(Text("Sheets", style="bold yellow"))
        changes = ((one.character, one.name, one.label, value_change(one.before, one.after)) for one in made.changes)
        print_columns(cli, change_rows(changes), indent=2)
    else:
        cli.print(Text("No sheet changes.", style="dim"))


def _seen(cli: CliContext, made: Proposal) -> Proposal:
    return made if cli.reader is None else seen_preview(made, cli.reader)


def _untouched(made: Proposal) -> str:
    """What follows and stays as it is: played again and come out the same, or not even looked at."""
    parts = []
    if made.same:
        runs = number_ranges(made.same)
        listed = ", ".join(runs[:MOST_LISTED]) + (", …" if len(runs) > MOST_LISTED else "")
        parts.append(f"Comes out the same: {listed} ({len(made.same):,})")
    if made.skipped:
        others = counted(made.skipped, "other" if made.same else "later action")
        parts.append(f"{others} read nothing that changed")
    return f"{'; '.join(parts)}." if parts else ""


def number_ranges(numbers: Iterable[ActionNumber]) -> list[str]:
    """Ascending numbers of actions, with what is in a row drawn together: #13–#18, #21."""
    runs: list[list[ActionNumber]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [f"#{first}" if first == last else f"#{first}–#{last}" for first, last in runs]


def _row(one: Consequence, names: Names) -> tuple[Text, Text, Text]:
    before = _described(one.before, names)
    after = _described(one.after, names)
    known = before or after
    who = Text(printable(known.who) if known else "", style="magenta")
    return Text(f"#{one.action}", style="cyan"), who, _consequence_text(one, before, after)


def _consequence_text(one: Consequence, before: LogText | None, after: LogText | None) -> Text:
    known, entry = before or after, one.before or one.after
    what = known.what.removeprefix(": ") if known else ""
    seen_by = entry.visibility if entry else ""
    dice = _only_dice(before, after)
    text = Text(f"[{printable(seen_by)} only] " if seen_by else "", style="bold red")
    text.append(f"{printable(what)}   " if what else "", style="not bold default")
    if one.effect is not Effect.DRIFTED:
        text.append_text(_asked_otherwise(one))
    if one.effect is Effect.DRIFTED:
        return text.append(printable(one.reason), style="dim")
    unsaid = _difference_unsaid(one, before, after)
    if before is not None and not unsaid:
        gone = after is None or one.effect in GONE or (one.effect is Effect.RESTS and not one.is_kept)
        course = success_mark(before.success).plain + _outcome(before, before.who, dice=dice)
        text.append(course, style="strike dim" if gone else "dim")
    if after is not None and one.effect not in (*GONE, Effect.RESTS):
        text.append("  →  " if before is not None and not unsaid else "")
        text.append_text(success_mark(after.success))
        who = known.who if known else after.who
        text.append(_outcome(after, who, dice=dice), style="bold")
    text.append(unsaid, style="dim")
    for each in _adjusted(one):
        text.append(f"   {_adjustment(each)}", style="dim")
    text.append(_unused(one.unused_faces), style="yellow")
    if one.effect is Effect.STAYS_UNDONE:
        text.append(f"   {printable(one.reason)}", style="red")
    if one.effect is Effect.RESTS:
        becomes = f"stays as it is imported; undo it too with --undo {one.action}" if one.is_kept else "undone too"
        text.append(f"   {printable(one.reason)}: {becomes}", style="red")
    if one.effect is Effect.ORPHANED:
        becomes = "kept as a ruling" if one.is_kept else "undone too"
        text.append(f"   {becomes}: {printable(one.reason)}", style="red")
    return text


def _difference_unsaid(one: Consequence, before: LogText | None, after: LogText | None) -> str:
    """What differs in an action that reads the same in the log before and after: what it used of a turn, for one."""
    if one.before is None or one.after is None or one.effect is not Effect.CHANGED:
        return ""
    if before is None or after is None or _read(before) != _read(after):
        return ""
    return f"   as before, but for {describe_drift(one.before.events, one.after.events)}"


def _read(text: LogText) -> tuple[object, str]:
    return text.success, _outcome(text, text.who, dice=True)


def _asked_otherwise(one: Consequence) -> Text:
    """What was changed in the action itself, and what the GM has taken out of it: the new target, the new number."""
    text = Text()
    for each in one.differences:
        before, after = (NOT_SAID if value in (None, "", ()) else typed(value) for value in (each.before, each.after))
        text.append(f"{printable(each.name)}: {shorten(before)} → {shorten(after)}   ", style="cyan")
    for gone in _gone(one):
        text.append(f"{_adjustment(gone)} taken out   ", style="cyan")
    return text


def _adjustment(of: Adjustment) -> str:
    return printable(f"{of.who} {of.what} {of.by:+d}")


def _unused(faces: Sequence[int]) -> str:
    """What is said of typed dice that are not used any more."""
    if not faces:
        return ""
    are, them = ("is", "it") if len(faces) == 1 else ("are", "them")
    return f"   the {', '.join(map(str, faces))} that you typed {are} not used: nothing asks for {them} now"


def _only_dice(before: LogText | None, after: LogText | None) -> bool:
    """Whether the dice are all that there is to show: a free roll, or one in which only the dice differ."""
    results = [each.result for each in (before, after) if each is not None]
    if not any(results):
        return True
    return before is not None and after is not None and before.dice != after.dice and before.result == after.result


def _outcome(said: LogText, who: str, *, dice: bool) -> str:
    """What came of it, with the dice where they alone make the difference."""
    return f"{shorten(said.dice) if dice else ''} {result_without_name(who, said.result)}".strip()


def _adjusted(one: Consequence) -> list[Adjustment]:
    """What the GM has adjusted in an action that is amended."""
    return _adjustments(one.after) if one.effect is Effect.AMENDED else []


def _gone(one: Consequence) -> list[Adjustment]:
    """What the GM had adjusted in an action before it was amended, and takes out of it."""
    left = _adjusted(one)
    return [each for each in _adjustments(one.before) if each not in left] if one.effect is Effect.AMENDED else []


def _adjustments(outcome: Entry | None) -> list[Adjustment]:
    thoughts = outcome.intent.second_thoughts if outcome else ()
    return [Adjustment.of(thought) for thought in thoughts if thought.kind == ADJUST]


def _described(outcome: Entry | None, names: Names) -> LogText | None:
    return None if outcome is None else describe(outcome, names)


def preview_json(cli: CliContext, campaign: Campaign, made: Proposal, *, applied: bool) -> dict[str, object]:
    """A preview as JSON; ``played_again`` and ``untouched`` count the later actions that were, and were not, played again."""
    made = _seen(cli, made)
    names = names_in(campaign.state, made.after)
    return {
        "campaign": campaign.id,
        "base": made.base,
        "applied": applied,
        "consequences": [_consequence_json(one, names) for one in made.consequences],
        "changes": made.changes,
        "same": made.same,
        "played_again": made.resolved,
        "untouched": made.skipped,
    }


def _consequence_json(one: Consequence, names: Names) -> dict[str, object]:
    """What becomes of one action, in the words of the log."""
    becomes = ("kept" if one.is_kept else "undone") if one.effect in UNDECIDED else ""
    return {
        "action": one.action,
        "effect": one.effect,
        "reason": one.reason,
        "becomes": becomes,
        "differences": one.differences,
        "adjusted": _adjusted(one),
        "unadjusted": _gone(one),
        "unused_faces": one.unused_faces,
        "before": _described(one.before, names),
        "after": None if one.effect in GONE else _described(one.after, names),
    }
