"""Markdown as Obsidian and Dataview read it: front matter with types, links, and text that stays text."""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping

import attrs

from rollbook.adapters.exports.texts import visible_line

LONGEST, LONGEST_APART = 140, 50
"""Most bytes of a name, and of what tells it from another; with an ending, less than any system allows."""

_UNSAFE = re.compile(r'[\\/:*?"<>|#^\[\]]+')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def safe_name(text: str, otherwise: str, longest: int = LONGEST) -> str:
    """A name for a note after a text, valid on Windows, macOS, Linux and in links; ``otherwise`` if nothing is left."""
    plain = unicodedata.normalize("NFC", visible_line(_UNSAFE.sub(" ", visible_line(text))))
    cut = plain.encode()[:longest].decode(errors="ignore").strip(" .")
    if not cut:
        return otherwise
    return f"_{cut}" if _RESERVED.fullmatch(cut) else cut


def folded(name: str) -> str:
    """A name as systems compare it that ignore case."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


class Names:
    """The names that are given in a vault; ``taken`` are those of other people's notes in it."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(map(folded, taken))

    def give(self, text: str, apart: str) -> str:
        """Give a name after a text, unlike all others; ``apart`` is added where it is taken already."""
        name = first = safe_name(text, apart)
        number = 1
        while folded(name) in self._taken:
            which = safe_name(apart, "note", LONGEST_APART)
            name = f"{first} ({which}{f' {number}' if number > 1 else ''})"
            number += 1
        self._taken.add(folded(name))
        return name


_MARKS = re.compile(r"[\\`*_\[\]<#|$]|(?<=:):|=(?==)|(?<==)=|~(?=~)|(?<=~)~|%(?=%)|(?<=%)%|(?<!\S)\^|&(?=[#\w])")
_BEGINS = re.compile(r"[-+>]|\d+[.)]")


@attrs.frozen
class Link:
    """A link to a note, with ``shown`` as its text if there is one."""

    name: str
    shown: str = ""

    def __str__(self) -> str:
        shown = re.sub(r"[\[\]|\\]+", " ", visible_line(self.shown)).strip()
        return f"[[{self.name}|{shown}]]" if shown and shown != self.name else f"[[{self.name}]]"


@attrs.frozen
class Day:
    """A day or a moment that Dataview takes for a date: ``2026-11-22``."""

    text: str


Held = str | int | bool | Day | Link | list[Link] | list[str] | None


def plain(text: str) -> str:
    """A person's words on one line, in which nothing is a link, a mark, a field, a comment or a program."""
    escaped = _MARKS.sub(lambda found: f"\\{found[0]}", visible_line(text))
    begin = _BEGINS.match(escaped)
    return f"{escaped[: begin.end() - 1]}\\{escaped[begin.end() - 1 :]}" if begin else escaped


def front_matter(fields: Mapping[str, Held]) -> str:
    """The front matter of a note; what is None is left out."""
    lines = [f"{name}: {_value(held)}" for name, held in fields.items() if held is not None]
    return "\n".join(("---", *lines, "---", ""))


def _value(held: Held) -> str:
    """A value in YAML: JSON is YAML too, and dates stand without quotes."""
    if isinstance(held, Day):
        return held.text
    if isinstance(held, list):
        return f"[{', '.join(map(_value, held))}]"
    if isinstance(held, Link):
        return json.dumps(str(held), ensure_ascii=False)
    return json.dumps(visible_line(held) if isinstance(held, str) else held, ensure_ascii=False)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """A table of words; none without rows."""
    lines = [f"| {' | '.join(map(plain, row))} |" for row in rows]
    return [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *lines, ""] if lines else []


def section(title: str, lines: Iterable[str]) -> list[str]:
    """A heading with lines under it; nothing without lines."""
    held = list(lines)
    return [f"## {title}", "", *held, ""] if held else []
