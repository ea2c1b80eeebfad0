"""A picture as SVG: legible in grey and at any hue, because shapes, dashes and words say what the colours say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rollbook.projections.pictures.elements import MIDDLE, clean, element, words
from rollbook.projections.pictures.lanes import lanes
from rollbook.projections.pictures.lines import lines
from rollbook.projections.pictures.picture import Form, Picture
from rollbook.projections.pictures.rows import bars, gauges

WIDTH: Final = 460
"""The units across: a telephone shows them at three quarters of their size, a sheet of paper a little larger."""

STYLE: Final = """\
.pic{max-width:40rem;width:100%;height:auto}
.pic-ink{fill:var(--ink)}.pic-dim{fill:var(--ink-2)}
.pic-rule{stroke:var(--rule)}.pic-zero,.pic-leader{stroke:var(--edge)}
.pic-page{fill:var(--page)}.pic-band{fill:var(--well)}.pic-area{fill:var(--leaf-wash)}
.pic-bar{fill:var(--leaf)}.pic-hollow{fill:var(--page);stroke:var(--leaf)}
.pic-step{stroke:var(--leaf)}.pic-cross{stroke:var(--red)}
.pic-line-0{stroke:var(--pen)}.pic-line-1{stroke:var(--amber)}.pic-line-2{stroke:var(--leaf)}
.pic-line-3{stroke:var(--plum)}.pic-line-4{stroke:var(--red)}.pic-line-5{stroke:var(--ink-2)}
.pic-dot-0{fill:var(--pen);stroke:var(--pen)}.pic-dot-1{fill:var(--amber);stroke:var(--amber)}
.pic-dot-2{fill:var(--leaf);stroke:var(--leaf)}.pic-dot-3{fill:var(--plum);stroke:var(--plum)}
.pic-dot-4{fill:var(--red);stroke:var(--red)}.pic-dot-5{fill:var(--ink-2);stroke:var(--ink-2)}
"""
"""What a page adds to its style sheet, whose colours it uses: the drawings then follow light and dark."""

_LIGHT = {
    "ink": "#1e2430",
    "ink-2": "#53535c",
    "rule": "#d6cab3",
    "edge": "#857860",
    "page": "#fbf7ee",
    "well": "#e8dfcd",
    "leaf": "#1f5f38",
    "leaf-wash": "#e1ebd8",
    "red": "#a31f2d",
    "pen": "#234b8a",
    "amber": "#7a4f00",
    "plum": "#5b3c83",
}
_DARK = {
    "ink": "#efe7d8",
    "ink-2": "#b9af9d",
    "rule": "#3d372e",
    "edge": "#8d826d",
    "page": "#211e1a",
    "well": "#322d26",
    "leaf": "#8dcb9b",
    "leaf-wash": "#24342a",
    "red": "#f39a90",
    "pen": "#a5c1f2",
    "amber": "#eac06f",
    "plum": "#ccb3ea",
}
"""The colours of the style sheet, for a drawing that stands alone."""

_DRAWN: dict[Form, Callable[[Picture, float, float], tuple[list[str], float]]] = {
    Form.LINES: lines,
    Form.LANES: lanes,
    Form.BARS: bars,
    Form.GAUGES: gauges,
}


def svg(picture: Picture, width: int = WIDTH, *, alone: bool = False) -> str:
    """The drawing, for a page; ``alone`` is for a file of its own, with a heading and its own colours, light and dark.

    ``width`` are the units across, of which a letter is 12 to 14 high. In it are no script and no style that a page with a
    strict policy would refuse, unless it stands alone.
    """
    top = 30.0 if alone else 6.0
    drawn, height = _DRAWN[picture.form](picture, float(width), top)
    name = f"pic-{picture.key}"
    parts = [
        element("title", clean(picture.title), id=f"{name}-title"),
        element("desc", clean(picture.said), id=f"{name}-said"),
    ]
    if alone:
        parts += [
            element("style", _colours()),
            element("rect", look="page", width="100%", height="100%"),
            words(picture.title, 8, 20, width=width - 16, size=MIDDLE, font_weight="bold"),
        ]
    return element(
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


def _colours() -> str:
    """The style of a drawing that stands alone: its colours by day and by night."""
    light, dark = (";".join(f"--{name}:{value}" for name, value in each.items()) for each in (_LIGHT, _DARK))
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}{STYLE}"
