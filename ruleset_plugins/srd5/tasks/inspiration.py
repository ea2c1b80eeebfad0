"""Heroic inspiration: one at a time, and a second goes to somebody else or is lost (R5.18, R5.19).

On record: the pool ``inspiration``; the second thought of that name spends it.
"""

from rollbook.kit import require
from rollbook.plugin import Action, Table, character, events
from rollbook.rulesets.srd5.tasks.d20_tests import INSPIRATION


def give(table: Table, name: str) -> bool:
    """Give heroic inspiration to somebody who has none. Returns whether it was given."""
    if table.character(name).pools.get(INSPIRATION, 0) > 0:
        return False
    table.record(events.PoolGained(holder=name, pool=INSPIRATION, amount=1))
    return True


class Inspire(Action, verb="inspire", gm_only=True):
    """Give heroic inspiration, which rolls a d20 again; who has it already hands it on, or it is lost (R5.19)."""

    who: str = character("who is inspired")
    instead: str = character("who gets it if they have it already", default="")

    def resolve(self, table: Table) -> None:
        for name in filter(None, (self.who, self.instead)):
            if give(table, require.living(table, name).id):
                return
        who = table.character(self.who).name
        table.refuse(f"{who} has heroic inspiration already. Name somebody who gets it with --instead.", "who")
