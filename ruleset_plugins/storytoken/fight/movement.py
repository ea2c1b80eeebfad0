"""Movement in a fight: the speed and an action, or twice the speed and none (R0.46, R0.48)."""

from rollbook.kit import turn_order
from rollbook.plugin import Action, Character, Encounter, Table, events, param
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.fight import turns
from rollbook.rulesets.storytoken.fight.armour import HIDDEN
from rollbook.rulesets.storytoken.fight.distances import note_move
from rollbook.rulesets.storytoken.fight.speed import speed


class Move(Action, verb="move"):
    """Move so many feet. Difficult ground halves the speed, rounded down: every foot counts twice (R0.48, Q0.13)."""

    sentence = "moves {feet:foot}"

    who: str = param.character("who moves", actor=True)
    feet: int = param.number("how far, in feet", minimum=1, maximum=10_000, unit="feet", gm_only=False)
    difficult: bool = param.flag("undergrowth, rubble, ice or a crawlspace", gm_only=False)
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        encounter = cls._begin(table, who)
        if encounter is not None:
            turns.check_confusion(table, table.character(who), turns.FLEES, turns.STRIKES)

    def resolve(self, table: Table) -> None:
        encounter, who = self._begin(table, self.who, out_of_turn=self.out_of_turn), table.character(self.who)
        cost = self.feet * 2 if self.difficult else self.feet
        if encounter is not None:
            self._spend(table, encounter, who, cost)
        table.record(events.Moved(character=who.id, cost=cost))
        note_move(table, who, self.feet)
        conditions.end(table, who.id, HIDDEN)

    @staticmethod
    def _begin(table: Table, name: str, *, out_of_turn: bool = False) -> Encounter | None:
        """The fight, for somebody who can leave the spot."""
        who = turns.able(table, name)
        turns.check_control(table, who)
        encounter = turn_order.own_turn(table, who, out_of_turn=out_of_turn, hand_on=turns.HAND_ON)
        if not speed(table, who) and not out_of_turn:
            free = f"Break free with: escape {who.id}"
            how = free if who.has(conditions.IMMOBILISED) else turns.WAIVED
            table.refuse(f"{who.name} has a speed of 0 and cannot leave the spot. {how}")
        return encounter

    def _pace(self, table: Table, who: Character) -> int:
        """The speed in feet of easy ground; difficult ground halves it before anything doubles it (Q0.13)."""
        pace = speed(table, who)
        return pace // 2 * 2 if self.difficult else pace

    def _spend(self, table: Table, encounter: Encounter, who: Character, cost: int) -> None:
        turns.check_confusion(table, who, turns.FLEES, turns.STRIKES)
        spent = encounter.spent
        moved, pace = spent.get(turns.FEET, 0), self._pace(table, who)
        has_own_action = spent.get(turns.ACTION, 0) <= spent.get(turns.EXTRA_ACTION, 0)
        budget = 2 * pace if has_own_action else pace
        if moved + cost > budget:
            ground = f"{self.feet} feet of difficult ground count as {cost}" if self.difficult else f"{cost} feet"
            why = "without an action" if has_own_action else "in a turn with an action"
            left = f"{budget - moved} of {budget} feet are left {why}"
            table.refuse(f"{who.name} cannot move that far: {ground}, and {left}.", parameter="feet")
        turn_order.spend(table, who, turns.FEET, cost)
