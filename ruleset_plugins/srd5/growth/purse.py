"""A purse: coins by their sorts, giving them, paying with change (R5.251).

On record: the pools ``platinum``, ``gold``, ``electrum``, ``silver`` and ``copper``. Prices of the catalogue are in
copper. Who sells or pays is given the change in gold, silver and copper.
"""

from collections.abc import Iterator, Mapping

from rollbook.kit import counters, equipment, verbs
from rollbook.kit.purse import Purse
from rollbook.plugin import CampaignState, Character, Table, choice, events

WORTHS = {"platinum": 1000, "gold": 100, "electrum": 50, "silver": 10, "copper": 1}
"""The copper pieces that a coin of each sort is worth (R5.251)."""
COINS = Purse(WORTHS, change=("gold", "silver", "copper"))
NAMES = {"pp": "platinum", "gp": "gold", "ep": "electrum", "sp": "silver", "cp": "copper"}
"""The short names of coins."""


def coin_called(name: str) -> str:
    """The sort of coins that a word means, as ``gold``, ``gp`` or ``gold pieces``; "" for anything else."""
    word, *more = name.casefold().replace(".", "").split() or ("",)
    is_one = not more or (len(more) == 1 and more[0] in ("piece", "pieces", "coin", "coins"))
    coin = NAMES.get(word, word)
    return coin if is_one and coin in WORTHS else ""


def meant(campaign: CampaignState, name: str, item: str) -> str:
    """The coins that are meant by a thing, unless somebody has a thing that is called so."""
    who = campaign.characters.get(name)
    is_thing = who is not None and equipment.called(who, item) in who.gear
    return "" if is_thing else coin_called(item)


def words(who: Character) -> Iterator[tuple[str, str]]:
    """Yield the line of the sheet."""
    yield "Coins", ", ".join(f"{who.pools[coin]} {coin}" for coin in WORTHS if who.pools.get(coin, 0) > 0)


class Give(verbs.GiveAction, verb="give", gm_only=True):
    """Give a character things, or coins of a sort, which go into the purse (R5.251)."""

    sentence = "gives {who} {item:many}"

    coins: str = choice("the sort of coins, where the thing is one", ("", *WORTHS), default="")

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, events.ParameterValue]:  # noqa: ARG002
        """The sort of coins, if the thing is called like one."""
        coin = meant(campaign, self.who, self.item)
        return {"item": coin, "coins": coin} if coin and not self.coins and not self.use else {}

    def resolve(self, table: Table) -> None:
        if self.coins:
            counters.change(table, table.character(self.who).id, self.coins, self.count, "given")
            return
        super().resolve(table)


def hand_out(table: Table, name: str, coin: str, many: int) -> None:
    """Let somebody lose coins: of that sort, or what they are worth, with change. Refused for who has less."""
    who = table.character(name)
    if who.pools.get(coin, 0) >= many:
        counters.change(table, who.id, coin, -many, "paid")
    else:
        COINS.pay(table, who, many * WORTHS[coin], "paid", "item")
