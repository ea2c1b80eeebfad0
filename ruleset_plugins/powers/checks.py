"""Checks: 1d20 and one stat against a DC, four levels of success, and rerolls (R2.1–R2.9, Q2.1–Q2.3, Q2.11, Q2.13)."""

from __future__ import annotations

import enum

from rollbook.kit import d20, data, require, verbs, vocabulary
from rollbook.plugin import DiceStep, SecondThought, Table, character, events, names, words
from rollbook.rulesets.powers.hit_points import require_able
from rollbook.rulesets.powers.settings import Settings
from rollbook.rulesets.powers.stats import roll_term

REROLL = "reroll"
"""The second thought, and the pool that counts a character's reroll effects."""

SECOND_THOUGHTS = {REROLL: "use a reroll effect: the same roll once more, and any result seen may be kept"}


class TaskRolls(d20.Rolls):
    """The d20s of one action, and the rerolls of each."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, {REROLL: self._reroll})
        self._about: d20.RollResult | None = None
        self._seen: list[tuple[int, int]] = []  # total and natural of every roll

    def _reroll(self, thought: SecondThought, result: d20.RollResult) -> None:
        """One effect is one more roll (Q2.11)."""
        if self._about is not result:
            self._about, self._seen = result, [(result.total, result.natural)]
        self._pay(thought, result)
        new = self.again(result, f"{result.purpose} rerolled")
        self._seen.append((new.total, new.natural))
        result.total, result.natural = self._kept(thought.keep or "best", result)

    def _pay(self, thought: SecondThought, result: d20.RollResult) -> None:
        table = self._table
        if not thought.character:
            table.refuse("Say with --by whose reroll effect it is; the GM has none of their own.")
        who = require.living(table, thought.character)
        if who.pools.get(REROLL, 0) < 1:
            table.refuse(f"{who.name} has no reroll effect. A power gives one, or adjust {who.id} pool:{REROLL} 1 WHY")
        reason = f"{table.character(result.who).name}'s {result.purpose}"
        table.record(events.PoolSpent(holder=who.id, pool=REROLL, amount=1, reason=reason))

    def _kept(self, keep: str, result: d20.RollResult) -> tuple[int, int]:
        """Of all results seen so far the one that was asked for: best, worst, new, old, or its number in order."""
        seen, now = self._seen, (result.total, result.natural)
        known = {"best": max(seen), "worst": min(seen), "new": seen[-1], "old": now}
        known |= {str(place): each for place, each in enumerate(seen, 1)}
        if keep not in known:
            self._table.refuse(f"Keep one of {', '.join(known)}, not {keep!r}; numbers are in the order of rolling.")
        return known[keep]


class Difficulty(data.Row):
    """A step of the ladder: its name, its DC and its meaning."""

    dc: int
    means: str


LADDER = {step.key: step.dc for step in data.load(__package__, "difficulties.json", Difficulty)}


CRITICAL_MARGIN = 10
"""A success that beats the DC by so much is a critical one. Below the DC the house rules draw the line (Q2.1)."""


class SuccessLevel(enum.IntEnum):
    """Level of success, worst first."""

    CRITICAL_FAILURE = 0
    FAILURE = 1
    SUCCESS = 2
    CRITICAL_SUCCESS = 3

    @property
    def word(self) -> str:
        """The name in the rulebook."""
        return self.name.lower().replace("_", " ")

    @property
    def succeeds(self) -> bool:
        """Tell whether it counts as a success at all."""
        return self >= SuccessLevel.SUCCESS


def level_of(total: int, dc: int, natural: int, crit_fail_margin: int) -> SuccessLevel:
    """The level of success: compared first, then one better for a 20 on the die kept, one worse for a 1 (R2.3, Q2.2).

    The bands touch one another and never overlap; no shift leaves the scale (R2.4, R2.5, QG.3).
    """
    begins = (dc - crit_fail_margin + 1, dc, dc + CRITICAL_MARGIN)
    level = sum(total >= lowest for lowest in begins) + {20: 1, 1: -1}.get(natural, 0)
    return SuccessLevel(max(SuccessLevel.CRITICAL_FAILURE, min(level, SuccessLevel.CRITICAL_SUCCESS)))


def compare(table: Table, check: str, roll: d20.RollResult, dc: int, against: str = "") -> SuccessLevel:
    """The level of success of a roll against one DC, on record (R2.2, R2.3)."""
    level = level_of(roll.total, dc, roll.natural, Settings.of(table).crit_fail_margin)
    d20.record_roll(table, check, roll, dc, success=level.succeeds, outcome=level.word, against=against)
    return level


class Check(verbs.RollAction, verb="check"):
    """Try something that can fail: 1d20 + one stat against a DC that the GM names (R2.1, R2.7)."""

    sentence = "tries {check:a}|tries something"

    typed_dice = (DiceStep(tests={"the d20 of the check": "check"}),)

    who: str = character("who tries", actor=True)
    stat: str = words(
        "with which stat: an attribute, a skill, or a plain number", fits=lambda who: who.stats, gm_only=False
    )
    target: str = words(
        f"the DC: {', '.join(LADDER)}, or a number", default="average", gm_only=True, of=vocabulary.TARGET
    )
    bonus: tuple[str, ...] = names("further bonuses, as '+2 good rope'", default=(), gm_only=True)

    check_available = verbs.available_if(require_able)

    def resolve(self, table: Table) -> None:
        who = require_able(table, self.who)
        term = roll_term(table, who, self.stat)
        dc = d20.target_number(table, self.target, LADDER, below_zero=True)
        terms = (term, *d20.bonuses(table, self.bonus))
        with TaskRolls(table) as rolls:
            roll = rolls.with_advantage(who.id, terms, purpose="check", ease=self.ease)
        compare(table, f"{term.label} roll", roll, dc, self.target if self.target in LADDER else "")
