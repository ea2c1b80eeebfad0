"""Coins: sorts with a worth, which a character has as pools, and paying with change.

A ``Purse`` is the money of a game, each coin worth so many of the smallest: ``COINS = Purse({"gold": 100, "copper": 1})``.
"""

from collections.abc import Mapping

import attrs

from rollbook.plugin import Character, Record, Table, events

__all__ = ["Purse"]


@attrs.frozen
class Purse(Record):
    """The sorts of coins, the most valuable first; ``change`` is given in these alone, if not in all."""

    worths: Mapping[str, int]
    change: tuple[str, ...] = ()

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
