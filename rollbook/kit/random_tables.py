"""Tables that are rolled on: each row covers a range of results."""

import itertools
from collections.abc import Sequence
from typing import TypeVar

from rollbook.kit import data
from rollbook.plugin import RulesetBroken, Table

__all__ = ["Band", "load", "roll", "row_for"]


class Band(data.Frozen):
    """A row for the results ``lowest`` to ``highest``, both included."""

    lowest: int
    highest: int


_Row = TypeVar("_Row", bound=Band)


def load(package: str, file: str, row: type[_Row]) -> tuple[_Row, ...]:
    """The rows of a data file, as ``data.load`` reads them. Raises RulesetBroken if they leave a gap or overlap."""
    rows = data.load(package, file, row)
    check_without_gaps(file, rows)
    return rows


def check_without_gaps(name: str, rows: Sequence[Band]) -> None:
    """Raise RulesetBroken if the rows leave a gap or overlap."""
    for above, below in itertools.pairwise(rows):
        if below.lowest != above.highest + 1:
            raise RulesetBroken(f"{name}: the row from {below.lowest} does not follow on {above.highest}.")


def row_for(rows: Sequence[_Row], result: int) -> _Row:
    """The row of a result; a result beyond the table has its first or last row."""
    return next((row for row in rows if result <= row.highest), rows[-1])


def roll(table: Table, rows: Sequence[_Row], dice: str, *, roller: str, purpose: str, secret: bool = False) -> _Row:
    """Roll on a table. The roll is recorded like any other; the row is what it says."""
    return row_for(rows, table.roll(dice, roller=roller, purpose=purpose, secret=secret).total)
