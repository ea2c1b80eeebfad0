"""Both courses of a correction, gone through side by side, up to where they are the same again."""

from rollbook.domain.corrections.comparison import Comparison
from rollbook.domain.corrections.courses import NOT_PLAYED
from rollbook.domain.corrections.imported import IMPORTED, follow_imported
from rollbook.domain.corrections.later_actions import follow
from rollbook.domain.corrections.strategies import Corrected, correct
from rollbook.domain.events import Event


def compare(comparison: Comparison) -> None:
    """Go through the actions from the first that is corrected, until nothing is left to change and nothing differs."""
    history, correction, courses = comparison.history, comparison.correction, comparison.courses
    pending = len(correction.changes)
    for action, entry in history.outcomes(comparison.first):
        change = correction.changes.get(action)
        if change is not None:
            pending -= 1
            events = correct(comparison, Corrected(action, entry), change)
        elif entry is None:
            continue
        elif not pending and not courses.differing:
            courses.unite(history.state)
            comparison.skipped += history.counting(action)
            return
        elif entry.provenance == IMPORTED:
            events = follow_imported(comparison, action, entry)
        else:
            events = follow(comparison, action, entry)
        _go_on(comparison, entry.events if entry else (), events)
    courses.end(history.state)


def _go_on(comparison: Comparison, recorded: tuple[Event, ...], corrected: tuple[Event, ...]) -> None:
    played, comparison.played_here = comparison.played_here, NOT_PLAYED
    if recorded is not corrected or played is not NOT_PLAYED or not comparison.courses.wait(recorded):
        comparison.courses.go_on(recorded, corrected, played)
