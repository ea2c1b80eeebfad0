"""The verb ``move``: to the next range, or some feet on a map (R3.76, R3.86)."""

from rollbook.kit import require, turn_order, vocabulary
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.russell.character.movement import round_feet
from rollbook.rulesets.russell.character.stat_line import MOVEMENT
from rollbook.rulesets.russell.fight import turns
from rollbook.rulesets.russell.fight.blocking import check_way
from rollbook.rulesets.russell.fight.movement import arrive_at, band_number, opponents, range_between
from rollbook.rulesets.russell.fight.saves import save
from rollbook.rulesets.russell.settings import house


class Move(Action, verb="move"):
    """Move to the next range from some foes, which takes the action; or some feet on a map, which does not (R3.76)."""

    sentence = "moves to {to:key}[ of {foes}]|moves {feet:foot}|moves[ from {foes}]"

    typed_dice = (DiceStep(tests={"a d20 of athletics, if it takes one": "athletics"}),)

    who: str = param.character("who moves", actor=True)
    to: str = param.words(
        "the range to reach: the next one nearer or farther", default="", gm_only=False, of=vocabulary.RANGE
    )
    foes: tuple[str, ...] = param.characters(
        "the foes; left out, every foe in the fight; on a map, those whom the way ends beside",
        default=(),
        gm_only=False,
    )
    feet: int = param.number("how far on a map", default=0, minimum=0, maximum=10_000, unit="feet", gm_only=False)
    athletic: bool = param.flag("it takes a leap, a climb or the like: a save against Movement first", gm_only=False)
    blocked_by: str = param.character(
        "a foe within weapon reach who blocks the way, if the GM rules so", default="", gm_only=True
    )
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        mover = turns.can_act(table, who)
        check_way(table, mover)
        turn_order.own_turn(table, mover, out_of_turn=False)

    def resolve(self, table: Table) -> None:
        if bool(self.to) == bool(self.feet):
            table.refuse(
                "Say where to: --to RANGE (engaged, close, medium …), or on a map --feet NUMBER.", parameter="to"
            )
        who = turns.can_act(table, self.who)
        check_way(table, who, self.blocked_by)
        if self.feet:
            self._walk(table, who)
        else:
            self._change_range(table, who)

    def _walk(self, table: Table, who: Character) -> None:
        """Movement x 2 feet a Round (R3.76, Q3.25); outside a fight feet are not counted."""
        encounter = turn_order.own_turn(table, who, out_of_turn=self.out_of_turn)
        if encounter is not None:
            left = round_feet(who, house(table)) - encounter.spent.get(turns.FEET, 0)
            if self.feet > left:
                table.refuse(
                    f"{who.name} cannot move {self.feet} feet: {left} are left in this Round.", parameter="feet"
                )
            turn_order.spend(table, who, turns.FEET, self.feet)
        if self._makes_it(table, who):
            table.record(events.Moved(character=who.id, cost=self.feet))
            arrive_at(table, who.id, [require.living(table, name).id for name in self.foes], 0)

    def _makes_it(self, table: Table, who: Character) -> bool:
        return not self.athletic or save(table, who, MOVEMENT, against="the leap", purpose="athletics")

    def _change_range(self, table: Table, who: Character) -> None:
        there = band_number(table, self.to)
        foes = [require.living(table, name) for name in self.foes] or list(opponents(table, who))
        if not foes:
            table.refuse(f"{who.name} has no foe in the fight. Name the foes: --foes ID,ID", parameter="foes")
        self._check_one_step(table, who, foes, there)
        turns.take_action(table, who.id, out_of_turn=self.out_of_turn)
        if self._makes_it(table, who):
            arrive_at(table, who.id, [foe.id for foe in foes], there)

    def _check_one_step(self, table: Table, who: Character, foes: list[Character], there: int) -> None:
        bands = house(table).ranges
        for foe in foes:
            here = range_between(table, who.id, foe.id)
            if here == there:
                table.refuse(
                    f"{who.name} is at {bands[here]} range from {foe.name} already; moving within it is free.",
                    parameter="to",
                )
            if abs(here - there) > 1:
                table.refuse(
                    f"{who.name} is at {bands[here]} range from {foe.name}: an action goes one range and no farther.",
                    parameter="to",
                )
