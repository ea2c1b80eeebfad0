"""Once a day for one's allies: a rally, a noble name, a scientist's analysis (R0.167, R0.169, R0.171, Q0.70–Q0.72)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    HOUR,
    Action,
    Character,
    Table,
    character,
    characters,
    choice,
    events,
    flag,
    living,
    use,
    words,
)
from ruleset_plugins.storytoken.conditions import HONOURED, INFORMED, RALLIED, is_silent
from ruleset_plugins.storytoken.roles import check_power, power
from ruleset_plugins.storytoken.settings import Settings, house
from ruleset_plugins.storytoken.turns import take_action

RALLY, PRESTIGE, ANALYSIS = "rally", "prestige", "analysis"
A_DAY = 24


@attrs.frozen
class _Gift:
    """What each ally has of it: a condition, how strong, for how many hours."""

    condition: str
    detail: str
    hours: int


@attrs.frozen(kw_only=True)
class Inspire(Action):
    """Help one's allies, once a day: rally them, use one's noble name for them, or analyse what they are up against."""

    verb: ClassVar[str] = "inspire"

    who: str = character("who inspires", actor=True)
    how: str = choice(
        "rally: +half level to every task for a level of hours (Leadership); prestige: advantage on Charisma for half as "
        "many (Noble); analysis: +half level to one task, for half a level of allies and 24 hours (Science)",
        (RALLY, PRESTIGE, ANALYSIS),
    )
    allies: tuple[str, ...] = characters("whom it helps")
    about: str = words("what an analysis is about: a target, a person, a place", default="")
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """Each ally has it from now on; of several of one sort only the latest counts."""
        who = take_action(table, self.who, out_of_turn=self.out_of_turn)
        settings = house(table)
        gift = self._gift(table, who, settings)
        self._check(table, who, settings)
        use(table, who, self.how, calendar=settings.by_calendar)
        for name in self.allies:
            table.record(
                events.ConditionBegan(
                    character=living(table, name).id,
                    condition=gift.condition,
                    source=who.id,
                    detail=gift.detail,
                    until=table.clock + gift.hours * HOUR,
                )
            )

    def _gift(self, table: Table, who: Character, settings: Settings) -> _Gift:
        if self.how == RALLY:
            bonus = check_power(table, who, RALLY, settings)
            rounds = power(who, "rally_rounds", settings)
            return _Gift(RALLIED, f"+{bonus}; {rounds} rounds once wounded", power(who, "rally_hours", settings))
        if self.how == PRESTIGE:
            return _Gift(HONOURED, f"{who.name}'s name", check_power(table, who, "prestige_hours", settings))
        bonus = check_power(table, who, ANALYSIS, settings)
        return _Gift(INFORMED, f"+{bonus}: {self.about}", A_DAY)

    def _check(self, table: Table, who: Character, settings: Settings) -> None:
        if not self.allies or len(set(self.allies)) < len(self.allies):
            table.refuse("Name every ally once, and at least one.")
        if who.id in self.allies:
            table.refuse(f"{who.name} inspires others; leave {who.id} out of the allies.")
        if self.how == RALLY and is_silent(who):
            table.refuse(f"{who.name} cannot speak, and so cannot rally anybody.")
        if self.how == ANALYSIS:
            most = power(who, "analysis_allies", settings)
            if not self.about:
                table.refuse("Say with --about what the analysis is about.")
            if len(self.allies) > most:
                table.refuse(f"{who.name}'s analysis helps {most} others, and {len(self.allies)} are named.")
