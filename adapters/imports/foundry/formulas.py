"""A Foundry roll in rollbook's notation, so that its odds can be computed; nothing where the notation lacks a term.

The terms are the roll itself; the formula is only its typed form. ``r<2``, ``k`` and ``min3`` are written differently
here; fractions, powers and margins cannot be written at all.
"""

import re
from collections.abc import Iterable, Iterator

from rollbook.adapters.imports.foundry.values import Fields, each, fields, whole
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.notation import parse

DEEPEST = 24
"""Most nested terms."""
FATE, COIN = "FateDie", "Coin"
BELOW = {FATE: 2, COIN: 1}
"""Dice whose faces do not begin with 1, and by how much rollbook's face is higher."""
SIDES = {FATE: 3, COIN: 2}
DECADER = "Decader"
"""Part of the class names of dice that show tens, in Call of Cthulhu."""
_MODIFIER = re.compile(
    r"k(?P<keep>[hl]?)(?P<few>[0-9]*)"
    r"|d(?P<drop>[hl]?)(?P<gone>[0-9]*)"
    r"|(?P<test>rr|r|x|cs)(?P<by><=|>=|<|>|=)?(?P<than>[0-9]*)"
    r"|(?P<clamp>min|max)(?P<to>[0-9]+)"
)
_FUNCTIONS = {"max": "max", "min": "min"}


class _Unsayable(Exception):
    """A part of a roll cannot be written in rollbook's notation."""


def canonical(terms: Iterable[object]) -> str:
    """The roll of these terms in canonical notation; "" if it cannot be written there."""
    try:
        return parse(_sum(terms, 0)).text
    except (_Unsayable, DiceError):
        return ""


def _sum(terms: Iterable[object], depth: int) -> str:
    if depth > DEEPEST:
        raise _Unsayable
    return "".join(_term(term, depth) for term in terms)


def _term(term: object, depth: int) -> str:
    if not isinstance(term, dict):
        return _operator(term)
    kind = str(term.get("class", ""))
    if "operator" in term:
        return _expression(term, depth)
    if kind in ("PoolTerm", "DicePool", "InstancePool"):
        return _pool(term, depth)
    if "fn" in term:
        return _function(term, depth)
    if inner := next((term[key] for key in ("term", "die") if isinstance(term.get(key), dict)), None):
        return f"({_sum([inner], depth + 1)})"
    if "results" in term or "faces" in term:
        return _handful(term, kind)
    if isinstance(inner := fields(term.get("roll")).get("terms"), list):
        return f"({_sum(inner, depth + 1)})"
    value = whole(term.get("number"))
    if value is None or "term" in term:
        raise _Unsayable
    return str(value)


def _expression(term: Fields, depth: int) -> str:
    sign = _operator(term["operator"])
    if not isinstance(term.get("operands"), list):
        return sign
    return f"({sign.join(_sum([operand], depth + 1) for operand in term['operands'])})"


def _operator(sign: object) -> str:
    said = str(sign).strip()
    if said in ("+", "-", "*"):
        return f" {said} "
    if whole(sign) is not None:
        return str(whole(sign))
    raise _Unsayable


def _handful(term: Fields, kind: str) -> str:
    count, sides = whole(term.get("number")), whole(term.get("faces")) or SIDES.get(kind)
    if count is None or sides is None or DECADER in kind:
        raise _Unsayable
    modified = "".join(_modifiers(each(term.get("modifiers"))))
    if kind not in BELOW:
        return f"{count}d{sides}{modified}"
    if modified:
        raise _Unsayable
    return f"({count}d{sides} - {count * BELOW[kind]})"


def _modifiers(found: Iterator[object]) -> Iterator[str]:
    for one in found:
        match = _MODIFIER.fullmatch(str(one).lower())
        if match is None:
            raise _Unsayable
        if match["keep"] is not None:
            yield f"k{match['keep'] or 'h'}{match['few']}"
        elif match["drop"] is not None:
            yield f"d{match['drop'] or 'l'}{match['gone']}"
        elif match["clamp"]:
            yield f"{match['clamp'][:2]}{match['to']}"
        else:
            yield _tested(match)


def _tested(match: re.Match[str]) -> str:
    """A reroll, an explosion or a success, with its comparison in rollbook's notation."""
    kind, by, than = match["test"], match["by"] or "=", int(match["than"] or 0)
    if not match["than"]:
        if match["by"] or kind == "cs":
            raise _Unsayable
        return "x" if kind == "x" else f"{'rr' if kind == 'rr' else 'ro'}=1"
    if by in ("<", ">"):
        by, than = f"{by}=", than + (1 if by == ">" else -1)
    return f"{'ro' if kind == 'r' else kind}{by}{max(than, 0)}"


def _pool(term: Fields, depth: int) -> str:
    """A pool of rolls, of which the highest, the lowest or all count."""
    rolls = [_sum(each(fields(roll).get("terms")), depth + 1) for roll in each(term.get("rolls"))]
    modifiers = [str(one).lower() for one in each(term.get("modifiers"))]
    if not rolls or len(modifiers) > 1:
        raise _Unsayable
    match modifiers:
        case []:
            return f"({' + '.join(f'({roll})' for roll in rolls)})"
        case ["k" | "kh" | "k1" | "kh1"]:
            return f"max({', '.join(rolls)})"
        case ["kl" | "kl1"]:
            return f"min({', '.join(rolls)})"
        case _:
            raise _Unsayable


def _function(term: Fields, depth: int) -> str:
    which = _FUNCTIONS.get(str(term["fn"]))
    rolls = [_sum(each(fields(roll).get("terms")), depth + 1) for roll in each(term.get("rolls"))]
    if which is None or not rolls:
        raise _Unsayable
    return f"{which}({', '.join(rolls)})"
