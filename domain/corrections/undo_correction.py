"""Taking a whole correction back: what each of its actions was before it, as changes of one new correction."""

from collections.abc import Iterable, Iterator, Sequence

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber, SeatName
from rollbook.domain.corrections.changes import Change, Redo, Undo
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.history.history import History


def last_correction(history: History) -> str:
    """The id of the last correction. Raises NotFound if nothing was ever corrected."""
    if not history.last_correction:
        raise NotFound("Nothing has been corrected yet, so there is no correction to undo.")
    return history.last_correction


def reversal(history: History, correction: str) -> dict[ActionNumber, Change]:
    """The changes that undo a correction: every action is again what it was before, orphans included.

    What a take-over did at the campaign's end is undone with it.

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
        elif before is not None and (now is None or before.number != now.number):
            changes[action] = Redo(before.revision)
    changes |= {action: Undo() for action in _taken_after(history, entries)}
    if not changes:
        raise Refused("Everything in this correction is as it was before it already.")
    return changes


def _taken_after(history: History, correction: Sequence[RecordedEntry]) -> Iterator[ActionNumber]:
    """The actions that were taken as a part of a correction, by a take-over, and still count."""
    of = {entry.number for entry in correction}
    for entry in history.entries_after(correction[-1].number):
        is_of_it = entry.kind is EntryKind.TAKEN and entry.causation in of
        if is_of_it and history.effective(entry.action) is not None:
            yield entry.action


def undone_together(history: History, actions: Iterable[ActionNumber]) -> dict[ActionNumber, Change]:
    """The changes that redo actions with everything that was undone in the same corrections and still is.

    Raises Refused if one of the actions is not undone.
    """
    return _redone(entry for action in actions for entry in _undone_with(history, action))


def undone_along(history: History, actions: Iterable[ActionNumber]) -> dict[ActionNumber, Change]:
    """The changes that redo actions with what only followed from their undoing and still is undone, where it is possible.

    Raises Refused if one of the actions is not undone.
    """
    found = dict.fromkeys(actions)
    together = [entry for action in found for entry in _undone_with(history, action)]
    return _redone(entry for entry in together if entry.action in found or entry.causation) | dict.fromkeys(
        found, Redo()
    )


def _redone(undone: Iterable[RecordedEntry]) -> dict[ActionNumber, Change]:
    """What was undone shall count again; what only followed from that, as far as the rules allow it."""
    changes = {entry.action: Redo(if_possible=bool(entry.causation)) for entry in undone}
    return {action: changes[action] for action in sorted(changes)}


def _undone_with(history: History, action: ActionNumber) -> list[RecordedEntry]:
    """The entries that undid an action and whatever else was undone with it and still is."""
    if history.effective(action) is not None:
        raise Refused(f"Action #{action} is not undone, so there is nothing to redo.")
    undone = next(entry for entry in reversed(history.revisions(action)) if entry.kind is EntryKind.UNDONE)
    together = (undone, *history.correction(undone.correction))
    return [entry for entry in together if entry.kind is EntryKind.UNDONE and history.effective(entry.action) is None]


def last_undone(history: History, seat: SeatName = "") -> ActionNumber:
    """The action that was undone last and still is, of several in one correction the first; by one ``seat`` if it is named.

    Raises NotFound if there is none.
    """
    for entry in history.corrections_backwards():
        is_undone = entry.kind is EntryKind.UNDONE and history.effective(entry.action) is None
        if is_undone and seat in ("", entry.seat):
            return min(each.action for each in _undone_with(history, entry.action))
    raise NotFound("Nothing is undone at the moment, so there is nothing to redo.")


def _outcome_before(history: History, action: ActionNumber, number: EntryNumber) -> RecordedEntry | None:
    """The outcome that counted for an action just before an entry; None if it was undone."""
    last = next(entry for entry in reversed(history.revisions(action)) if entry.number < number)
    if last.kind is EntryKind.UNDONE:
        return None
    return history.revision(action, last.restores) if last.kind is EntryKind.REDONE else last
