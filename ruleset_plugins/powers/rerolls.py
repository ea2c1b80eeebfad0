"""Rolling again (R2.9): a reroll effect repeats the roll exactly as it was, and any result that was seen may be kept.

A second thought is about the action just taken, and the action is resolved once more with it, so the roll has the same
bonuses and the same advantage even if things have changed since (Q2.11).
"""

from rollbook.kit import d20, require
from rollbook.plugin import SecondThought, Table, events

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
