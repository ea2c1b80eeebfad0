"""The consoles that answers and remarks are drawn on: no text gets through them that a terminal would take for a command."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from rollbook.adapters.cli.terminal import believed
from rollbook.adapters.presentation.plain_text import as_written


class CleanConsole(Console):
    """A console whose own colours and cursor movements are the only ones."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """What is drawn, piece by piece; whatever a text holds, it is text."""
        for piece in super().render(renderable, options):
            if piece.control or piece.text.isprintable() or piece.text == "\n":
                yield piece
            else:
                yield Segment(as_written(piece.text), piece.style)


def console(**how: Any) -> CleanConsole:
    """The console of a run, of a size that a screen can have."""
    made = CleanConsole(highlight=False, markup=False, emoji=False, **how)
    size = believed(made.size)
    if tuple(size) != tuple(made.size):
        made.size = size
    return made
