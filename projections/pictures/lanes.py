"""Lanes: one above the other, each with its name, its numbers and its own height; what they share is the way across."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Final, TypeAlias

from rollbook.projections.pictures.elements import SMALL, element, path, wide, words
from rollbook.projections.pictures.picture import Kind, Picture, Points, Series

Across: TypeAlias = Callable[[float], float]
"""Where a place on the way lies on the drawing."""

MARGIN: Final = 8.0
STRIP: Final = 26.0
LANE: Final = 48.0
"""The height of what is drawn of a lane, and of all of it."""
FOOT: Final = 5.0
GAP: Final = 8.0
CLOSEST: Final = 0.5
"""Points that are closer than this are one."""


def lanes(picture: Picture, width: float, top: float) -> tuple[list[str], float]:
    """The drawing, from ``top`` down, and where it ends."""
    first, last = span(picture)
    scale = (width - 2 * MARGIN) / max(last - first, 1)

    def across(place: float) -> float:
        return MARGIN + (place - first) * scale

    bottom = top + LANE * len(picture.series)
    drawn = []
    for at, series in enumerate(picture.series):
        foot = top + LANE * at + LANE - FOOT
        drawn += [
            element("path", look="rule", d=path([(across(place), foot - STRIP), (across(place), foot)]), stroke_width=1)
            for place, _ in picture.ticks
        ]
        drawn += _lane(series, width, top + LANE * at, across, marks_falls=picture.kind is Kind.HIT_POINTS)
    drawn += ticks(picture, across, bottom + SMALL + 2, width)
    return drawn, bottom + SMALL + 12


def span(picture: Picture) -> tuple[int, int]:
    """The first and the last place of a picture."""
    places = [place for series in picture.series for place, _ in series.points] + [place for place, _ in picture.ticks]
    return min(places), max(places)


def _lane(series: Series, width: float, top: float, across: Across, *, marks_falls: bool) -> list[str]:
    room = width - 2 * MARGIN
    said = words(series.said, width - MARGIN, top + SMALL, width=room * 0.55, text_anchor="end", look="dim")
    left = room - min(wide(series.said), room * 0.55) - 10
    name = words(series.name, MARGIN, top + SMALL, width=left, font_weight="bold")
    values = [value for _, value in series.points]
    low, high = min(0, *values), max(series.most or 0, *values, 1)
    base = top + LANE - FOOT

    def up(value: float) -> float:
        return base - (value - low) / (high - low) * STRIP

    points = stepped([(across(place), value) for place, value in series.points])
    line = [(x, up(value)) for x, value in points]
    area = [(line[0][0], up(0)), *line, (line[-1][0], up(0))]
    drawn = [name, said, element("path", look="area", d=path(area) + "Z")]
    drawn.append(element("path", look="zero", d=path([(MARGIN, up(0)), (width - MARGIN, up(0))]), stroke_width=1))
    drawn.append(element("path", look="step", d=path(line), stroke_width=2, stroke_linejoin="round"))
    if marks_falls:
        drawn += [_cross(across(place), up(0)) for place in falls(series.points)]
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
    """Where somebody fell: hit points were left before, and none are left."""
    return [place for (_, before), (place, value) in itertools.pairwise(points) if before > 0 >= value]


def _cross(x: float, y: float) -> str:
    """A fall, marked by a shape and not by its colour alone."""
    d = f"M{x - 4:.1f} {y - 4:.1f}l8 8m0-8l-8 8"
    return element("path", look="cross", d=d, stroke_width=2)


def ticks(picture: Picture, across: Across, y: float, width: float) -> list[str]:
    """What stands at the foot: the first place with what they count, the last, and between them those for which there is room."""
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
