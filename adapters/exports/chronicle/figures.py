"""The pictures of a campaign as a chronicle has them: drawings, what each shows, and its numbers as a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from rollbook.adapters.exports.chronicle.colours import colours
from rollbook.adapters.exports.chronicle.text import clean
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.projections.chronicle.actions import Wanted
from rollbook.projections.chronicle.model import Figure
from rollbook.projections.chronicle.numbers import Table
from rollbook.projections.pictures import STYLE, Picture, pictures_of, svg, written


def figures_of(history: History, rulebook: Rulebook, wanted: Wanted) -> Iterator[Figure]:
    """Everything of which there is anything to show."""
    for picture in pictures_of(history, rulebook, wanted):
        yield Figure(title=picture.title, said=picture.said, svg=svg(picture), numbers=_numbers(picture))


def _numbers(picture: Picture) -> Table:
    numeric = tuple(
        bool(picture.rows) and not any(isinstance(row[at], str) for row in picture.rows)
        for at in range(len(picture.columns))
    )
    rows = tuple(tuple(clean(written(cell)) for cell in row) for row in picture.rows)
    return Table(title="", columns=picture.columns, rows=rows, numeric=numeric)


@cache
def style_by_day() -> str:
    """The style of the drawings for readers that know no variables: the colours of the style sheet by day."""
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours()[found[1]], STYLE)


def alone(drawing: str) -> str:
    """A drawing that brings its own colours."""
    return drawing.replace(">", f"><style>{style_by_day()}</style>", 1)
