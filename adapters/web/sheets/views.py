"""A sheet as a page shows it: numbers in groups, each of which opens its why; of a player's own, what is hidden as one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.rules.sheet import Sheet, Term, Value
from rollbook.projections.contributions import Contribution, PutAway

NUMBERS = "Numbers"
FEW_ACTIONS = 3
"""So many actions behind a term are shown at once, the latest ones; the others unfold."""
MOST_ACTIONS = 60
"""So many unfold at most: of a number that changed in every fight the rest is in the log."""


@attrs.frozen(kw_only=True)
class Group(Record):
    """Numbers that belong together."""

    name: str
    values: tuple[Value, ...]


@attrs.frozen(kw_only=True)
class TermView(Record):
    """A term of a number, with the actions that made it what it is: the latest, those ``before`` them, and how many ``more``."""

    term: Term
    actions: tuple[Contribution, ...] = ()
    before: tuple[Contribution, ...] = ()
    more: int = 0


@attrs.frozen(kw_only=True)
class WhyView(Record):
    """All that is behind a number. ``gone`` are corrections that changed it, the latest first."""

    sheet: Sheet
    value: Value
    terms: tuple[TermView, ...]
    gone: tuple[PutAway, ...]


def groups_of(sheet: Sheet) -> tuple[Group, ...]:
    """The numbers of a sheet in their groups, in its order."""
    found: dict[str, list[Value]] = {}
    for value in sheet.values:
        found.setdefault(value.group or NUMBERS, []).append(value)
    return tuple(Group(name=name, values=tuple(values)) for name, values in found.items())


def why_view(
    sheet: Sheet, value: Value, origins: Iterable[tuple[Term, Sequence[Contribution]]], gone: tuple[PutAway, ...]
) -> WhyView:
    """A number with all that is behind it."""
    terms = (
        TermView(
            term=term,
            actions=tuple(actions[-FEW_ACTIONS:]),
            before=tuple(actions[-MOST_ACTIONS:-FEW_ACTIONS]),
            more=max(len(actions) - MOST_ACTIONS, 0),
        )
        for term, actions in origins
    )
    return WhyView(sheet=sheet, value=value, terms=tuple(terms), gone=gone)
