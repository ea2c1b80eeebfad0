"""File names of notes: safe on every system, and no two alike in a vault, so that each link means one note."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from rollbook.adapters.exports.sanitize import visible_line

LONGEST, LONGEST_APART = 140, 50
"""Bytes of a name and of what tells it from another; together with an ending that is less than any system allows."""

_UNSAFE = re.compile(r'[\\/:*?"<>|#^\[\]]+')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def safe_name(text: str, otherwise: str, longest: int = LONGEST) -> str:
    """What a note may be called after a text, on Windows, macOS and Linux and in links; ``otherwise`` if nothing is left."""
    plain = unicodedata.normalize("NFC", visible_line(_UNSAFE.sub(" ", visible_line(text))))
    cut = plain.encode()[:longest].decode(errors="ignore").strip(" .")
    if not cut:
        return otherwise
    return f"_{cut}" if _RESERVED.fullmatch(cut) else cut


def folded(name: str) -> str:
    """A name as systems compare it that take capitals and small letters for the same."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


class Names:
    """The names that are given in a vault; ``taken`` are those of other people's notes in it."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(map(folded, taken))

    def give(self, text: str, apart: str) -> str:
        """A name after a text that nothing else has; ``apart`` is added where something has it already."""
        name = first = safe_name(text, apart)
        number = 1
        while folded(name) in self._taken:
            which = safe_name(apart, "note", LONGEST_APART)
            name = f"{first} ({which}{f' {number}' if number > 1 else ''})"
            number += 1
        self._taken.add(folded(name))
        return name
