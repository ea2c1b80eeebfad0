"""Whole documents of JSON or TOML that people hand over: read, or refused in a sentence that says where they go wrong."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from rollbook.adapters.imports.bounded import Bounds, opened
from rollbook.domain.base.errors import RollbookError

PLACE = re.compile(r"\(at (.+)\)$")
"""Where the library's words for a fault say that it is."""


def read_text(path: Path, outcome: str, bounds: Bounds) -> str:
    """The text of a file in UTF-8. Raises RollbookError, which ends with ``outcome``."""
    with opened(path, outcome, bounds) as source:
        try:
            return source.text()
        except UnicodeDecodeError:
            raise RollbookError(f"{path} is not text in UTF-8. {outcome}") from None


def json_of(text: str, file: object, outcome: str) -> object:
    """A document of JSON. Raises RollbookError, which names the ``file`` and ends with ``outcome``."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as fault:
        raise RollbookError(
            f"{file}, line {fault.lineno}: this is not JSON; it goes wrong at column {fault.colno}. {outcome}"
        ) from None
    except (ValueError, RecursionError):
        raise _too_much(file, outcome) from None


def toml_of(text: str, file: object, outcome: str) -> dict[str, Any]:
    """A document of TOML. Raises RollbookError, which names the ``file`` and ends with ``outcome``."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        place = PLACE.search(str(fault))
        where = f"; it goes wrong at {place[1].replace('end of document', 'the end')}" if place else ""
        raise RollbookError(f"{file} is not written as TOML{where}. {outcome}") from None
    except (ValueError, RecursionError):
        raise _too_much(file, outcome) from None


def _too_much(file: object, outcome: str) -> RollbookError:
    return RollbookError(f"{file} is nested too deeply, or holds a number that is far too long. {outcome}")
