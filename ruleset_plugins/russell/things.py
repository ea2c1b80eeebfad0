"""What the things that somebody carries are taken for: their slots, their usage dice, the tiny ones and the large.

A thing is known by the last word of its ``use`` ("light:torch", "armour:chain", "large") or by its name. A number in
the use counts: "large:3" fills three slots, and of "bundle:20" twenty go into one.
"""

from __future__ import annotations

from functools import lru_cache

import attrs

from ruleset_plugins import load


@attrs.frozen(kw_only=True)
class Thing:
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


ROWS = load(__package__, "things.json", Thing)
BY_KEY = {row.key: row for row in ROWS}
BY_NAME = {name: row for row in ROWS for name in row.names}
SIMPLE = Thing(key="", rule="R3.34")
"""Anything that no table names: a slot each."""

LARGEST_NUMBER = 4
"""Digits of a number in a use that count; longer ones are another game's affair."""


@lru_cache(maxsize=2048)
def thing(item: str, use: str = "") -> Thing:
    """What a thing is taken for. Anything that is not known is one thing in one slot."""
    *words, last = use.casefold().split(":")
    count = int(last) if last.isascii() and last.isdecimal() and len(last) <= LARGEST_NUMBER else 0
    head = words[-1] if words and last.isdecimal() else last
    known = BY_KEY.get(head) or next((BY_KEY[word] for word in words if word in BY_KEY), None)
    if known is None:
        known = BY_NAME.get(item.casefold()) or _first_word(item)
    return _counted(known, count) if count else known


def _first_word(item: str) -> Thing:
    """A gem worth 500 gold is a gem: treasure is named by its sort first."""
    word = item.casefold().partition(" ")[0]
    known = BY_NAME.get(word)
    return known if known is not None and known.key == "gem" else SIMPLE


def _counted(known: Thing, count: int) -> Thing:
    if known.key == "large":
        return attrs.evolve(known, slots=count)
    return attrs.evolve(known, lot=count) if known.key == "bundle" else known
