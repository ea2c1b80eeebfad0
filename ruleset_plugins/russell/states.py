"""Conditions by the GM's word: begun and ended where no rule does it (QG.8, Q3.13)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Table, character, conditions, flag, words
from ruleset_plugins.conditions import BLEEDING, DEAD, HELPLESS, STUNNED
from ruleset_plugins.russell.wounds import WOUNDED, die, knock_out, recovered_from_stun, stabilised, stun, wound


@attrs.frozen(kw_only=True)
class SetCondition(Action):
    """Say that somebody is floored, stunned, hidden … or is so no longer, because the GM rules it."""

    verb: ClassVar[str] = "condition"
    gm_only: ClassVar[bool] = True

    who: str = character("who is in it")
    condition: str = words("which condition: floored, stunned, helpless, bleeding, wounded, dead, or any other word")
    ends: bool = flag("it is over")

    def resolve(self, table: Table) -> None:
        """Those that a rule knows come and go with all that belongs to them."""
        who = table.character(self.who)
        conditions.check_said(table, who, self.condition, ends=self.ends)
        if self.ends:
            self._end(table)
        else:
            self._begin(table)

    def _begin(self, table: Table) -> None:
        rules = {STUNNED: stun, HELPLESS: knock_out, WOUNDED: wound, DEAD: die}
        if self.condition in rules:
            rules[self.condition](table, self.who, source="ruling")
        else:
            conditions.begin(table, self.who, self.condition, source="ruling")

    def _end(self, table: Table) -> None:
        if self.condition == STUNNED:
            recovered_from_stun(table, self.who)
        elif self.condition == BLEEDING:
            stabilised(table, self.who)
        else:
            conditions.end(table, self.who, self.condition)
