"""The file with the meanings of a table's columns, and the forms of its times and numbers."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from rollbook.adapters.imports.bounded import MIB, OUTCOME, Bounds, read_text, toml_of
from rollbook.domain.base.errors import RollbookError, not_found
from rollbook.domain.base.records import Record

BOUNDS = Bounds(size=MIB, line=64 * 1024, lines=10_000)

MEANINGS: Mapping[str, str] = {
    "id": "what tells this row from all others, if the table has it",
    "when": "when it happened",
    "session": "the session's number or title",
    "seat": "who sat there: the person",
    "character": "who acted",
    "roll": "the dice that were rolled, as 2d6+3",
    "dice": "the faces that fell, as 4, 5",
    "total": "what the roll came to",
    "natural": "the face of the one die that counts, beside a total",
    "purpose": "what the roll was for",
    "difficulty": "what the roll had to meet or beat",
    "target": "who was hurt or healed, if not who acted",
    "damage": "hit points that were lost",
    "healing": "hit points that came back",
    "experience": "experience points that were earned",
    "note": "words",
    "secret": "yes, if only the GM knows of it",
}
"""The meanings that a column may have."""

MOST_SIDES = 1_000_000
NEEDED = ("roll", "total", "natural", "damage", "healing", "experience", "note")
"""Meanings of which a row needs at least one to be imported."""


@attrs.frozen(kw_only=True)
class Columns(Record):
    """Headings by their meanings, and the forms of values. ``always`` are values for every row, by meaning.

    ``unknown`` are words for an unknown value, ``naturals`` are words in place of a total that give the face of the
    die, both in small letters; ``names`` are the columns of a table that has no line of headings.
    """

    headings: Mapping[str, str]
    always: Mapping[str, str]
    gm: str = "GM"
    time: str = ""
    delimiter: str = ""
    encoding: str = "utf-8-sig"
    unknown: frozenset[str] = frozenset()
    naturals: Mapping[str, int] = attrs.field(factory=dict)
    names: tuple[str, ...] = ()


_SETTINGS = ("gm", "time", "delimiter", "encoding")
_PARTS = ("columns", "always", "naturals", "unknown", "headings", *_SETTINGS)


def read_columns(path: Path | None) -> Columns:
    """Read the map at a path. Raises NotFound, or RollbookError for no path, a faulty file or an unknown meaning."""
    if path is None:
        raise RollbookError(
            f"What the columns mean is said in a file: --map columns.toml (docs/importing.md). {OUTCOME}"
        )
    found = toml_of(read_text(path, OUTCOME, BOUNDS), path, OUTCOME)
    for part in found:
        if part not in _PARTS:
            raise RollbookError(f"{path}: {not_found('entry', part, _PARTS)} {OUTCOME}")
    names = _words(path, found, "headings")
    headings, always = _texts(path, found, "columns"), _texts(path, found, "always")
    named = set(headings.values())
    headings |= {name: name for name in names if name in MEANINGS and name not in headings and name not in named}
    if not any(meaning in headings for meaning in NEEDED):
        raise RollbookError(
            f"{path}: no column is {', '.join(NEEDED[:-1])} or {NEEDED[-1]}, so there is nothing to take in. {OUTCOME}"
        )
    settings = {key: str(found[key]) for key in _SETTINGS if key in found}
    if len(settings.get("delimiter", ";")) != 1:
        raise RollbookError(f"{path}: the delimiter is one character, as in delimiter = ';'. {OUTCOME}")
    naturals = _lines(path, found, "naturals", lambda face: type(face) is int and 0 < face <= MOST_SIDES, "Nat20 = 20")
    unknown = frozenset(word.casefold() for word in _words(path, found, "unknown"))
    return Columns(
        headings=headings,
        always=always,
        unknown=unknown,
        naturals={word.strip().casefold(): face for word, face in naturals.items()},
        names=names,
        **settings,
    )


def _words(path: Path, found: Mapping[str, object], part: str) -> tuple[str, ...]:
    held = found.get(part, [])
    if not isinstance(held, list) or not all(isinstance(word, str) for word in held):
        raise RollbookError(f'{path}: {part} is a list of words, as in {part} = ["one", "two"]. {OUTCOME}')
    return tuple(word.strip() for word in held)


def _lines(path: Path, found: Mapping[str, object], part: str, fits: Callable[[object], bool], example: str) -> Any:
    """A part that consists of lines. Raises RollbookError if a value does not fit."""
    held = found.get(part, {})
    if not isinstance(held, dict) or not all(map(fits, held.values())):
        raise RollbookError(f"{path}: [{part}] holds lines such as {example}. {OUTCOME}")
    return held


def _texts(path: Path, found: Mapping[str, object], part: str) -> dict[str, str]:
    held = _lines(path, found, part, lambda value: isinstance(value, str), 'total = "Result"')
    for meaning in held:
        if meaning not in MEANINGS:
            raise RollbookError(f"{path}, [{part}]: {not_found('meaning', meaning, MEANINGS)} {OUTCOME}")
    return {meaning: value.strip() if part == "columns" else value for meaning, value in held.items()}
