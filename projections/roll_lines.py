"""A roll as it was written, each die at its place: ``2d20kh1[17 (4)] +5 DEX = 22``, ``10 - 1d6[4] = 6``.

Faces are in brackets directly after their dice; ``(4)`` did not count, ``3→10`` shows a 3 and counts as 10, and ``-37``
is a die that is subtracted. A label follows a space, in brackets of its own where it could be taken for arithmetic. The
numbers printed add up to the total.
"""

import re
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.notation import parse
from rollbook.domain.dice.record import IMPORTED, OVERRIDE, PHYSICAL, Die
from rollbook.domain.dice.tree import Dice, Node, handfuls, value
from rollbook.domain.events import DiceRolled

_LABEL = r"\[[^\]]*\]"
_PART = re.compile(rf"(?P<dice>[0-9]+d[0-9]+(?:[a-z]+[<>=]*[0-9]+)*)|(?P<label>{_LABEL})|(?P<sign>\*|//|/\^)")
_ADDED = re.compile(rf"(?: [+-] [0-9]+(?:{_LABEL})?)+$")
"""The plain numbers at the end of a sum."""
_NUMBER = re.compile(rf"-?[0-9]+(?:{_LABEL})?")
_ARITHMETIC = re.compile(r"[0-9*/^=()<>,→]|(?<!\S)[-+]|[-+](?!\S)")
"""Characters that could be taken for a part of the sum, unlike the hyphen of a word."""
LABEL = re.compile(r"(?<= )\[([^\]]*)\]")
"""A label in the text of a line: in brackets, behind a blank."""
_HERE = "\0"
"""The place of faces in a text; no label can hold it."""


class DiceThere(NamedTuple):
    """Dice of one term: the text ``before`` them, and their ``places`` in the roll."""

    before: str
    places: tuple[int, ...]


class RollLine(NamedTuple):
    """A roll from left to right: terms of dice, and the text behind the last of them. The total is not in it.

    In its texts every label is in brackets, behind a blank.
    """

    terms: tuple[DiceThere, ...]
    after: str


class _Written(NamedTuple):
    """An expression that can be read: its tree, its dice terms with the text before each, and the text behind the last."""

    root: Node
    handfuls: tuple[Dice, ...]
    texts: tuple[str, ...]
    after: str


def line_of(roll: DiceRolled) -> RollLine:
    """A roll term by term as it was written; one that cannot be read or does not add up has its dice at the end."""
    written = _written(roll.expression)
    places = None if written is None else _places(written, roll)
    if written is None or places is None:
        return _listed(roll)
    return RollLine(tuple(map(DiceThere, written.texts, places)), written.after)


def roll_text(roll: DiceRolled) -> str:
    """The line of a roll with its total; "" for a plain number, unless it was imported without dice."""
    if not roll.dice and _NUMBER.fullmatch(roll.expression) and not (roll.sources and roll.sources[0].kind == IMPORTED):
        return ""
    line, kinds = line_of(roll), _marked_kinds(roll)
    terms = [
        f"{_worded(before)}[{' '.join([_face(roll.dice[place]) for place in places])}]{_marks(kinds, places)}"
        for before, places in line.terms
    ]
    return f"{''.join(terms)}{_worded(line.after)} = {roll.total}"


@lru_cache(maxsize=1_000)
def _worded(text: str) -> str:
    """A text whose labels lose their brackets, unless they could be taken for arithmetic."""
    return LABEL.sub(lambda label: label[0] if _ARITHMETIC.search(label[1]) else label[1], text)


@lru_cache(maxsize=1_000)
def _written(expression: str) -> _Written | None:
    try:
        read = parse(expression)
    except DiceError:
        return None
    *texts, after = _PART.sub(_spelled, _ADDED.sub(_behind, read.text)).split(_HERE)
    return _Written(read.root, tuple(handfuls(read.root)), tuple(texts), after)


def _behind(added: re.Match[str]) -> str:
    """Attach the signs of the numbers at the end of a sum: `` +5``."""
    return re.sub(r"(?:^| )([+-]) (?=[0-9])(?![^\[]*\])", r" \1", added[0])


def _spelled(part: re.Match[str]) -> str:
    if part["dice"]:
        return part[0] + _HERE
    return f" {part[0]} " if part["sign"] else f" {part[0]}"


def _places(written: _Written, roll: DiceRolled) -> list[tuple[int, ...]] | None:
    """The places of the dice of each term; None if they do not match the terms or the total."""
    places: list[list[int]] = [[] for _ in written.handfuls]
    sums = [0] * len(places)
    for place, die in enumerate(roll.dice):
        term = die.term
        if not 0 <= term < len(places) or die.sides != written.handfuls[term].sides:
            return None
        places[term].append(place)
        sums[term] += die.value
    if any(len(there) < handful.count for there, handful in zip(places, written.handfuls, strict=True)):
        return None
    left = iter(sums)
    try:
        total = value(written.root, lambda _: next(left))
    except ZeroDivisionError:  # impossible dice
        return None
    return list(map(tuple, places)) if total == roll.total else None


def _listed(roll: DiceRolled) -> RollLine:
    """The expression asked for, then the dice by term and size: only another program knew how they make the total."""
    asked = roll.typed or roll.expression
    terms = [
        DiceThere(f" d{sides}", tuple([place for place, _ in some]))
        for (_, sides), some in groupby(enumerate(roll.dice), key=lambda one: (one[1].term, one[1].sides))
    ]
    if terms:
        terms[0] = terms[0]._replace(before=f"{asked} from{terms[0].before}")
    return RollLine(tuple(terms), "" if terms else asked)


@lru_cache(maxsize=1_000)
def _face(die: Die) -> str:
    if not die.kept:
        return f"({die.face})"
    return f"{die.value}" if abs(die.value) == die.face else f"{die.face}→{die.value}"


def _marked_kinds(roll: DiceRolled) -> list[str]:
    """The kind of source of each die; empty if none was typed in or overridden."""
    if not any(source.kind in (PHYSICAL, OVERRIDE) for source in roll.sources):
        return []
    return [source.kind for source in roll.sources for _ in range(source.dice)]


def _marks(kinds: list[str], places: tuple[int, ...]) -> str:
    """A pen for real dice that were typed in, and a word for overridden ones."""
    here = {kinds[place] for place in places if place < len(kinds)} if kinds else ()
    return (" ✎" if PHYSICAL in here else "") + (" (overridden)" if OVERRIDE in here else "")
