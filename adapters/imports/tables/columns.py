"""The file that says what the columns of a table mean, and in which form its times and numbers are written."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

import attrs

from adapters.imports.bounded import MIB, Bounds, opened
from domain.errors import RollbookError, not_found
from domain.records import Record

OUTCOME = "Nothing was imported."
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
    "purpose": "what the roll was for",
    "difficulty": "what the roll had to meet or beat",
    "target": "who was hurt or healed, if not who acted",
    "damage": "hit points that were lost",
    "healing": "hit points that came back",
    "experience": "experience points that were earned",
    "note": "words",
    "secret": "yes, if only the GM knows of it",
}
"""What a column may mean."""

NEEDED = ("roll", "total", "damage", "healing", "experience", "note")
"""One of these at least: else nothing of a row can be taken in."""


@attrs.frozen(kw_only=True)
class Columns(Record):
    """Headings by their meanings, and how values are written. ``always`` is what holds for every row, by meaning."""

    headings: Mapping[str, str]
    always: Mapping[str, str]
    gm: str = "GM"
    time: str = ""
    delimiter: str = ""
    encoding: str = "utf-8-sig"


_SETTINGS = ("gm", "time", "delimiter", "encoding")


def read_columns(path: Path | None) -> Columns:
    """The map at a path. Raises NotFound or RollbookError for a missing file, a faulty one or a meaning that there is not."""
    if path is None:
        raise RollbookError(
            f"What the columns mean is said in a file: --map columns.toml (docs/importing.md). {OUTCOME}"
        )
    found = _document(path)
    for part in found:
        if part not in ("columns", "always", *_SETTINGS):
            raise RollbookError(f"{path}: {not_found('entry', part, ('columns', 'always', *_SETTINGS))} {OUTCOME}")
    headings, always = _texts(path, found, "columns"), _texts(path, found, "always")
    if not any(meaning in headings for meaning in NEEDED):
        raise RollbookError(
            f"{path}: no column is {', '.join(NEEDED[:-1])} or {NEEDED[-1]}, so there is nothing to take in. {OUTCOME}"
        )
    settings = {key: str(found[key]) for key in _SETTINGS if key in found}
    if len(settings.get("delimiter", ";")) != 1:
        raise RollbookError(f"{path}: the delimiter is one character, as in delimiter = ';'. {OUTCOME}")
    return Columns(headings=headings, always=always, **settings)


def _document(path: Path) -> Mapping[str, object]:
    with opened(path, OUTCOME, BOUNDS) as source:
        try:
            return tomllib.loads(source.text())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
            raise RollbookError(f"{path} is not written as TOML: {fault}. {OUTCOME}") from None
        except (ValueError, RecursionError):
            raise RollbookError(
                f"{path} holds a number that is far too long, or is nested too deeply. {OUTCOME}"
            ) from None


def _texts(path: Path, found: Mapping[str, object], part: str) -> dict[str, str]:
    held = found.get(part, {})
    if not isinstance(held, dict) or not all(isinstance(value, str) for value in held.values()):
        raise RollbookError(f'{path}: [{part}] holds lines such as total = "Result". {OUTCOME}')
    for meaning in held:
        if meaning not in MEANINGS:
            raise RollbookError(f"{path}, [{part}]: {not_found('meaning', meaning, MEANINGS)} {OUTCOME}")
    return held
