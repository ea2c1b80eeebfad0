"""Permission to correct: players their own actions, the GM everything.

The GM's rulings on a player's action stay with it, so no correction by the player removes them or adds to them.
"""

from collections.abc import Mapping

import attrs

from rollbook.domain.base.errors import Refused, not_found
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections.changes import Amend, Change, Insert, Redo
from rollbook.domain.entries import EntryKind, RecordedEntry, SecondThought
from rollbook.domain.events import Role
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import build, parameters
from rollbook.domain.rules.playing import check_taken_by
from rollbook.domain.state.campaign_state import CampaignState


def own_thought(state: CampaignState, seat: str, thought: SecondThought) -> SecondThought:
    """A player's second thought with its character filled in, if it names none and they play only one."""
    thinker = state.seats.get(seat)
    if thought.character or thinker is None or thinker.role is not Role.PLAYER:
        return thought
    mine = [who.id for who in state.characters.values() if who.seat == seat and who.present and not who.hidden]
    return attrs.evolve(thought, character=mine[0]) if len(mine) == 1 else thought


def check_second_thought(history: History, seat: str, thought: SecondThought) -> None:
    """Raise Refused if the seat may not have a second thought: players spend what their characters have, spectators nothing.

    Raises NotFound for somebody whom a player does not know.
    """
    thinker = history.state.seats.get(seat)
    if thinker is None or thinker.role is Role.GM:
        return
    if thinker.role is Role.SPECTATOR:
        raise Refused(f"{seat} watches, and a spectator has no second thoughts.")
    known = {who.id: who for who in history.state.characters.values() if not who.hidden}
    mine = ", ".join(who.id for who in known.values() if who.seat == seat) or "nobody yet"
    if not thought.character:
        raise Refused(f"Only the GM spends what is the GM's. Say with --by who does it; {seat} plays {mine}.")
    if thought.character not in known:
        raise not_found("character", thought.character, known)
    spender = known[thought.character]
    if spender.seat != seat:
        owner = f"is played by {spender.seat}" if spender.seat else "is the GM's"
        raise Refused(f"{spender.name} {owner}, and {seat} spends only what is theirs; {seat} plays {mine}.")


def check_corrector(history: History, rulebook: Rulebook, seat: str, changes: Mapping[ActionNumber, Change]) -> None:
    """Raise Refused if the seat may not make these changes, NotFound for an action that does not exist."""
    if history.state.is_gm(seat):
        return
    for action, change in changes.items():
        if isinstance(change, Insert):
            raise Refused(f"Only the GM puts an act into the past; {seat} can ask for it.")
        first = history.taken(action)
        if first.seat != seat or first.visibility not in ("", seat):
            raise Refused(f"{seat} can correct what {seat} did, and action #{action} was not that. Ask the GM.")
        if isinstance(change, Redo):
            _check_redo(history, seat, action, change)
        if isinstance(change, Amend):
            _check_amendment(history, rulebook, seat, action, change)


def _check_redo(history: History, seat: str, action: ActionNumber, change: Redo) -> None:
    """Refuse a player the redo of an outcome that another seat has replaced, or of an action that it has undone."""
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
    if not change.params:
        return
    meant, before = history.intent_of(action), history.state_before(action)
    verb = rulebook.verb(before, meant.verb)
    for parameter in parameters(verb):
        usual = meant.params.get(parameter.name, parameter.default)
        if parameter.gm_only and change.params.get(parameter.name, usual) != usual:
            raise Refused(f"--{parameter.option} is a ruling, so the GM says it; {seat} can ask for it.")
    check_taken_by(before, seat, build(verb, {**meant.params, **change.params}))
