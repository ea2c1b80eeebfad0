"""Lines and options in a sentence: a refusal says what would work as it is typed, and other surfaces say it as they show it.

A sentence has an option as ``--next``, and a line after a colon (``with: end-turn --next ID``) or after ``rollbook``. These are
found here, once, so that no surface has to know how any rule words its refusals.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import attrs

from rollbook.domain.base.records import Record


@attrs.frozen
class SaidOption(Record):
    """An option by its name, without the dashes."""

    name: str


@attrs.frozen
class SaidLine(Record):
    """A line: its verb or command, and what follows, of which capitals only stand for something (``ID``) and are left out."""

    verb: str
    rest: tuple[str | SaidOption, ...] = ()


Piece = str | SaidOption | SaidLine

_OPTION = r"--[a-z][a-z-]*"
_ARGUMENT = rf"(?:{_OPTION}|[A-Z]{{1,12}}\b|\d+|'[^']*'|\S+=\S+|…)"
_PIECES = re.compile(
    rf"rollbook (?:do )?(?P<command>[a-z][a-z-]*\b)(?P<arguments>(?: {_ARGUMENT})*)"
    r"|(?<=: )(?P<verb>[a-z][a-z-]*)(?P<words>(?: [^\s.;)(:]+(?::[^\s.;)(]+)?)+(?=$|[.;)])|(?=$|[.;),]))"
    rf"|(?<![\w-])(?P<option>{_OPTION})(?: [A-Z]{{2,}}\b(?:,[A-Z]{{2,}}\b)*)?"
)
_TOKENS = re.compile(r"'[^']*'|\S+")


def pieces_of(sentence: str, verbs: Collection[str]) -> Iterator[Piece]:
    """A sentence in its pieces: text, options and lines. Only the ``verbs`` and commands that there are begin a line."""
    end = 0
    for found in _PIECES.finditer(sentence):
        begins = found["command"] or found["verb"]
        if begins and begins not in verbs:
            yield from _without_lines(sentence[end : found.end()])
        else:
            yield sentence[end : found.start()]
            yield _piece(found)
        end = found.end()
    yield sentence[end:]


def _without_lines(text: str) -> Iterator[Piece]:
    end = 0
    for found in re.finditer(rf"(?<![\w-]){_OPTION}", text):
        yield text[end : found.start()]
        yield SaidOption(found[0][2:])
        end = found.end()
    yield text[end:]


def _piece(found: re.Match[str]) -> SaidOption | SaidLine:
    if found["option"]:
        return SaidOption(found["option"][2:])
    rest = _TOKENS.findall(found["arguments"] or found["words"] or "")
    told = (token for token in rest if not re.fullmatch(r"[A-Z]+(?:,[A-Z]+)*|…", token))
    return SaidLine(
        found["command"] or found["verb"],
        tuple(SaidOption(token[2:]) if re.fullmatch(_OPTION, token) else token for token in told),
    )
