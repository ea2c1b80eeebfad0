"""Contents of a picture: plain numbers with names, and the same numbers as a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from enum import StrEnum
from typing import Final, TypeAlias

import attrs

from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.dice.ledger import opened_session
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.history import History
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import Draft

Cell: TypeAlias = str | int | float | None
"""A cell of a table; None: it is empty."""

Points: TypeAlias = tuple[tuple[int, float], ...]
"""Places on the horizontal axis, each with the value from there on."""

MINUS: Final = "−"


class Kind(StrEnum):
    """Subject of a picture."""

    EXPERIENCE = "experience"
    HIT_POINTS = "hit-points"
    DICE = "dice"
    RESOURCES = "resources"
    DAMAGE = "damage"


class Form(StrEnum):
    """Form of a drawing: lines on one scale, a lane for each series, bars from 0, or gauges around expected values."""

    LINES = "lines"
    LANES = "lanes"
    BARS = "bars"
    GAUGES = "gauges"


@attrs.frozen(kw_only=True)
class Series:
    """The course of one number. A point is a place and the value from there on; ``said`` is a summary of its numbers.

    ``most`` is its maximum, as of hit points: the top of its lane (None: its highest value).
    """

    name: str
    points: Points
    said: str = ""
    most: float | None = None


@attrs.frozen(kw_only=True)
class Bar:
    """One number with its name, in words as ``said``. ``low`` and ``high`` are its fair range, if that is known.

    Bars of one ``group`` stand together, below its name and ``total``. One that ``is_faint`` rests on too few numbers.
    """

    name: str
    value: float
    said: str = ""
    group: str = ""
    total: str = ""
    low: float | None = None
    high: float | None = None
    is_faint: bool = False


@attrs.frozen(kw_only=True)
class Picture:
    """A picture without its drawing. ``key`` names it among all pictures of a campaign; ``said`` is what it shows, in a sentence.

    ``ticks`` are positions on the horizontal axis with their labels, and ``across`` names what that axis counts. ``first`` and
    ``last`` are the first and last action shown, ``session`` the session that they belong to (0: several).
    ``columns`` and ``rows`` are its numbers as a table.
    """

    kind: Kind
    title: str
    said: str
    form: Form
    key: str = attrs.field(default=attrs.Factory(lambda self: self.kind, takes_self=True))
    unit: str
    series: tuple[Series, ...] = ()
    bars: tuple[Bar, ...] = ()
    ticks: tuple[tuple[int, str], ...] = ()
    across: str = ""
    session: int = 0
    first: ActionNumber = 0
    last: ActionNumber = 0
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()

    @property
    def marks(self) -> tuple[tuple[int, str], ...]:
        """The ticks with their labels as drawn. One of them names what is counted: the first if it is a number, else the last."""
        if not self.ticks or not self.across:
            return self.ticks
        named = 0 if self.ticks[0][1].isdigit() else len(self.ticks) - 1
        return tuple(
            (at, f"{self.across} {label}" if i == named else label) for i, (at, label) in enumerate(self.ticks)
        )

    def about(self, name: str) -> Picture | None:
        """The part of the picture about one character; None if the character is not in it.

        Lanes of others are left out. Lines and bars are compared with each other, so they stay together.
        """
        if self.form is not Form.LANES:
            cells = {cell for row in self.rows for cell in row}
            return self if self.kind is Kind.DICE or name in cells or name in self.columns else None
        own = tuple(each for each in self.series if each.name == name or each.name.startswith(f"{name}: "))
        if not own:
            return None
        kept = list(range(len(self.columns)))
        if name in self.columns:
            kept = [place for place in kept if not place or self.columns[place] == name]
        rows = self.rows if name in self.columns else [row for row in self.rows if name in row]
        return attrs.evolve(
            self,
            said=f"{self.title}: {name} alone.",
            series=own,
            columns=tuple(self.columns[place] for place in kept),
            rows=tuple(tuple(row[place] for place in kept) for row in rows),
        )


def only(sessions: Collection[int]) -> int:
    """The one session among some, 0 if there are several or none."""
    return next(iter(sessions)) if len(sessions) == 1 else 0


def value_at(points: Points, place: int) -> float | None:
    """The value at a place, None before the first."""
    return next((value for where, value in reversed(points) if where <= place), None)


def number(value: float) -> str:
    """A number as people write it: ``1,350``, ``−3``, ``0.25``."""
    written = f"{value:,}" if isinstance(value, int) or value == int(value) else f"{value:,.2f}".rstrip("0").rstrip(".")
    return written.removesuffix(".0").replace("-", MINUS)


def written(cell: Cell) -> str:
    """A cell of a table as text."""
    return "" if cell is None else cell if isinstance(cell, str) else number(cell)


def several(names: list[str], most: int = 3) -> str:
    """Some names in one line: the first of them, and how many more there are."""
    more = len(names) - most
    return f"{', '.join(names[:most])} and {more} more" if more > 0 else ", ".join(names)


Wanted = Callable[[RecordedEntry], bool]
"""Function that is true for an entry that a picture is to show."""


@attrs.frozen
class Step:
    """One action that counts: the entry, the session it lies in, and the campaign after it, which is a draft."""

    action: ActionNumber
    entry: RecordedEntry
    session: int
    is_wanted: bool
    draft: Draft

    @property
    def campaign(self) -> CampaignState:
        """The campaign after it, valid until the next step."""
        return self.draft.campaign


def course(history: History, wanted: Wanted) -> Iterator[Step]:
    """Yield every action that counts, in order."""
    draft, session = Draft(EMPTY), 0
    for action, entry in history.outcomes():
        if entry is not None and entry.events:
            draft.apply(entry.events)
            session = opened_session(entry.events) or session
            yield Step(action, entry, session, wanted(entry), draft)
