"""Treasure: coins and valuables, on foes and in lairs (R3.45, R3.100–R3.102, Q3.1, Q3.41, Q3.42)."""

from rollbook.kit import data, random_tables, require
from rollbook.plugin import Action, DiceStep, Table, events, param
from rollbook.rulesets.russell.character.stat_line import hit_dice
from rollbook.rulesets.russell.gear import GEM, TREASURE, thing, treasure
from rollbook.rulesets.russell.settings import Settings, house

COINS = ("copper", "silver", "gold")


def in_copper(coin: str, settings: Settings) -> int:
    """The worth of a coin in copper (Q3.1)."""
    return int(settings.coin_ratio ** COINS.index(coin))


def worth(item: str, use: tuple[str, ...], settings: Settings) -> int:
    """The worth of one thing in copper; 0 if it is not treasure."""
    known = thing(item, use)
    return in_copper(known.row.key, settings) if known.row.key in COINS else known.worth


def gain_coins(table: Table, name: str, coin: str, amount: int) -> None:
    """Give coins to a character, if there are any."""
    if amount > 0:
        table.record(events.GearGained(character=name, item=coin, count=amount))


def is_treasure(item: str, use: tuple[str, ...], settings: Settings) -> bool:
    """Tell if a thing is coins or treasure."""
    return thing(item, use).sort == TREASURE or worth(item, use, settings) > 0


SEARCHED = "searched"
"""The kind of the trait of a foe whose pockets were searched: that is done once (R3.100)."""

EXPLODES = 10
"""The face of the pocket change that is rolled again in silver (R3.100)."""


class Lair(random_tables.Band):
    """A row of the lair table: the multipliers of gold and silver, by the owner's hit dice (R3.101)."""

    gold: int
    silver: int


class Valuable(data.Row):
    """A kind of treasure other than coins: there is one if the ``die`` is at or under the owner's hit dice (R3.102).

    It is worth ``value`` x ``times`` gold; a die that shows ``explodes`` is rolled again and added, again and again.
    """

    name: str
    die: int
    value: str = ""
    times: int = 0
    explodes: int = 0


LAIRS = random_tables.load(__package__, "lairs.json", Lair)
VALUABLES = data.load(__package__, "valuables.json", Valuable)


class PocketChange(Action, verb="pocket-change", gm_only=True):
    """See what a thinking foe carries: 1d10 x hit dice squared in copper; a 10 rolls again, in silver (R3.100, Q3.42)."""

    sentence = "sees what {who} carries"
    typed_dice = (
        DiceStep(tables={"a d10 of copper for each foe, and one of silver after a 10": "pocket change in *"}),
    )

    who: str = param.character("whose pockets")
    finder: str = param.character("who takes it; left out, it stays where it is", default="")
    special: str = param.words("what a second 10 brings", default="minor treasure")
    special_worth: int = param.number("its worth in silver", default=0, minimum=0, maximum=1_000_000, unit="silver")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        holder = require.living(table, self.finder).id if self.finder else who.id
        squared = hit_dice(who) ** 2
        if who.traits_of(SEARCHED):
            table.refuse(f"{who.name}'s pockets have been searched already; what was in them is on record.", "who")
        elif not squared:
            none = f"{who.name} has no hit dice to count"
            table.refuse(f"{none}. The GM gives some with: adjust {who.id} hit_dice NUMBER --reason …", "who")
        table.record(events.TraitGained(character=who.id, trait="pockets searched", kind=SEARCHED))
        for coin in COINS[:2]:
            rolled = table.roll("1d10", roller=who.id, purpose=f"pocket change in {coin}").total
            gain_coins(table, holder, coin, rolled * squared)
            if rolled < EXPLODES:
                return
        value = self.special_worth * in_copper("silver", house(table))
        item = f"{self.special} worth {self.special_worth} silver" if self.special_worth else self.special
        table.record(events.GearGained(character=holder, item=item, use=treasure(value)))


class FindLair(Action, verb="lair", gm_only=True):
    """See what treasure lies in a lair: coins, and things of worth (R3.101, R3.102).

    The hit dice of the owner count. The finder is best a chest or another container.
    """

    sentence = "sees what {finder} finds in the lair"
    typed_dice = (
        DiceStep(
            each="sort of treasure, as the table has them: gold, silver, copper, clothes, goods, artwork, gem, magic",
            tables={"its die, and that of its worth": "lair: *"},
        ),
    )

    finder: str = param.character("who or what receives the treasure")
    owner: str = param.character("whose lair it is", default="")
    hit_dice: int = param.number("the owner's hit dice, if the owner has no sheet", default=0, minimum=0, maximum=100)
    only: tuple[str, ...] = param.choices("only these kinds", ("coins", *(row.key for row in VALUABLES)), default=())

    def resolve(self, table: Table) -> None:
        finder = require.living(table, self.finder)
        dice = self.hit_dice or (hit_dice(table.character(self.owner)) if self.owner else 0)
        if not dice:
            table.refuse(
                "Say whose lair it is (--owner NAME) or how many hit dice the owner has (--hit-dice NUMBER).", "owner"
            )
        if not self.only or "coins" in self.only:
            row = random_tables.row_for(LAIRS, dice)
            gold = table.roll("1d12 - 6", roller=table.seat, purpose="lair: gold").total * row.gold
            silver = table.roll("1d6", roller=table.seat, purpose="lair: silver").total * row.silver
            copper = table.roll("1d100", roller=table.seat, purpose="lair: copper").total * 100 * dice
            for coin, amount in (("gold", gold), ("silver", silver), ("copper", copper)):
                gain_coins(table, finder.id, coin, amount)
        for kind in VALUABLES:
            if not self.only or kind.key in self.only:
                valuable(table, finder.id, kind, dice)


def valuable(table: Table, holder: str, kind: Valuable, dice: int) -> None:
    """Roll for a thing of this kind, and for its worth (R3.102)."""
    if table.roll(f"1d{kind.die}", roller=table.seat, purpose=f"lair: {kind.key}").total > dice:
        return
    gold = _gold(table, kind) if kind.value else 0
    value = gold * in_copper("gold", house(table))
    item = f"{kind.name} worth {gold} gold" if kind.value else kind.name
    table.record(events.GearGained(character=holder, item=item, use=treasure(value, gem=kind.key == GEM)))


def _gold(table: Table, kind: Valuable) -> int:
    """The dice times gold; on the face that explodes they are rolled again and added (Q3.41)."""
    total = 0
    while True:
        rolled = table.roll(kind.value, roller=table.seat, purpose=f"lair: worth of {kind.key}").total
        total += rolled
        if rolled != kind.explodes:
            return total * kind.times
