"""Coins: sorts with a worth, which a character has as pools, and paying with change.

A ``Purse`` is the money of a game, each coin worth so many of the smallest: ``COINS = Purse({"gold": 100, "copper": 1})``.
"""

from collections.abc import Mapping
from types import MappingProxyType

import attrs

from rollbook.kit import counters, equipment
from rollbook.plugin import CampaignState, Character, Record, Table, events

__all__ = ["Purse"]


@attrs.frozen
class Purse(Record):
    """The sorts of coins, the most valuable first; ``change`` is given in these alone, if not in all.

    ``short`` are short names of coins, such as ``gp``.
    """

    worths: Mapping[str, int]
    change: tuple[str, ...] = ()
    short: Mapping[str, str] = MappingProxyType({})

    def worth(self, coins: Mapping[str, int]) -> int:
        """The worth of some coins in the smallest."""
        return sum(value * coins.get(coin, 0) for coin, value in self.worths.items())

    def in_coins(self, amount: int) -> dict[str, int]:
        """An amount as coins, as few as can be."""
        found = {}
        for coin in self.change or self.worths:
            found[coin], amount = divmod(amount, self.worths[coin])
        return found

    def told(self, amount: int) -> str:
        """An amount in words: ``12 gold, 5 silver``."""
        return ", ".join(f"{many} {coin}" for coin, many in self.in_coins(amount).items() if many) or "nothing"

    def pay(self, table: Table, who: Character, amount: int, reason: str, parameter: str = "") -> None:
        """Let somebody pay, and be given change; below 0 they are paid. Refused for who has less, at the ``parameter``."""
        has = self.worth(who.pools)
        if amount > has:
            table.refuse(f"That costs {self.told(amount)}, and {who.name} has {self.told(has)}.", parameter)
        wanted = self.in_coins(has - amount)
        for coin in self.worths:
            many = wanted.get(coin, 0)
            if many != who.pools.get(coin, 0):
                table.record(events.PoolBecame(holder=who.id, pool=coin, amount=many, reason=reason))

    def hand_out(self, table: Table, name: str, coin: str, many: int) -> None:
        """Let somebody lose coins: of that sort, or what they are worth, with change. Refused for who has less."""
        who = table.character(name)
        if who.pools.get(coin, 0) >= many:
            counters.change(table, who.id, coin, -many, "paid")
        else:
            self.pay(table, who, many * self.worths[coin], "paid", "item")

    def coin_called(self, name: str) -> str:
        """The sort of coins that a word means, as ``gold``, ``gp`` or ``gold pieces``; "" for anything else."""
        word, *more = name.casefold().replace(".", "").split() or ("",)
        is_one = not more or (len(more) == 1 and more[0] in ("piece", "pieces", "coin", "coins"))
        coin = self.short.get(word, word)
        return coin if is_one and coin in self.worths else ""

    def meant(self, campaign: CampaignState, name: str, item: str) -> str:
        """The coins that are meant by a thing, unless somebody has a thing that is called so."""
        who = campaign.characters.get(name)
        is_thing = who is not None and equipment.called(who, item) in who.gear
        return "" if is_thing else self.coin_called(item)

    def line(self, who: Character) -> str:
        """The coins of a character in words: ``12 gold, 5 silver``."""
        return ", ".join(f"{who.pools[coin]} {coin}" for coin in self.worths if who.pools.get(coin, 0) > 0)
