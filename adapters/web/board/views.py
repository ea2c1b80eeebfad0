"""The board as plain values for a template: positions, and squares to press. It knows squares and no game."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import urlencode

import attrs

from rollbook.adapters.web.board.frame import Frame, framed, named, written_way
from rollbook.adapters.web.board.maps import MapView, corners_of, map_view
from rollbook.adapters.web.table.standing import FighterView
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.rules.board import PlannedMove, Square, SquareMap, Stand
from rollbook.domain.rules.sides import Side
from rollbook.domain.state.campaign_state import BoardMap

BESIDE = 8
"""Distance between pieces that share a square, in units of the drawing."""

Point = tuple[float, float]
People = Mapping[CharacterId, FighterView]
Stands = Mapping[CharacterId, Stand]
STEPS = {
    "nw": ("↖", "north-west", (-1, 1)),
    "n": ("↑", "north", (0, 1)),
    "ne": ("↗", "north-east", (1, 1)),
    "w": ("←", "west", (-1, 0)),
    "": ("", "", (0, 0)),
    "e": ("→", "east", (1, 0)),
    "sw": ("↙", "south-west", (-1, -1)),
    "s": ("↓", "south", (0, -1)),
    "se": ("↘", "south-east", (1, -1)),
}
"""The keys of the pad: sign, name, and step east and north."""


@attrs.frozen(kw_only=True)
class PieceView(Record):
    """A character on the board; ``href`` is where its move is planned, "" if the reader may not plan one."""

    person: FighterView
    stand: Stand
    x: float
    y: float
    href: str

    @property
    def label(self) -> str:
        """All that the drawing shows of the character, in words."""
        person = self.person
        turn, flanked = "on turn" if person.turn == "now" else "", "flanked" if self.stand.flanked_by else ""
        conditions = (each.name for each in person.status.conditions)
        said = (
            person.name,
            person.points or person.words,
            *conditions,
            flanked,
            turn,
            f"on {named(self.stand.square)}",
        )
        return ", ".join(filter(None, said))


@attrs.frozen(kw_only=True)
class Plan(Record):
    """A move that is planned at the address ``here``: the character ``who`` goes from ``start``.

    ``reachable`` are the squares within reach of the start; ``safer_cost`` is the cost of the way with fewer openings.
    """

    here: str
    who: CharacterId
    start: Square
    move: PlannedMove
    reachable: tuple[Square, ...]
    safer_cost: int = 0

    @property
    def end(self) -> Square:
        return (self.start, *self.move.way)[-1]

    @property
    def end_name(self) -> str:
        return named(self.end)

    def to(self, way: Iterable[Square]) -> str:
        """The address of the plan with another way."""
        return plan_address(self.here, self.who, way)

    def on(self, square: Square) -> str:
        """The address of the plan with the same way and one more square."""
        return self.to((*self.move.way, square))

    def said_cost(self, cost: int) -> str:
        """The cost of a way, and what the mover may spend, in words."""
        most, unit = self.move.most, self.move.unit
        if most is None:
            return f"{cost} {unit}{'' if cost == 1 else 's'}"
        return f"{cost} of {most} {unit}{'' if most == 1 else 's'}"

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The fields that the form of the verb sends; none before there is a way."""
        sent = self.move.params.items()
        return [
            (name, ",".join(map(str, each)) if isinstance(each, (tuple, list)) else str(each)) for name, each in sent
        ]

    def pad(self) -> Iterator[tuple[str, str, str, str]]:
        """Each step of the pad with its sign, name and address, "" if it cannot be taken."""
        for step, (sign, name, (east, north)) in STEPS.items():
            square = (self.end[0] + east, self.end[1] + north, self.end[2])
            yield step, sign, name, self.on(square) if step and square in self.move.onward else ""

    def squares(self) -> Iterator[tuple[Square, str]]:
        """The squares to press, with addresses: the next of the way, and others within reach of the start."""
        for square in sorted({*self.move.onward, *self.reachable}):
            is_near = max(abs(square[0] - self.end[0]), abs(square[1] - self.end[1])) == 1
            if is_near and square in self.move.onward:
                yield square, self.on(square)
            elif square in self.reachable:
                yield square, self.to((square,))


@attrs.frozen(kw_only=True)
class Placing(Record):
    """A character whom the GM puts on any square, outside of moves: ``to`` is the square, None before one is chosen.

    ``fields`` are those that the form of the ``verb`` sends.
    """

    here: str
    who: CharacterId
    verb: str
    to: Square | None = None
    fields: tuple[tuple[str, str], ...] = ()

    @property
    def named(self) -> str:
        """The square, as people read it."""
        return named(self.to) if self.to else ""

    def squares(self, frame: Frame) -> Iterator[tuple[Square, str]]:
        """Every square that is shown, with the address that chooses it."""
        for north in frame.rows:
            for east in frame.columns:
                square = (east, north, 0)
                asked = {"place": self.who, "to": written_way((square,))}
                yield square, f"{self.here}?{urlencode(asked, safe=',;')}"


@attrs.frozen(kw_only=True)
class BoardView(Record):
    """The whole board. ``squares`` are those to press, each with its name in an address and the address it leads to.

    ``reach`` are the squares within reach of the enemies of the mover, or of the party; ``flanks`` are lines between
    pairs of flankers, and ``flanked`` says so in words. ``movers`` have a name and an address each. Of the plan,
    ``points`` are on the way, and ``openings`` are where an enemy may strike, with its name and when. ``placing`` is whom the
    GM puts somewhere, instead of a plan, and ``map`` the picture under the squares.
    """

    frame: Frame
    people: People
    scale: str
    squares: tuple[tuple[Square, str, str], ...]
    reach: tuple[Square, ...]
    pieces: tuple[PieceView, ...]
    flanks: tuple[tuple[Point, Point], ...]
    flanked: tuple[str, ...]
    movers: tuple[tuple[CharacterId, str, str], ...]
    plan: Plan | None
    points: tuple[Point, ...]
    openings: tuple[tuple[str, str, Point], ...]
    placing: Placing | None = None
    map: MapView | None = None


def board_view(
    here: str,
    found: SquareMap,
    people: People,
    movers: tuple[CharacterId, ...],
    plan: Plan | None = None,
    *,
    placing: Placing | None = None,
    kept: Callable[[Iterable[Square]], Iterable[Square]] = tuple,
    laid: tuple[BoardMap, str] | None = None,
    is_whole: bool = False,
) -> BoardView:
    """The board at one moment, at the address ``here``, for a reader who may move the ``movers``.

    ``kept`` adds the squares that were shown before to those that have to be. ``laid`` is the map under them with its address;
    ``is_whole``: all of it is shown, also where nobody stands.
    """
    shown = {who: stand for who, stand in found.stands.items() if who in people}
    addresses = {who: plan_address(here, who, ()) for who in movers if who in people}
    way = (plan.start, *plan.move.way) if plan else ()
    known = [*(stand.square for stand in shown.values()), *way, *(plan.reachable if plan else ())]
    mapped = corners_of(laid[0]) if laid and is_whole else ()
    frame = framed([*kept(known), *mapped], plan.start if plan else None)
    offered = placing.squares(frame) if placing else plan.squares() if plan else ()
    pressed = ((square, href) for square, href in offered if frame.has(square))
    return BoardView(
        frame=frame,
        people=people,
        scale=found.scale,
        squares=tuple((square, written_way((square,)), href) for square, href in pressed),
        reach=tuple(filter(frame.has, _in_reach(shown, plan))),
        pieces=tuple(_pieces(frame, shown, people, addresses)),
        flanks=tuple(_flanks(frame, shown)),
        flanked=tuple(
            f"{people[who].name} is flanked by {people[one].name} and {people[other].name}"
            for who, stand in shown.items()
            for one, other in stand.flanked_by
            if one in people and other in people
        ),
        movers=tuple((who, people[who].name, address) for who, address in addresses.items()),
        plan=plan,
        points=tuple(map(frame.middle, way)) if len(way) > 1 else (),
        openings=tuple(_openings(frame, people, plan)) if plan else (),
        placing=placing,
        map=map_view(*laid, frame) if laid else None,
    )


def plan_address(here: str, who: CharacterId, way: Iterable[Square]) -> str:
    """The address of a character's plan, with its way so far."""
    asked = {"who": who, "way": written_way(way)}
    return f"{here}?{urlencode({name: value for name, value in asked.items() if value}, safe=',;')}"


def _in_reach(stands: Stands, plan: Plan | None) -> list[Square]:
    """The squares within reach of the mover's enemies; without a plan, of the party's."""
    mine = stands[plan.who].side if plan else Side.PARTY
    foes = {Side.PARTY: Side.FOES, Side.FOES: Side.PARTY}.get(mine)
    return sorted({square for stand in stands.values() if stand.side is foes for square in stand.reach})


def _pieces(frame: Frame, stands: Stands, people: People, addresses: Mapping[CharacterId, str]) -> Iterator[PieceView]:
    together = Counter[tuple[int, int]]()
    for who, stand in stands.items():
        if frame.has(stand.square):
            x, y = frame.middle(stand.square)
            beside = together[stand.square[:2]] * BESIDE
            together[stand.square[:2]] += 1
            yield PieceView(person=people[who], stand=stand, x=x + beside, y=y - 3, href=addresses.get(who, ""))


def _flanks(frame: Frame, stands: Stands) -> Iterator[tuple[Point, Point]]:
    for stand in stands.values():
        for pair in stand.flanked_by:
            ends = [stands[who].square for who in pair if who in stands]
            if len(ends) == len(pair) and all(map(frame.has, ends)):
                yield frame.middle(ends[0]), frame.middle(ends[1])


def _openings(frame: Frame, people: People, plan: Plan) -> Iterator[tuple[str, str, Point]]:
    """Each opening at the square where it comes, those of one square side by side."""
    way, together = (plan.start, *plan.move.way), Counter[int]()
    for opening in plan.move.openings:
        x, y = frame.middle(way[min(opening.steps, len(way) - 1)])
        name = people[opening.who].name if opening.who in people else opening.who
        yield name, opening.said, (x - 11 + together[opening.steps] * 19, y - 15)
        together[opening.steps] += 1
