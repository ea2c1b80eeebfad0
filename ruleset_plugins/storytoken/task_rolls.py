"""The task roll: 1d20 + ability + whatever else counts, with advantage, disadvantage and second thoughts (R0.15–R0.17).

Every d20 of the game is rolled here, so this is the one place where a story token can have one rolled again (R0.95):
after the roll is known, before anything comes of it, with the same modifiers and the same advantage, and the spender
picks (Q0.38). Purposes stay the same whatever is amended, so that a corrected action meets its own dice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import TracebackType
from typing import Self

import attrs

from ruleset_plugins import Character, Intervention, Table, Term, events
from ruleset_plugins.storytoken.abilities import ability_term
from ruleset_plugins.storytoken.tokens import pay, tempt
from ruleset_plugins.storytoken.traits import chosen_ability, heritage_of

REROLL = "reroll"
TEMPT_FATE = "tempt-fate"
SECOND_THOUGHTS = {
    REROLL: "spend a story token (the GM: a complication point) to roll one d20 again and keep either (R0.95)",
    TEMPT_FATE: "roll one d20 again and keep either; the GM gets two complication points (R0.102)",
}
KEEP = ("best", "new", "old", "worst")

LONGEST_LABEL = 60
_BONUS = re.compile(r"([+-]?\d{1,4})\s*(.*)", re.DOTALL)
_NOT_IN_LABELS = re.compile(r"[\[\]\s]+")


@attrs.frozen
class Ease:
    """What makes a roll easier and what makes it harder; any number of each cancel out (QG.4, Q0.5)."""

    advantage: tuple[str, ...] = ()
    disadvantage: tuple[str, ...] = ()

    def __add__(self, other: Ease) -> Ease:
        if not (other.advantage or other.disadvantage):
            return self
        return Ease(self.advantage + other.advantage, self.disadvantage + other.disadvantage)

    @property
    def dice(self) -> str:
        """The d20 of the roll, or both of them, with the reasons as their label."""
        if self.advantage and self.disadvantage:
            return f"1d20[{label(', '.join((*self.advantage, 'against', *self.disadvantage)))}]"
        if self.advantage:
            return f"2d20kh1[{label(', '.join(self.advantage))}]"
        if self.disadvantage:
            return f"2d20kl1[{label(', '.join(self.disadvantage))}]"
        return "1d20"


EVEN = Ease()


def label(text: str) -> str:
    """Words as dice notation takes them for a label: no brackets, at most 60 characters."""
    plain = _NOT_IN_LABELS.sub(" ", text).strip()
    return plain if len(plain) <= LONGEST_LABEL else plain[: LONGEST_LABEL - 1] + "…"


def written(dice: str, terms: Iterable[Term]) -> str:
    """Dice and summands in dice notation, each summand with its label; zeros are left out."""
    parts = [dice]
    for term in terms:
        if term.amount:
            sign = "+" if term.amount > 0 else "-"
            parts.append(f"{sign} {abs(term.amount)}[{term.label}]")
    return " ".join(parts)


def bonuses(table: Table, typed: tuple[str, ...]) -> tuple[Term, ...]:
    """Bonuses as they were typed, ``+2 high ground``, as summands. Refused if one has no number in front."""
    found = []
    for text in typed:
        match = _BONUS.fullmatch(text.strip())
        if match is None:
            table.refuse(f"A bonus is a number and what it is for, as in '+2 high ground', not {text!r}.")
        found.append(Term(int(match[1]), label(match[2]) or "bonus"))
    return tuple(found)


def standing_ease(who: Character, ability: str, kind: str) -> Ease:
    """What somebody's birth and condition do to a roll of this ``kind``: check, save, attack or initiative (Q0.51)."""
    advantage: tuple[str, ...] = ()
    heritage = heritage_of(who)
    if heritage.key and (kind in heritage.advantage_on or "task" in heritage.advantage_on):
        excels = heritage.advantage or ((chosen_ability(who),) if heritage.chooses_ability else ())
        if ability in excels:
            advantage = (heritage.name,)
    impaired = f"impaired-{ability}"
    return Ease(advantage, (f"impaired {ability.upper()}",) if who.has(impaired) else ())


@attrs.frozen
class TaskRoll:
    """A roll that stands: its total, the face that the d20 shows, and the whole modifier."""

    total: int
    natural: int
    modifier: int


class TaskRolls:
    """The task rolls of one action, counted from 0, so that second thoughts can name the one they are about."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._count = 0
        self._thoughts = [
            *table.interventions(REROLL),
            *table.interventions(TEMPT_FATE),
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        if kind is None:
            self._check_all_had()

    def _check_all_had(self) -> None:
        for thought in self._thoughts:
            if not 0 <= thought.roll < self._count:
                many = {0: "no d20", 1: "one d20, roll 0"}.get(
                    self._count, f"{self._count} d20s, rolls 0 to {self._count - 1}"
                )
                self._table.refuse(f"There is no roll {thought.roll} to roll again: this action rolled {many}.")

    def roll(
        self,
        who: Character,
        ability: str,
        *,
        kind: str,
        purpose: str,
        terms: Iterable[Term] = (),
        ease: Ease = EVEN,
    ) -> TaskRoll:
        """1d20 + ability + ``terms``, with advantage or disadvantage; then whatever second thoughts there were."""
        terms = (ability_term(who, ability), *terms)
        return self.roll_terms(who, terms, purpose=purpose, ease=ease + standing_ease(who, ability, kind))

    def roll_terms(self, who: Character, terms: Iterable[Term], *, purpose: str, ease: Ease = EVEN) -> TaskRoll:
        """The same with all summands given."""
        table, terms = self._table, tuple(terms)
        expression = written(ease.dice, terms)
        kept = table.roll(expression, roller=who.id, purpose=purpose, natural=True)
        for thought in self._thoughts:
            if thought.roll == self._count:
                self._pay(thought, f"rolls {who.name}'s {purpose} again")
                again = table.roll(expression, roller=who.id, purpose=f"{purpose} rerolled", natural=True)
                kept = self._pick(thought, kept, again)
        self._count += 1
        return TaskRoll(kept.total, kept.natural, sum([term.amount for term in terms]))

    def _pay(self, thought: Intervention, reason: str) -> None:
        if thought.kind == TEMPT_FATE and thought.character:
            tempt(self._table, self._table.character(thought.character), reason)
        else:
            pay(self._table, thought.character, reason)

    def _pick(self, thought: Intervention, old: events.DiceRolled, new: events.DiceRolled) -> events.DiceRolled:
        keep = thought.keep or KEEP[0]
        if keep not in KEEP:
            self._table.refuse(f"Keep {', '.join(KEEP[:-1])} or {KEEP[-1]} of the two rolls, not {keep!r}.")
        is_better = new.total > old.total
        takes_new = {"best": is_better, "worst": new.total < old.total, "new": True, "old": False}
        return new if takes_new[keep] else old
