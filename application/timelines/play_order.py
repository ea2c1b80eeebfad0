"""The order in which canon's actions are played by another game: in a fight, the other game says whose turn it is.

In a round of canon's, the actions of the character whose turn it is come first; then the turn is ended as a turn was on
canon. Actions that needed no turn stay where they were between the others.
"""

from collections.abc import Iterator, Sequence

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import RoundBegan, SceneResumed, SceneSetAside
from rollbook.domain.history.history import History
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.encounters import Encounter
from rollbook.domain.state.fold import fold

END_TURN = "end-turn"


@attrs.frozen
class Move(Record):
    """An action of canon: ``entry`` counts for it (None if it was undone), ``outcome`` is the one that counted last.

    In a fight it was taken in the ``round`` (counted over the campaign, 0 outside) and in the turn of ``turn``.
    """

    entry: RecordedEntry | None
    outcome: RecordedEntry
    round: int = 0
    turn: CharacterId = ""

    @property
    def ends_turn(self) -> bool:
        """True if it ended a turn and did nothing else."""
        return self.entry is not None and self.outcome.intent.verb == END_TURN

    @property
    def is_of_the_turn(self) -> bool:
        """True if it was taken by the character whose turn it was."""
        return bool(self.turn) and self.outcome.actor == self.turn and not self.ends_turn


def moves(canon: History) -> Iterator[Move]:
    """Every action of canon, in order."""
    state, rounds, now = CampaignState(), 0, 0
    waiting: dict[int, int] = {}
    for action, entry in canon.outcomes():
        fight = state.encounter
        is_fought = fight is not None and entry is not None
        yield Move(
            entry, canon.latest_outcome(action), now if is_fought else 0, fight.current if fight and is_fought else ""
        )
        if entry is not None:
            for event in entry.events:
                if isinstance(event, RoundBegan):
                    now = rounds = rounds + 1
                elif isinstance(event, SceneSetAside):
                    waiting[state.scene_number] = now
                elif isinstance(event, SceneResumed):
                    now = waiting.get(event.scene, 0)
            state = fold(state, entry.events)


def next_move(waiting: Sequence[Move], encounter: Encounter | None) -> int:
    """The index of the waiting move that is played next, in a fight as it stands by the other game."""
    first = waiting[0]
    if encounter is None or not first.round or not (first.is_of_the_turn or first.ends_turn):
        return 0
    block = [place for place, move in enumerate(waiting[:LONGEST_ROUND]) if move.round == first.round]
    mine = [place for place in block if waiting[place].is_of_the_turn and waiting[place].turn == encounter.current]
    ends = [place for place in block if waiting[place].ends_turn]
    own_end = [place for place in ends if waiting[place].turn == encounter.current]
    return next(iter((*mine, *own_end, *ends)), 0)


def next_character(waiting: Sequence[Move], encounter: Encounter | None) -> CharacterId:
    """The next character when a turn is handed on: the first who can and had it on canon; "" if none is known."""
    if encounter is None:
        return ""
    left = encounter.waiting()
    may = [who for who in left if who != encounter.current] or list(encounter.order)
    wanted = (move.turn for move in waiting[:LONGEST_ROUND] if move.turn and (move.is_of_the_turn or move.ends_turn))
    return next((who for who in wanted if who in may), "")


LONGEST_ROUND = 400
"""Most actions that are searched for the end of a round."""
