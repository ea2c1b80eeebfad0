"""Elements of SVG as text: escaped, with attributes and classes in place of styles, so that a strict page takes them."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape, quoteattr

from rollbook.projections.pictures.cells import ELLIPSIS, cells, plain

SMALL: Final = 12
MIDDLE: Final = 14
LETTER: Final = 0.56
"""The width of a usual letter, in parts of its height."""

BOLDER: Final = 1.12
"""How much wider a bold letter is."""

_INK = {"fill": "#1e2430"}
_PAINT: Final[dict[str, dict[str, str]]] = {
    "ink": _INK,
    "dim": {"fill": "#53535c"},
    "rule": {"stroke": "#d6cab3", "fill": "none"},
    "zero": {"stroke": "#857860", "fill": "none"},
    "band": {"fill": "#e8dfcd"},
    "bar": {"fill": "#1f5f38"},
    "hollow": {"fill": "#fbf7ee", "stroke": "#1f5f38"},
    "leader": {"stroke": "#857860", "fill": "none"},
    "page": {"fill": "#fbf7ee"},
    "area": {"fill": "#e1ebd8"},
    "step": {"stroke": "#1f5f38", "fill": "none"},
    "cross": {"stroke": "#a31f2d", "fill": "none"},
}
"""What a class looks like where no style sheet says otherwise."""
COLOURS: Final = ("#234b8a", "#7a4f00", "#1f5f38", "#5b3c83", "#a31f2d", "#53535c")
"""Of the series of a picture, in turn; each has a dash and a marker of its own besides."""


def element(name: str, *inner: str, look: str = "", **attributes: object) -> str:
    """One element; ``look`` is what it is painted as. A trailing or inner ``_`` of an attribute's name is a hyphen."""
    paint = paint_of(look) if look else {}
    written = {key.strip("_").replace("_", "-"): value for key, value in attributes.items()}
    every = {**({"class": f"pic-{look}"} if look else {}), **paint, **written}
    head = "".join(f" {key}={quoteattr(_written(value))}" for key, value in every.items())
    return f"<{name}{head}>{''.join(inner)}</{name}>" if inner else f"<{name}{head}/>"


def paint_of(look: str) -> dict[str, str]:
    """The attributes with which something is painted where there is no style sheet."""
    kind, _, place = look.rpartition("-")
    if place.isdigit():
        colour = COLOURS[int(place)]
        return {"stroke": colour, "fill": "none"} if kind == "line" else {"fill": colour, "stroke": colour}
    return _PAINT[look]


def _written(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".rstrip("0").rstrip(".")
    return str(value)


def clean(text: str) -> str:
    """Somebody's words as text of an element."""
    return escape(plain(text))


def words(
    text: str, x: float, y: float, *, width: float = 0, size: int = SMALL, look: str = "ink", **more: object
) -> str:
    """A line of text; what does not fit in ``width`` (0: it has all the room) is left out, and shown when it is pointed at."""
    room = width / BOLDER if more.get("font_weight") else width
    shown = within(text, room, size) if width else plain(text)
    whole = [element("title", clean(text))] if shown != plain(text) else []
    return element("text", *whole, escape(shown), look=look, x=x, y=y, font_size=size, **more)


def within(text: str, width: float, size: int = SMALL) -> str:
    """As much of a text as fits."""
    text = plain(text)
    if wide(text, size) <= width:
        return text
    while text and wide(text + ELLIPSIS, size) > width:
        text = text[:-1]
    return f"{text.rstrip()}{ELLIPSIS}"


def wide(text: str, size: int = SMALL) -> float:
    """About how wide a text is."""
    return cells(text) * size * LETTER


def path(points: list[tuple[float, float]]) -> str:
    """Points as a path."""
    return "M" + "L".join(f"{_written(x)} {_written(y)}" for x, y in points)
