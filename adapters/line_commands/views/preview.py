"""Views of a correction: its preview, and the last one in a few words: what it did to which actions, whose, and why."""

from collections.abc import Mapping, Sequence
from typing import Self

import attrs

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.json import json_hook
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.table import change_rows, print_section, success_style
from rollbook.adapters.presentation import preview_words
from rollbook.adapters.presentation.plain_text import printable, shorten, value_change
from rollbook.application.view import CampaignView
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.changes import UNDECIDED, Consequence, Effect, Proposal
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.history.history import History
from rollbook.domain.history.secrecy import may_see
from rollbook.projections.log_lines import LogText, Teller

json_hook(LogText, LogText._asdict)

MOST_LISTED = 12
"""Largest number of actions of one effect that are listed; the rest are counted."""
DONE = {
    EntryKind.INSERTED: "insertion",
    EntryKind.UNDONE: "undo",
    EntryKind.REDONE: "redo",
    EntryKind.REVISED: "change",
}
"""Words for a correction, by the kind of its entries."""


@attrs.frozen
class ShownPreview(Record):
    """A preview, and the teller of its entries."""

    made: Proposal
    teller: Teller

    @classmethod
    def of(cls, campaign: CampaignView, made: Proposal) -> Self:
        """The preview of ``made`` for a campaign as it is before the correction."""
        return cls(
            made,
            preview_words.preview_teller(campaign.session.rulebook, campaign.state, made, campaign.session.in_words),
        )


def show_preview(context: CommandContext, shown: ShownPreview, titles: Mapping[Effect, str] | None = None) -> None:
    """Print a preview in sections, with ``titles`` in place of the usual ones."""
    made = shown.made
    for effect, title in {**preview_words.TITLES, **(titles or {})}.items():
        print_section(context, title, made.of(effect), lambda one: _row(one, shown.teller), most=MOST_LISTED)
    untouched = preview_words.untouched_words(made)
    if untouched and not context.brief:
        context.print(Text(untouched, "dim"))
    if made.changes:
        if not context.brief:
            context.print(Text("Sheets", "bold yellow"))
        changes = ((one.character, one.name, one.label, value_change(one.before, one.after)) for one in made.changes)
        context.print_columns(change_rows(changes), indent=2)
    else:
        context.print(Text("No sheet changes.", "dim"))


def _row(one: Consequence, teller: Teller) -> tuple[Text, Text, Text]:
    said = preview_words.words_of_consequence(one, teller)
    return Text(f"#{said.action}", "cyan"), Text(said.who, "magenta"), _consequence_text(said)


def _consequence_text(said: preview_words.ConsequenceWords) -> Text:
    text = Text(f"[{said.seen_by} only] " if said.seen_by else "", "bold red")
    text.append(f"{said.what}   " if said.what else "", "not bold default")
    if said.effect is Effect.DRIFTED:
        return text.append(said.reason, "dim")
    for name, before, after in said.differences:
        text.append(f"{name}: {before} → {after}   ", "cyan")
    for each in said.taken_out:
        text.append(f"{each} taken out   ", "cyan")
    if said.before is not None:
        text.append(f"{said.before.mark}{said.before.text}", "strike dim" if said.is_gone else "dim")
    if said.after is not None:
        text.append("  →  " if said.before is not None else "")
        text.append(said.after.mark, success_style(said.after.success))
        text.append(said.after.text, "bold")
    text.append(f"   {said.unsaid}" if said.unsaid else "", "dim")
    for each in said.adjusted:
        text.append(f"   {each}", "dim")
    text.append(f"   {said.unused}" if said.unused else "", "yellow")
    return text.append(_why(said), "red")


def _why(said: preview_words.ConsequenceWords) -> str:
    """The reason why the rules refuse an action, or what it rests on, and what becomes of it."""
    if said.effect is Effect.STAYS_UNDONE:
        return f"   {said.reason}"
    if said.effect is Effect.RESTS:
        how = f"; undo it too with --undo {said.action}" if said.is_kept else ""
        return f"   {said.reason}: {said.becomes}{how}"
    return f"   {said.becomes}: {said.reason}" if said.effect is Effect.ORPHANED else ""


def preview_json(campaign: CampaignId, shown: ShownPreview, *, applied: bool) -> dict[str, object]:
    """A preview as JSON; ``played_again`` and ``untouched`` count the later actions that were, and were not, played again."""
    made = shown.made
    return {
        "campaign": campaign,
        "base": made.base,
        "applied": applied,
        "consequences": [_consequence_json(one, shown.teller) for one in made.consequences],
        "changes": made.changes,
        "same": made.same,
        "played_again": made.resolved,
        "untouched": made.skipped,
    }


def _consequence_json(one: Consequence, teller: Teller) -> dict[str, object]:
    """JSON of the consequence for one action, in the words of the log."""
    becomes = ("kept" if one.is_kept else "undone") if one.effect in UNDECIDED else ""
    return {
        "action": one.action,
        "effect": one.effect,
        "reason": one.reason,
        "becomes": becomes,
        "differences": one.differences,
        "adjusted": preview_words.adjusted(one),
        "unadjusted": preview_words.unadjusted(one),
        "unused_faces": one.unused_faces,
        "before": preview_words.described(one.before, teller),
        **({"inserted_before": one.after.before} if one.effect is Effect.INSERTED and one.after else {}),
        "after": None if one.effect in preview_words.GONE else preview_words.described(one.after, teller),
    }


def last_correction_text(context: CommandContext, history: History) -> str:
    """The last correction: ``the undo of #12, #14–#16 by Ana (the wrong ogre)``; "" if there is none that may be seen."""
    entries = history.correction(history.last_correction)
    if not entries or (context.reader is not None and not all(may_see(context.reader, entry) for entry in entries)):
        return ""
    first = entries[0]
    by = f" by {printable(first.seat)}" if first.seat else ""
    return f"{_done(entries)}{by}{f' ({shorten(first.reason)})' if first.reason else ''}"


def is_correction_last(history: History) -> bool:
    """True if a correction is the last thing that was recorded."""
    return bool(history.last_correction) and history.entries[-1].correction == history.last_correction


def _done(entries: Sequence[RecordedEntry]) -> str:
    """The actions that were asked for, without what only followed: ``the undo of #12``."""
    asked: dict[str, list[int]] = {}
    for entry in entries:
        if not entry.causation:
            asked.setdefault(DONE[entry.kind], []).append(entry.action)
    return " and ".join(
        f"the {done} of {', '.join(preview_words.number_ranges(sorted(of)))}" for done, of in asked.items()
    )
