"""Lines on one scale: each with a dash and a marker of its own, and its name and number at its end."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Final, TypeAlias

from rollbook.projections.pictures.elements import BOLDER, COLOURS, SMALL, captions, element, line, path, wide, words
from rollbook.projections.pictures.picture import Kind, Picture, Points, Series, number

Across: TypeAlias = Callable[[float], float]
"""Function from a place or value to its position in the drawing."""

MARGIN: Final = 8.0
STRIP: Final = 26.0
LANE: Final = 48.0
"""The heights of the drawing in a lane, and of the whole lane."""
FOOT: Final = 5.0
GAP: Final = 8.0
CLOSEST: Final = 0.5
"""Least distance of two points; closer ones are merged."""


def lanes(picture: Picture, width: float, top: float) -> tuple[list[str], float]:
    """The drawing, from ``top`` down, and the height at which it ends."""
    first, last = span(picture)
    scale = (width - 2 * MARGIN) / max(last - first, 1)

    def across(place: float) -> float:
        return MARGIN + (place - first) * scale

    bottom = top + LANE * len(picture.series)
    drawn = []
    for at, series in enumerate(picture.series):
        foot = top + LANE * at + LANE - FOOT
        drawn += [line([(across(place), foot - STRIP), (across(place), foot)], "rule") for place, _ in picture.ticks]
        drawn += _lane(series, width, top + LANE * at, across, marks_falls=picture.kind is Kind.HIT_POINTS)
    drawn += ticks(picture, across, bottom + SMALL + 2, width)
    return drawn, bottom + SMALL + 12


def span(picture: Picture) -> tuple[int, int]:
    """The first and the last place of a picture."""
    places = [place for series in picture.series for place, _ in series.points] + [place for place, _ in picture.ticks]
    return min(places), max(places)


def _lane(series: Series, width: float, top: float, across: Across, *, marks_falls: bool) -> list[str]:
    values = [value for _, value in series.points]
    low, high = min(0, *values), max(series.most or 0, *values, 1)
    base = top + LANE - FOOT

    def up(value: float) -> float:
        return base - (value - low) / (high - low) * STRIP

    points = stepped([(across(place), value) for place, value in series.points])
    corners = [(x, up(value)) for x, value in points]
    area = [(corners[0][0], up(0)), *corners, (corners[-1][0], up(0))]
    drawn = captions(series.name, series.said, (MARGIN, width - MARGIN), top, 0.55)
    drawn.append(element("path", look="area", d=path(area) + "Z"))
    drawn.append(line([(MARGIN, up(0)), (width - MARGIN, up(0))], "zero"))
    drawn.append(line(corners, "step", stroke_width=2, stroke_linejoin="round"))
    for place in falls(series.points) if marks_falls else ():  # by a shape, not by its colour alone
        d = f"M{across(place) - 4:.1f} {up(0) - 4:.1f}l8 8m0-8l-8 8"
        drawn.append(element("path", look="cross", d=d, stroke_width=2))
    return drawn


def stepped(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners of a line that keeps its value until the next point; of points that fall on one another, the lowest."""
    apart: list[tuple[float, float]] = []
    for x, value in points:
        if apart and x - apart[-1][0] < CLOSEST:
            apart[-1] = (apart[-1][0], min(value, apart[-1][1]) if x < points[-1][0] else value)
        else:
            apart.append((x, value))
    corners = apart[:1]
    for x, value in apart[1:]:
        corners += [(x, corners[-1][1]), (x, value)]
    return corners


def falls(points: Points) -> list[int]:
    """The places at which the value falls to 0 or below: hit points were left before, and none are now."""
    return [place for (_, before), (place, value) in itertools.pairwise(points) if before > 0 >= value]


def ticks(picture: Picture, across: Across, y: float, width: float) -> list[str]:
    """The labels at the foot: of the first place, with the unit, of the last, and of those between that have room."""
    if not picture.ticks:
        return []
    (first, opening), *between = picture.marks
    room = wide(between[-1][1]) + GAP if between else 0
    start = max(MARGIN, min(across(first), width - MARGIN - wide(opening) - room))
    drawn = [words(opening, start, y, look="dim")]
    free = start + wide(opening) + GAP
    if not between:
        return drawn
    *between, (last, closing) = between
    end = max(free, min(across(last) + wide(closing) / 2, width - MARGIN) - wide(closing))
    for place, label in between:
        half = wide(label) / 2
        if across(place) - half >= free and across(place) + half + GAP <= end:
            drawn.append(words(label, across(place), y, look="dim", text_anchor="middle"))
            free = across(place) + half + GAP
    return [*drawn, words(closing, end, y, look="dim")]


DASHES: Final = ("", "7 3", "2 3", "10 3 2 3", "4 2", "12 4", "1 4")
LABEL: Final = 30.0
"""The height of a name with its number below."""
BEFORE: Final = 18.0
"""The room of a marker before a name."""
LEAST: Final = 190.0
MOST_LABEL: Final = 0.38
"""The part of the width that names may take."""
MARKED: Final = 16
"""Most markers of a line; with more places, only every few of them have one."""


def lines(picture: Picture, width: float, top: float) -> tuple[list[str], float]:
    """The drawing, from ``top`` down, and the height at which it ends."""
    values = [value for series in picture.series for _, value in series.points]
    steps = round_steps(min(0, *values), max(0, *values))
    left = MARGIN + max(wide(number(step)) for step in steps) + GAP
    longest = max(max(wide(each.name) * BOLDER, wide(each.said)) for each in picture.series)
    room = min(width * MOST_LABEL, longest + BEFORE)
    right = width - MARGIN - room - GAP
    height = max(LEAST, LABEL * len(picture.series))
    bottom = top + SMALL + height
    first, last = span(picture)

    def across(place: float) -> float:
        return left + (place - first) / max(last - first, 1) * (right - left)

    def up(value: float) -> float:
        return bottom - (value - steps[0]) / max(steps[-1] - steps[0], 1) * (height - SMALL)

    drawn = [words(picture.unit, MARGIN, top + SMALL - 2, look="dim")]
    for step in steps:
        look = "zero" if step == 0 else "rule"
        drawn.append(line([(left, up(step)), (right, up(step))], look))
        drawn.append(words(number(step), left - GAP, up(step) + 4, look="dim", text_anchor="end"))
    ends = apart([up(series.points[-1][1]) for series in picture.series], top + SMALL, bottom)
    for at, (series, y) in enumerate(zip(picture.series, ends, strict=True)):
        drawn += _line(series, at, across, up)
        drawn += _label(series, at, right + GAP, y, up(series.points[-1][1]), room - BEFORE + 1)
    drawn += ticks(picture, across, bottom + SMALL + 6, right)
    return drawn, bottom + SMALL + 14


def round_steps(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from at or below the lowest to at or above the highest, a few of them."""
    reach = max(high - low, 1)
    size = 1.0
    while reach / size > most:
        size *= 2.5 if str(size)[0] == "2" else 2
    first, last = int(low // size), int(-(-high // size))
    return [size * at for at in range(first, max(last, first + 1) + 1)]


def apart(wanted: list[float], top: float, bottom: float) -> list[float]:
    """The positions of labels: each as near to its wanted one as it can be without covering another."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    placed: dict[int, float] = {}
    free = top
    for at in order:
        placed[at] = max(wanted[at] - LABEL / 2, free)
        free = placed[at] + LABEL
    limit = max(bottom, top + LABEL * len(wanted)) + SMALL
    for at in reversed(order):
        placed[at] = min(placed[at], limit - LABEL)
        limit = placed[at]
    return [placed[at] for at in range(len(wanted))]


def _line(series: Series, at: int, across: Across, up: Across) -> list[str]:
    corners = [(across(place), up(value)) for place, value in series.points]
    dash = {"stroke_dasharray": DASHES[at % len(DASHES)]} if DASHES[at % len(DASHES)] else {}
    look = f"line-{at % len(COLOURS)}"
    drawn = [line(corners, look, stroke_width=2, stroke_linejoin="round", **dash)]
    every = -(-len(corners) // MARKED)
    return [*drawn, *(marker(at, x, y) for x, y in corners[::-every])]


MARKERS: Final = (
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",  # a disc
    "m-3.5-3.5h7v7h-7z",  # a square
    "m0-5l4.5 8h-9z",  # a triangle
    "m0-5l4 5l-4 5l-4-5z",  # a diamond
    "m-4-1.2h2.8v-2.8h2.4v2.8h2.8v2.4h-2.8v2.8h-2.4v-2.8h-2.8z",  # a plus
    "m0 5l4.5-8h-9z",  # a triangle upside down
    "m-5-2h10v4h-10z",  # a brick
)


def marker(at: int, x: float, y: float) -> str:
    """The marker of a series, each with a shape of its own."""
    return element("path", look=f"dot-{at % len(COLOURS)}", d=f"M{x:.1f} {y:.1f}{MARKERS[at % len(MARKERS)]}")


def _label(series: Series, at: int, x: float, y: float, end: float, room: float) -> list[str]:
    """The name and the number, joined to the end of the line."""
    middle = y + LABEL / 2
    return [
        line([(x - GAP + 4, end), (x, middle)], "leader"),
        marker(at, x + 5, middle - 6),
        words(series.name, x + 14, middle - 2, width=room, font_weight="bold"),
        words(series.said, x + 14, middle + 11, width=room, look="dim"),
    ]
