"""Writes values into pages: escaped, without what cannot be seen, and each word in its own direction."""

from __future__ import annotations

import re
from itertools import accumulate
from unicodedata import category

from markupsafe import Markup, escape

from rollbook.adapters.presentation.plain_text import printable
from rollbook.projections.roll_lines import LABEL

JOINERS = "\u200c\u200d"


JOINED = ("So", "Sk", "Mn", "Mc", "Lo")
"""Signs, their colours and marks, and letters without capitals, as in Unicode: between others a joiner could not be seen."""


def shown(value: object) -> str:
    """A value as a page may have it: nothing that cannot be seen or that turns what is written, and one sign for minus.

    What joins two signs to one, in emoji and in scripts that join their letters, stays between them.
    """
    text = str(value)
    joiners = {place for place, letter in enumerate(text) if letter in JOINERS and _joins(text, place)}
    if not joiners:
        return printable(text)
    pieces = re.split(f"([{JOINERS}])", text)
    places = accumulate((len(piece) for piece in pieces), initial=0)
    return "".join(
        piece if place in joiners else printable(piece) for place, piece in zip(places, pieces, strict=False)
    )


def _joins(text: str, place: int) -> bool:
    return all(
        category(beside) in JOINED for beside in (text[place - 1 : place] or " ", text[place + 1 : place + 2] or " ")
    )


def own(text: object, tag: str = "bdi") -> Markup:
    """Somebody's words, or a value, as a part of a line whose direction they do not change.

    A function and no macro, as ``icon`` is: a page has a hundred of them, and a macro takes ten times as long.
    """
    return Markup(f'<{tag} dir="auto">{escape(shown(text))}</{tag}>')  # noqa: S704 - the text is escaped


def written(text: str) -> Markup:
    """A text of a roll, which runs from left to right whatever is in it; its labels are somebody's own words."""
    pieces = LABEL.split(text)
    said = [own(piece) if place % 2 else escape(shown(piece).replace("-", "−")) for place, piece in enumerate(pieces)]
    return Markup(f'<bdi dir="ltr">{"".join(said).strip()}</bdi>')  # noqa: S704 - its pieces are escaped


def icon(name: str) -> Markup:
    """A sign of the sprite that every page has."""
    return Markup(f'<svg class="icon" aria-hidden="true"><use href="#i-{name}"/></svg>')  # noqa: S704 - a name of ours


def signed(number: int) -> str:
    """A number with its sign."""
    return f"{number:+d}".replace("-", "−")
