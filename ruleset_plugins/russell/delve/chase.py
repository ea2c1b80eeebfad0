"""Chases: each side a d20 and its Movement, and things dropped for the pursuers (R3.59–R3.61, Q3.37)."""

from collections.abc import Sequence

from rollbook.kit import conditions, d20, equipment, require, verbs
from rollbook.plugin import Action, Character, DiceStep, Table, Term, events, param
from rollbook.rulesets.russell import gear
from rollbook.rulesets.russell.delve import encumbrance, light_sources, meeting
from rollbook.rulesets.russell.fight import encounter, rolls
from rollbook.rulesets.russell.settings import house
from rollbook.rulesets.russell.wealth.treasure import is_treasure

STOPPED = "stopped"
"""The condition of a pursuer who has given up the chase for a while (R3.61)."""

WANTS = "wants"
"""The kind of the traits that name what a creature stops for: food, treasure, or a thing by its name (R3.61)."""

OBSTACLE = "obstacle"


def runners(table: Table, group: Sequence[Character]) -> list[Character]:
    """A group from its slowest to its fastest; at the same pace the more hampered comes first."""
    settings = house(table)

    def pace(who: Character) -> tuple[int, int]:
        ease = rolls.standing_ease(who, "chase", table)
        return encumbrance.movement(who, settings), len(ease.advantage) - len(ease.disadvantage)

    return sorted(group, key=pace)


class Chase(Action, verb="chase", gm_only=True):
    """Run a Round of a chase: the fleeing go at the pace of their slowest, the pursuers at their fastest's (R3.59).

    Those who are chased draw no map, see little of where they run, and turn at random where ways part (R3.60).
    """

    sentence = "has {pursuers} chase {fleeing}"
    typed_dice = (DiceStep(tests={"a d20 for each group": "chase"}),)

    fleeing: tuple[str, ...] = param.characters("who runs away")
    pursuers: tuple[str, ...] = param.characters("who runs after them")

    def resolve(self, table: Table) -> None:
        """The higher roll wins; a tie, and the chase goes on (Q3.37)."""
        if not self.fleeing or not self.pursuers or set(self.fleeing) & set(self.pursuers):
            table.refuse("A chase needs people who flee and people who pursue, and nobody can do both.", "pursuers")
        for name in self.pursuers:
            who = table.character(name)
            if who.has(STOPPED):
                table.refuse(f"{who.name} has stopped and pursues nobody for now. Leave {who.name} out.", "pursuers")
        slowest = runners(table, [require.living(table, name) for name in self.fleeing])[0]
        fastest = runners(table, [require.living(table, name) for name in self.pursuers])[-1]
        away, after = self._run(table, slowest), self._run(table, fastest)
        word = "escapes" if away > after else "is caught" if away < after else "is still chased"
        d20.record_check(
            table, slowest.id, "chase", away, after, success=away > after, outcome=word, against=fastest.id
        )

    def _run(self, table: Table, who: Character) -> int:
        pace = Term(encumbrance.movement(who, house(table)), "Movement", "R3.59", "stat.movement")
        return rolls.roll_test(table, who, (pace,), kind="chase", purpose="chase").total


class RandomTurn(Action, verb="random-turn", gm_only=True):
    """Those who are chased come where ways part, and a die says which they take (R3.60)."""

    sentence = "lets a die say which way they take"
    typed_dice = (DiceStep(tables={"a die with a face for each way": "random turn"}),)

    ways: tuple[str, ...] = param.names("the ways there are, as left,ahead,right")

    def resolve(self, table: Table) -> None:
        if len(self.ways) < 2 or len(set(self.ways)) < len(self.ways):
            table.refuse("Name two or more different ways, as in: random-turn left,ahead,right", "ways")
        die = table.roll(f"1d{len(self.ways)}", roller=table.seat, purpose="random turn").total
        table.record(events.NoteWritten(text=f"The chase turns: {self.ways[die - 1]}"))


class DropBehind(Action, verb="drop-behind"):
    """Drop what the pursuers want, or an obstacle: they test Morale, and those who fail stop (R3.61).

    Caltrops, burning oil and whatever else has the use ``obstacle`` stop anybody; for treasure, food or another thing a pursuer
    stops who wants it, by a trait of the kind ``wants`` or by the GM's word.
    """

    sentence = "drops {item:many} behind[ for {pursuer}]"
    typed_dice = (DiceStep(tests={"the 2d6 of the pursuers' Morale": "Morale"}),)

    who: str = param.character("who drops it", actor=True)
    item: str = param.gear("what: treasure, food, caltrops, burning oil")
    pursuer: str = param.character("who leads the pursuit")
    count: int = param.number("how many", default=1, minimum=1, maximum=1_000_000, gm_only=False)
    wanted: bool = param.flag("the GM rules that the pursuers want it", gm_only=True)
    turns: int = param.number("for how long they stop", default=1, minimum=1, maximum=1_000, unit="Turns", gm_only=True)

    check_available = verbs.available_if(require.living)

    def resolve(self, table: Table) -> None:
        who, pursuer = require.living(table, self.who), require.living(table, self.pursuer)
        item = equipment.called(who, self.item)
        use = encumbrance.check_has(table, who, item, self.count).use
        if not self.wanted and not _tempts(table, who, pursuer, item, use):
            table.refuse(
                f"{item} is no obstacle, and nobody knows that {pursuer.name} wants it. The GM says so with --wanted, or for "
                f"the whole chase: trait {pursuer.id} food --kind {WANTS}",
                "item",
            )
        table.record(events.GearLost(character=who.id, item=item, count=self.count))
        if not meeting.morale_holds(table, pursuer, item, words=("comes on", "stops")):
            until = table.clock + self.turns * house(table).turn_seconds
            groups = set(pursuer.traits_of(encounter.GROUP))
            for each in table.characters():
                if each.id == pursuer.id or groups & set(each.traits_of(encounter.GROUP)):
                    conditions.begin(table, each.id, STOPPED, source=who.id, until=until, again=True)


def _tempts(table: Table, who: Character, pursuer: Character, item: str, use: tuple[str, ...]) -> bool:
    """True for an obstacle, or a thing that the pursuer is known to want."""
    row = gear.thing(item, use).row.key
    if row == OBSTACLE or (row in ("oil", "lantern") and any(light_sources.burning(who))):
        return True
    sorts = {item.casefold(), row, *(["food"] if row == "ration" else [])}
    if is_treasure(item, use, house(table)):
        sorts.add("treasure")
    return any(wanted.casefold() in sorts for wanted in pursuer.traits_of(WANTS))
