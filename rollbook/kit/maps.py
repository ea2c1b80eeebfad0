"""Maps of squares: who stands where, and plans of moves where every square costs the same."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from rollbook.domain.events import ParameterValue
from rollbook.kit import require, sides, squares
from rollbook.plugin import Character, Opening, PlannedMove, Side, Square, Stand

__all__ = ["is_direct", "plan", "stand"]

Way = tuple[Square, ...]


def stand(who: Character, *, is_down: bool, reach: int, flanked_by: tuple[tuple[str, str], ...] = ()) -> Stand:
    """A character on the map, who threatens all within a ``reach`` in squares, 0 for nobody."""
    side, near = Side(sides.side_of(who)), squares.around(who.position, reach) if reach else ()
    return Stand(square=who.position, side=side, is_down=is_down, reach=near, flanked_by=flanked_by)


def plan(
    start: Square,
    stops: Sequence[Square],
    *,
    most: int | None,
    barred: Collection[Square],
    taken: Collection[Square],
    openings: Callable[[Way], Iterable[Opening]],
    verb: str,
    params: Callable[[Way], Mapping[str, ParameterValue]],
    check: Callable[[Mapping[str, Any]], object],
) -> PlannedMove:
    """A way over some stops, the shortest between them, and where it may lead on.

    ``most`` are the squares that are left, None where nobody counts them. Nobody passes what is ``barred`` or ends on what is
    ``taken``. ``params`` are those of the ``verb`` for a way, () for none, and ``check`` refuses what the rules do.
    """
    way = squares.joined(start, stops, barred)
    reach = squares.OPEN_COUNTRY if most is None else most
    onward = squares.ways(way[-1] if way else start, reach - len(way), barred)
    said = params(way) if way else {}
    return PlannedMove(
        way=way,
        costs=tuple(range(1, len(way) + 1)),
        most=most,
        openings=tuple(openings(way)),
        onward=tuple(sorted(square for square in onward if square not in taken)),
        refused=require.refusal(lambda: check(said)),
        verb=verb if way else "",
        params=said,
    )


def is_direct(start: Square, way: Way, barred: Collection[Square]) -> bool:
    """True for the way that is taken where only its end is said."""
    return way == squares.joined(start, way[-1:], barred)
