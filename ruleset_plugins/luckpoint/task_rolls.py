"""The task roll: 1d20 + one ability or skill, with advantage, disadvantage and luck (R1.2, R1.5, R1.10, R1.11)."""

from __future__ import annotations

from collections.abc import Iterable

from ruleset_plugins import D20Rolls, Ease, Intervention, Rolled, Table, Term, bonuses, cancelled, kept
from ruleset_plugins.luckpoint.luck import spend_luck
from ruleset_plugins.luckpoint.skills import terms_of

LUCK_THOUGHT = "luck"
SECOND_THOUGHTS = {LUCK_THOUGHT: "spend a luck point after a straight d20: roll one more, the higher counts (R1.10)"}

LADDER = {"easy": 5, "hard": 15, "extreme": 25}
"""The fixed targets of tasks (R1.3)."""

AGAINST_ONE = 1
BEFORE = "--luck"


class TaskRolls(D20Rolls):
    """The d20s of one action, with the luck that is spent on them once they lie there."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, {LUCK_THOUGHT: self._luck})
        self.at = table

    def _luck(self, thought: Intervention, stands: Rolled) -> None:
        """One more d20, and the higher of the two counts; only for a straight roll, and once (Q1.10)."""
        if stands.sway:
            self.at.refuse(
                "A luck point after the roll is for a straight roll, and this one had advantage or disadvantage already."
            )
        who = self.at.character(thought.character or stands.who)
        if who.id != stands.who:
            self.at.refuse(f"{who.name}'s luck is for {who.name}'s own rolls, and this one is not {who.name}'s.")
        spend_luck(self.at, who, f"luck on the {stands.purpose}")
        more = self.again(stands, f"{stands.purpose} with luck")
        if more.total > stands.total:
            stands.stand(more)
        stands.sway = 1

    def task(
        self,
        who: str,
        rolled: str,
        *,
        purpose: str,
        ease: Ease,
        bonus: tuple[str, ...] = (),
        terms: Iterable[Term] = (),
        luck: bool = False,
    ) -> Rolled:
        """1d20 with an ability or skill. ``luck`` spends a point beforehand to take disadvantage away (R1.11)."""
        somebody = self.at.character(who)
        sway = cancelled(ease)
        if luck:
            if sway >= 0:
                self.at.refuse(
                    f"Luck before a roll takes disadvantage away, and {somebody.name}'s {purpose} has none. Leave out "
                    f"{BEFORE}; after the roll a point gives advantage."
                )
            spend_luck(self.at, somebody, f"no disadvantage on the {purpose}")
            ease, sway = Ease(), 0
        summands = (*terms_of(somebody, rolled), *terms, *bonuses(self.at, bonus))
        return self.roll(who, kept(ease, sway), summands, purpose=purpose, sway=sway)
