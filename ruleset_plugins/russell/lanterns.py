"""What a lantern is good for besides light: clipped on it is in the way of blows, thrown it is a firebomb (R3.70)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Ease,
    Table,
    character,
    conditions,
    events,
    flag,
    gear,
    living,
    names,
    strikes,
)
from ruleset_plugins.russell.burning import burning, source_of, use_up
from ruleset_plugins.russell.fire import scorch, set_alight
from ruleset_plugins.russell.light import check_shot, settle_light
from ruleset_plugins.russell.prowess import armour_class, shooting_skill_terms
from ruleset_plugins.russell.ranges import range_between
from ruleset_plugins.russell.rolls import roll_test
from ruleset_plugins.russell.settings import house
from ruleset_plugins.russell.turns import take_action

CLIPPED = "clipped lantern"
"""The condition of whoever wears a lantern on belt or shield; its source is the lantern."""

STRUCK_FROM = 15
"""An attack that hits with a die of at least this strikes a clipped lantern."""

HITS = 20
FIRST_ROUND = "1d3"
FARTHEST = "close"


def lantern_struck(table: Table, name: str, natural: int) -> bool:
    """An attack hit somebody with this die: from 15 on it breaks a clipped lantern (R3.70). Returns whether it did."""
    who = table.character(name)
    clipped = who.conditions.get(CLIPPED)
    if clipped is None or natural < STRUCK_FROM:
        return False
    conditions.end(table, name, CLIPPED)
    if source_of(who, clipped.source) is None:
        return False
    use_up(table, name, clipped.source)
    settle_light(table)
    return True


@attrs.frozen(kw_only=True)
class Clip(Action):
    """Clip a lantern to belt or shield: both hands are free, and good hits break it (R3.70)."""

    verb: ClassVar[str] = "clip"

    who: str = character("who wears it", actor=True)
    item: str = gear("which lantern")
    off: bool = flag("take it in the hand again")

    def resolve(self, table: Table) -> None:
        """Clipped on, or off."""
        who = living(table, self.who)
        source = source_of(who, self.item)
        if source is None or not source.pips:
            table.refuse(f"{who.name} has no lantern called {self.item!r}.")
        if self.off == (not who.has(CLIPPED)):
            table.refuse(f"{who.name} {'has no lantern clipped on' if self.off else 'wears a lantern already'}.")
        if self.off:
            conditions.end(table, who.id, CLIPPED)
        else:
            conditions.begin(table, who.id, CLIPPED, source=self.item)


@attrs.frozen(kw_only=True)
class ThrowLantern(Action):
    """Throw a burning lantern at somebody: it is destroyed, and if it hits they burn (R3.70)."""

    verb: ClassVar[str] = "throw-lantern"

    who: str = character("who throws", actor=True)
    target: str = character("at whom")
    item: str = gear("which lantern", default="lantern")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """1d20 + Shooting Skill + armour class for 20; then 1d3, and 1d6 every Round after it."""
        who, target = living(table, self.who), living(table, self.target)
        if who.id == target.id:
            table.refuse("Nobody throws a lantern at themselves.")
        light = next((light for light in burning(who) if light.item == self.item and light.source.pips), None)
        if light is None:
            table.refuse(f"{who.name} has no burning lantern called {self.item!r}. First: light {who.id} {self.item}")
        self._check_range(table, target)
        take_action(table, self.who, out_of_turn=self.out_of_turn)
        if self._hits(table, who, target) and scorch(table, target.id, FIRST_ROUND, source=who.id):
            set_alight(table, target.id, source=who.id)
        if who.has(CLIPPED) and who.conditions[CLIPPED].source == self.item:
            conditions.end(table, who.id, CLIPPED)
        use_up(table, who.id, self.item)
        settle_light(table)

    def _check_range(self, table: Table, target: Character) -> None:
        bands = house(table).ranges
        band = bands[range_between(table, self.who, target.id)] if table.encounter is not None and bands else ""
        if band and band not in bands[: bands.index(FARTHEST) + 1 if FARTHEST in bands else 2]:
            table.refuse(f"{target.name} is at {band} range, and a lantern flies no farther than {FARTHEST}.")
        check_shot(table, target, band, bands)

    def _hits(self, table: Table, who: Character, target: Character) -> bool:
        ease = Ease(self.advantage, self.disadvantage)
        roll = roll_test(table, who, shooting_skill_terms(who), kind="attack", purpose="to hit", ease=ease)
        total = roll.total + armour_class(target, house(table))
        hits, word = strikes(roll.natural, reaches=total >= HITS)
        table.record(
            events.CheckResolved(
                character=who.id,
                check="thrown lantern",
                total=total,
                target=HITS,
                success=hits,
                outcome=word,
                against=target.id,
            )
        )
        return hits
