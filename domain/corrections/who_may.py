"""Who may correct what: players what they did themselves, the GM everything.

What the GM has ruled about a player's action stays with it, so no correction of the player's takes it back or adds to it.
"""

from collections.abc import Mapping

from domain.action import parameters
from domain.corrections.changes import Amend, Change, Redo
from domain.entries import EntryKind, RecordedEntry
from domain.errors import Refused
from domain.events import Role
from domain.history import History
from domain.identifiers import ActionNumber
from domain.rulebook import Rulebook


def check_corrector(history: History, rulebook: Rulebook, seat: str, changes: Mapping[ActionNumber, Change]) -> None:
    """Raise Refused if the seat may not make these changes, NotFound for an action that does not exist."""
    corrector = history.state.seats.get(seat)
    if corrector is None or corrector.role is Role.GM:
        return
    for action, change in changes.items():
        first = history.taken(action)
        if first.seat != seat or first.visibility not in ("", seat):
            raise Refused(f"{seat} can correct what {seat} did, and action #{action} was not that. Ask the GM.")
        if isinstance(change, Redo):
            _check_redo(history, seat, action, change)
        if isinstance(change, Amend):
            _check_amendment(history, rulebook, seat, action, change)


def _check_redo(history: History, seat: str, action: ActionNumber, change: Redo) -> None:
    """An outcome that somebody else has replaced, or an action that somebody else has undone, is not a player's to redo."""
    entries = history.revisions(action)
    at = next((each.revision for each in entries if each.is_outcome and each.revision == change.revision), 0)
    since = [each for each in entries if each.revision > at] if at else [entries[-1]]
    _check_own(since, seat, action)


def _check_own(entries: list[RecordedEntry], seat: str, action: ActionNumber) -> None:
    for entry in entries:
        if entry.seat != seat and not entry.causation:
            done = "undone" if entry.kind is EntryKind.UNDONE else "corrected"
            by = f"{entry.seat} has {done}" if entry.seat else f"The GM has {done}"
            raise Refused(f"{by} action #{action}, so it is not {seat}'s to say what counts. Ask the GM.")


def _check_amendment(history: History, rulebook: Rulebook, seat: str, action: ActionNumber, change: Amend) -> None:
    if change.unadjusted:
        raise Refused(f"Only the GM takes an adjustment out of an action; {seat} can ask for it.")
    if change.typed:
        _check_own([each for each in history.revisions(action) if each.is_outcome], seat, action)
    meant = history.intent_of(action)
    verb = rulebook.verb(history.state_before(action), meant.verb)
    for parameter in parameters(verb) if change.params else ():
        usual = meant.params.get(parameter.name, parameter.default)
        if parameter.gm_only and change.params.get(parameter.name, usual) != usual:
            raise Refused(f"--{parameter.option} is a ruling, so the GM says it; {seat} can ask for it.")
