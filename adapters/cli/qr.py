"""QR codes in the terminal, two rows of squares to a line."""

import sys
from collections.abc import Iterator
from importlib.util import find_spec

HALVES = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
"""The sign for a square above and one below. 1 is dark: light squares are drawn, as most terminals are dark."""
BORDER = 2


def qr_lines(text: str) -> Iterator[str]:
    """The lines of a code that a telephone reads; a sentence where the terminal has no signs for it."""
    if not _can_draw():
        yield "This terminal cannot show the code: it has no signs for it."
        return
    if find_spec("segno") is None:
        yield "The code cannot be made: pip install 'rollbook[web]' brings what draws it."
        return
    import segno

    rows = [tuple(row) for row in segno.make_qr(text, error="l").matrix_iter(border=BORDER)]
    rows += [(0,) * len(rows[0])] * (len(rows) % 2)
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        yield "".join(HALVES[pair] for pair in zip(map(bool, upper), map(bool, lower), strict=True))


def _can_draw() -> bool:
    try:
        "█▀▄".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
