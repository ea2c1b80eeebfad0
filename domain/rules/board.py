"""Boards: a ruleset's view of a moment, which the engine cannot work out: what is left of a turn, positions, durations.

A game on squares also gives the squares that each character threatens, and planned moves. All of it is only shown: no
rule reads it, and nothing of it is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.sides import Side
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.sealing import NOTHING

if TYPE_CHECKING:
    from rollbook.domain.rules.table import Table


def _check_texts(texts: Iterable[object]) -> None:
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"{text!r} is not text")


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

    def __attrs_post_init__(self) -> None:
        _check_texts((self.where, self.away, *self.resources, *self.lasts.values()))


NO_PIECE = Piece()
"""The piece of a character of whom the ruleset says nothing."""


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
    """The board that a ruleset gave. Raises TypeError if it is none, or holds what cannot be shown."""
    if not isinstance(board, Board):
        raise TypeError(f"{type(board).__name__} is not a Board")
    _check_texts((*(board.left or ()), *board.next, *(text for line in board.lines for text in line)))
    for line in board.lines:
        if len(line) != 2:
            raise TypeError(f"the line {line!r} is not text")
    return board


Square: TypeAlias = tuple[int, int, int]
"""Squares east, north and up of the map's origin."""

Pair: TypeAlias = tuple[CharacterId, CharacterId]

FARTHEST = 1_000_000
"""Largest distance of a square's coordinate from 0."""


@attrs.frozen(kw_only=True)
class Stand(Record):
    """The place of one character. ``reach`` are the squares that they threaten now, none for one who cannot strike.

    ``flanked_by`` are the pairs of enemies between whom they stand, as far as the game knows such a thing.
    """

    square: Square
    side: Side = Side.NEITHER
    is_down: bool = False
    reach: tuple[Square, ...] = ()
    flanked_by: tuple[Pair, ...] = ()


@attrs.frozen(kw_only=True)
class SquareMap(Record):
    """A moment on the squares. ``movers`` are those who may move now; ``scale`` says how large a square is ("five feet")."""

    stands: Mapping[CharacterId, Stand] = NOTHING
    movers: tuple[CharacterId, ...] = ()
    scale: str = ""


@attrs.frozen(kw_only=True)
class Opening(Record):
    """A character who may strike at the mover on the way, after so many ``steps`` of it (0: before the first).

    ``at`` is the square on which the mover is then, and ``said`` when it is, in words ("as Sill leaves 6,0").
    """

    who: CharacterId
    steps: int
    at: Square
    said: str


@attrs.frozen(kw_only=True)
class PlannedMove(Record):
    """A way step by step, before it is taken.

    ``way`` are its squares after the first one, and ``costs`` the cost up to each; ``most`` is what the mover may spend
    (None: not counted), in ``unit`` ("square"). ``onward`` are the squares at which a longer way may end, and ``safer``
    is another way to the same square with fewer openings (none: ()). ``refused`` is the sentence of the rules if they
    refuse it; ``verb`` and ``params`` are the action that takes the way.
    """

    way: tuple[Square, ...] = ()
    costs: tuple[int, ...] = ()
    most: int | None = None
    unit: str = "square"
    openings: tuple[Opening, ...] = ()
    onward: tuple[Square, ...] = ()
    safer: tuple[Square, ...] = ()
    refused: str = ""
    verb: str = ""
    params: Mapping[str, ParameterValue] = NOTHING

    @property
    def cost(self) -> int:
        """The cost of all of it."""
        return self.costs[-1] if self.costs else 0


@attrs.frozen(kw_only=True)
class Squares(Record):
    """The part of a ruleset that knows squares. Both are asked of any moment, at a table of which nothing is kept.

    ``laid_out`` says who stands where. ``planned`` takes who moves and the squares of the way, in order: where two of them are
    no neighbours, it finds the way between them. Rules may refuse and record there as in an action, but no die falls.
    ``is_in_use`` says whether a campaign plays on squares, where that is left to each table.
    """

    laid_out: Callable[[Table], SquareMap]
    planned: Callable[[Table, CharacterId, tuple[Square, ...]], PlannedMove]
    is_in_use: Callable[[CampaignState], bool] = lambda _: True


def fault_of_squares(squares: object) -> str:
    """The fault in what a ruleset names as its squares, "" for none."""
    if squares is None:
        return ""
    if not isinstance(squares, Squares):
        return f"its squares are a {type(squares).__name__}, not Squares"
    wrong = next((name for name in ("laid_out", "planned", "is_in_use") if not callable(getattr(squares, name))), "")
    return f"{wrong} of its squares cannot be called" if wrong else ""


def checked_map(found: object) -> SquareMap:
    """The map that a ruleset gave. Raises TypeError if it is none, or holds what cannot be drawn."""
    if not isinstance(found, SquareMap):
        raise TypeError(f"{type(found).__name__} is not a SquareMap")
    for who, stand in found.stands.items():
        if not isinstance(stand, Stand):
            raise TypeError(f"{stand!r}, where {who} stands, is not a Stand")
        if not isinstance(stand.side, Side):
            raise TypeError(f"{stand.side!r}, the side of {who}, is not a Side")
        _check_squares((stand.square, *stand.reach))
        _check_texts(name for pair in stand.flanked_by for name in pair)
    _check_texts((found.scale, *found.stands, *found.movers))
    return found


def checked_plan(found: object) -> PlannedMove:
    """The planned move that a ruleset gave. Raises TypeError if it is none, or holds what cannot be drawn."""
    if not isinstance(found, PlannedMove):
        raise TypeError(f"{type(found).__name__} is not a PlannedMove")
    _check_squares((*found.way, *found.onward, *found.safer, *(opening.at for opening in found.openings)))
    steps = [opening.steps for opening in found.openings]
    numbers = (*found.costs, *steps, *(() if found.most is None else (found.most,)))
    wrong = [repr(number) for number in numbers if not isinstance(number, int)]
    if wrong:
        raise TypeError(f"{wrong[0]} is not a number")
    if len(found.costs) != len(found.way):
        raise TypeError(f"{len(found.costs)} costs are given for {len(found.way)} squares of the way")
    if any(not 0 <= step <= len(found.way) for step in steps):
        raise TypeError(f"an opening comes after {max(steps)} steps of {len(found.way)}")
    _check_texts(
        (
            *(found.unit, found.refused, found.verb, *found.params),
            *(text for opening in found.openings for text in (opening.who, opening.said)),
        )
    )
    return found


def _check_squares(squares: Iterable[object]) -> None:
    for square in squares:
        is_one = isinstance(square, tuple) and len(square) == len(("east", "north", "up"))
        if not is_one or not all(isinstance(each, int) and abs(each) <= FARTHEST for each in square):  # type: ignore[attr-defined]
            raise TypeError(f"{square!r} is not a square: east, north and up")
