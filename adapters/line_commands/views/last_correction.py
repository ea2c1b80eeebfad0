"""A correction in a few words: what it did to which actions, whose it was, and why."""

from collections.abc import Sequence

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.presentation.plain_text import printable, shorten
from rollbook.adapters.presentation.preview_words import number_ranges
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.history.history import History
from rollbook.domain.history.secrecy import may_see

DONE = {EntryKind.UNDONE: "undo", EntryKind.REDONE: "redo", EntryKind.REVISED: "change"}
"""What people call what a correction does, by the kind of its entries."""


def last_correction_text(context: CommandContext, history: History) -> str:
    """The last correction: ``the undo of #12, #14–#16 by Ana (the wrong ogre)``; "" if there is none that may be seen."""
    entries = history.correction(history.last_correction)
    if not entries or (context.reader is not None and not all(may_see(context.reader, entry) for entry in entries)):
        return ""
    first = entries[0]
    by = f" by {printable(first.seat)}" if first.seat else ""
    return f"{_done(entries)}{by}{f' ({shorten(first.reason)})' if first.reason else ''}"


def is_correction_last(history: History) -> bool:
    """Whether a correction is the last thing that was recorded."""
    return bool(history.last_correction) and history.entries[-1].correction == history.last_correction


def _done(entries: Sequence[RecordedEntry]) -> str:
    """What was asked for, without what only followed from it: ``the undo of #12``."""
    asked: dict[str, list[int]] = {}
    for entry in entries:
        if not entry.causation:
            asked.setdefault(DONE[entry.kind], []).append(entry.action)
    return " and ".join(f"the {done} of {', '.join(number_ranges(sorted(of)))}" for done, of in asked.items())
