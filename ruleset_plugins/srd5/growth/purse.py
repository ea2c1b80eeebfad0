"""A purse: coins by their sorts, giving them, paying with change (R5.251).

On record: the pools ``platinum``, ``gold``, ``electrum``, ``silver`` and ``copper``. Prices of the catalogue are in
copper. Who sells or pays is given the change in gold, silver and copper.
"""

from collections.abc import Iterator, Mapping

from rollbook.kit import counters, equipment, verbs
from rollbook.plugin import CampaignState, Character, Table, choice, events

COINS = {"platinum": 1000, "gold": 100, "electrum": 50, "silver": 10, "copper": 1}
"""The copper pieces that a coin of each sort is worth (R5.251)."""
NAMES = {"pp": "platinum", "gp": "gold", "ep": "electrum", "sp": "silver", "cp": "copper"}
"""The short names of coins."""
CHANGE = ("gold", "silver", "copper")


def worth(coins: Mapping[str, int]) -> int:
    """The worth of coins in copper pieces."""
    return sum(value * coins.get(coin, 0) for coin, value in COINS.items())


def in_coins(copper: int) -> dict[str, int]:
    """An amount of copper as gold, silver and copper."""
    found = {}
    for coin in CHANGE:
        found[coin], copper = divmod(copper, COINS[coin])
    return found


def told(copper: int) -> str:
    """An amount in words: ``12 gold, 5 silver``."""
    return ", ".join(f"{many} {coin}" for coin, many in in_coins(copper).items() if many) or "nothing"


def set_purse(table: Table, who: Character, copper: int, reason: str) -> None:
    """Let somebody's coins come to this amount."""
    wanted = in_coins(copper)
    for coin in COINS:
        if wanted.get(coin, 0) != who.pools.get(coin, 0):
            table.record(events.PoolBecame(holder=who.id, pool=coin, amount=wanted.get(coin, 0), reason=reason))


def pay(table: Table, who: Character, price: int, reason: str, at: str) -> None:
    """Let somebody pay so much copper. Refused, with the parameter at fault, for who has less."""
    has = worth(who.pools)
    if price > has:
        table.refuse(f"That costs {told(price)}, and {who.name} has {told(has)}.", at)
    set_purse(table, who, has - price, reason)


def coin_called(name: str) -> str:
    """The sort of coins that a word means, as ``gold``, ``gp`` or ``gold pieces``; "" for anything else."""
    word, *more = name.casefold().replace(".", "").split() or ("",)
    is_one = not more or (len(more) == 1 and more[0] in ("piece", "pieces", "coin", "coins"))
    coin = NAMES.get(word, word)
    return coin if is_one and coin in COINS else ""


def meant(campaign: CampaignState, name: str, item: str) -> str:
    """The coins that are meant by a thing, unless somebody has a thing that is called so."""
    who = campaign.characters.get(name)
    is_thing = who is not None and equipment.called(who, item) in who.gear
    return "" if is_thing else coin_called(item)


def words(who: Character) -> Iterator[tuple[str, str]]:
    """Yield the line of the sheet."""
    yield "Coins", ", ".join(f"{who.pools[coin]} {coin}" for coin in COINS if who.pools.get(coin, 0) > 0)


class Give(verbs.GiveAction, verb="give", gm_only=True):
    """Give a character things, or coins of a sort, which go into the purse (R5.251)."""

    sentence = "gives {who} {item:many}"

    coins: str = choice("the sort of coins, where the thing is one", ("", *COINS), default="")

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
        pay(table, who, many * COINS[coin], "paid", "item")
