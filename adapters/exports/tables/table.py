"""What a table of an export is: its columns in words, and its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TypeAlias

import attrs

from rollbook.adapters.exports.exporter import ExportRequest
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.projections.session_log import LogLine

Cell: TypeAlias = str | int | None
Row: TypeAlias = tuple[Cell, ...]


@attrs.frozen
class Column:
    """A column: ``kind`` is str or int; ``words`` say what it holds, in which unit. ``of`` is the table that it points into."""

    name: str
    words: str
    kind: type = str
    of: str = ""


@attrs.frozen(eq=False)
class Contents:
    """What the rows of all tables are made from."""

    request: ExportRequest

    @cached_property
    def lines(self) -> list[LogLine]:
        """The wanted lines of the log."""
        return self.request.lines()

    @cached_property
    def status(self) -> Mapping[EntryNumber, str]:
        """What became of the wanted entries: they count, were undone or replaced, or correct others."""
        return {line.entry: line.status for line in self.lines}


@attrs.frozen(kw_only=True)
class Table:
    """A table: ``facets`` are columns by which it is worth sorting things out, the first columns up to ``key`` its key."""

    name: str
    title: str
    words: str
    columns: tuple[Column, ...]
    rows: Callable[[Contents], Iterable[Row]]
    key: int = 1
    facets: tuple[str, ...] = ()
