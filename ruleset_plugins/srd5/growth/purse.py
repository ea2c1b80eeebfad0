"""A purse: coins by their sorts, and giving them (R5.251).

On record: the pools ``platinum``, ``gold``, ``electrum``, ``silver`` and ``copper``. Prices of the catalogue are in
copper. Who sells or pays is given the change in gold, silver and copper.
"""

from collections.abc import Mapping

from rollbook.kit import counters, verbs
from rollbook.kit.purse import Purse
from rollbook.plugin import CampaignState, Table, choice, events

WORTHS = {"platinum": 1000, "gold": 100, "electrum": 50, "silver": 10, "copper": 1}
"""The copper pieces that a coin of each sort is worth (R5.251)."""
SHORT = {"pp": "platinum", "gp": "gold", "ep": "electrum", "sp": "silver", "cp": "copper"}
COINS = Purse(WORTHS, change=("gold", "silver", "copper"), short=SHORT)


class Give(verbs.GiveAction, verb="give", gm_only=True):
    """Give a character things, or coins of a sort, which go into the purse (R5.251)."""

    sentence = "gives {who} {item:many}"

    coins: str = choice("the sort of coins, where the thing is one", ("", *WORTHS), default="")

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, events.ParameterValue]:  # noqa: ARG002
        """The sort of coins, if the thing is called like one."""
        coin = COINS.meant(campaign, self.who, self.item)
        return {"item": coin, "coins": coin} if coin and not self.coins and not self.use else {}

    def resolve(self, table: Table) -> None:
        if self.coins:
            counters.change(table, table.character(self.who).id, self.coins, self.count, "given")
        else:
            super().resolve(table)
