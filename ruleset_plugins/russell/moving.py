"""Moving in a fight: free within a range, an action to the next one, and 24 feet on a map (R3.76, R3.86)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Table,
    character,
    characters,
    conditions,
    events,
    flag,
    living,
    number,
    own_turn,
    spend,
    words,
)
from ruleset_plugins.russell.movement import round_feet
from ruleset_plugins.russell.profile import MOVEMENT
from ruleset_plugins.russell.ranges import band_number, come, opponents, range_between
from ruleset_plugins.russell.rolls import save
from ruleset_plugins.russell.settings import house
from ruleset_plugins.russell.turns import BRACED, FEET, KEPT_OUT, can_act, grant_free_attack, take_action
from ruleset_plugins.russell.wounds import FLOORED


@attrs.frozen(kw_only=True)
class Move(Action):
    """Move to the next range from some foes, which takes the action; or so many feet on a map, which does not (R3.76)."""

    verb: ClassVar[str] = "move"

    who: str = character("who moves", actor=True)
    to: str = words("the range to reach: the next one nearer or farther", default="")
    foes: tuple[str, ...] = characters("from whom; not given: from every foe in the fight", default=())
    feet: int = number("how far on a map", default=0, minimum=0, maximum=10_000, unit="feet")
    athletic: bool = flag("it takes a leap, a climb or the like: a save against Movement first")
    blocked_by: str = character("a foe within weapon reach who blocks the way", default="")
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """Blocked, or not; athletic, or not; then there."""
        if bool(self.to) == bool(self.feet):
            table.refuse("Say where to: --to RANGE (engaged, close, medium …), or on a map --feet NUMBER.")
        who = can_act(table, self.who)
        if self.blocked_by:
            self._check_way(table, who)
        if self.feet:
            self._walk(table, who)
        else:
            self._change_range(table, who)

    def _check_way(self, table: Table, who: Character) -> None:
        foe = living(table, self.blocked_by)
        if any(foe.has(state) for state in (*KEPT_OUT, FLOORED)):
            return
        if range_between(table, who.id, foe.id) == 0:
            table.refuse(
                f"{foe.name} stands within weapon reach and blocks {who.name}'s way. A stunt may get {foe.name} out of "
                f"it: stunt {who.id} {foe.id}"
            )

    def _walk(self, table: Table, who: Character) -> None:
        """Movement x 2 feet a Round (R3.76, Q3.25); outside a fight nobody counts them."""
        encounter = own_turn(table, who, out_of_turn=self.out_of_turn)
        if encounter is not None:
            left = round_feet(who, house(table)) - encounter.spent.get(FEET, 0)
            if self.feet > left:
                table.refuse(f"{who.name} cannot move {self.feet} feet: {left} are left in this Round.")
            spend(table, who, FEET, self.feet)
        if self._makes_it(table, who):
            table.record(events.Moved(character=who.id, cost=self.feet))

    def _makes_it(self, table: Table, who: Character) -> bool:
        return not self.athletic or save(table, who, MOVEMENT, against="the leap", purpose="athletics")

    def _change_range(self, table: Table, who: Character) -> None:
        there = band_number(table, self.to)
        foes = [living(table, name) for name in self.foes] or list(opponents(table, who))
        if not foes:
            table.refuse(f"There is nobody from whom {who.name} could move. Name the foes: --foes ID,ID")
        self._check_one_step(table, who, foes, there)
        take_action(table, who.id, out_of_turn=self.out_of_turn)
        if self._makes_it(table, who):
            arrive_at(table, who.id, [foe.id for foe in foes], there)

    def _check_one_step(self, table: Table, who: Character, foes: list[Character], there: int) -> None:
        bands = house(table).ranges
        for foe in foes:
            here = range_between(table, who.id, foe.id)
            if here == there:
                table.refuse(f"{who.name} is at {bands[here]} range from {foe.name} already; moving within it is free.")
            if abs(here - there) > 1:
                table.refuse(
                    f"{who.name} is at {bands[here]} range from {foe.name}: an action goes one range and no farther."
                )


def arrive_at(table: Table, name: str, foes: list[str], band: int) -> None:
    """Somebody is at another range from these foes; whoever braced for it may strike at once (R3.86)."""
    for foe in foes:
        come(table, name, foe, band)
        if band == 0 and conditions.end(table, foe, BRACED):
            grant_free_attack(table, foe, name)
