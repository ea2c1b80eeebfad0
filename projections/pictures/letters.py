"""A picture in letters: blocks and braille within the width of a terminal, with the numbers beside."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Final

from rollbook.projections.pictures.cells import cells, cut, filled, fitted, padded
from rollbook.projections.pictures.lines import falls, span
from rollbook.projections.pictures.picture import Bar, Form, Kind, Picture, Points, Series, value_at
from rollbook.projections.pictures.svg import REACH

BLOCKS: Final = "▁▂▃▄▅▆▇█"
EMPTY: Final = "·"
FALL: Final = "✗"
NARROW: Final = 60
"""Narrowest width with names and numbers beside the drawing; below it they are above."""
NAMES: Final = 24
LEAST: Final = 12
"""Fewest columns of a drawing."""
DOTS: Final = ((0x40, 0x04, 0x02, 0x01), (0x80, 0x20, 0x10, 0x08))
"""The dots of a letter of braille, by column, from the bottom up."""
ROWS: Final = 3
"""The rows of a line of braille."""


def text(picture: Picture, width: int) -> str:
    """The drawing as lines of at most ``width`` cells: the title, then a row or a few for each number."""
    drawn = _DRAWN[picture.form](picture, max(width, 2 * LEAST))
    return "\n".join([fitted(picture.title, width), *(line.rstrip() for line in drawn)])


def _lanes(picture: Picture, width: int) -> list[str]:
    first, last = span(picture)
    marks_falls = picture.kind is Kind.HIT_POINTS

    def strip(at: int, columns: int) -> list[str]:
        return [blocks(picture.series[at], first, last, columns, marks_falls=marks_falls)]

    return _beside(picture.series, width, strip, lambda columns: _ticks(picture, columns))


def _lines(picture: Picture, width: int) -> list[str]:
    values = [value for series in picture.series for _, value in series.points]
    low, high = min(0, *values), max(1, *values)

    def strip(at: int, columns: int) -> list[str]:
        return braille(picture.series[at].points, span(picture), (low, high), columns)

    return _beside(picture.series, width, strip, lambda columns: _ticks(picture, columns))


def _beside(
    rows: Sequence[Series | Bar], width: int, strip: Callable[[int, int], list[str]], foot: Callable[[int], str]
) -> list[str]:
    """Names, drawings and numbers in three columns; where there is no room for that, the names and numbers above."""
    names = min(NAMES, width // 3, max(cells(row.name) for row in rows))
    numbers = min(width // 3, max(cells(row.said) for row in rows))
    columns = width - names - numbers - 4
    drawn: list[str] = []
    if width < NARROW or columns < LEAST:
        for at, row in enumerate(rows):
            room = min(cells(row.said), width * 2 // 3)
            drawn += [f"{padded(row.name, width - room - 1)} {fitted(row.said, room)}", *strip(at, width)]
        return [*drawn, foot(width)]
    for at, row in enumerate(rows):
        lines = strip(at, columns)
        for place, line in enumerate(lines):
            is_last = place == len(lines) - 1
            beside = (padded(row.name, names), fitted(row.said, numbers)) if is_last else (" " * names, "")
            drawn.append(f"{beside[0]}  {filled(line, columns)}  {beside[1]}")
    return [*drawn, f"{' ' * names}  {foot(columns)}"]


def _ticks(picture: Picture, columns: int) -> str:
    """The labels at the foot, as far as there is room for them."""
    if not picture.ticks:
        return ""
    first, last = span(picture)
    (_, opening), *rest = picture.marks
    line = fitted(opening, columns)
    closing = f" {rest[-1][1]}" if rest else ""
    for place, name in rest[:-1]:
        at = round((place - first) / max(last - first, 1) * (columns - 1))
        if at > len(line) and at + len(name) + len(closing) <= columns:
            line = f"{line:<{at}}{name}"
    room = columns - len(closing)
    return f"{line:<{room}}{closing}" if len(line) <= room else line


def blocks(series: Series, first: int, last: int, columns: int, *, marks_falls: bool) -> str:
    """A lane as one row of blocks; a value of 0 is a dot, and a fall a cross."""
    values = [value for _, value in series.points]
    high = max(series.most or 0, *values, 1)
    reach = max(last - first, 1)
    fallen = {min(columns - 1, int((place - first) / reach * columns)) for place in falls(series.points)}
    drawn = []
    for at in range(columns):
        value = value_at(series.points, first + int(reach * (at + 1) / columns))
        if marks_falls and at in fallen:
            drawn.append(FALL)
        elif value is None:
            drawn.append(" ")
        else:
            drawn.append(EMPTY if value <= 0 else BLOCKS[min(7, int(value / high * 7.99))])
    return "".join(drawn)


def braille(points: Points, across: tuple[int, int], bounds: tuple[float, float], columns: int) -> list[str]:
    """A line in dots of braille, four to a row of letters and two to a column."""
    (first, last), (low, high) = across, bounds
    wide, tall = 2 * columns, 4 * ROWS
    grid = [[0] * columns for _ in range(ROWS)]
    before = None
    for x in range(wide):
        value = between(points, first + (last - first) * x / max(wide - 1, 1))
        if value is None:
            continue
        y = round((value - low) / max(high - low, 1) * (tall - 1))
        for dot in range(min(y, y if before is None else before), max(y, y if before is None else before) + 1):
            grid[ROWS - 1 - dot // 4][x // 2] |= DOTS[x % 2][dot % 4]
        before = y
    while len(grid) > 1 and not any(grid[0]):
        del grid[0]
    return ["".join(chr(0x2800 + dots) if dots else " " for dots in row) for row in grid]


def between(points: Points, place: float) -> float | None:
    """The value at a place on the straight lines between the points; None outside of them."""
    for (one, low), (other, high) in itertools.pairwise(points):
        if one <= place <= other:
            return low + (high - low) * (place - one) / max(other - one, 1)
    return points[0][1] if len(points) == 1 and place == points[0][0] else None


def _bars(picture: Picture, width: int) -> list[str]:
    names = min(NAMES, width // 3, max(cells(bar.name) for bar in picture.bars))
    numbers = max(cells(bar.said) for bar in picture.bars)
    columns = max(LEAST // 2, width - names - numbers - 2)
    most = max(1.0, *(max(bar.value, bar.high or 0) for bar in picture.bars))
    drawn, group = [], ""
    for bar in picture.bars:
        if bar.group != group:
            drawn.append(f"{fitted(bar.group, width - cells(bar.total) - 2)}: {bar.total}")
            group = bar.group
        line = f"{padded(bar.name, names, right=bool(bar.high))} {_bar(bar, columns / most, columns)} {bar.said}"
        drawn.append(cut(line, width))
    return drawn


EIGHTHS: Final = "▏▎▍▌▋▊▉█"


def _bar(bar: Bar, scale: float, columns: int) -> str:
    """A bar to an eighth of a cell or, if its fair range is known, in whole cells with a mark at both ends of it."""
    whole, rest = divmod(round(bar.value * scale * 8), 8)
    if bar.low is None or bar.high is None:
        return "█" * whole + (EIGHTHS[rest - 1] if rest else "")
    low, high = (min(columns - 1, round(end * scale)) for end in (bar.low, bar.high))
    drawn = ["█" if at < whole else EMPTY if low < at < high else " " for at in range(columns)]
    for at in (low, high):
        drawn[at] = "▓" if at < whole else "┊"
    return "".join(drawn)


def _gauges(picture: Picture, width: int) -> list[str]:
    def strip(at: int, columns: int) -> list[str]:
        return [gauge(picture.bars[at], columns)]

    return _beside(picture.bars, width, strip, lambda columns: f"{'low':<{columns - 4}}high")


def gauge(bar: Bar, columns: int) -> str:
    """A gauge from three standard deviations below to three above; two of three fair series lie between its bars."""

    def place(value: float) -> int:
        return round((max(-REACH, min(REACH, value)) + REACH) / (2 * REACH) * (columns - 1))

    drawn = [EMPTY] * columns
    for at in (bar.low or 0, bar.high or 0):
        drawn[place(at)] = "┊"
    drawn[place(0)] = "│"
    drawn[place(bar.value)] = "○" if bar.is_faint else "●"
    return "".join(drawn)


_DRAWN: Final[dict[Form, Callable[[Picture, int], list[str]]]] = {
    Form.LINES: _lines,
    Form.LANES: _lanes,
    Form.BARS: _bars,
    Form.GAUGES: _gauges,
}
