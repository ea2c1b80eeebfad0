"""Refusals and hints as pages say them: a verb by its button, an option by its field, and no line to be typed."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rollbook.application.lines.line_commands import PROMPT_COMMANDS
from rollbook.domain.actions import SHARED
from rollbook.domain.base.lines_in_words import Piece, SaidLine, SaidOption, pieces_of

FIELDS = {"dice": "Real dice", "secret": "Seen by", "seat": "Done by", "acting-seat": "Done by", "as": "Name here"}
"""What goes with every verb, by the labels of its fields."""
COMMANDS = {"reroll": "Second thoughts", "take-over": "Another game", "restore": "Restore, at the command line"}
"""Commands that a page calls otherwise."""


EVERYWHERE = frozenset(
    {*(action.verb for action in SHARED), *PROMPT_COMMANDS, "adopt", "import", "new", "restore", "store"}
)
"""What a line may begin with in every game."""


def worded(text: object, verbs: Collection[str] = ()) -> str:
    """A sentence of ours as a page says it. ``verbs`` are those of the campaign's game, besides what every game has."""
    sentence = str(text)
    if "--" not in sentence and "rollbook " not in sentence and ": " not in sentence:
        return sentence
    return "".join(map(_said, pieces_of(sentence, EVERYWHERE.union(verbs))))


def _said(piece: Piece) -> str:
    if isinstance(piece, SaidOption):
        return f"“{FIELDS.get(piece.name, _label(piece.name))}”"
    return "".join(_line(piece)) if isinstance(piece, SaidLine) else piece


def _line(line: SaidLine) -> Iterator[str]:
    yield f"“{COMMANDS.get(line.verb, _label(line.verb))}”"
    for place, each in enumerate(line.rest):
        begins = isinstance(each, SaidOption) and not any(isinstance(one, SaidOption) for one in line.rest[:place])
        yield f"{' with ' if begins else ' '}{_said(each)}"


def _label(name: str) -> str:
    words = name.replace("-", " ")
    return words[:1].upper() + words[1:]
