"""A picture as SVG: legible in grey and at any hue, because shapes, dashes and words say what the colours say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rollbook.projections.pictures import elements
from rollbook.projections.pictures.lines import GAP, MARGIN, lanes, lines
from rollbook.projections.pictures.picture import Bar, Form, Picture

ROW: Final = 22.0
GAUGE: Final = 46.0
NAMES: Final = 0.36
"""The part of the width that names may take."""
REACH: Final = 3.0
"""Number of standard deviations to both sides of a gauge."""


def bars(picture: Picture, width: float, top: float) -> tuple[list[str], float]:
    """The drawing, from ``top`` down, and the height at which it ends."""
    left = MARGIN + min(width * NAMES, max(elements.wide(bar.name) for bar in picture.bars)) + GAP
    right = width - MARGIN - max(elements.wide(bar.said) for bar in picture.bars) - GAP
    most = max(1.0, *(max(bar.value, bar.high or 0) for bar in picture.bars))
    scale = (right - left) / most
    drawn, y, group = [], top, ""
    for bar in picture.bars:
        if bar.group != group:
            total = elements.words(bar.total, width - MARGIN, y + 16, text_anchor="end", look="dim")
            room = width - 2 * MARGIN - elements.wide(bar.total) - GAP
            drawn += [elements.words(bar.group, MARGIN, y + 16, width=room, font_weight="bold"), total]
            group, y = bar.group, y + ROW
        drawn += _bar(bar, left, y, scale)
        drawn.append(elements.line([(left, y), (left, y + ROW)], "zero"))
        y += ROW
    return drawn, y + 6


def _bar(bar: Bar, left: float, y: float, scale: float) -> list[str]:
    """A bar; its fair range is a band behind it, with a line at both ends."""
    drawn = []
    if bar.low is not None and bar.high is not None:
        low, high = left + bar.low * scale, left + bar.high * scale
        drawn.append(elements.element("rect", look="band", x=low, y=y + 2, width=max(high - low, 1.0), height=ROW - 4))
    drawn.append(
        elements.element("rect", look="bar", x=left, y=y + 6, width=max(bar.value * scale, 0.0), height=ROW - 12)
    )
    if bar.low is not None and bar.high is not None:
        ends = (left + bar.low * scale, left + bar.high * scale)
        drawn += [elements.line([(x, y + 2), (x, y + ROW - 2)], "zero") for x in ends]
    end = left + max(bar.value, bar.high or 0) * scale + GAP
    name = elements.words(bar.name, left - GAP, y + 15, width=left - GAP - MARGIN + 1, text_anchor="end")
    return [name, *drawn, elements.words(bar.said, end, y + 15, look="dim")]


def gauges(picture: Picture, width: float, top: float) -> tuple[list[str], float]:
    """The drawing, from ``top`` down, and the height at which it ends."""
    middle, half = width / 2, width / 2 - MARGIN - GAP
    drawn: list[str] = []
    for at, bar in enumerate(picture.bars):
        drawn += _gauge(bar, width, top + GAUGE * at, middle, half / REACH)
    bottom = top + GAUGE * len(picture.bars)
    drawn.append(elements.words("lower than fair dice", MARGIN, bottom + elements.SMALL, look="dim"))
    drawn.append(elements.words("higher", width - MARGIN, bottom + elements.SMALL, look="dim", text_anchor="end"))
    return drawn, bottom + elements.SMALL + 8


def _gauge(bar: Bar, width: float, top: float, middle: float, scale: float) -> list[str]:
    y = top + 28
    low, high = middle + (bar.low or 0) * scale, middle + (bar.high or 0) * scale
    x = middle + max(-REACH, min(REACH, bar.value)) * scale
    return [
        *elements.captions(bar.name, bar.said, (MARGIN, width - MARGIN), top, 0.65),
        elements.line([(middle - REACH * scale, y), (middle + REACH * scale, y)], "rule"),
        elements.element("rect", look="band", x=low, y=y - 8, width=high - low, height=16),
        *(elements.line([(place, y - 8), (place, y + 8)], "zero") for place in (low, high, middle)),
        elements.element(
            "path", look="hollow" if bar.is_faint else "bar", stroke_width=2, d=f"M{x:.1f} {y:.1f}m-6 0l6-7l6 7l-6 7z"
        ),
    ]


WIDTH: Final = 460
"""The units across: a telephone shows them at three quarters of their size, a sheet of paper a little larger."""

_DRAWN: dict[Form, Callable[[Picture, float, float], tuple[list[str], float]]] = {
    Form.LINES: lines,
    Form.LANES: lanes,
    Form.BARS: bars,
    Form.GAUGES: gauges,
}


def svg(picture: Picture, width: int = WIDTH, *, alone: bool = False) -> str:
    """The drawing, for a page; ``alone`` is for a file of its own, with a heading and its own colours, light and dark.

    ``width`` is in units; a letter is 12 to 14 of them high. The drawing has no script and, unless it stands alone, no
    style that a page with a strict policy would refuse.
    """
    top = 30.0 if alone else 6.0
    drawn, height = _DRAWN[picture.form](picture, float(width), top)
    name = f"pic-{picture.key}"
    parts = [
        elements.element("title", elements.clean(picture.title), id=f"{name}-title"),
        elements.element("desc", elements.clean(picture.said), id=f"{name}-said"),
    ]
    if alone:
        day, night = elements.LIGHT.items(), elements.DARK.items()
        light, dark = (";".join(f"--{colour}:{value}" for colour, value in each) for each in (day, night))
        style = f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}{elements.STYLE}"
        parts += [
            elements.element("style", style),
            elements.element("rect", look="page", width="100%", height="100%"),
            elements.words(picture.title, 8, 20, width=width - 16, size=elements.MIDDLE, font_weight="bold"),
        ]
    return elements.element(
        "svg",
        *parts,
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        class_="pic",
        viewBox=f"0 0 {width} {round(height)}",
        width=width,
        height=round(height),
        role="img",
        aria_labelledby=f"{name}-title {name}-said",
        font_family="system-ui, sans-serif",
    )
