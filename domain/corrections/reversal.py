"""Taking a whole correction back: what each of its actions was before it, as changes of one new correction."""

from collections.abc import Iterable

from domain.corrections.changes import Change, Redo, Undo
from domain.entries import EntryKind, RecordedEntry
from domain.errors import NotFound, Refused
from domain.history import History
from domain.identifiers import ActionNumber, EntryNumber


def last_correction(history: History) -> str:
    """The id of the last correction. Raises NotFound if nothing was ever corrected."""
    if not history.last_correction:
        raise NotFound("Nothing has been corrected yet, so there is no correction to undo.")
    return history.last_correction


def reversal(history: History, correction: str) -> dict[ActionNumber, Change]:
    """The changes that undo a correction: every action is again what it was before, orphans included.

    Raises NotFound if there is no such correction, Refused if all of it has been undone already.
    """
    entries = history.correction(correction)
    if not entries:
        raise NotFound(f"There is no correction {correction!r} in this history.")
    changes: dict[ActionNumber, Change] = {}
    for action in dict.fromkeys(entry.action for entry in entries):
        before = _outcome_before(history, action, entries[0].number)
        now = history.effective(action)
        if before is None and now is not None:
            changes[action] = Undo()
        elif before is not None and before is not now:
            changes[action] = Redo(before.revision)
    if not changes:
        raise Refused("Everything in this correction is as it was before it already.")
    return changes


def undone_together(history: History, actions: Iterable[ActionNumber]) -> dict[ActionNumber, Change]:
    """The changes that redo actions with everything that was undone in the same corrections and still is.

    Raises Refused if one of the actions is not undone.
    """
    together = {number for action in actions for number in _undone_with(history, action)}
    return {number: Redo() for number in sorted(together)}


def _undone_with(history: History, action: ActionNumber) -> set[ActionNumber]:
    if history.effective(action) is not None:
        raise Refused(f"Action #{action} is not undone, so there is nothing to redo.")
    undone = next(entry for entry in reversed(history.revisions(action)) if entry.kind is EntryKind.UNDONE)
    together = (undone, *history.correction(undone.correction))
    actions = {entry.action for entry in together if entry.kind is EntryKind.UNDONE}
    return {number for number in actions if history.effective(number) is None}


def _outcome_before(history: History, action: ActionNumber, number: EntryNumber) -> RecordedEntry | None:
    """The outcome that counted for an action just before an entry; None if it was undone."""
    last = next(entry for entry in reversed(history.revisions(action)) if entry.number < number)
    if last.kind is EntryKind.UNDONE:
        return None
    return history.revision(action, last.restores) if last.kind is EntryKind.REDONE else last
