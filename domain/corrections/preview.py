"""Preview of a correction: everything it would append and change, worked out before anything is stored.

Applying it checks that the head has not moved on since (``Head.check_is_at``).
"""

from collections import defaultdict
from collections.abc import Iterator

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.progress import gc_paused
from rollbook.domain.corrections.change_effects import correct
from rollbook.domain.corrections.changes import UNDECIDED, Amend, Change, Correction, Insert, Proposal, Redo, ThinkAgain
from rollbook.domain.corrections.comparison import Comparison
from rollbook.domain.corrections.courses import NOT_PLAYED
from rollbook.domain.corrections.inserting import check_insertion
from rollbook.domain.corrections.later_actions import IMPORTED, follow, follow_imported
from rollbook.domain.corrections.who_may import check_second_thought
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.history import History
from rollbook.domain.history.secrecy import may_see
from rollbook.domain.rulebook import Rulebook


def preview(history: History, correction: Correction, rulebook: Rulebook) -> Proposal:
    """Everything that a correction would append and change. The history stays as it is.

    Raises NotFound for an action that does not exist, Refused if the correction itself cannot be made, DiceNeeded if
    an action wants dice that nobody has rolled.
    """
    if not correction.changes:
        raise Refused("Nothing was named to correct.")
    for action, change in correction.changes.items():
        if isinstance(change, Insert):
            check_insertion(history, change, rulebook, correction.seat)
        else:
            _check_change(history, action, change, rulebook, correction.seat)
    course = Comparison(history, correction, rulebook)
    with gc_paused():
        _compare(course)
    correction.dice.finish()
    made = course.preview()
    _check_effects(correction, made)
    return made


def _compare(comparison: Comparison) -> None:
    """Go through the actions from the first that is corrected, until nothing is left to change and nothing differs."""
    history, correction, courses = comparison.history, comparison.correction, comparison.courses
    pending = len(correction.changes)
    for action, entry in _actions(comparison):
        change = correction.changes.get(action)
        if change is not None:
            pending -= 1
            events = correct(comparison, action, change)
        elif entry is None:
            continue
        elif not pending and not courses.differing:
            courses.unite(history.state)
            comparison.skipped += history.counting(action)
            return
        elif entry.provenance == IMPORTED:
            events = follow_imported(comparison, entry)
        else:
            events = follow(comparison, entry)
        recorded = entry.events if entry else ()
        played, comparison.played_here = comparison.played_here, NOT_PLAYED
        if recorded is not events or played is not NOT_PLAYED or not courses.wait(recorded):
            courses.go_on(recorded, events, played)
    courses.end(history.state)


def _actions(comparison: Comparison) -> Iterator[tuple[ActionNumber, RecordedEntry | None]]:
    """The actions from the first that the correction may change, in the order of play, with those that it inserts."""
    inserted = defaultdict[ActionNumber, list[ActionNumber]](list)
    for action, change in sorted(comparison.correction.changes.items()):
        if isinstance(change, Insert):
            inserted[change.before].append(action)
    for action, entry in comparison.history.outcomes(comparison.first):
        yield from ((new, None) for new in inserted.get(action, ()))
        yield action, entry


def _check_effects(correction: Correction, made: Proposal) -> None:
    """Refuse decisions about actions that are not orphans."""
    orphans = {orphan.action for orphan in made.of(*UNDECIDED)}
    for action in correction.effects:
        if action not in orphans:
            known = f"These are: {', '.join(f'#{orphan}' for orphan in sorted(orphans))}." if orphans else ""
            none = "All that follows is still possible, so nothing needs a decision."
            raise Refused(f"Action #{action} is not made impossible by this correction. {known or none}")


def last_action(history: History, seat: str = "") -> int:
    """The number of the last action that counts, among those that a player's ``seat`` may see. Raises NotFound if none does."""
    sees_all = history.state.is_gm(seat)
    for action in history.backwards():
        if history.effective(action) is not None and (sees_all or may_see(seat, history.taken(action))):
            return action
    raise NotFound("Nothing has happened yet that could be undone.")


def _check_change(history: History, action: ActionNumber, change: Change, rulebook: Rulebook, seat: str) -> None:
    counts = history.effective(action)
    outcome = history.latest_outcome(action)
    if isinstance(change, Redo):
        if change.revision:
            history.revision(action, change.revision)
        elif counts is not None:
            raise Refused(f"Action #{action} has not been undone, so there is nothing to redo.")
        return
    if counts is None:
        raise Refused(f"Action #{action} is already undone. Redo it first: rollbook redo {action}")
    if rulebook.is_final(history.state_before(action), outcome.intent):
        if isinstance(change, ThinkAgain):
            raise Refused(
                f"A second thought is for a roll of the last action, and that is #{action} ({outcome.intent.verb}) now."
            )
        raise Refused(
            f"Action #{action} ({outcome.intent.verb}) cannot be undone or changed: it bound the table to "
            f"something outside this history. Correct what follows from it instead."
        )
    if isinstance(change, ThinkAgain):
        check_second_thought(history, seat, change.thought)
        _check_last(history, seat, action)
    if isinstance(change, Amend) and change.adjustments:
        _check_gm(history, seat)
    if isinstance(change, (Amend, ThinkAgain)) and outcome.provenance == "imported":
        _check_imported(action, change)


def _check_last(history: History, seat: str, action: ActionNumber) -> None:
    """Refuse a second thought on any but the last action that the seat may see; hidden actions stay unnoticed."""
    last = last_action(history, seat)
    if action != last:
        raise Refused(
            f"A second thought comes before the consequences, so it is for the last action only, "
            f"which is #{last}, not #{action}."
        )


def _check_gm(history: History, seat: str) -> None:
    if not history.state.is_gm(seat):
        role = history.state.seats[seat].role
        raise Refused(f"Only the GM can adjust a sheet by ruling; {seat} is a {role}. Ask the GM.")


def _check_imported(action: ActionNumber, change: Change) -> None:
    if not (isinstance(change, Amend) and change.only_adjusts):
        raise Refused(
            f"Action #{action} was imported as an event, without rules to play it again. "
            f"Undo it (rollbook undo {action}) and record what is right, or adjust what it left on a sheet: "
            f"rollbook amend {action} --adjust 'WHO hp=+3'"
        )
