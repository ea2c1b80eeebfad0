"""Ongoing magic and other things that tick down: each has levels, and the Exploration Die takes one (R3.58, Q3.36)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import attrs

from ruleset_plugins import Action, Character, Table, character, events, number, words

ONGOING = "ongoing "
"""The pool of an effect's levels, "ongoing mage light"; a character's, or the GM's for what hangs over everybody."""


def effects(pools: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The effects among these pools that still have levels."""
    for pool, levels in pools.items():
        if pool.startswith(ONGOING) and levels > 0:
            yield pool.removeprefix(ONGOING), levels


def fade(table: Table) -> None:
    """Every ongoing effect loses a level; what has none left is over."""
    for holder, pools in (("", table.gm_pools), *((who.id, who.pools) for who in table.characters())):
        for name, levels in tuple(effects(pools)):
            reason = "fades" if levels > 1 else "is over"
            table.record(events.PoolSpent(holder=holder, pool=ONGOING + name, amount=1, reason=reason))


@attrs.frozen(kw_only=True)
class Ongoing(Action):
    """Note ongoing magic, or a clock that ticks: it loses a level whenever the Exploration Die shows 5 (R3.58)."""

    verb: ClassVar[str] = "ongoing"
    gm_only: ClassVar[bool] = True

    effect: str = words("what goes on: mage light, the water rises")
    levels: int = number("levels more; 0 ends it", minimum=0, maximum=100, unit="levels")
    who: str = character("on whom; nobody in particular unless it is said", default="")

    def resolve(self, table: Table) -> None:
        """More levels, or none."""
        pools = table.character(self.who).pools if self.who else table.gm_pools
        held = max(pools.get(ONGOING + self.effect, 0), 0)
        if not self.levels and not held:
            table.refuse(f"{self.effect!r} is not going on, so there is nothing to end.")
        if self.levels:
            table.record(events.PoolGained(holder=self.who, pool=ONGOING + self.effect, amount=self.levels))
        else:
            table.record(events.PoolSpent(holder=self.who, pool=ONGOING + self.effect, amount=held, reason="is over"))


def ongoing_words(who: Character) -> Iterator[tuple[str, str]]:
    """What goes on, with its levels (for the sheet)."""
    lines = [f"{name}, {levels} level{'' if levels == 1 else 's'}" for name, levels in effects(who.pools)]
    if lines:
        yield "Ongoing", "; ".join(lines)
