"""The conditions of this game, who can act, and the verb condition (R4.40, R4.42, QG.8)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Character, Table, character, flag, words
from ruleset_plugins.kit import conditions, require

INCAPACITATED = "incapacitated"


BY_HIT_POINTS = (INCAPACITATED, conditions.DEAD, conditions.STABLE)


@attrs.frozen(kw_only=True)
class SetCondition(Action):
    """Say that somebody is prone, hidden or anything else, or is so no longer, because the GM rules it."""

    verb: ClassVar[str] = "condition"
    gm_only: ClassVar[bool] = True

    who: str = character("who is in it")
    condition: str = words("which condition: prone, hidden, blurred, or any other word")
    ends: bool = flag("it is over")

    def resolve(self, table: Table) -> None:
        """What follows from hit points is nothing to be said."""
        who = require.living(table, self.who)
        if self.ends and self.condition == conditions.PRONE and who.has(INCAPACITATED):
            table.refuse(f"{who.name} is incapacitated and lies on the ground.")
        conditions.rule(table, who, self.condition, ends=self.ends, follows=BY_HIT_POINTS)


UNABLE = {INCAPACITATED: "Healing above 0 hit points brings {name} round."}
KEPT_OUT = (conditions.DEAD, INCAPACITATED)


def is_conscious(who: Character) -> bool:
    """Whether somebody is up to anything: 1 hit point or more, as the conditions tell."""
    return who.present and not any(who.has(state) for state in KEPT_OUT)


def require_able(table: Table, name: str) -> Character:
    """Somebody who can act. Refused for the dead, the incapacitated and those who have left."""
    return require.able(table, name, UNABLE)
