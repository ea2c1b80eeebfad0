"""What a ruleset says of a moment that the engine cannot work out: what is left of a turn, where everybody is, what runs out.

It is shown and nothing more: no rule reads it, and nothing of it is stored.
"""

from collections.abc import Mapping

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.state.campaign_state import NOTHING, CampaignState


@attrs.frozen(kw_only=True)
class Piece(Record):
    """One character on the board, in the game's own words.

    ``where`` is a square, a range or a place, ``away`` how far that is from who has the turn; ``resources`` are what can be spent
    ("2 tokens"). ``lasts`` says of a condition, by name, what is left of it where the clock does not; ``covered`` are conditions
    that need not be shown besides.
    """

    where: str = ""
    away: str = ""
    resources: tuple[str, ...] = ()
    lasts: Mapping[str, str] = NOTHING
    covered: tuple[str, ...] = ()


NO_PIECE = Piece()
"""Somebody of whom the ruleset says nothing."""


@attrs.frozen(kw_only=True)
class Board(Record):
    """A moment of a campaign, as far as only its ruleset can tell.

    ``left`` is what is left of the turn that is being taken ("an action", "40 ft"): () if nothing is, None if the ruleset does
    not say. ``next`` are those who may take the next turn; none begin a new round. ``lines`` are what else the game counts, a
    label and a text each (light, danger, the GM's pool). ``round_seconds`` is how long a round is, 0 if it has no length.
    """

    left: tuple[str, ...] | None = None
    next: tuple[CharacterId, ...] = ()
    pieces: Mapping[CharacterId, Piece] = NOTHING
    lines: tuple[tuple[str, str], ...] = ()
    round_seconds: int = 0


def plain_board(campaign: CampaignState) -> Board:
    """The board of a game that says nothing of its own: the turns follow the order."""
    encounter = campaign.encounter
    waiting = encounter.waiting() if encounter else ()
    current = encounter.current if encounter else ""
    return Board(next=tuple(who for who in waiting if who != current)[:1])


def checked_board(board: object) -> Board:
    """What a ruleset gave as its board. Raises TypeError if it is none, or holds what cannot be shown."""
    if not isinstance(board, Board):
        raise TypeError(f"{type(board).__name__} is not a Board")
    pieces = board.pieces.values()
    texts = [
        *(board.left or ()),
        *board.next,
        *(text for line in board.lines for text in line),
        *(text for piece in pieces for text in (piece.where, piece.away, *piece.resources, *piece.lasts.values())),
    ]
    wrong = [repr(text) for text in texts if not isinstance(text, str)]
    wrong += [f"the line {line!r}" for line in board.lines if len(line) != LABEL_AND_TEXT]
    if wrong:
        raise TypeError(f"{wrong[0]} is not text")
    return board


LABEL_AND_TEXT = 2
"""What a line of a board is."""
