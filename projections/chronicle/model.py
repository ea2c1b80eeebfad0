"""Values that make up a chronicle: sessions as parts, scenes as chapters, actions as sentences with their dice.

They are plain values for every renderer: text is never markup, and none is longer than a session.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from datetime import datetime, tzinfo

import attrs

from rollbook.domain.base.identifiers import ActionNumber, CharacterId
from rollbook.domain.base.number_words import counted

MICROSECONDS = 1_000_000


@attrs.frozen(kw_only=True)
class Table:
    """Rows under columns. ``numeric`` is true for each column that is aligned to the right."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]


def day(at: int, zone: tzinfo) -> str:
    """Microseconds since 1970 as a day in a zone: ``22 November 2026``; "" for 0, which is not known."""
    if not at:
        return ""
    moment = datetime.fromtimestamp(at / MICROSECONDS, zone)
    return f"{moment.day} {moment:%B %Y}"


def days(first: int, last: int, zone: tzinfo) -> str:
    """The days from the first to the last as text; one day alone if they are the same."""
    begun, ended = day(first, zone), day(last, zone)
    return begun if begun == ended or not ended else f"{begun} to {ended}" if begun else ended


def points(amount: int) -> str:
    """``1 hit point``, ``7 hit points``."""
    return counted(amount, "hit point")


class Kind(enum.StrEnum):
    """Kind of a paragraph."""

    PROSE = "prose"
    FIGHT = "fight"
    ROUND = "round"
    QUOTE = "quote"
    FALL = "fall"
    LEVEL = "level"
    X_CARD = "x-card"
    PICTURE = "picture"


@attrs.frozen(kw_only=True)
class Sentence:
    """One action as a sentence. ``dice`` are lines for the margin, one per roll.

    ``success`` is 1 for ✓, -1 for ✗, 0 where nothing was at stake; ``secret`` names its only readers ("": all).
    """

    number: ActionNumber
    text: str
    dice: tuple[str, ...] = ()
    success: int = 0
    secret: str = ""


@attrs.frozen(kw_only=True)
class Paragraph:
    """Sentences that belong together, or a single line.

    ``heading`` is the title of a fight or a round, ``detail`` its order of turns; ``by`` is the speaker of a quotation.
    ``picture`` is the digest of one that was shown, "" if it was removed, and ``heading`` says what is on it.
    """

    kind: Kind
    sentences: tuple[Sentence, ...] = ()
    heading: str = ""
    detail: str = ""
    by: str = ""
    picture: str = ""


A_PICTURE = "a picture"


def in_place_of(shown: Paragraph) -> str:
    """The words in the place of a picture that was removed for good, or is not there."""
    if not shown.picture:
        return "(the picture was removed)"
    return f"({A_PICTURE}{f': {shown.heading}' if shown.heading else ''})"


@attrs.frozen(kw_only=True)
class Chapter:
    """A scene; the chapter before a session's first scene has no ``title``."""

    title: str
    paragraphs: tuple[Paragraph, ...]


@attrs.frozen(kw_only=True)
class _Session:
    """A session; ``number`` 0 is play outside any. ``date`` is the day on which it was opened."""

    number: int
    title: str
    date: str

    @property
    def label(self) -> str:
        """``Session 3``."""
        return f"Session {self.number}" if self.number else "Outside any session"

    @property
    def whole(self) -> str:
        """``Session 3: The mill``."""
        return f"{self.label}: {self.title}" if self.title else self.label


@attrs.frozen(kw_only=True)
class Part(_Session):
    """A session with its chapters."""

    chapters: tuple[Chapter, ...]


@attrs.frozen(kw_only=True)
class Heading(_Session):
    """A part in the table of contents, with the titles of its chapters."""

    chapters: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Player:
    """A seat at the table: its name, its role, and the characters played from it."""

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
    """A titled section after the narrative: paragraphs, then tables, sheets and figures."""

    title: str
    key: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    sheets: tuple[SheetPage, ...] = ()
    figures: tuple[Figure, ...] = ()


@attrs.frozen(kw_only=True)
class Chronicle:
    """A campaign, or one session of it, to be read from the first page to the last.

    ``parts`` yields the parts each time it is called, so that only one of them is in memory; ``many`` is the number of
    their actions. ``key`` is the campaign's id.
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

    @property
    def known(self) -> list[str]:
        """The lines of the title page below the title: when, by which rules, for whom."""
        rules = f"Played by the rules of {self.rules}" if self.rules else ""
        return list(filter(None, (self.dates, rules, self.reader)))
