"""Things: their row in the table of things, and the reading of their ``use``.

A ``use`` is words and numbers, typed with colons between and read here and nowhere else: ``weapon:melee:1d8``, ``usage:d8``,
``large:3``, ``bundle:20``, ``treasure:500`` (worth in copper), ``treasure:gem:500``. The first word is the sort.
"""

import re
from functools import lru_cache

import attrs

from rollbook.kit import data, equipment
from rollbook.plugin import Character, Record

TREASURE, USAGE, GEM = "treasure", "usage", "gem"
LONGEST_NUMBER = 12
"""Digits of a number in a use that are read."""

_DICE = re.compile(r"\d{0,2}d\d{1,3}(k[hl]\d)?([+-]\d{1,3})?")


@attrs.frozen(kw_only=True)
class Row(Record):
    """One sort of thing: ``slots`` for every begun ``lot`` of them, or ``tiny``: one slot for a full thousand (R3.35).

    ``usage`` is the usage die of a full one and ``refilled`` says that it is kept when it is empty (R3.42).
    """

    key: str
    names: tuple[str, ...] = ()
    slots: int = 1
    lot: int = 1
    tiny: bool = False
    usage: str = ""
    refilled: bool = False
    rule: str = "R3.35"


class Thing(data.Frozen):
    """A thing as its row and its use have it; ``words`` are those of the use, ``dice`` its dice, ``number`` its number."""

    row: Row
    words: tuple[str, ...] = ()
    dice: str = ""
    number: int = 0

    @property
    def sort(self) -> str:
        """The sort it is taken for: "weapon", "treasure", "usage" …; "" without a use."""
        return self.words[0] if self.words else ""

    @property
    def usage(self) -> str:
        """The usage die of a full one, "" for none."""
        return self.dice if self.sort == USAGE and self.dice else self.row.usage

    @property
    def worth(self) -> int:
        """The worth of one in copper, as its use says."""
        return self.number if self.sort == TREASURE else 0


BY_KEY = {row.key: row for row in data.load(__package__, "things.json", Row)}
BY_NAME = {name: row for row in BY_KEY.values() for name in row.names}
SIMPLE = Row(key="", rule="R3.34")
"""Anything that no table names: a slot each."""

MOST_SLOTS = 9_999
"""The largest number of slots, or of things in a bundle, that a use may say."""


@lru_cache(maxsize=2048)
def thing(item: str, use: equipment.Use = ()) -> Thing:
    """The thing as the rules take it: by the words of its use, the last first, then by its name."""
    parts = tuple(part.casefold() for part in use)
    words = tuple(part for part in parts if part and not part.isdecimal() and not _DICE.fullmatch(part))
    dice = next((part for part in parts if _DICE.fullmatch(part)), "")
    last = "".join(parts[-1:])
    number = int(last) if last.isascii() and last.isdecimal() and len(last) <= LONGEST_NUMBER else 0
    named = next((BY_KEY[word] for word in (*words[-1:], *words) if word in BY_KEY), None)
    row = named or BY_NAME.get(item.casefold(), SIMPLE)
    if 0 < number <= MOST_SLOTS and row.key == "large":
        row = attrs.evolve(row, slots=number)
    if 0 < number <= MOST_SLOTS and row.key == "bundle":
        row = attrs.evolve(row, lot=number)
    return Thing(row=row, words=words, dice=dice, number=number)


def treasure(copper: int, *, gem: bool = False) -> equipment.Use:
    """The use of a thing that is worth this much copper."""
    return (TREASURE, GEM, str(copper)) if gem else (TREASURE, str(copper))


def first_of(who: Character, key: str) -> str:
    """A character's first thing of this sort in the table: "ration", "oil"; "" for none."""
    return next((item for item, use in equipment.carried(who) if thing(item, use).row.key == key), "")
