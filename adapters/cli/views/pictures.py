"""Pictures in the terminal, one below the other, with their numbers beside."""

from collections.abc import Sequence

import attrs

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.line_commands.json import json_shape
from rollbook.adapters.line_commands.styled import Text
from rollbook.domain.base.number_words import counted
from rollbook.projections.pictures import Kind, Picture, text

IN_A_PIPE = 80
"""So wide is a picture where nobody knows the width."""
NOTHING = "There is nothing to draw yet."

json_shape(
    Picture,
    *("kind", "key", "title", "said", "unit", "session", "first", "last", "columns", "rows"),
    series=lambda picture: [
        {"name": series.name, "said": series.said, "points": series.points} for series in picture.series
    ],
    bars=lambda picture: [attrs.asdict(bar) for bar in picture.bars],
)


def show_pictures(cli: CliContext, found: Sequence[Picture], *, every_fight: bool) -> None:
    """Print them; of several fights the last one, unless every one is asked for."""
    fights = [picture for picture in found if picture.kind is Kind.HIT_POINTS]
    left_out = [] if every_fight else fights[:-1]
    shown = [picture for picture in found if picture not in left_out]
    for place, picture in enumerate(shown):
        title, *lines = text(picture, cli.out.width if cli.is_terminal else IN_A_PIPE).split("\n")
        cli.print(*([""] if place else []), Text(title, "bold yellow"), *(Text(line) for line in lines))
        if left_out and picture is fights[-1]:
            cli.print(Text(f"… and {counted(len(left_out), 'earlier fight')}: --only hit-points", "dim"))
    if not shown:
        cli.print(NOTHING)
