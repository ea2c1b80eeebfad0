"""Chases: each side a d20 and its Movement, and what is dropped (R3.59–R3.61, Q3.37)."""

from collections.abc import Sequence

from ruleset_plugins import Action, Character, Table, Term, character, characters, events, gear, names, number
from ruleset_plugins.kit import d20, require
from ruleset_plugins.russell.character.movement import movement
from ruleset_plugins.russell.delve.encumbrance import check_has
from ruleset_plugins.russell.fight.morale import morale_holds
from ruleset_plugins.russell.fight.rolls import roll_test, standing_ease
from ruleset_plugins.russell.settings import house


def runners(table: Table, group: Sequence[Character]) -> list[Character]:
    """A group from its slowest to its fastest; at the same pace the more hampered comes first."""
    settings = house(table)

    def pace(who: Character) -> tuple[int, int]:
        ease = standing_ease(who, "chase", table)
        return movement(who, settings), len(ease.advantage) - len(ease.disadvantage)

    return sorted(group, key=pace)


class Chase(Action, verb="chase", gm_only=True):
    """Run a Round of a chase: the fleeing go at the pace of their slowest, the pursuers at their fastest's (R3.59).

    Those who are chased draw no map, see little of where they run, and turn at random where ways part (R3.60).
    """

    fleeing: tuple[str, ...] = characters("who runs away")
    pursuers: tuple[str, ...] = characters("who runs after them")

    def resolve(self, table: Table) -> None:
        """The higher roll wins; a tie, and the chase goes on (Q3.37)."""
        if not self.fleeing or not self.pursuers or set(self.fleeing) & set(self.pursuers):
            table.refuse("A chase needs people who flee and people who pursue, and nobody can do both.")
        slowest = runners(table, [require.living(table, name) for name in self.fleeing])[0]
        fastest = runners(table, [require.living(table, name) for name in self.pursuers])[-1]
        away, after = self._run(table, slowest), self._run(table, fastest)
        word = "escapes" if away > after else "is caught" if away < after else "is still chased"
        d20.record_check(
            table, slowest.id, "chase", away, after, success=away > after, outcome=word, against=fastest.id
        )

    def _run(self, table: Table, who: Character) -> int:
        pace = Term(movement(who, house(table)), "Movement", "R3.59", "stat.movement")
        return roll_test(table, who, (pace,), kind="chase", purpose="chase").total


class RandomTurn(Action, verb="random-turn", gm_only=True):
    """Those who are chased come where ways part, and a die says which they take (R3.60)."""

    ways: tuple[str, ...] = names("the ways there are, as left,ahead,right")

    def resolve(self, table: Table) -> None:
        if len(self.ways) < 2 or len(set(self.ways)) < len(self.ways):
            table.refuse("Name two or more different ways, as in: random-turn left,ahead,right")
        die = table.roll(f"1d{len(self.ways)}", roller=table.seat, purpose="random turn").total
        table.record(events.NoteWritten(text=f"The chase turns: {self.ways[die - 1]}"))


class DropBehind(Action, verb="drop-behind"):
    """Drop what the pursuers want, or an obstacle: they test Morale, and may stop (R3.61)."""

    who: str = character("who drops it", actor=True)
    item: str = gear("what: treasure, food, caltrops, burning oil")
    pursuer: str = character("who leads the pursuit")
    count: int = number("how many", default=1, minimum=1, maximum=1_000_000, gm_only=False)

    def resolve(self, table: Table) -> None:
        who, pursuer = require.living(table, self.who), require.living(table, self.pursuer)
        check_has(table, who, self.item, self.count)
        table.record(events.GearLost(character=who.id, item=self.item, count=self.count))
        morale_holds(table, pursuer, self.item, words=("comes on", "stops"))
