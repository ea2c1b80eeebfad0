"""Plans of moves over the map: the cost of a way, and the openings that it gives (R4.29, R4.31, Q4.17).

A plan is made of the same parts as the move itself (``movement``); only the way between two squares is searched here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise

import attrs

from rollbook.kit import require, squares
from rollbook.kit.squares import OPEN_COUNTRY
from rollbook.plugin import Character, Opening, PlannedMove, Record, Square, Table, events
from rollbook.rulesets.grid.encounter import MOVE, around, enemies_of
from rollbook.rulesets.grid.movement import Move, is_in_the_way, squares_per_move
from rollbook.rulesets.grid.opportunity_attacks import can_strike, come_upon, is_busy, left_behind
from rollbook.rulesets.grid.settings import ONE_TWO_ONE, Settings
from rollbook.rulesets.grid.squares import DIRECTIONS, cost_of, in_reach, is_slanted, steps_of

Way = tuple[Square, ...]


def planned(table: Table, name: str, stops: Sequence[Square]) -> PlannedMove:
    """Plan a way over these squares, the cheapest between them, with every opening at its moment (Q4.17, Q4.19)."""
    who, diagonal = table.character(name), Settings.of(table).diagonal
    ground, most = _ground(table, who), squares_per_move(who) if table.encounter else None
    way = _joined(ground, who.position, stops)
    steps = steps_of(who.position, way)
    path = tuple(_NAMES[step] for step in steps)
    costs = tuple(cost_of(steps[:many], diagonal) for many in range(1, len(steps) + 1))
    end, spent = way[-1] if way else who.position, costs[-1] if costs else 0
    reach = OPEN_COUNTRY if most is None else most
    onward = ground.ways(end, reach - spent, sum(map(is_slanted, steps)))
    refused = _refusal(table, name, path)
    return PlannedMove(
        way=way,
        costs=costs,
        most=most,
        openings=tuple(_openings(table, name, steps)),
        onward=tuple(sorted(square for square in onward if square not in ground.taken and square != end)),
        safer=_safer(ground, who.position, way, reach),
        refused=refused,
        verb=Move.verb if path else "",
        params={"who": name, "path": path} if path else {},
    )


_NAMES = {step: name for name, step in DIRECTIONS.items()}


def _refusal(table: Table, name: str, path: tuple[str, ...]) -> str:
    """The words in which the rules refuse this path or, without one, any move; "" if they allow it (R4.1, R4.42)."""
    move = Move(who=name, path=path)
    return require.refusal(lambda: move.allowed_steps(table) if path else move.begin(table, name, MOVE))


def _openings(table: Table, name: str, steps: Sequence[Square]) -> Iterator[Opening]:
    """Yield the openings on the way, if the mover does not fall and no enemy holds back; none outside a fight."""
    called = table.character(name).name
    for gone, step in enumerate(steps, 1) if table.encounter else ():
        behind = table.character(name).position
        ahead = squares.stepped(behind, step)
        for enemy in filter(can_strike, left_behind(table, name, ahead)):
            yield Opening(who=enemy.id, steps=gone - 1, at=behind, said=f"as {called} leaves {squares.text(behind)}")
        table.record(events.Moved(character=name, east=step[0], north=step[1], up=step[2]))
        for enemy in filter(can_strike, come_upon(table, name, behind)):
            yield Opening(who=enemy.id, steps=gone, at=ahead, said=f"as {called} comes to {squares.text(ahead)}")


@attrs.frozen
class _Ground(Record):
    """The obstacles of a move: squares that it cannot pass or end on, and enemies who wait for an opening.

    Whether another character keeps an enemy busy does not change while one character moves.
    """

    barred: frozenset[Square]
    taken: frozenset[Square]
    waiting: tuple[Square, ...]
    may_leave: bool
    by_turns: bool

    def openings(self, behind: Square, ahead: Square) -> int:
        """The number of enemies who get an opening from a step."""
        return sum(
            in_reach(enemy, ahead) > in_reach(enemy, behind)
            or (in_reach(enemy, behind) > in_reach(enemy, ahead) and not self.may_leave)
            for enemy in self.waiting
        )

    def openings_on(self, start: Square, way: Way) -> int:
        """The number of openings on a whole way."""
        return sum(self.openings(one, other) for one, other in pairwise((start, *way)))

    def ways(self, start: Square, most: int, slanted: int = 0) -> dict[Square, list[Way]]:
        """The ways to each square within ``most`` squares of movement, cheapest first, after ``slanted`` diagonals."""
        waiting: list[tuple[int, int, int, Square, Way]] = [(0, 0, slanted, start, ())]
        fewest: dict[tuple[Square, int], int] = {}
        found: dict[Square, list[Way]] = {}
        while waiting:
            cost, openings, turned, at, way = heappop(waiting)
            place = (at, turned % 2 if self.by_turns else 0)
            if fewest.get(place, openings + 1) <= openings:
                continue
            fewest[place] = openings
            if way:
                found.setdefault(at, []).append(way)
            for ahead in squares.around(at):
                is_turn = is_slanted(squares.between(at, ahead))
                price = cost + 1 + (is_turn and self.by_turns and turned % 2)
                if price <= most and ahead not in self.barred:
                    more = openings + self.openings(at, ahead)
                    heappush(waiting, (price, more, turned + is_turn, ahead, (*way, ahead)))
        return found


def _ground(table: Table, who: Character) -> _Ground:
    others = [other for other in around(table) if other.id != who.id]
    enemies = enemies_of(table, who) if table.encounter else ()
    return _Ground(
        barred=frozenset(other.position for other in others if is_in_the_way(other, who)),
        taken=frozenset(other.position for other in others),
        waiting=tuple(enemy.position for enemy in enemies if can_strike(enemy) and not is_busy(table, enemy, who.id)),
        may_leave=Settings.of(table).mover_engages,
        by_turns=Settings.of(table).diagonal == ONE_TWO_ONE,
    )


def _joined(ground: _Ground, start: Square, stops: Sequence[Square]) -> Way:
    """Every square of a way. Two stops that are not neighbours are joined on one level, then straight up or down."""
    way: list[Square] = []
    for stop in stops:
        at = way[-1] if way else start
        if squares.between(at, stop) in _NAMES:
            way.append(stop)
            continue
        level = (stop[0], stop[1], at[2])
        known = ground.ways(at, OPEN_COUNTRY).get(level) if squares.distance(at, level) <= OPEN_COUNTRY else None
        way += known[0] if known else tuple(squares.straight(at, level))
        way += tuple(squares.straight(level, stop))
    return tuple(way)


def _safer(ground: _Ground, start: Square, way: Way, most: int) -> Way:
    """Another way to the same square with fewer openings; () if there is none within reach."""
    had = ground.openings_on(start, way)
    if not had or way[-1] == start or way[-1] in ground.taken:
        return ()
    known = ground.ways(start, most).get(way[-1], [])
    other = min(known, key=lambda each: ground.openings_on(start, each), default=way)
    return other if ground.openings_on(start, other) < had else ()
