"""Importer of a table as the actions of a campaign: a file gives its columns' meanings, and each row is an action.

A table is imported whole or not at all: rows that cannot be read are named, with their lines. A row is identified by
its id, or by all its cells: a longer table adds the new rows.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path

import attrs

from rollbook.adapters.imports import Imported, ImportedAction, Known, nothing_known
from rollbook.adapters.imports.bounded import MIB, OUTCOME, Bounds, opened
from rollbook.adapters.imports.course import Course, imported, listed, seat_name
from rollbook.adapters.imports.foundry.values import name as one_line
from rollbook.adapters.imports.tables.columns import Columns, read_columns
from rollbook.adapters.imports.tables.rows import Row, Unreadable, read_row
from rollbook.domain import events
from rollbook.domain.base.errors import RollbookError, not_found
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.progress import told
from rollbook.domain.events import CharacterKind, Event, Role, Scalar

__all__ = ["read_table"]

BOUNDS = Bounds(size=256 * MIB, line=MIB, lines=1_000_000)
MOST_NAMED = 20
"""Most unreadable rows that are named."""
DELIMITERS = ",;\t|"


def read_table(
    path: Path,
    name: str = "",
    known: Callable[[str], Known] = nothing_known,
    columns: Path | None = None,
    *,
    skip_unreadable: bool = False,
) -> Imported:
    """Import the table at a path as a campaign, or its new rows into a campaign that was made from it.

    Raises NotFound, or RollbookError that names every line which cannot be read; ``skip_unreadable`` leaves those out.
    """
    meant = read_columns(columns)
    called = one_line(name) or one_line(path.stem) or "A table"
    rows, unreadable = _rows(path, meant)
    if unreadable and not (skip_unreadable and rows):
        raise RollbookError(f"{path} cannot be read. {_named(unreadable)} {OUTCOME}")
    return imported(called, _Telling(rows, called, meant, known(called), unreadable))


def _named(unreadable: list[str]) -> str:
    more = f" And {len(unreadable) - MOST_NAMED:,} more." if len(unreadable) > MOST_NAMED else ""
    return f"{'; '.join(islice(unreadable, MOST_NAMED))}.{more}"


def _rows(path: Path, columns: Columns) -> tuple[list[tuple[str, Row]], list[str]]:
    """Every row with its cells as JSON, and the unreadable lines, each with its reason."""
    found: list[tuple[str, Row]] = []
    wrong: list[str] = []
    with opened(path, OUTCOME, BOUNDS) as source:
        text = _decoded(path, b"".join(line for _, line in source.lines()), columns)
    first = text.partition("\n")[0]
    table = csv.reader(io.StringIO(text, newline=""), delimiter=columns.delimiter or max(DELIMITERS, key=first.count))
    try:
        heading = [*columns.names] or [cell.strip() for cell in next(table, [])]
        places = _places(path, heading, columns)
        for cells in told(table, lambda: text.count("\n")):
            if not any(cell.strip() for cell in cells):
                continue
            said = {
                **columns.always,
                **{m: cells[at] for m, at in places.items() if at < len(cells) and cells[at].strip()},
            }
            try:
                found.append((json.dumps(said, sort_keys=True), read_row(said, columns)))
            except Unreadable as reason:
                wrong.append(f"line {table.line_num}: {reason}")
    except csv.Error as fault:
        wrong.append(f"line {table.line_num}: {fault}")
        raise RollbookError(f"{path} cannot be read. {_named(wrong)} {OUTCOME}") from None
    if not found and not wrong:
        raise RollbookError(f"{path} has no rows. {OUTCOME}")
    return found, wrong


def _decoded(path: Path, raw: bytes, columns: Columns) -> str:
    try:
        return raw.decode(columns.encoding)
    except LookupError:
        raise RollbookError(f"There is no encoding called {columns.encoding!r}. {OUTCOME}") from None
    except UnicodeError as fault:
        at = raw.count(b"\n", 0, getattr(fault, "start", 0)) + 1
        raise RollbookError(
            f"{path}, line {at}: this is not text in {columns.encoding}; say in the map what it is, as in "
            f'encoding = "cp1252". {OUTCOME}'
        ) from None


def _places(path: Path, heading: list[str], columns: Columns) -> dict[str, int]:
    """The positions of the columns, by their meanings. Raises RollbookError for one that the table does not have."""
    places: dict[str, int] = {}
    for meaning, called in columns.headings.items():
        if called not in heading:
            raise RollbookError(f"{path}, line 1: {not_found('column', called, heading)} {OUTCOME}")
        places[meaning] = heading.index(called)
    return places


class _Telling:
    """A table while it becomes actions."""

    def __init__(
        self, rows: list[tuple[str, Row]], called: str, columns: Columns, known: Known, unreadable: list[str]
    ) -> None:
        self.unreadable = unreadable
        self.rows = list(zip(_keys(rows), (row for _, row in rows), strict=True))
        self.known = known if any(key in known.places for key, _ in self.rows) else Known(zone=known.zone)
        self.called = called
        self.gm = _seat(columns.gm)
        self.course = Course(self.known, self.gm)
        self.new = self.rolls = 0

    def actions(self) -> Iterator[ImportedAction]:
        """All new actions, in the order of the table."""
        fresh = [(key, row) for key, row in self.rows if key not in self.known.places]
        if not self.known.entries:
            at = next((row.at for _, row in fresh if row.at), 0)
            yield self.course.start(self.called, self.rows[0][0], at)
        for key, row in told(fresh, lambda: len(fresh)):
            yield from self._session(row)
            yield from self._row(key, row)
        self.new = len(fresh)
        yield from self.course.close()

    def _session(self, row: Row) -> Iterator[ImportedAction]:
        at = row.at or self.course.last or 1
        if not row.session:
            yield from self.course.reach(at)
            return
        if row.session != self.course.title or not self.course.session:
            yield from self.course.open(row.session, at)
        self.course.last = max(self.course.last, at)

    def _row(self, key: str, row: Row) -> Iterator[ImportedAction]:
        at, seat = row.at or self.course.last, _seat(row.seat) if row.seat else self.gm
        yield from self.course.seat(seat, Role.GM if seat == self.gm else Role.PLAYER, at)
        whose = "gm" if row.is_secret else ""
        for called in dict.fromkeys(filter(None, (row.character, row.target))):
            played_by = seat if called == row.character else ""
            yield from self._enter(called, played_by, at, is_open=not row.is_secret)
        verb, happened = self._told(row, seat)
        params: dict[str, Scalar] = {"who": self._id(row.character)} if row.character else {}
        if row.target:
            params["target"] = self._id(row.target)
        if verb == "note":
            params["to"] = whose or "table"
        yield self.course.act(
            verb, params, at, happened, key=key, seat=seat, actor=self._id(row.character), visibility=whose
        )

    def _enter(self, called: str, seat: str, at: int, *, is_open: bool) -> Iterator[ImportedAction]:
        """Add a character at the first row that names it; one that a player acts with is that player's."""
        is_players = bool(seat) and seat != self.gm
        kind = CharacterKind.PLAYER_CHARACTER if is_players else CharacterKind.NPC
        yield from self.course.enter(
            _name_key(called), called, kind, at, seat=seat if is_players else "", is_open=is_open
        )

    def _id(self, called: str) -> str:
        return self.course.who(_name_key(called)) if called else ""

    def _told(self, row: Row, seat: str) -> tuple[str, list[Event]]:
        who = self._id(row.character)
        hurt = self._id(row.target or row.character)
        verb, happened = "note", list[Event]()
        for read in row.rolls:
            self.rolls += 1
            verb = read.purpose if read.purpose in ("attack", "damage", "save", "check", "initiative") else "roll"
            roll = attrs.evolve(read, roller=who or seat, secret=row.is_secret)
            happened.append(roll)
            if row.difficulty is not None and who:
                happened.append(
                    events.CheckResolved(
                        character=who, check=roll.purpose, total=roll.total, target=row.difficulty,
                        success=roll.total >= row.difficulty, against=self._id(row.target),
                    )
                )  # fmt: skip
        source = who if row.target else ""
        if row.damage:
            happened.append(events.DamageTaken(character=hurt, amount=row.damage, dealt=row.damage, source=source))
            verb = "damage" if verb == "note" else verb
        if row.healing:
            happened.append(events.HitPointsRestored(character=hurt, amount=row.healing, source=source))
            verb = "healing" if verb == "note" else verb
        if row.experience:
            happened.append(events.ExperienceAwarded(character=who or hurt, amount=row.experience, reason=row.note))
            verb = "award" if verb == "note" else verb
        if row.note and not row.experience:
            happened.append(events.NoteWritten(text=row.note, about=who))
        return verb, happened

    def found(self) -> Iterator[str]:
        """Sentences about the imported rows."""
        if self.known.entries and not self.new:
            yield "Nothing is new: every row was here."
        else:
            yield f"{counted(self.new, 'new row' if self.known.entries else 'row')} with {counted(self.rolls, 'roll')}."

    def warnings(self) -> Iterator[str]:
        """Sentences about unreadable rows, and about imported ones that are no longer in the table."""
        if self.unreadable:
            yield f"{counted(len(self.unreadable), 'row')} could not be read and stayed out: {_named(self.unreadable)}"
        here = {key for key, _ in self.rows}
        gone = sorted(
            number for key, number in self.known.actions.items() if key.startswith("row ") and key not in here
        )
        yield from listed("Changed in the table since, or gone from it, and kept: ", [f"#{number}" for number in gone])


def _seat(called: str) -> str:
    return seat_name(one_line(called, "GM"))


def _name_key(called: str) -> str:
    return f"who {sha256(called.casefold().encode('utf-8', 'replace')).hexdigest()[:32]}"


def _keys(rows: list[tuple[str, Row]]) -> Iterator[str]:
    """The key of each row: a digest of its id, or of all its cells, and a number for repeated rows."""
    seen: Counter[str] = Counter()
    for text, row in rows:
        said = f"id {row.id}" if row.id else text
        seen[said] += 1
        number = "" if seen[said] == 1 else f" {seen[said]}"
        yield f"row {sha256(said.encode('utf-8', 'replace')).hexdigest()[:40]}{number}"
