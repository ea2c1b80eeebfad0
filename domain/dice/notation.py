"""Reading what people type: ``2d20kh1 + 2 STR + 10 Investigation Expert``, and filling in names: ``(@level)d6+@con[CON]``.

Only what the common dialects agree on is read; the rest is refused with a hint. The text may come from anybody, so its
length, depth, dice, sides and numbers are bounded before a single die is drawn.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

import attrs

from rollbook.domain.dice import tree
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.handful import OPENING, read_handful
from rollbook.domain.dice.refused_notation import refuse_lookalikes
from rollbook.domain.dice.scanner import Scanner
from rollbook.domain.dice.tree import Expression, Node, show

__all__ = ["DiceError", "Expression", "check_asked", "fill", "parse", "show"]

LONGEST_TEXT: Final = 300
"""Characters in a roll, blanks not counted, both as typed and in canonical notation."""

DEEPEST: Final = 24
"""Parentheses inside one another."""

_PICK = re.compile(r"(max|min)[ \t]*\([ \t]*", re.IGNORECASE)
_FACTOR = re.compile(r"\*(?!\*)|//|/\^|/")


@lru_cache(maxsize=1024)
def parse(text: str) -> Expression:
    """Read ``text``. Raises DiceError, and nothing else, for a text that is not a roll."""
    _measure(text)
    text = unicodedata.normalize("NFC", text)
    refuse_lookalikes(text)
    root = _NotationParser(text).whole()
    tree.bounds(root)
    canonical = show(root)
    _measure(canonical)
    return Expression(root, canonical)


def check_asked(text: str) -> None:
    """Raise DiceError for a roll that can be read and cannot be meant, as ``1d6kh0``: see ``rollbook.domain.dice.handful``.

    It is asked of what is newly said. A text that is no roll is left to those who read it.
    """
    try:
        parse(text)
    except DiceError:
        return
    _NotationParser(unicodedata.normalize("NFC", text), is_asked=True).whole()


def _measure(text: str) -> None:
    length = len(text) - text.count(" ")
    if length > LONGEST_TEXT:
        raise DiceError(f"The roll has {length} characters; {LONGEST_TEXT} are read. Make several rolls of it.")
    if len(text) > 4 * LONGEST_TEXT:
        raise DiceError("The roll is mostly blanks. Write it without them.")


class _NotationParser(Scanner):
    """Sums of products of signed values: one method for each strength with which signs bind."""

    def __init__(self, text: str, *, is_asked: bool = False) -> None:
        super().__init__(text, is_asked=is_asked)
        self.depth = 0
        self.drawn = 0

    def whole(self) -> Node:
        self.blanks()
        if self.is_done:
            raise DiceError("There is nothing to roll. Write dice and numbers, as in 1d20+5.")
        root = self.sum()
        if not self.is_done:
            self.unexpected()
        return root

    def sum(self) -> Node:
        found = [self.product()]
        while sign := self.one_of("+-"):
            part = self.product()
            found.append(tree.negate(part) if sign == "-" else part)
        return found[0] if len(found) == 1 else tree.Sum(tuple(found))

    def product(self) -> Node:
        first = self.unary()
        rest = []
        while sign := self.passes(_FACTOR):
            if sign[0] == "/":
                self.refuse(
                    "A bare / does not say how to round. Write // to round down or /^ to round up.", sign.start()
                )
            self.blanks()
            rest.append((sign[0], self.unary()))
        return tree.Product(first, tuple(rest)) if rest else first

    def unary(self) -> Node:
        is_negative = False
        while sign := self.one_of("+-"):
            is_negative ^= sign == "-"
        node = self.labelled(self.atom())
        return tree.negate(node) if is_negative else node

    def atom(self) -> Node:
        start = self.at
        number = self.integer()
        if OPENING.match(self.text, self.at):
            return self.dice(1 if number is None else number, start)
        if number is not None:
            return tree.Number(number, self.words())
        if pick := self.passes(_PICK):
            return tree.Pick(pick[1].lower(), self.enclosed(start, is_pick=True))
        if not self.one_of("("):
            self.unexpected()
        return self.enclosed(start)[0]

    def dice(self, count: int, start: int) -> tree.Dice:
        dice = read_handful(self, count)
        self.drawn += dice.count
        if self.drawn > tree.MOST_DICE:
            self.refuse(
                f"A roll draws at most {tree.MOST_DICE} dice; this one asks for {self.drawn}. Write fewer.", start
            )
        return dice

    def enclosed(self, start: int, is_pick: bool = False) -> tuple[Node, ...]:
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(f"More than {DEEPEST} parentheses are open here. Make several rolls of it.", start)
        inner = [self.sum()]
        while is_pick and self.one_of(","):
            inner.append(self.sum())
        if not self.one_of(")"):
            self.unexpected()
        self.depth -= 1
        return tuple(inner)

    def labelled(self, node: Node) -> Node:
        """``node`` with the bracketed label behind it, if there is one."""
        self.blanks()
        label = self.bracketed()
        self.blanks()
        match node:
            case _ if not label:
                return node
            case tree.Number(label="") | tree.Dice(label="") | tree.Pick(label=""):
                return attrs.evolve(node, label=label)
            case tree.Negative(inner=tree.Number(value=value, label="")):
                return tree.Negative(tree.Number(value, label))
        return tree.Group(node, label)


_NAME = r"\[[^\]]*\]?|\(@(?P<count>[A-Za-z_]\w*)\)(?=[dD])|@(?P<name>[A-Za-z_]\w*)"
_BEFORE_A_SIGN: Final = "+-*/^(,"


def fill(template: str, /, **values: int) -> str:
    """``template`` with each ``@name`` replaced by its number; ``(@name)`` before a ``d`` is a number of dice.

    Labels in brackets are left alone, values that the template does not name are ignored. Raises DiceError for a name
    without a whole number, and where the number would change the sense of what is around it.
    """
    found: list[str] = []
    done = 0
    for match in re.finditer(_NAME, template, flags=re.ASCII):
        found.append(template[done : match.start()])
        if match[0].startswith("["):
            found.append(match[0])
        else:
            name = match["count"] or match["name"]
            number = _given(template, name, values, match.start())
            _check_place(template, name, number, match, done)
            found.append(str(number))
        done = match.end()
    return "".join(found) + template[done:]


def _given(template: str, name: str, values: dict[str, int], at: int) -> int:
    number = values.get(name)
    if number is None:
        known = ", ".join(sorted(values)) or "none"
        raise DiceError(f"There is no number for @{name}. Give one; known are: {known}.", template, at)
    if isinstance(number, bool) or not isinstance(number, int):
        raise DiceError(f"@{name} is {number!r}, which is not a whole number. Give one.", template, at)
    return number


def _check_place(template: str, name: str, number: int, match: re.Match[str], done: int) -> None:
    """A number must not run together with digits before it, nor a minus sign turn a modifier into a subtraction."""
    at = match.start()
    before = template[:at]
    if (before and done == at) or before[-1:].isdigit():
        raise DiceError(f"@{name} follows another number directly. Write a sign between them.", template, at)
    lead = before.rstrip(" \t")[-1:]
    if number < 0 and (match["count"] or (lead and lead not in _BEFORE_A_SIGN)):
        raise DiceError(f"@{name} is {number}, and a negative number cannot stand here. Use 0 or more.", template, at)
