"""Walk through the terms of a Foundry roll that collects its dice and numbers, in all versions' and systems' shapes.

A term of an unknown shape is never dropped silently: dice are collected anywhere in it, and it is reported.
"""

import math
from collections.abc import Iterator

from rollbook.adapters.imports.foundry.formulas import BELOW, DECADER, DEEPEST, SIDES
from rollbook.adapters.imports.foundry.values import (
    NOTHING,
    Fields,
    each,
    fields,
    inside,
    name,
    number,
    opened_out,
    whole,
)
from rollbook.domain.dice.record import Die, Flat

MOST_DICE = 1_000
"""Most dice of one roll that are listed one by one."""
_SILENT = frozenset(("StringTerm", "FunctionTerm", "MathTerm", "ParentheticalTerm"))
"""Terms without a value of their own: a word, or dice listed apart from the terms."""
_PLAIN_DICE = frozenset(("", "Die", "DiceTerm", "D20Die", "BasicDie", "DamageDie", *BELOW))
"""Dice that count their faces. Game systems have others, with symbols or tens."""


class Odd(Exception):
    """Dice that rollbook's dice cannot show."""


class Walk:
    """A walk through the terms of a roll that collects dice and numbers.

    ``is_sum``: dice and numbers are only added; ``is_apart``: the roll has more than its terms, such as dice that no
    term names. ``unknown`` are the classes of terms of an unknown shape; ``seen`` counts the dice on record.
    """

    def __init__(self) -> None:
        self.dice: list[Die] = []
        self.numbers: list[tuple[int | float, str]] = []
        self.is_sum = True
        self.is_apart = False
        self.is_unread = False
        self.seen = 0
        self.unknown: dict[str, None] = {}
        self.odd_dice: dict[str, None] = {}
        self._terms = 0
        self._met: set[int] = set()

    @property
    def total(self) -> int | float:
        """The sum of dice and numbers, which is the total of a plain sum."""
        found = sum(die.value for die in self.dice) + sum(amount for amount, _ in self.numbers)
        return found if isinstance(found, int) else number(round(found, 9)) or 0

    def all_of(self, roll: Fields) -> None:
        """Collect a whole roll: the dice of its terms, then dice anywhere else in it. Raises Odd."""
        whole_ = fields(opened_out(roll))
        handfuls = [*_handfuls(whole_)]
        self.seen = sum(len([*each(one.get("results"))] or [*each(one.get("rolls"))]) for _, one in handfuls)
        self.roll(whole_)
        for place, handful in handfuls:
            if id(handful) not in self._met and self._handful(handful, counts=True):
                self.is_sum, self.is_apart = False, True
                self.unknown[place] = None

    def roll(self, roll: Fields, depth: int = 0, *, counts: bool = True) -> None:
        """Collect the dice listed apart from the terms, then those of the terms."""
        if depth > DEEPEST:
            raise Odd
        terms = [*each(roll.get("terms"))]
        for handful in each(roll.get("dice")):
            self.is_apart |= self._handful(fields(handful), counts=counts)
        self.is_sum &= not self.is_apart  # terms have a number in their place, or nothing
        sign = 1
        for term in terms:
            sign = self._term(term, sign, depth, counts=counts)

    def _term(self, term: object, sign: int, depth: int, *, counts: bool) -> int:
        """Collect one term, with the sign before it. Returns the sign for the next."""
        if not isinstance(term, dict):
            term = {"operator": term} if number(term) is None else {"number": term}
        if isinstance(term.get("operands"), list):
            self._expression(term, sign, depth + 1, counts=counts)
            return 1
        if "operator" in term:
            return self._operator(str(term["operator"]).strip(), sign)
        if self._handful(term, counts=counts):
            self.is_sum &= sign > 0
            return 1
        is_rolled = counts and term.get("evaluated") is not False
        is_handful = ("faces" in term or "results" in term) and "rolls" not in term and not term.get("die")
        self.is_unread |= is_rolled and is_handful and term.get("number") != 0
        if not self._nested(term, depth, sign, counts=counts):
            self._number(term, sign, counts=counts)
        return 1

    def _expression(self, term: Fields, sign: int, depth: int, *, counts: bool) -> None:
        """Collect terms with an operator between them, as Pathfinder's second edition nests them."""
        if depth > DEEPEST:
            raise Odd
        for place, operand in enumerate(each(term["operands"])):
            sign = self._operator(str(term.get("operator")).strip(), sign) if place else sign
            self._term(operand, sign, depth, counts=counts)

    def _operator(self, said: str, sign: int) -> int:
        self.is_sum &= said in ("+", "-")
        return -sign if said == "-" else sign

    def _number(self, term: Fields, sign: int, *, counts: bool) -> None:
        amount = number(term.get("number", term.get("total")))
        if amount is None:
            self.is_sum = False
            kind = name(term.get("class"))
            if kind not in _SILENT and "fn" not in term and term.get("evaluated") is not False:
                self.unknown[kind or "a term"] = None
        elif counts:
            self.numbers.append((sign * amount, name(inside(term, "options", "flavor"))))

    def _nested(self, term: Fields, depth: int, sign: int, *, counts: bool) -> bool:
        """Collect the rolls inside a term: a pool, a parenthesis, a function, a grouping. False if there are none."""
        rolls = [fields(roll) for roll in each(term.get("rolls"))]
        rolls += [fields(term.get("roll"))] if fields(term.get("roll")) else []
        rolls += [{"terms": [term[key]]} for key in ("term", "die") if isinstance(term.get(key), dict)]
        if not rolls:
            return False
        is_pool = "fn" not in term
        self.is_sum &= is_pool and sign > 0
        fates = [fields(one) for one in each(term.get("results"))]
        self.is_sum &= not any("count" in fate or "success" in fate for fate in fates)
        for place, roll in enumerate(rolls):
            fate = fates[place] if place < len(fates) and is_pool else NOTHING
            is_kept = fate.get("active", True) is not False and not fate.get("discarded")
            is_later = _is_persistent(roll, fate)
            self.is_apart |= is_later
            self.roll(roll, depth + 1, counts=counts and is_kept and not is_later)
        return True

    def _handful(self, term: Fields, *, counts: bool) -> bool:
        """Collect the dice of a term. False if it has none."""
        if not _has_dice(term):
            return False
        self._met.add(id(term))
        kind = str(term.get("class", ""))
        for inner in (term.get("number"), term.get("faces"), term.get("_number"), term.get("_faces")):
            if isinstance(inner, dict):
                self.roll(inner, counts=False)
                self.is_sum, self.is_apart = False, True
        sides = whole(term.get("faces")) or whole(inside(term, "faces", "total")) or SIDES.get(kind) or 0
        results = [*_results(term)]
        if len(self.dice) + len(results) > MOST_DICE:
            raise Odd
        below, first = BELOW.get(kind, 0), len(self.dice)
        causes = _causes(term, results)
        for place, result in enumerate(results):
            cause = causes.get(place)
            self.dice.append(_die(result, sides, below, self._terms, first, cause, counts=counts))
        if kind not in _PLAIN_DICE:
            self.odd_dice[name(kind)] = None
        if DECADER in kind:
            self._tens(first)
        if below:
            bare = sum(
                1 for one, die in zip(results, self.dice[first:], strict=True) if die.kept and "count" not in one
            )
            self.numbers += [(-below * bare, kind)] if bare else []
        self._terms += 1
        return True

    def _tens(self, first: int) -> None:
        """Count dice of ten sides that show tens: each face counts ten times, and a 10, which shows 00, nothing."""
        for place, die in enumerate(self.dice[first:], first):
            if die.kept and die.face == die.sides:
                self.numbers.append((-die.face, "for 00"))
            elif die.kept:
                self.dice[place] = die._replace(counts_as=10 * die.face)


def _is_persistent(roll: Fields, fate: Fields) -> bool:
    """True if a roll is persistent damage: it is rolled with the rest, and the pool counts it as 0."""
    words_ = f"{inside(roll, 'options', 'flavor')} {roll.get('formula')}"
    return "persistent" in words_ and number(fate.get("result", roll.get("total"))) == 0


def _handfuls(value: object, place: str = "a term", depth: int = 0) -> Iterator[tuple[str, Fields]]:
    """Every object with results of dice anywhere in a roll, and the class of the term around it."""
    if depth > 4 * DEEPEST:
        raise Odd
    if isinstance(value, list):
        for one in value:
            yield from _handfuls(one, place, depth + 1)
    elif isinstance(value, dict):
        if ("faces" in value or "number" in value) and _is_handful(value):
            yield place, value
        for key, one in value.items():
            if isinstance(one, dict | list) and key not in ("options", "results", "data"):
                yield from _handfuls(one, name(value.get("class")) or place, depth + 1)


def _is_handful(value: Fields) -> bool:
    try:
        return _has_dice(value)
    except Odd:
        return True


def flats_of(walk: Walk, total: int, recorded: float) -> tuple[Flat, ...]:
    """The numbers beside the dice. They are whole: a fraction is in a label, with the total of the roll."""
    if not walk.dice:
        return (Flat(total, "as recorded" if total == recorded else f"as recorded, {recorded:.12g}"),)
    if not walk.is_sum or walk.total != recorded:
        return () if total == recorded else (Flat(0, f"so {recorded:.12g}"),)
    flat = [Flat(amount, label) for amount, label in walk.numbers if isinstance(amount, int)]
    parts = [amount for amount, _ in walk.numbers if not isinstance(amount, int)]
    rest = round(math.fsum(parts), 9)
    if parts and rest == math.floor(rest):
        flat.append(Flat(math.floor(rest), " and ".join(f"{part:.12g}" for part in parts)[:80]))
    elif parts:
        said = f"and {rest - math.floor(rest):.12g}, so {recorded:.12g}"
        last = flat.pop() if flat else Flat(0)
        flat.append(Flat(last.amount + math.floor(rest), f"{last.label} {said}".strip()))
    return tuple(flat)


def _has_dice(term: Fields) -> bool:
    """True if a term has results of dice. The results of a pool are those of whole rolls."""
    if "rolls" in term and not any("roll" in fields(one) for one in each(term["rolls"])):
        return False
    return any(True for _ in _results(term))


def _results(term: Fields) -> Iterator[Fields]:
    """The result of each die. Before version 0.7 a face was called a roll."""
    found = [*each(term.get("results"))] or [*each(term.get("rolls"))]
    for one in found:
        result = fields(one) if isinstance(one, dict) else {"result": one}
        face = whole(result.get("result", result.get("roll")))
        if face is None:
            raise Odd
        yield {**result, "result": face}


def _causes(term: Fields, results: list[Fields]) -> dict[int, tuple[int, str]]:
    """The die that caused each extra one, by places in the handful, and why: extra dice are at the end."""
    asked = whole(term.get("number"))
    if asked is None or len(results) <= asked:
        return {}
    causes = [
        (place, "replacement") for place, one in enumerate(results) if one.get("rerolled") and not _is_active(one)
    ]
    bursts = [(place, "exploded") for place, one in enumerate(results) if one.get("exploded")]
    modifiers = "".join(map(str, each(term.get("modifiers"))))
    order = bursts + causes if modifiers.find("x") < modifiers.find("r") and "x" in modifiers else causes + bursts
    extra = range(max(asked, 0), len(results))
    if len(order) != len(extra):
        why = "exploded" if bursts else "replacement"
        return dict.fromkeys(extra, (-1, why))
    return {place: (cause if cause < place else -1, why) for place, (cause, why) in zip(extra, order, strict=True)}


def _is_active(result: Fields) -> bool:
    return result.get("active", True) is not False and not (result.get("discarded") and "active" not in result)


def _die(
    result: Fields, sides: int, below: int, term: int, first: int, cause: tuple[int, str] | None, *, counts: bool
) -> Die:
    face = result["result"] + below
    if not 1 <= face <= sides:
        raise Odd
    why, of = ("", -1) if cause is None else (cause[1], cause[0] + first if cause[0] >= 0 else -1)
    is_active = _is_active(result) and not (result.get("rerolled") and "active" not in result)
    if not is_active or not counts:
        lost = "rerolled" if result.get("rerolled") and not is_active else "dropped"
        return Die(sides, face, kept=False, why=lost, term=term, cause=of)
    count = number(result.get("count"))
    if count is None and "success" in result and "count" not in result and not below:
        count = 1 if result["success"] else 0
    if count is None:
        return Die(sides, face, why=why, term=term, cause=of)
    worth = math.floor(count)
    if worth == 0:
        return Die(sides, face, kept=False, why="missed", term=term, cause=of)
    return Die(sides, face, why=why, counts_as=0 if worth == face else worth, term=term, cause=of)
