"""Undoing more than one action: a whole correction with all that it did, or what happened in a scene since it began.

What happened in the story is undone when a scene is rewound. What bound the table outside of it stays: who sits there, the
session and its dice, what was agreed, what was brought into the open, the game itself, and every X-card with its answer.
"""

from collections.abc import Iterable, Iterator, Sequence

from rollbook.domain import events
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber, SeatName
from rollbook.domain.corrections.changes import Change, Redo, Undo
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.fold import fold


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
    """The changes by which undone actions count again, and those that only followed, as far as the rules allow it."""
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
    """The outcome that counted for an action just before an entry; None if it was undone, or is inserted by it."""
    last = next((entry for entry in reversed(history.revisions(action)) if entry.number < number), None)
    if last is None or last.kind is EntryKind.UNDONE:
        return None
    return history.revision(action, last.restores) if last.kind is EntryKind.REDONE else last


REASON = "rewound after the X-card"
"""The reason of every undone action; it names nobody."""

STAYS: tuple[type[Event], ...] = (
    events.CampaignStarted,
    events.RulesetAdopted,
    events.SeatTaken,
    events.SeatLeft,
    events.SeatRenamed,
    events.SeatNamed,
    events.SessionOpened,
    events.SessionClosed,
    events.EntropyAdded,
    events.DiceRevealed,
    events.ScreenCounted,
    events.FreshDiceGranted,
    events.TableAgreed,
    events.NoteRedacted,
    events.EntriesRevealed,
    events.XCardRaised,
    events.XCardAnswered,
)
"""An action with one of these is the table's, not the scene's."""


def rewound_actions(history: History, rulebook: Rulebook, to: int = 0) -> tuple[int, ...]:
    """The actions to undo so that the scene begins again, or goes on after action ``to``, which still counts.

    Raises Refused if it is not known how far back the scene goes, if ``to`` lies before it, or if nothing is left to take
    back; NotFound if there is no action of that number.
    """
    begun, is_scene = _begun(history)
    if to:
        history.check(to)
    elif not is_scene:
        raise Refused(
            "No scene was framed in this session, so nothing says how far back to go. Name the last action that is to "
            "stand: rollbook x-card --rewind --to N (rollbook log shows the numbers)."
        )
    if to and history.order_of(to) < history.order_of(begun):
        what = "The scene" if is_scene else "The session"
        raise Refused(
            f"{what} begins with #{begun}, and #{to} comes before it. Undo it with rollbook undo if it has to go."
        )
    found = tuple(_going(history, rulebook, to or begun))
    if not found:
        raise Refused(f"Nothing has happened after #{to or begun} that could be undone. Go on with --resume or --skip.")
    return found


BEGINNINGS = (events.SceneFramed, events.SceneResumed, events.SessionOpened)
"""Events with which what is played at the table begins: a scene, again or for the first time, or a session."""


def _begun(history: History) -> tuple[int, bool]:
    """The action that framed the scene or went on with it, or else opened the session, and whether it is a scene."""
    for action in history.backwards():
        entry = history.effective(action)
        for event in entry.events if entry else ():
            if isinstance(event, BEGINNINGS):
                return action, not isinstance(event, events.SessionOpened)
    return 0, False


def _going(history: History, rulebook: Rulebook, last: int) -> Iterator[int]:
    """The actions after ``last`` (0: all) that count, happened in the story and can be undone."""
    campaign = history.as_corrected_to(last)
    for action, entry in history.outcomes_after(history.order_of(last) if last else 0):
        if entry is None:
            continue
        is_story = not any(isinstance(event, STAYS) for event in entry.events)
        if is_story and not rulebook.is_final(campaign, history.intent_of(action)):
            yield action
        campaign = fold(campaign, entry.events)
