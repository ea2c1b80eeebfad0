"""Rolling: an expression and something that draws dice become a ``Roll``.

The order of the draws is part of the format, because the stream gives the same dice only in the same order:
terms from left to right; all dice of a term before its modifiers; the modifiers from left to right; within one by the
order in which the dice were drawn, rerolls and explosions in rounds. Of equal dice the later is dropped.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.dice import tree
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.notation import parse
from rollbook.domain.dice.record import Die, Flat, Roll


@attrs.frozen(kw_only=True)
class DicePlan(Record):
    """An expression before it is rolled: its canonical ``text``, and its ``root`` as a tree.

    ``draws`` holds sides and term of each certain die, ``constant`` is the sum of the ``flat`` numbers.
    ``is_plain`` says that there are only unmodified dice and flat numbers, all of them added up.
    """

    text: str
    root: tree.Node
    flat: tuple[Flat, ...]
    constant: int
    draws: tuple[tuple[int, int], ...]
    is_plain: bool


@lru_cache(maxsize=1024)
def _planned(expression: tree.Expression | str) -> DicePlan:
    expression = parse(expression) if isinstance(expression, str) else expression
    root = expression.root
    flat = tuple(_flat(root, 1, ""))
    return DicePlan(
        text=expression.text,
        root=root,
        flat=flat,
        constant=sum(each.amount for each in flat),
        draws=tuple((dice.sides, term) for term, dice in enumerate(tree.handfuls(root)) for _ in range(dice.count)),
        is_plain=all(
            not summand.modifiers if isinstance(summand, tree.Dice) else _is_flat(summand)
            for summand in (root.parts if isinstance(root, tree.Sum) else (root,))
        ),
    )


def _is_flat(node: tree.Node) -> bool:
    return next(tree.handfuls(node), None) is None


def _flat(node: tree.Node, sign: int, label: str) -> list[Flat]:
    """The flat summands in ``node``; a label around several holds for each that has none of its own."""
    match node:
        case tree.Sum(parts=inner):
            return [flat for part in inner for flat in _flat(part, sign, label)]
        case tree.Negative(inner=inner):
            return _flat(inner, -sign, label)
        case tree.Group(inner=inner, label=own):
            return _flat(inner, sign, own)
    if not _is_flat(node):
        return []
    value, _ = tree.bounds(node)
    return [Flat(sign * value, " ".join(_labels(node)) or label)]


def _labels(node: tree.Node) -> list[str]:
    own = "" if isinstance(node, tree.Negative | tree.Product | tree.Sum) else node.label
    return [own] * bool(own) + [label for part in tree.parts(node) for label in _labels(part)]


Draw: TypeAlias = Callable[[int], int]
"""Gives a face from 1 to the number of sides it is asked for."""


def evaluate(expression: tree.Expression | str, draw: Draw) -> Roll:
    """Roll ``expression``, as it was typed or read, with the faces that ``draw`` gives.

    Raises DiceError if rerolls and explosions go on beyond the dice that one roll may draw, and what ``draw`` raises.
    """
    plan = _planned(expression)
    if plan.is_plain:
        dice, total = _add_up(plan, draw)
    else:
        tray = _Tray(draw)
        total = tree.value(plan.root, tray.handful)
        dice = tray.dice
    return Roll(expression=plan.text, typed=str(expression), dice=tuple(dice), flat=plan.flat, total=total)


def sides_needed(expression: tree.Expression | str) -> tuple[int, ...]:
    """The sides of the dice that are certain to be drawn, term by term; rerolls and explosions may ask for more."""
    return tuple(sides for sides, _ in _planned(expression).draws)


@lru_cache(maxsize=8192)
def _die(
    sides: int, face: int, term: int, kept: bool = True, why: str = "", counts_as: int = 0, cause: int = -1
) -> Die:
    """A die; equal dice are one value, so the few hundred of a session are made once."""
    return Die(sides, face, kept=kept, why=why, counts_as=counts_as, term=term, cause=cause)


def _add_up(plan: DicePlan, draw: Draw) -> tuple[list[Die], int]:
    """Roll a plain expression, as most are, in half the time that ``_Tray`` takes for the same result."""
    dice = []
    total = plan.constant
    for sides, term in plan.draws:
        face = draw(sides)
        total += face
        dice.append(_die(sides, face, term))
    return dice, total


class _Thrown:
    """A die whose fate is still open."""

    __slots__ = ("cause", "face", "kept", "value", "why")

    def __init__(self, face: int, why: str = "", cause: int = -1) -> None:
        self.face = self.value = face
        self.kept = True
        self.why = why
        self.cause = cause

    def leaves(self, why: str) -> None:
        self.kept = False
        self.why = why

    def settled(self, sides: int, term: int) -> Die:
        counts_as = self.value if self.value != self.face else 0
        return _die(sides, self.face, term, self.kept, self.why, counts_as, self.cause)


class _Tray:
    """The dice of one roll, in the order in which they were drawn."""

    __slots__ = ("dice", "draw", "terms")

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.dice: list[Die] = []
        self.terms = 0

    def handful(self, dice: tree.Dice) -> int:
        return self.changed(dice) if dice.modifiers else self.plain(dice)

    def plain(self, dice: tree.Dice) -> int:
        total, sides, draw, term = 0, dice.sides, self.draw, self.terms
        self.terms += 1
        for _ in range(dice.count):
            face = draw(sides)
            total += face
            self.dice.append(_die(sides, face, term))
        return total

    def changed(self, dice: tree.Dice) -> int:
        handful = [_Thrown(self.draw(dice.sides)) for _ in range(dice.count)]
        for modifier in dice.modifiers:
            if modifier.kind == tree.DOWN:
                self.go_down(handful, modifier, dice)
            else:
                self.modify(handful, modifier, dice.sides)
        settled = [thrown.settled(dice.sides, self.terms) for thrown in handful]
        self.terms += 1
        self.dice += settled
        return sum([die.value for die in settled])

    def modify(self, handful: list[_Thrown], modifier: tree.Modifier, sides: int) -> None:
        kept = [thrown for thrown in handful if thrown.kept]
        match modifier.kind:
            case "ro" | "rr" | "x":
                self.draw_more(handful, modifier, sides)
            case "mi" | "ma":
                for thrown in kept:
                    thrown.value = modifier.clamp(thrown.value)
            case "cs":
                for thrown in kept:
                    if modifier.matches(thrown.value):
                        thrown.value = 1
                    else:
                        thrown.leaves("missed")
            case _:
                _keep(kept, modifier)

    def draw_more(self, handful: list[_Thrown], modifier: tree.Modifier, sides: int) -> None:
        """Reroll or explode in rounds: first what lies there, then what the round before brought."""
        explodes = modifier.kind == "x"
        lying = list(enumerate(handful))
        while asking := [(place, die) for place, die in lying if die.kept and modifier.matches(die.value)]:
            known = len(handful)
            self.check_room(known + len(asking))
            for place, die in asking:
                if not explodes:
                    die.leaves("rerolled")
                cause = len(self.dice) + place
                handful.append(_Thrown(self.draw(sides), "exploded" if explodes else "replacement", cause))
            lying = [] if modifier.kind == "ro" else list(enumerate(handful))[known:]

    def go_down(self, handful: list[_Thrown], down: tree.Modifier, dice: tree.Dice) -> None:
        """Low dice of the handful, but none that another brought, subtract the next; that goes on as explosions do."""
        asking = [
            place for place, die in enumerate(handful) if die.kept and die.why != "exploded" and down.matches(die.value)
        ]
        while asking:
            known = len(handful)
            self.check_room(known + len(asking))
            for place in asking:
                taken = _Thrown(self.draw(dice.sides), "subtracted", len(self.dice) + place)
                taken.value = -taken.face
                handful.append(taken)
            fallen = range(known, len(handful))
            asking = [place for place in fallen if any(up.matches(handful[place].face) for up in dice.explosions)]

    def check_room(self, more: int) -> None:
        """Raise DiceError if a roll would draw more dice than one may."""
        if len(self.dice) + more > tree.MOST_DICE:
            raise DiceError(
                f"This roll went on beyond {tree.MOST_DICE} dice. Roll fewer dice, or let fewer faces go on."
            )


def _keep(kept: list[_Thrown], modifier: tree.Modifier) -> None:
    """Sorting leaves equal dice in the order of drawing, so the best come first and of equals the earlier."""
    lowest_first = modifier.kind in {"kl", "dh"}
    kept.sort(key=lambda thrown: thrown.value if lowest_first else -thrown.value)
    first, stop = modifier.window(len(kept))
    for thrown in kept[stop - first :]:
        thrown.leaves("dropped")
