"""Formulas of game data: dice and numbers as text, such as ``2d6 + 3`` or ``1d8 + 2 * level``, and what is made of them."""

import re
from collections.abc import Callable

from rollbook.kit import d20

__all__ = ["doubled", "grown", "most_of", "number", "replaced", "times", "worked_out"]

_DICE = re.compile(r"(\d+)d(\d+)")
_WORD = re.compile(r"[a-z]+")
_BRACKETS = re.compile(r"\(([^()]*)\)")


def doubled(dice: str) -> str:
    """Dice rolled twice; numbers stay."""
    return _DICE.sub(lambda found: f"{int(found[1]) * 2}d{found[2]}", dice)


def times(dice: str, many: int) -> str:
    """Dice, or a plain number, so many times; anything else stays as it is."""
    if "d" in dice:
        return _DICE.sub(lambda found: f"{int(found[1]) * many}d{found[2]}", dice)
    return str(int(dice) * many) if _is_number(dice) else dice


def grown(dice: str, more: str, many: int) -> str:
    """Dice and so many times ``more``: what each level above the usual one adds."""
    if not more or many <= 0:
        return dice
    return f"{dice} + {times(more, many)}" if dice else times(more, many)


def most_of(dice: str) -> int:
    """The most that a sum of dice and numbers can come to."""
    parts = dice.replace("- ", "+ -").split("+")
    return sum(d20.maximum(part.strip()) if "d" in part else int(part.replace(" ", "") or 0) for part in parts)


def replaced(text: str, value: Callable[[str], object]) -> str:
    """A formula with what each of its words stands for in its place; the ``d`` of dice is no word."""
    known = _WORD.sub(lambda found: found[0] if found[0] == "d" else str(value(found[0])), text)
    return known.replace("+ -", "- ")


def worked_out(text: str, value: Callable[[str], str]) -> str:
    """A formula as dice and one number, such as ``2d8 + 6``; unchanged where a word is not known.

    It is a sum of products, which may have numbers in brackets and be divided: ``5 + 10 * (level - 4)``, ``level / 2``. A
    word, of which there may be several (``half level``), has the ``value`` that is a number, dice, or the word itself.
    """
    plain = text
    while _BRACKETS.search(plain):
        plain = _BRACKETS.sub(lambda found: worked_out(found[1], value), plain)
    parts = [_product(part, value) for part in plain.replace(" - ", " + -").split(" + ")]
    if "" in parts:
        return text
    flat, dice = sum(int(each) for each in parts if _is_number(each)), [each for each in parts if "d" in each]
    if not dice:
        return str(flat)
    return " + ".join(dice) + (f" {'+' if flat > 0 else '-'} {abs(flat)}" if flat else "")


def _product(text: str, value: Callable[[str], str]) -> str:
    """The number or the dice of a product, "" where a word is not known."""
    number, dice = -1 if text.startswith("-") else 1, ""
    for factor in text.removeprefix("-").split(" * "):
        whole, *divisors = factor.strip().split(" / ")
        found = value(whole) if whole[:1].isalpha() else whole
        if _is_number(found):
            number *= int(found)
        elif "d" in found and found[-1].isdecimal():
            dice = found if found[0].isdecimal() else f"1{found}"
        else:
            return ""
        for each in divisors:
            number //= int(each)
    if dice and number < 0:
        return ""
    return times(dice, number) if dice else str(number)


def number(text: str, value: Callable[[str], str] = str) -> int:
    """A formula as a whole number; 0 where a word is not known, or dice are left."""
    found = worked_out(text, value)
    return int(found) if _is_number(found) else 0


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdecimal()
