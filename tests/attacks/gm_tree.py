"""All orders of commands, and the exact chance of a face under the best that a GM can do who knows all seeds.

A GM knows every die of the lines that were said so far, and chooses the next command by them. Only a player's line is chance: it
gives dice that nobody could know before. So among all histories that can be reached without another line the GM takes one whose
cell shows the face, if there is one, and otherwise asks for the line after which there is most to choose from. With faces that
are independent and uniform the best chance is 1 - (1 - 1/sides) ** cells, where cells are counted along the best course.

What a GM may leave on record is given: the cells are counted for every ``Record`` apart.
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from itertools import product
from pathlib import Path

import attrs

from tests.attacks.gm_record import Cell, Reading, Record, read
from tests.attacks.gm_table import FRESH, PLAYER, Commands, GMTable, put_back

Leaves = dict[tuple[Cell, Record], Commands]

RECORDS = tuple(Record(mixes, rolls) for mixes, rolls in product(range(7), range(7)))
LAST = ("attack", "undo", "grant", "close")
"""With which an order may end: after the attack the others change no die and take nothing off the record."""


RESTORE = ("backup", "restore")
"""Two commands, of which the first may be given at any time before: its copy is of the table after so many commands."""


@attrs.frozen
class Best:
    """The most cells to choose from, and the course: an order for each of them."""

    cells: int = 0
    course: tuple[Commands, ...] = ()


@attrs.define
class Scope:
    """What can be reached without another line of a player: attacks that count, and beyond it the best for each record."""

    leaves: Leaves = attrs.field(factory=dict)
    beyond: dict[Record, Best] = attrs.field(factory=dict)

    def take(self, other: Scope) -> None:
        """What is reached by a command that is no chance."""
        for at, path in other.leaves.items():
            if at not in self.leaves or len(path) < len(self.leaves[at]):
                self.leaves[at] = path
        for record, best in other.beyond.items():
            self._raise(record, best)

    def take_after(self, fresh: str, other: Scope) -> None:
        """What is reached after a player's line: its own cells are counted there, older ones are known here."""
        own = {at: path for at, path in other.leaves.items() if any(text == fresh for _, text in at[0].lines)}
        older = {at: path for at, path in other.leaves.items() if at not in own}
        self.take(Scope(older))
        for record, best in Scope(own, other.beyond).best().items():
            self._raise(record, best)

    def best(self) -> dict[Record, Best]:
        """The most cells for each record, with what lies beyond the next line."""
        found = {}
        for record in RECORDS:
            cells = {cell: path for (cell, left), path in self.leaves.items() if record.covers(left)}
            beyond = self.beyond.get(record, Best())
            if cells or beyond.cells:
                found[record] = Best(len(cells) + beyond.cells, (*cells.values(), *beyond.course))
        return found

    def _raise(self, record: Record, best: Best) -> None:
        if best.cells > self.beyond.get(record, Best()).cells:
            self.beyond[record] = best


@attrs.frozen
class Gap:
    """Orders with more tries than the list alone names: how many more at most, in how many orders, and the shortest."""

    orders: int
    had: int
    named: int
    shortest: Commands


@attrs.define
class Tree:
    """All orders of so many ``commands``, from one table."""

    folder: Path
    sides: int
    commands: int
    is_open: bool
    refused: int = 0
    attacks: int = 0
    seconds: float = 0.0
    by_length: Counter[int] = attrs.field(factory=Counter)
    faces: dict[Cell, int] = attrs.field(factory=dict)
    gaps: dict[frozenset[str], Gap] = attrs.field(factory=dict)
    whole: Scope = attrs.field(factory=Scope)
    _made: int = 0

    def grow(self) -> dict[Record, Best]:
        """Play all of them. Returns the best for each record."""
        began = time.monotonic()
        table = GMTable.begun(self._new_folder(), self.sides, is_open=self.is_open)
        self.whole = self._scope(table, ())
        self._drop(table)
        self.seconds = time.monotonic() - began
        return self.whole.best()

    def over(self) -> dict[Record, Best]:
        """The records with which there is more to choose from than they say."""
        return {record: best for record, best in self.whole.best().items() if best.cells > record.tries}

    def chance(self, cells: int) -> float:
        """The chance of a face, with so many cells to choose from."""
        return 1 - (1 - 1 / self.sides) ** cells

    def _scope(self, table: GMTable, had: tuple[Reading, ...]) -> Scope:
        scope = Scope()
        left = self.commands - length(table.path)
        if not left:
            return scope
        children = []
        spare: GMTable | None = None  # of a command that was refused, so that nothing happened there
        for command in table.commands():
            if left == 1 and command[0] not in LAST:
                continue
            child, spare = spare or table.branch(self._new_folder()), None
            if child.do(command):
                self._count(child)
                reading = self._read(child)
                self._leaf(scope, child, reading)
                children.append(child)
                had = self._had(had, child, reading)
            else:
                self.refused += 1
                spare = child
        if spare is not None:
            self._drop(spare)
        for child in children:
            self._into(scope, child, had)
        if left > len(RESTORE) and not table.in_files:
            for after in range(len(table.path)):
                child = put_back(table, after, self._new_folder())
                child.path = (*table.path, (*RESTORE, str(after)))
                self._count(child)
                self._into(scope, child, had)
        return scope

    def _into(self, scope: Scope, child: GMTable, had: tuple[Reading, ...]) -> None:
        grown = self._scope(child, had)
        if child.path[-1] == ("line", PLAYER):
            scope.take_after(f"{FRESH}{child.asked}", grown)
        else:
            scope.take(grown)
        self._drop(child)

    def _count(self, child: GMTable) -> None:
        self.by_length[length(child.path)] += 1

    def _read(self, child: GMTable) -> Reading | None:
        reading = read(child.campaign)
        if reading is not None:
            self.attacks += 1
            assert self.faces.setdefault(reading.cell, reading.face) == reading.face, child.path
        return reading

    def _leaf(self, scope: Scope, child: GMTable, reading: Reading | None) -> None:
        if reading is not None and reading.is_promised:
            scope.take(Scope({(reading.cell, reading.record): child.path}))

    def _had(self, had: tuple[Reading, ...], child: GMTable, reading: Reading | None) -> tuple[Reading, ...]:
        """The attacks that could be taken so far in this order, beside what the list alone names."""
        if reading is None or not reading.level or child.path[-1][0] != "attack":
            return had
        had = (*had, reading)
        cells = len({one.cell for one in had if one.named <= reading.named})
        if cells > reading.named:
            known = self.gaps.get(reading.kinds)
            shortest = known.shortest if known and len(known.shortest) <= len(child.path) else child.path
            more = (
                known
                if known and known.had - known.named >= cells - reading.named
                else Gap(0, cells, reading.named, ())
            )
            self.gaps[reading.kinds] = Gap(1 + (known.orders if known else 0), more.had, more.named, shortest)
        return had

    def _new_folder(self) -> Path:
        self._made += 1
        return self.folder / str(self._made)

    def _drop(self, table: GMTable) -> None:
        table.close()
        shutil.rmtree(table.folder)


def length(path: Commands) -> int:
    """How many commands an order has."""
    return len(path) + sum(command[:2] == RESTORE for command in path)


def said(path: Commands) -> str:
    """An order in words."""
    return ", ".join(" ".join(command) for command in path)
