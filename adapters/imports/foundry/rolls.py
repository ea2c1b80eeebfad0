"""Reads a roll as Foundry keeps it: terms with their dice, and the total, which is taken as it was recorded.

No roll is lost: of one that cannot be read in detail the formula and the total come in, and a remark says so. In versions
before 12 the dice of a parenthesis or a function stand apart from the terms, in ``dice``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import attrs

from adapters.imports.foundry.formulas import BELOW, DEEPEST, SIDES, canonical
from adapters.imports.foundry.values import NOTHING, Fields, each, fields, inside, name, number, unpacked, whole, words
from domain.dice.record import IMPORTED, Die, Flat, Source
from domain.events import DiceRolled
from domain.records import Record

MOST_DICE = 1_000
"""More dice of one roll are not listed one by one."""
LONGEST_FORMULA = 300


@attrs.frozen
class FoundryRoll(Record):
    """A roll as it was recorded. ``dice`` add up with ``flat`` if it is a plain sum; ``options`` are the game system's.

    ``remark`` says what could not be kept as it is, "" if everything was.
    """

    formula: str
    expression: str
    total: int
    dice: tuple[Die, ...] = ()
    flat: tuple[Flat, ...] = ()
    options: Fields = NOTHING
    kind: str = ""
    remark: str = ""
    is_as_recorded: bool = True

    @property
    def natural(self) -> int:
        """The face of the one die with twenty or a hundred sides that counts; 0 if there is none, or more than one."""
        kept = [die.face for die in self.dice if die.sides in (20, 100) and die.kept]
        return kept[0] if len(kept) == 1 else 0

    def rolled(self, roller: str, purpose: str, *, secret: bool = False) -> DiceRolled:
        """The event."""
        return DiceRolled(
            roller=roller,
            purpose=purpose,
            expression=self.expression,
            typed="" if self.formula == self.expression else self.formula,
            total=self.total,
            dice=self.dice,
            flat=self.flat,
            natural=self.natural,
            sources=(Source(IMPORTED, len(self.dice)),),
            secret=secret,
        )


def read_roll(value: object, shown: str = "") -> FoundryRoll:
    """The roll in a document, or in a string of JSON; ``shown`` is what the message shows in its place. Never raises."""
    roll = fields(value)
    recorded = number(roll.get("total"))
    if recorded is None:
        recorded = number(shown.strip()) if shown else None
    formula = _formula(roll, value)
    walk = _Walk()
    try:
        walk.roll(roll)
    except (_Odd, RecursionError):
        return _outline(formula, roll, recorded, "its dice could not be read")
    remark = "" if roll else "it is not written as a roll"
    if walk.is_unread:
        remark = "not all of its dice could be read"
    is_recorded = recorded is not None
    if recorded is None:
        recorded = walk.total if walk.is_sum else 0
        remark = remark or ("it has no total" + (": the dice's was taken" if walk.is_sum else ""))
    total = math.floor(recorded)
    if total != recorded:
        remark = f"its total is {recorded}, of which whole points are kept"
    elif not remark and walk.is_sum and walk.dice and walk.total != total:
        remark = f"its dice and numbers come to {walk.total}, recorded are {total}"
    expression = canonical(each(roll.get("terms"))) if not walk.is_apart else ""
    flat = tuple(walk.flat) if walk.is_sum and walk.total == total else ()
    if not walk.dice:
        flat = (Flat(total, "as recorded"),)
    return FoundryRoll(
        formula=formula,
        expression=expression or formula,
        total=total,
        dice=tuple(walk.dice),
        flat=flat,
        options=fields(roll.get("options")),
        kind=words(roll.get("class")),
        remark=remark,
        is_as_recorded=is_recorded and total == recorded,
    )


def _outline(formula: str, roll: Fields, recorded: float | None, remark: str) -> FoundryRoll:
    """A roll of which no more is known than what was asked for and what came of it."""
    total = math.floor(recorded or 0)
    return FoundryRoll(
        formula=formula,
        expression=formula,
        total=total,
        flat=(Flat(total, "as recorded"),),
        options=fields(roll.get("options")),
        kind=words(roll.get("class")),
        remark=remark if recorded is not None else f"{remark}, and it has no total",
        is_as_recorded=recorded is not None and total == recorded,
    )


def _formula(roll: Fields, value: object) -> str:
    said = words(roll.get("formula")) or words(roll.get("_formula"))
    if not said and isinstance(value, str) and unpacked(value) is None:
        said = words(value)
    return " ".join(said.split())[:LONGEST_FORMULA] or "?"


class _Odd(Exception):
    """Dice that no die of ours can show."""


class _Walk:
    """Goes through the terms of a roll and collects dice and numbers.

    ``is_sum`` says that dice and numbers are added and nothing else; ``is_apart`` that dice were found which no term names, and
    ``is_unread`` that a term names dice which are not there.
    """

    def __init__(self) -> None:
        self.dice: list[Die] = []
        self.flat: list[Flat] = []
        self.is_sum = True
        self.is_apart = False
        self.is_unread = False
        self._terms = 0

    @property
    def total(self) -> int:
        """What dice and numbers come to, if they are a plain sum."""
        return sum(die.value for die in self.dice) + sum(flat.amount for flat in self.flat)

    def roll(self, roll: Fields, depth: int = 0, *, counts: bool = True) -> None:
        """The dice that stand apart, then those of the terms."""
        if depth > DEEPEST:
            raise _Odd
        terms = [*each(roll.get("terms"))]
        for handful in each(roll.get("dice")):
            self.is_apart |= self._handful(fields(handful), counts=counts)
        self.is_sum &= not self.is_apart  # a number stands for them, or nothing does
        sign = 1
        for term in terms:
            sign = self._term(term, sign, depth, counts=counts)

    def _term(self, term: object, sign: int, depth: int, *, counts: bool) -> int:
        """One term, with the sign before it. Returns the sign for the next."""
        if not isinstance(term, dict):
            term = {"operator": term} if number(term) is None else {"number": term}
        if "operator" in term:
            return self._operator(str(term["operator"]).strip(), sign)
        if self._handful(term, counts=counts):
            self.is_sum &= sign > 0
            return 1
        self.is_unread |= ("faces" in term or "results" in term) and "rolls" not in term and term.get("number") != 0
        if not self._nested(term, depth, sign, counts=counts):
            self._number(term, sign, counts=counts)
        return 1

    def _operator(self, said: str, sign: int) -> int:
        self.is_sum &= said in ("+", "-")
        return -sign if said == "-" else sign

    def _number(self, term: Fields, sign: int, *, counts: bool) -> None:
        amount = whole(term.get("number", term.get("total")))
        if amount is None:
            self.is_sum = False
        elif counts:
            label = name(inside(term, "options", "flavor"))
            self.flat.append(Flat(sign * amount, label))

    def _nested(self, term: Fields, depth: int, sign: int, *, counts: bool) -> bool:
        """Whether a term holds rolls: a pool, a parenthesis, a function."""
        rolls = [fields(roll) for roll in each(term.get("rolls"))]
        inner = fields(term.get("roll"))
        if inner:
            rolls.append(inner)
        if not rolls:
            return False
        is_pool = "fn" not in term
        self.is_sum &= is_pool and sign > 0
        fates = [fields(one) for one in each(term.get("results"))]
        self.is_sum &= not any("count" in fate or "success" in fate for fate in fates)
        for place, roll in enumerate(rolls):
            fate = fates[place] if place < len(fates) and is_pool else NOTHING
            is_kept = fate.get("active", True) is not False and not fate.get("discarded")
            self.roll(roll, depth + 1, counts=counts and is_kept)
        return True

    def _handful(self, term: Fields, *, counts: bool) -> bool:
        """Whether a term is dice; they are added."""
        if not _has_dice(term):
            return False
        kind = str(term.get("class", ""))
        for inner in (term.get("number"), term.get("faces"), term.get("_number"), term.get("_faces")):
            if isinstance(inner, dict):
                self.roll(inner, counts=False)
                self.is_sum, self.is_apart = False, True
        sides = whole(term.get("faces")) or whole(inside(term, "faces", "total")) or SIDES.get(kind) or 0
        results = [*_results(term)]
        if len(self.dice) + len(results) > MOST_DICE:
            raise _Odd
        below, first = BELOW.get(kind, 0), len(self.dice)
        causes = _causes(term, results)
        for place, result in enumerate(results):
            cause = causes.get(place)
            self.dice.append(_die(result, sides, below, self._terms, first, cause, counts=counts))
        if below:
            bare = sum(
                1 for one, die in zip(results, self.dice[first:], strict=True) if die.kept and "count" not in one
            )
            self.flat += [Flat(-below * bare, kind)] if bare else []
        self._terms += 1
        return True


def _has_dice(term: Fields) -> bool:
    """Whether a term has results of dice. Those of a pool are of whole rolls."""
    if "rolls" in term and not any("roll" in fields(one) for one in each(term["rolls"])):
        return False
    return any(True for _ in _results(term))


def _results(term: Fields) -> Iterator[Fields]:
    """What each die showed. Before version 0.7 a face was called a roll."""
    found = [*each(term.get("results"))] or [*each(term.get("rolls"))]
    for one in found:
        result = fields(one) if isinstance(one, dict) else {"result": one}
        face = whole(result.get("result", result.get("roll")))
        if face is None:
            raise _Odd
        yield {**result, "result": face}


def _causes(term: Fields, results: list[Fields]) -> dict[int, tuple[int, str]]:
    """Which die each extra one came of, by places in the handful, and why: they are rolled behind the others."""
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
        raise _Odd
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


def inline_rolls(rolls: Iterable[str], known: Iterable[FoundryRoll]) -> Iterator[FoundryRoll]:
    """The rolls inside the words of a message that are not among its rolls."""
    there = [*known]
    for value in rolls:
        found = read_roll(value)
        if found in there:
            there.remove(found)
        else:
            yield found
