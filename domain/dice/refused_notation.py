"""Notation that other programs use and that is refused here, each with the text that says the same without doubt.

Programs disagree about ``r``, ``>``, ``6d6>=4``, a bare ``d`` and ``/``. A roll read in another sense than it was meant
would stand in the record for ever, so it is better not read at all.
"""

import re
from typing import Final

from rollbook.domain.dice.errors import DiceError

MODIFIER_WORDS: Final = frozenset(
    {"adv", "dis", "advantage", "disadvantage", "kh", "kl", "dh", "dl", "k", "p", "d", "df"}
    | {"ro", "rr", "r", "ra", "x", "xd", "e", "cs", "cf", "mi", "ma", "min", "max"}
)
"""Words that mean something to dice somewhere, and are therefore never taken for a label without brackets."""

_LOOKALIKES: Final = {
    "−": "-",
    "–": "-",
    "—": "-",
    "＋": "+",
    "×": "*",
    "·": "*",
    "÷": "// (down) or /^ (up)",
    "⁄": "// (down) or /^ (up)",
    "≥": ">=",
    "≤": "<=",
}

_BEHIND_DICE: Final = {
    "r": "Dialects disagree whether r rerolls once or until it stops. Write ro{test} for once or rr{test} for until.",
    "ra": "ra is not read. Write ro{test} to reroll once, or x{test} for extra dice.",
    "k": "Dialects disagree about k. Write kh{many} to keep the highest or kl{many} to keep the lowest.",
    "p": "Dialects disagree about p. Write dh{many} to drop the highest or dl{many} to drop the lowest.",
    "d": "Dialects disagree about a bare d behind dice. Write dl{many} to drop the lowest, dh{many} the highest.",
    "e": "Exploding dice are written with x. Write x{test}.",
    "f": "Failures are not counted. Write cs{test} to count successes.",
    "df": "Failures are not counted. Write cs{test} to count successes.",
    "cf": "Failures are not counted. Write cs{test} to count successes.",
    "min": "Write mi{number}: each die then counts at least that much.",
    "max": "Write ma{number}: each die then counts at most that much.",
    "advantage": "Write adv for advantage, as in 1d20adv.",
    "disadvantage": "Write dis for disadvantage, as in 1d20dis.",
    "ro": "ro needs a comparison that says which dice are rerolled. Write ro{test} or ro<=2.",
    "rr": "rr needs a comparison that says which dice are rerolled. Write rr{test} or rr<=2.",
    "cs": "cs needs a comparison that says what a success is. Write cs{test} or cs>=5.",
    "x": "x needs a number behind the comparison. Write x>=5.",
    "xd": "xd needs a comparison that says which dice subtract the next one. Write xd<={number}, or * to multiply.",
    "mi": "mi needs a number. Write mi2: each die then counts at least 2.",
    "ma": "ma needs a number. Write ma5: each die then counts at most 5.",
}

_OF_FACES: Final = frozenset({"", "r", "ra", "e", "ro", "rr", "x", "xd", "cs", "min", "max"})
"""Words behind dice whose number is a face."""

_ELSEWHERE: Final = {
    "@": "This name has no number yet. Fill in its number before the roll is read.",
    "#": "A remark is not read. Write a label in brackets behind a number or dice, as in 1d20[firebolt].",
    "{": "Braces are not read. Write max(…) for the highest of several values or min(…) for the lowest.",
    "!": "Exploding dice are written with x directly behind the dice, as in 1d6x.",
    ">": "A target is not part of the roll. Roll first, then compare; to count successes write cs, as in 6d6cs>=4.",
    "<": "A target is not part of the roll. Roll first, then compare; to count successes write cs, as in 6d6cs<=2.",
    "=": "A target is not part of the roll. Roll first, then compare; to count successes write cs, as in 6d6cs=6.",
    "^": "Powers are not read. Write the multiplication out, as in 2*2*2.",
    "*": "Powers are not read. Write the multiplication out, as in 2*2*2.",
    ".": "Only whole numbers are read. Write 1d6//2 or 1d6/^2 for a half.",
    ",": "A comma only stands between the values of max(…) and min(…).",
    "%": "A percent sign only stands for a hundred sides. Write d%.",
    "[": "A label stands behind a number or dice that has none yet, as in 2[STR].",
    "(": "It is not clear what is done with this parenthesis. Write * before it to multiply, and dice as in 2d6.",
    ")": "This ) closes nothing. Write ( before a number or dice, and ) behind them.",
}

_WORD = re.compile(r"[A-Za-z]*")
_COMPARISON = re.compile(r"(>=|<=|>|<|=)[ \t]*([0-9]{0,9})")
_NUMBER = re.compile(r"[0-9]{0,9}")


def refuse_lookalikes(text: str) -> None:
    """Refuse digits of other scripts, typographic signs and the like, except in bracketed labels."""
    inside = False
    for at, char in enumerate(text):
        inside = char == "[" or (inside and char != "]")
        if inside or char.isascii():
            continue
        if char in _LOOKALIKES:
            raise DiceError(f"The character {char} is not read. Write {_LOOKALIKES[char]} instead.", text, at)
        if char.isnumeric():
            raise DiceError(f"The character {char} is not read. Write numbers with the digits 0 to 9.", text, at)


def behind_dice(text: str, at: int, count: int, sides: int) -> str:
    """Why the text at ``at``, directly behind ``count`` dice, cannot be read, and what to write; "" if nothing is known."""
    word = _found(_WORD, text, at).lower()
    comparison = _COMPARISON.match(text, at + len(word))
    if text[at] == "!":
        return _ELSEWHERE["!"]
    number = _found(_NUMBER, text, at + len(word)) or "1"
    test = _plain("", comparison) if comparison else f"={number}"
    face = int(test.lstrip("<>="))
    if word in _OF_FACES and not 1 <= face <= sides:
        return no_face(sides, face) if word else _ELSEWHERE[comparison[1][0] if comparison else "="]
    if comparison and not word:
        return (
            f"Dialects disagree about {comparison[0]} behind dice. To count successes write {_plain('cs', comparison)}."
        )
    if comparison and comparison[1] in "<>" and word in {"ro", "rr", "cs", "x", "xd"}:
        return f"Dialects disagree whether {comparison[1]} includes the number. Write {_plain(word, comparison)}."
    many = max(1, min(int(number), count - (word in {"p", "d"})))
    return _BEHIND_DICE.get(word, "").format(number=number, many=many, test=test)


def no_face(sides: int, face: int) -> str:
    """The refusal of a number that no die of so many sides shows."""
    return f"A d{sides} has no face {face}. Write a number from 1 to {sides}."


def elsewhere(text: str, at: int) -> str:
    """Why the text at ``at`` cannot be read, where a number, dice or the next ``+`` is expected."""
    char = text[at]
    if char in _ELSEWHERE:
        return _ELSEWHERE[char]
    if char.isdigit():
        return "Two numbers stand side by side. Write them as one, or + between them."
    word = _found(_WORD, text, at)
    if word.lower() in MODIFIER_WORDS:
        return f"{word!r} stands apart from its dice. Write dice in one piece with plain numbers, as in 4d6kh3."
    if word:
        return f"{word!r} is neither a number nor dice. Write its number before it, as in +2 STR, or d with the sides."
    name = char if char.isprintable() else f"U+{ord(char):04X}"
    return f"The character {name} is not read. Write dice, numbers, + - * // /^ and parentheses."


def _plain(word: str, comparison: re.Match[str]) -> str:
    """``word`` with the comparison written so that nobody can read it in two ways: ``>4`` is ``>=5``."""
    sign, number = comparison[1], int(comparison[2] or "1")
    return {">": f"{word}>={number + 1}", "<": f"{word}<={number - 1}"}.get(sign, f"{word}{sign}{number}")


def _found(pattern: re.Pattern[str], text: str, at: int) -> str:
    match = pattern.match(text, at)
    return match[0] if match else ""
