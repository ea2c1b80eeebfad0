"""The d20 roll: advantage, bonuses, targets, attack outcomes, and second thoughts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from types import TracebackType
from typing import Self, TypeAlias

import attrs

from rollbook.domain.base.records import Changeable
from rollbook.domain.events import DiceRolled
from rollbook.domain.rules.parameters import MINUS
from rollbook.plugin import Record, SecondThought, Table, Term, events

__all__ = [
    "NO_ADVANTAGE",
    "Advantage",
    "RollResult",
    "Rolls",
    "SecondThoughtRule",
    "advantage_dice",
    "attack_outcome",
    "bonuses",
    "cancelling_advantage",
    "label",
    "maximum",
    "notation",
    "opposed_roll",
    "record_check",
    "record_roll",
    "stacking_advantage",
    "target_number",
]

LONGEST_LABEL = 60
JOINER = "\u200d"
"""The zero-width joiner, which holds emoji together."""

_BONUS = r"([+\-\u2212]?\d{1,4})\s*(.*)"
_NOT_IN_LABELS = re.compile(r"[\[\]\s]+")
_TARGET = re.compile(r"[0-9]{1,4}")


@attrs.frozen
class Advantage(Record):
    """Reasons why a roll is easier or harder, in words. A reason named twice counts twice in games that count."""

    advantage: tuple[str, ...] = ()
    disadvantage: tuple[str, ...] = ()

    def __add__(self, other: Advantage) -> Advantage:
        if not (other.advantage or other.disadvantage):
            return self
        return Advantage(self.advantage + other.advantage, self.disadvantage + other.disadvantage)

    @property
    def reasons(self) -> str:
        """All reasons as a label; what helps comes first."""
        against = ("against", *self.disadvantage) if self.advantage and self.disadvantage else self.disadvantage
        return label(", ".join((*self.advantage, *against)))


NO_ADVANTAGE = Advantage()


def cancelling_advantage(ease: Advantage) -> int:
    """1 for advantage, -1 for disadvantage, 0 for neither or for any number of both (QG.4)."""
    return bool(ease.advantage) - bool(ease.disadvantage)


def stacking_advantage(ease: Advantage, most: int) -> int:
    """Advantages less disadvantages, no further than ``most`` either way (Q3.19)."""
    return max(-most, min(most, len(ease.advantage) - len(ease.disadvantage)))


def advantage_dice(ease: Advantage, net: int, *, die: str = "d20", low_is_better: bool = False) -> str:
    """The dice of a roll: one, or two of which the better (``net`` above 0) or the worse is kept."""
    reasons = ease.reasons if ease.advantage or ease.disadvantage else ""
    said = f"[{reasons}]" if reasons else ""
    if not net:
        return f"1{die}{said}"
    keep = "kh1" if (net > 0) != low_is_better else "kl1"
    return f"2{die}{keep}{said}"


def label(text: str) -> str:
    """Words as dice notation takes them for a label: no brackets, nothing unseen, at most 60 characters."""
    seen = "".join(letter if letter.isprintable() or letter == JOINER else " " for letter in text)
    plain = unicodedata.normalize("NFC", _NOT_IN_LABELS.sub(" ", seen)).strip()
    return plain if len(plain) <= LONGEST_LABEL else plain[: LONGEST_LABEL - 1] + "…"


def notation(dice: str, terms: Iterable[Term]) -> str:
    """Dice and summands in dice notation, each summand with its label; zeros are left out."""
    parts = [dice]
    for term in terms:
        amount = term.amount
        if amount:
            number = f"+ {amount}" if amount > 0 else f"- {-amount}"
            parts.append(f"{number}[{term.label}]" if term.label else number)
    return " ".join(parts)


def bonuses(table: Table, typed: tuple[str, ...]) -> tuple[Term, ...]:
    """Bonuses as they were typed, ``+2 high ground``, as summands. Refused if one has no number in front."""
    found = []
    for text in typed:
        match = re.fullmatch(_BONUS, text.strip(), flags=re.DOTALL)
        if match is None:
            table.refuse(
                f"A bonus is a number and what it is for, as in '+2 high ground', not {text!r}.",
                table.parameter_of(typed),
            )
        found.append(Term(int(match[1].replace(MINUS, "-")), label(match[2]) or "bonus"))
    return tuple(found)


def target_number(table: Table, text: str, ladder: Mapping[str, int], *, below_zero: bool = False) -> int:
    """A target by its name on the game's ladder (``hard``), or a number of up to four digits. Refused for anything else.

    Numbers ``below_zero`` are targets too where the rules say so (Q2.13).
    """
    if text not in ladder and not _TARGET.fullmatch(text.removeprefix("-") if below_zero else text):
        steps = ", ".join(f"{name} ({goal})" for name, goal in ladder.items())
        table.refuse(f"A target is {steps} or a number, not {text!r}.", table.parameter_of(text))
    return ladder[text] if text in ladder else int(text)


def attack_outcome(natural: int, *, reaches: bool) -> tuple[bool, str]:
    """Success of an attack, and the word for it: a hit on a 20, never on a 1, else if it ``reaches``."""
    if natural == 20:
        return True, "natural 20"
    if natural == 1:
        return False, "natural 1"
    return (True, "hit") if reaches else (False, "miss")


def maximum(dice: str) -> int:
    """The maximum of dice like ``2d6``, for blows that a natural 20 makes as hard as can be."""
    count, _, sides = dice.partition("d")
    return int(count) * int(sides)


KEEP = ("best", "new", "old", "worst")

SecondThoughtRule: TypeAlias = Callable[[SecondThought, "RollResult"], None]
"""A rule for a second thought on a roll: it charges for it and changes the result."""


@attrs.define
class RollResult(Changeable):
    """The roll that counts: by whom, for what, as written; ``modifier`` is the sum of its summands.

    ``net`` is above 0 for advantage and below for disadvantage. ``total`` and ``natural`` (the face of the die kept in the
    first term) change when a second thought replaces the roll.
    """

    who: str
    purpose: str
    expression: str
    net: int
    modifier: int
    total: int
    natural: int


class Rolls:
    """The d20s of one action, counted from 0, so that second thoughts can name the one they are about.

    A second thought comes once the roll is known and before anything comes of it. ``thoughts`` are those that the game
    allows, by kind. Used as a context: on leaving, a thought about a roll that was never made is refused.
    """

    def __init__(self, table: Table, thoughts: Mapping[str, SecondThoughtRule] | None = None) -> None:
        self._table = table
        rules = thoughts or {}
        had = table.second_thoughts()
        self._had = [thought for kind in rules for thought in had if thought.kind == kind] if had else []
        # Without second thoughts these rolls and their own methods would only keep each other in memory.
        self._rules = rules if self._had else {}
        self.count = 0
        self._secret: set[int] = set()  # of the rolls, those that the table does not see although it sees the action

    @classmethod
    @contextmanager
    def at(cls, table: Table) -> Iterator[Self]:
        """The rolls of the action that is being played, for what follows from it; new ones where it has made none."""
        found = next((each for at, each in reversed(_OPEN) if at is table and isinstance(each, cls)), None)
        with cls(table) if found is None else nullcontext(found) as rolls:
            yield rolls

    def __enter__(self) -> Self:
        _OPEN.append((self._table, self))
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        _OPEN.remove((self._table, self))
        for thought in self._had if kind is None else ():
            if not 0 <= thought.roll < self.count or self._is_out_of_sight(thought):
                seen = self.count - (len(self._secret) if self._is_players(thought) else 0)
                many = {0: "no d20", 1: "one d20, roll 0"}.get(seen, f"{seen} d20s, rolls 0 to {seen - 1}")
                self._table.refuse(f"There is no roll {thought.roll} to roll again: this action rolled {many}.")

    def _is_out_of_sight(self, thought: SecondThought) -> bool:
        return thought.roll in self._secret and self._is_players(thought)

    def _is_players(self, thought: SecondThought) -> bool:
        """True if a player pays for a second thought with their own; those of NPCs are the GM's."""
        seat = self._table.seats.get(self._table.character(thought.character).seat) if thought.character else None
        return seat is not None and seat.role is not events.Role.GM

    def thoughts(self, kind: str) -> tuple[SecondThought, ...]:
        """The second thoughts of one kind on the roll that comes next."""
        return tuple(thought for thought in self._had if thought.kind == kind and thought.roll == self.count)

    def roll(self, who: str, dice: str, terms: Iterable[Term] = (), *, purpose: str, net: int = 0) -> RollResult:
        """Roll dice and summands for ``who``, then apply the second thoughts on this roll, in their order."""
        terms = tuple(terms)
        expression = notation(dice, terms)
        roll = self._table.roll(expression, roller=who, purpose=purpose, natural=True)
        modifier = sum([term.amount for term in terms])
        result = RollResult(who, purpose, expression, net, modifier, roll.total, roll.natural)
        if roll.secret and not self._table.is_secret:
            self._secret.add(self.count)
        for thought in self._had:  # a player's on a roll out of sight is refused once all rolls are counted
            if thought.roll == self.count and not self._is_out_of_sight(thought):
                self._rules[thought.kind](thought, result)
        self.count += 1
        return result

    def with_advantage(
        self, who: str, terms: Iterable[Term], *, purpose: str, ease: Advantage = NO_ADVANTAGE
    ) -> RollResult:
        """1d20 with advantage or disadvantage, or with neither where there is any of both (QG.4)."""
        net = cancelling_advantage(ease)
        return self.roll(who, advantage_dice(ease, net), terms, purpose=purpose, net=net)

    def again(self, result: RollResult, purpose: str, expression: str = "") -> DiceRolled:
        """Another roll, of the same dice unless others are given; ``purpose`` must differ from the first roll's."""
        return self._table.roll(expression or result.expression, roller=result.who, purpose=purpose, natural=True)

    def keep(self, thought: SecondThought, result: RollResult, new: DiceRolled) -> None:
        """Keep the one of two rolls that the thought names: best (the default), worst, new or old."""
        wanted = thought.keep or KEEP[0]
        if wanted not in KEEP:
            self._table.refuse(f"Keep {', '.join(KEEP[:-1])} or {KEEP[-1]} of the two rolls, not {wanted!r}.")
        takes_new = {"best": new.total > result.total, "worst": new.total < result.total, "new": True, "old": False}
        if takes_new[wanted]:
            result.total, result.natural = new.total, new.natural


_OPEN: list[tuple[Table, Rolls]] = []
"""The rolls of all actions that are being played now, of whatever tables."""


def opposed_roll(
    mine: Callable[[], RollResult], yours: Callable[[], RollResult]
) -> tuple[bool, RollResult, RollResult]:
    """Roll one character against another: the higher total wins, then the higher modifier, else both roll again.

    Returns whether ``mine`` wins, and both rolls that count.
    """
    while True:
        one, two = mine(), yours()
        ahead, behind = (one.total, one.modifier), (two.total, two.modifier)
        if ahead != behind:
            return ahead > behind, one, two


def record_roll(
    table: Table, check: str, roll: RollResult, target: int, *, success: bool, outcome: str = "", against: str = ""
) -> None:
    """Record how a roll met its target; see ``record_check``."""
    record_check(table, roll.who, check, roll.total, target, success=success, outcome=outcome, against=against)


def record_check(
    table: Table, who: str, check: str, total: int, target: int, *, success: bool, outcome: str = "", against: str = ""
) -> None:
    """Record how somebody's total met its target; success or failure is the word for it unless the game has a better one."""
    word = outcome or ("success" if success else "failure")
    table.record(
        events.CheckResolved(
            character=who, check=check, total=total, target=target, success=success, outcome=word, against=against
        )
    )
