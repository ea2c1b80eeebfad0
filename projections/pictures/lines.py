"""Lines on one scale: each with a dash and a marker of its own, and its name and number at its end."""

from __future__ import annotations

from typing import Final

from rollbook.projections.pictures.elements import BOLDER, COLOURS, SMALL, element, path, wide, words
from rollbook.projections.pictures.lanes import GAP, MARGIN, Across, span, ticks
from rollbook.projections.pictures.picture import Picture, Series, number

DASHES: Final = ("", "7 3", "2 3", "10 3 2 3", "4 2", "12 4", "1 4")
LABEL: Final = 30.0
"""The height of a name with its number below."""
BEFORE: Final = 18.0
"""The room of a marker before a name."""
LEAST: Final = 190.0
MOST_LABEL: Final = 0.38
"""The part of the width that names may take."""
MARKED: Final = 16
"""With more places than so many a marker stands at every few of them."""


def lines(picture: Picture, width: float, top: float) -> tuple[list[str], float]:
    """The drawing, from ``top`` down, and where it ends."""
    low, high = _bounds(picture)
    steps = round_steps(low, high)
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
        drawn.append(element("path", look=look, d=path([(left, up(step)), (right, up(step))]), stroke_width=1))
        drawn.append(words(number(step), left - GAP, up(step) + 4, look="dim", text_anchor="end"))
    ends = apart([up(series.points[-1][1]) for series in picture.series], top + SMALL, bottom)
    for at, (series, y) in enumerate(zip(picture.series, ends, strict=True)):
        drawn += _line(series, at, across, up)
        drawn += _label(series, at, right + GAP, y, up(series.points[-1][1]), room - BEFORE + 1)
    drawn += ticks(picture, across, bottom + SMALL + 6, right)
    return drawn, bottom + SMALL + 14


def _bounds(picture: Picture) -> tuple[float, float]:
    values = [value for series in picture.series for _, value in series.points]
    return min(0, *values), max(0, *values)


def round_steps(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from at or below the lowest to at or above the highest, a few of them."""
    reach = max(high - low, 1)
    size = 1.0
    while reach / size > most:
        size *= 2.5 if str(size)[0] == "2" else 2
    first, last = int(low // size), int(-(-high // size))
    return [size * at for at in range(first, max(last, first + 1) + 1)]


def apart(wanted: list[float], top: float, bottom: float) -> list[float]:
    """Where labels stand: each as near to where it is wanted as can be without covering another."""
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
    drawn = [element("path", look=look, d=path(corners), stroke_width=2, stroke_linejoin="round", **dash)]
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
        element("path", look="leader", d=path([(x - GAP + 4, end), (x, middle)]), stroke_width=1),
        marker(at, x + 5, middle - 6),
        words(series.name, x + 14, middle - 2, width=room, font_weight="bold"),
        words(series.said, x + 14, middle + 11, width=room, look="dim"),
    ]
