"""Rulings on a player's action: what another seat than its own, which is the GM's, has said in correcting it."""

from rollbook.domain.base.identifiers import ActionNumber, SeatName
from rollbook.domain.entries import Intent, RecordedEntry
from rollbook.domain.history.history import History
from rollbook.domain.rules.sheet_rulings import ADJUST


def ruled(history: History, action: ActionNumber, intent: Intent) -> frozenset[str]:
    """The parameters of an intent that another seat than the action's own has said when it corrected the action.

    Only the GM corrects what another seat did, so they are rulings. Raises NotFound.
    """
    said = [entry.intent.params for entry in _rulings(history, action)]
    if not said:
        return frozenset()
    return frozenset(name for name, value in intent.params.items() if any(params.get(name) == value for params in said))


def ruler_of(history: History, action: ActionNumber) -> SeatName:
    """The seat that said what an action was last meant to be: its own, unless the GM has amended it. Raises NotFound."""
    return next((entry.seat for entry in reversed(_rulings(history, action))), history.seat_of(action))


def _rulings(history: History, action: ActionNumber) -> list[RecordedEntry]:
    """The outcomes that another seat than the action's own gave it by correcting it, not as a consequence."""
    if not history.is_corrected(action):
        return []
    taken, *later = history.revisions(action)
    others = [entry for entry in later if entry.is_outcome and not entry.causation and entry.seat != taken.seat]
    return [entry for entry in others if not _only_thinks_again(history, entry)]


def _only_thinks_again(history: History, entry: RecordedEntry) -> bool:
    """True if an outcome is that of a second thought, which any seat may have and which is no ruling."""
    before = [each for each in history.revisions(entry.action) if each.is_outcome and each.number < entry.number]
    had = before[-1].intent
    more = entry.intent.second_thoughts[len(had.second_thoughts) :]
    return entry.intent.params == had.params and bool(more) and all(each.kind != ADJUST for each in more)
