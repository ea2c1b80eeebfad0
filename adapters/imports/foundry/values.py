"""Reads values of Foundry's documents, which other programs wrote in many versions: what is not as expected is nothing.

Documents hold JSON within strings of JSON, numbers written as text, and whatever a module has left there.
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
"""JavaScript counts exactly up to here."""
WRAPPED = 4
"""So many times JSON is unpacked from strings of JSON."""
DEEPEST_DOCUMENT = 200
"""Objects and lists inside one another."""
LONGEST_WORDS = 20_000
"""Characters of one message that are kept."""
_KEPT_CONTROLS = "\n\t"
_JOINERS = "\u200c\u200d"


def unpacked(value: object) -> object:
    """A value out of its strings of JSON; None for a string that is none."""
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
    """A document with the objects and lists that are written as text in it. Raises RecursionError beyond a depth."""
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
    """What stands under names inside one another; None where there is nothing."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def each(value: object) -> Iterator[Any]:
    """The entries of a list; of anything else none."""
    if isinstance(value, str):
        value = unpacked(value)
    yield from value if isinstance(value, list) else ()


def number(value: object) -> int | float | None:
    """A number, perhaps written as text; None for anything else, and for one that JavaScript cannot count to."""
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
    """A text as it may be stored: without control characters, cut where it is far too long."""
    if not isinstance(value, str):
        return ""
    kept = "".join(
        letter
        for letter in storable(value[: 4 * LONGEST_WORDS])
        if letter in _KEPT_CONTROLS or unicodedata.category(letter) not in ("Cc", "Cs")
    )
    return kept if len(kept) <= LONGEST_WORDS else f"{kept[: LONGEST_WORDS - 1]}…"


def name(value: object, otherwise: str = "") -> str:
    """A text as somebody may be called: on one line, of at most 80 characters."""
    called = " ".join("".join(map(_on_the_line, words(value))).split())
    return called[:LONGEST].strip() or otherwise


def _on_the_line(letter: str) -> str:
    if letter.isprintable() or letter in _JOINERS:
        return letter
    return " " if letter.isspace() else ""
