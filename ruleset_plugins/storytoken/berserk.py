"""A berserker's rage: so many rounds as levels, and what it costs (R0.161, Q0.53)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Table, character, check_turn, events, flag, use
from ruleset_plugins.storytoken.conditions import RAGING
from ruleset_plugins.storytoken.injury import end_rage
from ruleset_plugins.storytoken.roles import check_power
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.turns import HAND_ON, at_liberty

RAGE = "rage"


@attrs.frozen(kw_only=True)
class Rage(Action):
    """Fly into a rage in a fight, or come out of it: when it ends, it costs as many hit points as levels (R0.161)."""

    verb: ClassVar[str] = "rage"

    who: str = character("who rages", actor=True)
    stop: bool = flag("the rage ends now")

    def resolve(self, table: Table) -> None:
        """It takes a turn, though no action."""
        who, settings = at_liberty(table, self.who), house(table)
        if self.stop:
            if not who.has(RAGING):
                table.refuse(f"{who.name} is not raging, so no rage can end. One begins with: rage {who.id}")
            end_rage(table, who.id)
            return
        rounds = check_power(table, who, "rage_rounds", settings)
        check_turn(table, who, hand_on=HAND_ON)
        if who.has(RAGING):
            table.refuse(f"{who.name} is raging already. It ends by itself, or with: rage {who.id} --stop")
        if settings.rage_per_day == "once":
            use(table, who, RAGE, calendar=settings.by_calendar)
        until = table.clock + rounds * settings.round_seconds
        table.record(events.ConditionBegan(character=who.id, condition=RAGING, until=until))
