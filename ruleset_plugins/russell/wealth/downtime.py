"""Weeks of downtime: Wounds close, and there is time to rise a level and to practise (R3.22).

Downtime lasts until the clock moves on: characters who have it are "in downtime", and a pool counts their weeks.
"""

from collections.abc import Sequence

from rollbook.kit import clock, conditions, require
from rollbook.plugin import Action, Character, DiceStep, Table, param
from rollbook.rulesets.russell.counters import change, count, counted, counter, empty
from rollbook.rulesets.russell.delve import weariness
from rollbook.rulesets.russell.fight import bleeding, wounds
from rollbook.rulesets.russell.party import players, travellers

WEEK = 7 * clock.DAY
DOWNTIME = "in downtime"
BUSY = "busy"
"""The field of a downtime that another full-time activity fills: no practice (R3.31)."""

WEEKS, SPENT = "weeks of downtime", "weeks used"
"""The pool of the weeks there are, and the counter of those that a level or a skill has used."""

LEVELS = "levels"


def weeks_left(who: Character, purpose: str) -> int:
    """The weeks of this downtime that were not used for that purpose yet; one week serves many purposes once each."""
    if not who.has(DOWNTIME):
        return 0
    return max(who.pools.get(WEEKS, 0) - count(who.pools, SPENT, purpose), 0)


def use_week(table: Table, name: str, purpose: str) -> None:
    """One of somebody's weeks is used for this."""
    change(table, name, counter(SPENT, purpose), 1, "downtime")


class TakeDowntime(Action, verb="downtime", gm_only=True):
    """Let weeks of downtime pass in a safe place: Wounds close, and there is time for levels and practice (R3.22)."""

    sentence = "lets downtime pass for {who:the}"

    typed_dice = (
        DiceStep(each="character who rests", effects={"the d6 of a night that healed less than all": "night"}),
    )

    who: tuple[str, ...] = param.characters("who has time: names, or party for every player character")
    weeks: int = param.number("how many", default=1, minimum=1, maximum=520, unit="weeks")
    busy: tuple[str, ...] = param.characters(
        "which of them do something else full-time, and cannot practise", default=()
    )
    uncared: tuple[str, ...] = param.characters("whose Wound does not close: no care, or too grave", default=())

    def resolve(self, table: Table) -> None:
        if table.encounter is not None:
            table.refuse("There is no downtime in a fight. First: end-encounter")
        named = [require.living(table, name).id for name in players(table, self.who)]
        bleeding.check_no_peril(table, travellers(table))
        everybody = tuple(dict.fromkeys((*named, *(each.id for each in travellers(table)))))
        self._care(table, everybody)
        if self.weeks > 1:
            clock.advance(table, (self.weeks - 1) * WEEK, rest=True)
        for name in named:
            self._give(table, name)

    def _care(self, table: Table, names: Sequence[str]) -> None:
        """The first week: the helpless come round, Wounds close, and nobody is tired any more (R3.22, R3.41)."""
        cared = [name for name in names if name not in self.uncared]
        for name in cared:
            bleeding.stabilised(table, name)
        clock.advance(table, WEEK, rest=True)
        for name in cared:
            conditions.end(table, name, wounds.WOUNDED)
        for name in names:
            weariness.refreshed(table, name, reason="downtime")

    def _give(self, table: Table, name: str) -> None:
        used = counted(table.character(name).pools, SPENT)
        for pool in (WEEKS, *(counter(SPENT, purpose) for purpose, _ in used)):
            empty(table, name, pool, "that time is over")
        change(table, name, WEEKS, self.weeks, "downtime")
        conditions.end(table, name, DOWNTIME)
        busy, until = name in self.busy, table.clock + 1
        conditions.begin(table, name, DOWNTIME, detail=BUSY if busy else "", until=until, data={BUSY: busy})
