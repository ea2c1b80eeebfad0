"""Treasure: coins, and things whose ``use`` says what they are worth (R3.45, R3.101, R3.102, Q3.1).

Coins are things called copper, silver and gold. Everything else of worth has a use like "treasure:50000", which is its worth
in copper; its name says it too, so that two gems of different worth are two things.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleset_plugins import Character, Table, Term, Value, events, summed
from ruleset_plugins.russell.settings import Settings
from ruleset_plugins.russell.things import thing

COINS = ("copper", "silver", "gold")
TREASURE = "treasure"
"""The word before the colon in the use of a thing that is treasure."""

LONGEST_WORTH = 12
"""Digits of a worth that are read."""


def in_copper(coin: str, settings: Settings) -> int:
    """What a coin is worth in copper (Q3.1)."""
    return int(settings.coin_ratio ** COINS.index(coin))


def worth(item: str, use: str, settings: Settings) -> int:
    """What one such thing is worth in copper, 0 for what is no treasure."""
    known = thing(item, use).key
    if known in COINS:
        return in_copper(known, settings)
    head, _, value = use.partition(":")
    readable = value.isascii() and value.isdecimal() and len(value) <= LONGEST_WORTH
    return int(value) if head == TREASURE and readable else 0


def gain_coins(table: Table, name: str, coin: str, amount: int) -> None:
    """Somebody has so many coins more, if there are any."""
    if amount > 0:
        table.record(events.GearGained(character=name, item=coin, count=amount))


def is_treasure(item: str, use: str, settings: Settings) -> bool:
    """Whether a thing is coins or treasure."""
    return use.partition(":")[0] == TREASURE or worth(item, use, settings) > 0


def wealth_values(who: Character, settings: Settings) -> Iterator[Value]:
    """The coins somebody carries, and all treasure in copper (for the sheet)."""
    held = {item: held for item, held in who.gear.items() if held.count > 0 and is_treasure(item, held.use, settings)}
    for coin in COINS:
        terms = tuple(
            Term(things.count, item, "R3.101", f"gear.{item}")
            for item, things in held.items()
            if thing(item, things.use).key == coin
        )
        if terms:
            yield summed(coin, coin.capitalize(), terms, group="Wealth")
    if held:
        terms = tuple(
            Term(things.count * worth(item, things.use, settings), item, "Q3.1", f"gear.{item}")
            for item, things in held.items()
        )
        yield summed("worth", "Worth in copper", terms, group="Wealth")
