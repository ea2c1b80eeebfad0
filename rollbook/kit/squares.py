"""Squares of a map, east, north and up of its origin: how they are typed and told, and the ways over them."""

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from math import floor

from rollbook.plugin import Character, Square, Table, events

__all__ = [
    "FARTHEST",
    "OPEN_COUNTRY",
    "SQUARE",
    "around",
    "between",
    "distance",
    "joined",
    "parse",
    "pushed",
    "put",
    "stepped",
    "straight",
    "text",
    "was_placed",
    "ways",
]

OPEN_COUNTRY = 8
"""Squares within which a way is searched for where movement has no limit."""

SQUARE = "square"
"""The kind of the trait of who was put on 0,0, where they stand who were never put anywhere."""

FARTHEST = 10_000
"""Most squares from the origin of the map, along each axis."""

ON_THE_MAP = "on the map"
SIDES = (-1, 0, 1)

Way = tuple[Square, ...]


def was_placed(who: Character) -> bool:
    """True if a character was ever put on a square."""
    return who.position != (0, 0, 0) or SQUARE in who.traits.values()


def put(table: Table, name: str, square: Square, cost: int = 0) -> None:
    """Put a character on a square, without moving there or by a step of their own at a ``cost``."""
    east, north, up = between(table.character(name).position, square)
    if east or north or up:
        table.record(events.Moved(character=name, east=east, north=north, up=up, cost=cost))
    if not was_placed(table.character(name)):
        table.record(events.TraitGained(character=name, trait=ON_THE_MAP, kind=SQUARE))


def parse(table: Table, typed: Sequence[str]) -> Square:
    """A square as it is typed: east and north, or east, north and up. Refused for anything else."""
    try:
        numbers = tuple(int(each) for each in typed)
    except ValueError:
        numbers = ()
    if len(numbers) not in (2, 3) or any(abs(each) > FARTHEST for each in numbers):
        said = f"A square is two numbers, east and north, as in 3,4; not {','.join(typed)!r}."
        table.refuse(said, table.parameter_of(typed))
    return numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 0


def text(square: Square) -> str:
    """A square as people read it."""
    return ",".join(map(str, square if square[2] else square[:2]))


def stepped(start: Square, step: Square) -> Square:
    """The square that a step leads to."""
    return start[0] + step[0], start[1] + step[1], start[2] + step[2]


def between(start: Square, end: Square) -> Square:
    """The distance from one square to another along each axis."""
    return end[0] - start[0], end[1] - start[1], end[2] - start[2]


def distance(one: Square, other: Square) -> int:
    """The distance of two squares, in squares; a slanted step counts as one."""
    return max(map(abs, between(one, other)))


def around(square: Square, far: int = 1) -> Way:
    """The squares of one level within so many of one."""
    span = range(-far, far + 1)
    return tuple(stepped(square, (east, north, 0)) for east, north in product(span, span) if east or north)


def straight(start: Square, end: Square) -> Iterator[Square]:
    """Yield the squares from one to another, slanted for as long as the axes differ."""
    at = start
    while at != end:
        east, north, up = ((each > 0) - (each < 0) for each in between(at, end))
        at = stepped(at, (east, north, up))
        yield at


def pushed(origin: Square, square: Square, steps: int) -> Square:
    """The square so many steps straight away from an origin, or toward it for steps below 0, but not beyond its neighbour."""
    apart = between(origin, square)
    length = max(map(abs, apart))
    if not length:
        return square
    steps = max(steps, 1 - length)
    east, north, up = (at + floor(each * steps / length + 0.5) for at, each in zip(square, apart, strict=True))
    return east, north, up


def ways(start: Square, most: int, barred: Collection[Square]) -> dict[Square, Way]:
    """The shortest way to each square of the level within so many steps; straight steps are taken before slanted ones."""
    steps = sorted(product(SIDES, SIDES), key=lambda step: abs(step[0]) + abs(step[1]))
    found: dict[Square, Way] = {start: ()}
    edge = [start]
    for _ in range(max(most, 0)):
        ahead: dict[Square, Way] = {}
        for square, (east, north) in product(edge, steps):
            after = stepped(square, (east, north, 0))
            if after not in found and after not in barred:
                ahead.setdefault(after, (*found[square], after))
        found.update(ahead)
        edge = list(ahead)
    del found[start]
    return found


def joined(start: Square, stops: Sequence[Square], barred: Collection[Square]) -> Way:
    """Every square of a way over some stops: round what bars it, or else straight ahead."""
    way: list[Square] = []
    for stop in stops:
        at = way[-1] if way else start
        near = stop[2] == at[2] and distance(at, stop) <= OPEN_COUNTRY
        way += (ways(at, OPEN_COUNTRY, barred).get(stop) if near else None) or straight(at, stop)
    return tuple(way)
