"""Elements of SVG as text: escaped, with attributes and classes in place of styles, so that a strict page takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from rollbook.projections.pictures.cells import ELLIPSIS, cells, plain

SMALL: Final = 12
MIDDLE: Final = 14
LETTER: Final = 0.56
"""The width of a usual letter, in parts of its height."""

BOLDER: Final = 1.12
"""The width of a bold letter, in parts of a usual one."""

LIGHT: Final = {
    "ink": "#1e2430", "ink-2": "#53535c", "rule": "#d6cab3", "edge": "#857860", "page": "#fbf7ee", "well": "#e8dfcd",
    "leaf": "#1f5f38", "leaf-wash": "#e1ebd8", "red": "#a31f2d", "pen": "#234b8a", "amber": "#7a4f00", "plum": "#5b3c83",
}  # fmt: skip
DARK: Final = {
    "ink": "#efe7d8", "ink-2": "#b9af9d", "rule": "#3d372e", "edge": "#8d826d", "page": "#211e1a", "well": "#322d26",
    "leaf": "#8dcb9b", "leaf-wash": "#24342a", "red": "#f39a90", "pen": "#a5c1f2", "amber": "#eac06f", "plum": "#ccb3ea",
}  # fmt: skip
"""The colours of the style sheet, for a drawing that stands alone."""

COLOURS: Final = ("pen", "amber", "leaf", "plum", "red", "ink-2")
"""The colours of series that share a scale."""
_PAINT: Final[Mapping[str, Mapping[str, str]]] = {
    "ink": {"fill": "ink"},
    "dim": {"fill": "ink-2"},
    "rule": {"stroke": "rule"},
    "zero": {"stroke": "edge"},
    "leader": {"stroke": "edge"},
    "page": {"fill": "page"},
    "band": {"fill": "well"},
    "area": {"fill": "leaf-wash"},
    "bar": {"fill": "leaf"},
    "hollow": {"fill": "page", "stroke": "leaf"},
    "step": {"stroke": "leaf"},
    "cross": {"stroke": "red"},
    **{f"line-{at}": {"stroke": colour} for at, colour in enumerate(COLOURS)},
    **{f"dot-{at}": {"fill": colour, "stroke": colour} for at, colour in enumerate(COLOURS)},
}
"""The colours of what is drawn, by its look."""

STYLE: Final = "\n".join(
    (
        ".pic{max-width:40rem;width:100%;height:auto}",
        *(
            f".pic-{look}{{{';'.join(f'{what}:var(--{colour})' for what, colour in paint.items())}}}"
            for look, paint in _PAINT.items()
        ),
        "",
    )
)
"""The rules that a page adds to its style sheet, in its colours: the drawings then follow light and dark."""


def element(name: str, *inner: str, look: str = "", **attributes: object) -> str:
    """One element, painted as ``look``. In an attribute's name, an outer ``_`` is dropped and an inner one a hyphen."""
    paint = {what: LIGHT[colour] for what, colour in _PAINT[look].items()} if look else {}
    paint |= {"fill": "none"} if paint.keys() == {"stroke"} else {}
    written = {key.strip("_").replace("_", "-"): value for key, value in attributes.items()}
    every = {**({"class": f"pic-{look}"} if look else {}), **paint, **written}
    head = "".join(f" {key}={quoteattr(_written(value))}" for key, value in every.items())
    return f"<{name}{head}>{''.join(inner)}</{name}>" if inner else f"<{name}{head}/>"


def _written(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".rstrip("0").rstrip(".")
    return str(value)


def clean(text: str) -> str:
    """A user's words as text of an element."""
    return escape(plain(text))


def words(
    text: str, x: float, y: float, *, width: float = 0, size: int = SMALL, look: str = "ink", **more: object
) -> str:
    """A line of text; if it does not fit in ``width`` (0: no limit), it is cut, and whole when it is pointed at."""
    room = width / BOLDER if more.get("font_weight") else width
    shown = within(text, room, size) if width else plain(text)
    whole = [element("title", clean(text))] if shown != plain(text) else []
    return element("text", *whole, escape(shown), look=look, x=x, y=y, font_size=size, **more)


def captions(name: str, said: str, edges: tuple[float, float], top: float, share: float) -> list[str]:
    """The name at the left edge of a row and its numbers at the right one, which take a ``share`` of the width at most."""
    left, right = edges
    room = right - left
    return [
        words(name, left, top + SMALL, width=room - min(wide(said), room * share) - 10, font_weight="bold"),
        words(said, right, top + SMALL, width=room * share, text_anchor="end", look="dim"),
    ]


def line(points: list[tuple[float, float]], look: str, **more: object) -> str:
    """A line through points, one unit wide by default."""
    return element("path", look=look, d=path(points), **{"stroke_width": 1, **more})


def within(text: str, width: float, size: int = SMALL) -> str:
    """As much of a text as fits."""
    text = plain(text)
    if wide(text, size) <= width:
        return text
    while text and wide(text + ELLIPSIS, size) > width:
        text = text[:-1]
    return f"{text.rstrip()}{ELLIPSIS}"


def wide(text: str, size: int = SMALL) -> float:
    """The approximate width of a text."""
    return cells(text) * size * LETTER


def path(points: list[tuple[float, float]]) -> str:
    """Points as a path."""
    return "M" + "L".join(f"{_written(x)} {_written(y)}" for x, y in points)
