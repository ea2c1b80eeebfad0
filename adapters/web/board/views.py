"""The board as plain values for a template: where everything is drawn, and what can be pressed. It knows squares and no game."""

from collections.abc import Iterable, Mapping
from urllib.parse import urlencode

import attrs

from rollbook.adapters.web.board.frame import Frame, framed, named, written_way
from rollbook.adapters.web.table.standing import FighterView
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.rules.board import PlannedMove, Side, Square, SquareMap, Stand

BAR = 30
"""The length of a bar of hit points, in units of the drawing."""
BESIDE = 8
"""How far those who share a square are drawn apart."""

Point = tuple[float, float]
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
"""The pad: what a key shows, what it is called, and where it leads."""


@attrs.frozen(kw_only=True)
class PieceView(Record):
    """Somebody on the board. ``shape`` is party, foe or down; ``bar`` how long the bar is, None where there is none."""

    character: CharacterId
    x: float
    y: float
    shape: str
    letters: str
    label: str
    is_now: bool
    bar: float | None
    level: str
    href: str = ""


@attrs.frozen(kw_only=True)
class SquareView(Record):
    """A square: where it is drawn, what it is called, and where it leads if it can be pressed."""

    x: int
    y: int
    name: str
    square: str
    href: str = ""


@attrs.frozen(kw_only=True)
class OpeningView(Record):
    """Somebody who may strike on the way: its number on the drawing, and where that stands."""

    number: int
    name: str
    said: str
    x: float
    y: float


@attrs.frozen(kw_only=True)
class PlanView(Record):
    """A move that is being planned. ``safer`` is the way with fewer openings, ``back`` the way without its last step.

    ``fields`` are what the form of the verb is sent with; there are none before there is a way.
    """

    who: CharacterId
    name: str
    letters: str
    end: str
    cost: str
    points: tuple[Point, ...] = ()
    openings: tuple[OpeningView, ...] = ()
    refused: str = ""
    verb: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    safer: str = ""
    safer_cost: str = ""
    back: str = ""
    pad: tuple[tuple[str, str, str, str], ...] = ()
    way: str = ""


@attrs.frozen(kw_only=True)
class BoardView(Record):
    """All of it. ``reach`` are the squares in reach of those whom a mover, or the party, fights; ``flanked`` says who is."""

    frame: Frame
    scale: str
    squares: tuple[SquareView, ...]
    reach: tuple[SquareView, ...]
    pieces: tuple[PieceView, ...]
    flanks: tuple[tuple[Point, Point], ...]
    flanked: tuple[str, ...]
    movers: tuple[tuple[CharacterId, str, str], ...]
    plan: PlanView | None = None


@attrs.frozen(kw_only=True)
class Planned(Record):
    """What is planned: who moves, the way so far, its plan, what can be reached, and what a safer way costs."""

    who: CharacterId
    plan: PlannedMove
    reachable: tuple[Square, ...]
    safer_cost: int = 0


def board_view(
    here: str,
    found: SquareMap,
    people: Mapping[CharacterId, FighterView],
    movers: tuple[CharacterId, ...],
    planned: Planned | None = None,
) -> BoardView:
    """The board of a moment at the address ``here``, for somebody who may move the ``movers``."""
    shown = {who: stand for who, stand in found.stands.items() if who in people}
    start = shown[planned.who].square if planned else None
    way = planned.plan.way if planned else ()
    known = [*(stand.square for stand in shown.values()), *way, *(planned.reachable if planned else ())]
    frame = framed(known, start)
    links = _Links(here, planned.who if planned else "", start, way)
    return BoardView(
        frame=frame,
        scale=found.scale,
        squares=tuple(_squares(frame, planned, links)),
        reach=tuple(_square(frame, square) for square in _in_reach(shown, planned) if frame.has(square)),
        pieces=tuple(_pieces(here, frame, shown, people, movers)),
        flanks=tuple(_flanks(frame, shown)),
        flanked=tuple(
            f"{people[who].name} is flanked by {people[one].name} and {people[other].name}"
            for who, stand in shown.items()
            for one, other in stand.flanked_by
            if one in people and other in people
        ),
        movers=tuple((who, people[who].name, _Links(here, who, None, ()).to(())) for who in movers if who in people),
        plan=_plan(frame, people, shown, planned, links) if planned else None,
    )


@attrs.frozen
class _Links(Record):
    """The addresses of other plans of the same mover."""

    here: str
    who: CharacterId
    start: Square | None
    way: tuple[Square, ...]

    def to(self, way: Iterable[Square]) -> str:
        """The plan of another way."""
        asked = {"who": self.who, "way": written_way(way)}
        return f"{self.here}?{urlencode({name: value for name, value in asked.items() if value}, safe=',;')}"

    @property
    def end(self) -> Square:
        return self.way[-1] if self.way else self.start or (0, 0, 0)

    def on(self, square: Square) -> str:
        """The same way and one square further."""
        return self.to((*self.way, square))


def _squares(frame: Frame, planned: Planned | None, links: _Links) -> Iterable[SquareView]:
    """Those that can be pressed: the next of the way, and every other that can be reached from the start."""
    if planned is None:
        return
    onward, end = set(planned.plan.onward), links.end
    for square in sorted({*onward, *planned.reachable}):
        if frame.has(square):
            is_next = square in onward and max(abs(square[0] - end[0]), abs(square[1] - end[1])) == 1
            if is_next or square in planned.reachable:
                yield _square(frame, square, links.on(square) if is_next else links.to((square,)))


def _square(frame: Frame, square: Square, href: str = "") -> SquareView:
    return SquareView(
        x=frame.left(square[0]), y=frame.top(square[1]), name=named(square), square=written_way((square,)), href=href
    )


def _in_reach(stands: Mapping[CharacterId, Stand], planned: Planned | None) -> list[Square]:
    """The squares in reach of the mover's enemies; of nobody's mover, of the party's."""
    mine = stands[planned.who].side if planned else Side.PARTY
    foes = {Side.PARTY: Side.FOES, Side.FOES: Side.PARTY}.get(mine)
    return sorted({square for stand in stands.values() if stand.side is foes for square in stand.reach})


def _pieces(
    here: str,
    frame: Frame,
    stands: Mapping[CharacterId, Stand],
    people: Mapping[CharacterId, FighterView],
    movers: tuple[CharacterId, ...],
) -> Iterable[PieceView]:
    together: dict[tuple[int, int], int] = {}
    for who, stand in stands.items():
        if not frame.has(stand.square):
            continue
        x, y = frame.middle(stand.square)
        many = together.get(stand.square[:2], 0)
        together[stand.square[:2]] = many + 1
        person = people[who]
        yield PieceView(
            character=who,
            x=x + many * BESIDE,
            y=y - 3,
            shape="down" if stand.is_down else "party" if stand.side is Side.PARTY else "foe",
            letters=person.letters,
            label=_label(person, stand),
            is_now=person.turn == "now",
            bar=None if person.share is None else BAR * person.share / 100,
            level=person.level or "fill",
            href=_Links(here, who, None, ()).to(()) if who in movers else "",
        )


def _label(person: FighterView, stand: Stand) -> str:
    conditions = [name for name, _ in person.conditions]
    turn = "on turn" if person.turn == "now" else ""
    flanked = "flanked" if stand.flanked_by else ""
    said = (person.name, person.points or person.words, *conditions, flanked, turn, f"on {named(stand.square)}")
    return ", ".join(part for part in said if part)


def _flanks(frame: Frame, stands: Mapping[CharacterId, Stand]) -> Iterable[tuple[Point, Point]]:
    for stand in stands.values():
        for pair in stand.flanked_by:
            ends = [stands[who].square for who in pair if who in stands]
            if len(ends) == len(pair) and all(map(frame.has, ends)):
                yield frame.middle(ends[0]), frame.middle(ends[1])


def _plan(
    frame: Frame,
    people: Mapping[CharacterId, FighterView],
    stands: Mapping[CharacterId, Stand],
    planned: Planned,
    links: _Links,
) -> PlanView:
    plan, who = planned.plan, planned.who
    whole = (stands[who].square, *plan.way)
    named_fields = ((name, value) for name, value in plan.params.items())
    return PlanView(
        who=who,
        name=people[who].name,
        letters=people[who].letters,
        end=named(links.end),
        cost=_cost(plan.cost, plan.most, plan.unit),
        points=tuple(frame.middle(square) for square in whole) if plan.way else (),
        openings=tuple(_openings(frame, people, plan, whole)),
        refused=plan.refused,
        verb=plan.verb,
        fields=tuple((name, _sent(value)) for name, value in named_fields),
        safer=links.to(plan.safer) if plan.safer else "",
        safer_cost=_cost(planned.safer_cost, plan.most, plan.unit),
        back=links.to(plan.way[:-1]) if plan.way else "",
        pad=tuple(_pad(plan, links)),
        way=written_way(plan.way),
    )


def _sent(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


def _cost(cost: int, most: int | None, unit: str) -> str:
    if most is None:
        return f"{cost} {unit}{'' if cost == 1 else 's'}"
    return f"{cost} of {most} {unit}{'' if most == 1 else 's'}"


def _pad(plan: PlannedMove, links: _Links) -> Iterable[tuple[str, str, str, str]]:
    """Each step further with its sign, its name and its address, "" if it cannot be taken."""
    end, onward = links.end, set(plan.onward)
    for step, (sign, name, (east, north)) in STEPS.items():
        square = (end[0] + east, end[1] + north, end[2])
        yield step, sign, name, links.on(square) if step and square in onward else ""


def _openings(
    frame: Frame, people: Mapping[CharacterId, FighterView], plan: PlannedMove, whole: tuple[Square, ...]
) -> Iterable[OpeningView]:
    """Each with its number between the squares where it comes, those of one place side by side."""
    together: dict[int, int] = {}
    for number, opening in enumerate(plan.openings, 1):
        many = together.get(opening.steps, 0)
        together[opening.steps] = many + 1
        x, y = frame.middle(whole[min(opening.steps, len(whole) - 1)])
        yield OpeningView(
            number=number,
            name=people[opening.who].name if opening.who in people else opening.who,
            said=opening.said,
            x=x - 11 + many * 19,
            y=y - 15,
        )
