"""Bars and gauges: a row for each number, with its name before and its words behind it or above."""

from __future__ import annotations

from typing import Final

from rollbook.projections.pictures.elements import SMALL, element, path, wide, words
from rollbook.projections.pictures.lanes import GAP, MARGIN
from rollbook.projections.pictures.picture import Bar, Picture

ROW: Final = 22.0
GAUGE: Final = 46.0
NAMES: Final = 0.36
"""The part of the width that names may take."""
REACH: Final = 3.0
"""A gauge goes so many standard deviations to both sides."""


def bars(picture: Picture, width: float, top: float) -> tuple[list[str], float]:
    """The drawing, from ``top`` down, and where it ends."""
    left = MARGIN + min(width * NAMES, max(wide(bar.name) for bar in picture.bars)) + GAP
    right = width - MARGIN - max(wide(bar.said) for bar in picture.bars) - GAP
    most = max(1.0, *(max(bar.value, bar.high or 0) for bar in picture.bars))
    scale = (right - left) / most
    drawn, y, group = [], top, ""
    for bar in picture.bars:
        if bar.group != group:
            drawn += _heading(bar, width, y + 16)
            group, y = bar.group, y + ROW
        drawn += _bar(bar, left, y, scale)
        drawn.append(element("path", look="zero", d=path([(left, y), (left, y + ROW)]), stroke_width=1))
        y += ROW
    return drawn, y + 6


def _heading(bar: Bar, width: float, y: float) -> list[str]:
    """The name of a group, and its total at the end of the line."""
    total = words(bar.total, width - MARGIN, y, text_anchor="end", look="dim")
    return [words(bar.group, MARGIN, y, width=width - 2 * MARGIN - wide(bar.total) - GAP, font_weight="bold"), total]


def _bar(bar: Bar, left: float, y: float, scale: float) -> list[str]:
    """A bar; where it should end is a band behind it, with a line at both sides."""
    drawn = []
    if bar.low is not None and bar.high is not None:
        low, high = left + bar.low * scale, left + bar.high * scale
        drawn.append(element("rect", look="band", x=low, y=y + 2, width=max(high - low, 1.0), height=ROW - 4))
    drawn.append(element("rect", look="bar", x=left, y=y + 6, width=max(bar.value * scale, 0.0), height=ROW - 12))
    if bar.low is not None and bar.high is not None:
        ends = (left + bar.low * scale, left + bar.high * scale)
        drawn += [element("path", look="zero", d=path([(x, y + 2), (x, y + ROW - 2)]), stroke_width=1) for x in ends]
    end = left + max(bar.value, bar.high or 0) * scale + GAP
    name = words(bar.name, left - GAP, y + 15, width=left - GAP - MARGIN + 1, text_anchor="end")
    return [name, *drawn, words(bar.said, end, y + 15, look="dim")]


def gauges(picture: Picture, width: float, top: float) -> tuple[list[str], float]:
    """The drawing, from ``top`` down, and where it ends."""
    middle, half = width / 2, width / 2 - MARGIN - GAP
    drawn: list[str] = []
    for at, bar in enumerate(picture.bars):
        drawn += _gauge(bar, width, top + GAUGE * at, middle, half / REACH)
    bottom = top + GAUGE * len(picture.bars)
    drawn.append(words("lower than fair dice", MARGIN, bottom + SMALL, look="dim"))
    drawn.append(words("higher", width - MARGIN, bottom + SMALL, look="dim", text_anchor="end"))
    return drawn, bottom + SMALL + 8


def _gauge(bar: Bar, width: float, top: float, middle: float, scale: float) -> list[str]:
    room = width - 2 * MARGIN
    said = words(bar.said, width - MARGIN, top + SMALL, width=room * 0.65, text_anchor="end", look="dim")
    left = room - min(wide(bar.said), room * 0.65) - 10
    name = words(bar.name, MARGIN, top + SMALL, width=left, font_weight="bold")
    y = top + 28
    low, high = middle + (bar.low or 0) * scale, middle + (bar.high or 0) * scale
    x = middle + max(-REACH, min(REACH, bar.value)) * scale
    return [
        name,
        said,
        element(
            "path", look="rule", d=path([(middle - REACH * scale, y), (middle + REACH * scale, y)]), stroke_width=1
        ),
        element("rect", look="band", x=low, y=y - 8, width=high - low, height=16),
        *(element("path", look="zero", d=path([(end, y - 8), (end, y + 8)]), stroke_width=1) for end in (low, high)),
        element("path", look="zero", d=path([(middle, y - 8), (middle, y + 8)]), stroke_width=1),
        element(
            "path", look="hollow" if bar.is_faint else "bar", stroke_width=2, d=f"M{x:.1f} {y:.1f}m-6 0l6-7l6 7l-6 7z"
        ),
    ]
