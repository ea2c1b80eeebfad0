"""What a chronicle is made of: sessions as parts, scenes as chapters, and what happened as sentences with the dice beside them.

Plain values for every renderer: text is text, never markup, and nothing here is longer than a session at a time.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator

import attrs

from rollbook.domain.base.identifiers import ActionNumber, CharacterId
from rollbook.projections.chronicle.numbers import Table


class Kind(enum.StrEnum):
    """What sort of paragraph it is."""

    PROSE = "prose"
    FIGHT = "fight"
    ROUND = "round"
    QUOTE = "quote"
    FALL = "fall"
    LEVEL = "level"
    X_CARD = "x-card"


@attrs.frozen(kw_only=True)
class Sentence:
    """One action. ``dice`` are for the margin, a roll each.

    ``success`` is 1 for ✓, -1 for ✗, 0 where nothing was at stake; ``secret`` says who alone may read it, "" for everybody.
    """

    number: ActionNumber
    text: str
    dice: tuple[str, ...] = ()
    success: int = 0
    secret: str = ""


@attrs.frozen(kw_only=True)
class Paragraph:
    """Sentences that belong together, or a line that stands by itself.

    ``heading`` is the title of a fight or a round, ``detail`` its order of turns; of a quotation ``by`` says who spoke.
    """

    kind: Kind
    sentences: tuple[Sentence, ...] = ()
    heading: str = ""
    detail: str = ""
    by: str = ""


@attrs.frozen(kw_only=True)
class Chapter:
    """A scene; what comes before a session's first scene has no ``title``."""

    title: str
    paragraphs: tuple[Paragraph, ...]


@attrs.frozen(kw_only=True)
class Part:
    """A session: ``number`` 0 is what was played outside any. ``date`` is the day on which it was opened."""

    number: int
    title: str
    date: str
    chapters: tuple[Chapter, ...]

    @property
    def label(self) -> str:
        """``Session 3``."""
        return part_label(self.number)


def part_label(number: int) -> str:
    """What a part is called above its title."""
    return f"Session {number}" if number else "Outside any session"


@attrs.frozen(kw_only=True)
class Heading:
    """A part in the table of contents, with the titles of its chapters."""

    number: int
    title: str
    date: str
    chapters: tuple[str, ...]

    @property
    def label(self) -> str:
        """``Session 3``."""
        return part_label(self.number)


@attrs.frozen(kw_only=True)
class Player:
    """Somebody at the table: what they were there, and whom they played."""

    name: str
    role: str
    characters: tuple[str, ...]


@attrs.frozen(kw_only=True)
class SheetPage:
    """A character's sheet: ``words`` are lines of a label and a text, ``values`` rows of a label, a value and its terms."""

    character: CharacterId
    name: str
    title: str
    words: tuple[tuple[str, str], ...]
    values: tuple[tuple[str, str, str], ...]


@attrs.frozen(kw_only=True)
class Figure:
    """A drawing as SVG, what it shows in a sentence, and the table of its numbers."""

    title: str
    said: str
    svg: str
    numbers: Table


@attrs.frozen(kw_only=True)
class Appendix:
    """What follows the telling, under a title: paragraphs, then tables, sheets and figures."""

    title: str
    key: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    sheets: tuple[SheetPage, ...] = ()
    figures: tuple[Figure, ...] = ()


@attrs.frozen(kw_only=True)
class Chronicle:
    """A campaign, or one session of it, to be read from the first page to the last.

    ``parts`` makes the parts one after the other each time it is called, so that only one of them is in memory; they are made of
    so ``many`` actions. ``key`` is the campaign's id.
    """

    title: str
    subtitle: str
    dates: str
    rules: str
    reader: str
    key: str
    many: int
    players: tuple[Player, ...]
    contents: tuple[Heading, ...]
    appendices: tuple[Appendix, ...]
    parts: Callable[[], Iterator[Part]]
