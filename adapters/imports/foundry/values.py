"""Readers of values in Foundry's documents, written by many versions and modules: an unexpected value is read as none.

Documents contain JSON within strings of JSON, numbers written as text, and leftovers of modules.
"""

import json
import math
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from rollbook.adapters.imports.avrae.lines import storable
from rollbook.domain.rules.value_checks import LONGEST

Fields = Mapping[str, Any]

NOTHING: Fields = {}
LARGEST = 2**53
"""Bound of the integers that JavaScript represents exactly."""
WRAPPED = 4
"""Most layers of JSON within strings of JSON that are unpacked."""
DEEPEST_DOCUMENT = 200
"""Most nested objects and lists."""
LONGEST_WORDS = 20_000
"""Most characters of one message that are kept."""
_KEPT_CONTROLS = "\n\t"
_JOINERS = "\u200c\u200d"


def unpacked(value: object) -> object:
    """A value unpacked from strings of JSON; None for a string that is not JSON."""
    for _ in range(WRAPPED):
        if not isinstance(value, str):
            break
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return None if isinstance(value, str) else value


def fields(value: object) -> Fields:
    """An object, perhaps written as text; an empty one for anything else."""
    if isinstance(value, str):
        value = unpacked(value)
    return value if isinstance(value, dict) else NOTHING


def opened_out(value: object, depth: int = 0) -> object:
    """A document with the objects and lists in its strings unpacked. Raises RecursionError beyond a depth."""
    if depth > DEEPEST_DOCUMENT:
        raise RecursionError
    if isinstance(value, str) and value[:1] in ("{", "[", '"'):
        inner = unpacked(value)
        return value if inner is None else opened_out(inner, depth + 1)
    if isinstance(value, dict):
        return {
            key: opened_out(one, depth + 1) if isinstance(one, dict | list | str) and key != "options" else one
            for key, one in value.items()
        }
    return [opened_out(one, depth + 1) for one in value] if isinstance(value, list) else value


def inside(value: object, *path: str) -> Any:
    """The value at a path of nested names; None if there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def each(value: object) -> Iterator[Any]:
    """The entries of a list, perhaps written as text; none of anything else."""
    if isinstance(value, str):
        value = unpacked(value)
    yield from value if isinstance(value, list) else ()


def number(value: object) -> int | float | None:
    """A number, perhaps written as text; None for anything else, and for one of LARGEST or beyond."""
    if isinstance(value, str):
        try:
            value = float(value) if len(value) < 40 else None  # no number of a game is longer
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if (isinstance(value, float) and not math.isfinite(value)) or abs(value) >= LARGEST:
        return None
    return int(value) if value == int(value) else value


def whole(value: object) -> int | None:
    """A whole number; None for anything else."""
    found = number(value)
    return found if isinstance(found, int) else None


def words(value: object) -> str:
    """A text fit to be stored: without control characters, cut at LONGEST_WORDS."""
    if not isinstance(value, str):
        return ""
    kept = "".join(
        letter
        for letter in storable(value[: 4 * LONGEST_WORDS])
        if letter in _KEPT_CONTROLS or unicodedata.category(letter) not in ("Cc", "Cs")
    )
    return kept if len(kept) <= LONGEST_WORDS else f"{kept[: LONGEST_WORDS - 1]}…"


def name(value: object, otherwise: str = "") -> str:
    """A text as a name: on one line, of at most 80 characters."""
    called = " ".join("".join(map(_on_the_line, words(value))).split())
    return called[:LONGEST].strip() or otherwise


def _on_the_line(letter: str) -> str:
    if letter.isprintable() or letter in _JOINERS:
        return letter
    return " " if letter.isspace() else ""
