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
    flag,
    gear,
    living,
    names,
    record_check,
    strikes,
)
from ruleset_plugins.conditions import HELPLESS
from ruleset_plugins.russell.blows import prey_ease
from ruleset_plugins.russell.burning import burning, source_of, use_up
from ruleset_plugins.russell.criticals import MISFORTUNE, fumble, offer_critical
from ruleset_plugins.russell.fire import FIRE, scorch, set_alight
from ruleset_plugins.russell.light import check_shot, settle_light
from ruleset_plugins.russell.prowess import armour_class, shooting_skill_terms
from ruleset_plugins.russell.ranges import CLOSE, range_between, reached
from ruleset_plugins.russell.rolls import roll_test
from ruleset_plugins.russell.settings import house
from ruleset_plugins.russell.turns import take_action

CLIPPED = "clipped lantern"
"""The condition of whoever wears a lantern on belt or shield; its source is the lantern."""

STRUCK_FROM = 15
"""An attack that hits with a die of at least this strikes a clipped lantern."""

HITS = 20
FIRST_ROUND = "1d3"


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
        if not self.off:
            self._clip_on(table, who)
        elif not conditions.end(table, who.id, CLIPPED):
            table.refuse(f"{who.name} has no lantern clipped on.")

    def _clip_on(self, table: Table, who: Character) -> None:
        source = source_of(who, self.item)
        if source is None or not source.pips:
            table.refuse(f"{who.name} has no lantern called {self.item!r}.")
        worn = who.conditions.get(CLIPPED)
        if worn is not None and source_of(who, worn.source) is not None:
            table.refuse(f"{who.name} wears a lantern already. Off with it first: clip {who.id} {worn.source} --off")
        conditions.end(table, who.id, CLIPPED)
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
        self._throw(table, who, target)
        if who.has(CLIPPED) and who.conditions[CLIPPED].source == self.item:
            conditions.end(table, who.id, CLIPPED)
        use_up(table, who.id, self.item)
        settle_light(table)

    def _check_range(self, table: Table, target: Character) -> None:
        bands = house(table).ranges
        band = bands[range_between(table, self.who, target.id)] if table.encounter is not None and bands else ""
        farthest = reached(bands, CLOSE)
        if band and bands.index(band) > farthest:
            table.refuse(f"{target.name} is at {band} range, and a lantern flies no farther than {bands[farthest]}.")
        check_shot(table, target, band, bands)

    def _throw(self, table: Table, who: Character, target: Character) -> None:
        """It misses nobody who is helpless; a natural 20 does more, and a natural 1 harm (R3.78, R3.79, R3.91)."""
        if target.has(HELPLESS):
            record_check(table, who.id, "thrown lantern", 0, 0, success=True, outcome="helpless", against=target.id)
            self._burst(table, who, target)
            return
        natural, hits = self._roll(table, who, target)
        dealt = self._burst(table, who, target) if hits else 0
        if natural == 20:
            offer_critical(table, who.id, target, dealt, tags=(FIRE,))
        elif natural == 1:
            fumble(table, who.id, target.id, MISFORTUNE)

    def _burst(self, table: Table, who: Character, target: Character) -> int:
        dealt = scorch(table, target.id, FIRST_ROUND, source=who.id)
        if dealt > 1:
            set_alight(table, target.id, source=who.id)
        return dealt

    def _roll(self, table: Table, who: Character, target: Character) -> tuple[int, bool]:
        ease = Ease(self.advantage, self.disadvantage) + prey_ease(target)
        roll = roll_test(table, who, shooting_skill_terms(who), kind="attack", purpose="to hit", ease=ease)
        total = roll.total + armour_class(target, house(table))
        hits, word = strikes(roll.natural, reaches=total >= HITS)
        record_check(table, who.id, "thrown lantern", total, HITS, success=hits, outcome=word, against=target.id)
        return roll.natural, hits
