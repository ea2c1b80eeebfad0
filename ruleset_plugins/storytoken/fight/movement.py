"""Movement in a fight, and distances as the GM set them, with the feet moved since (R0.46, R0.48, R0.88).

There are no squares in this game. Without a distance set by the GM, the attacker says how far away a target is, as at a
table without a map; with one, a distance differs from it by at most the feet moved since (R0.165).
"""

from rollbook.kit import require, turn_order
from rollbook.plugin import Action, Character, Condition, Encounter, Table, events, param
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.fight import arms, turns

DISTANCE_TO, FEET, BAND, SINCE = "distance_to", "feet", "band", "moved_since"
"""Fields of the condition that holds a distance: the other character, the feet or band, and the feet moved since."""


class SetDistance(Action, verb="distance", gm_only=True):
    """Say how far apart people are: their attacks go by it, give or take the feet that either has moved since (R0.88)."""

    sentence = "says how far {who} is from {others}"

    who: str = param.character("from whom")
    others: tuple[str, ...] = param.characters("to whom")
    feet: int = param.number("how many feet", default=0, minimum=0, maximum=arms.FARTHEST, unit="feet")
    band: str = param.choice("or in which band, too far for feet", arms.BEYOND_FEET, default="")
    unsaid: bool = param.flag("it does not matter any more: who attacks says it")

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        if self.band and self.feet:
            table.refuse("Say it with --feet or with --band, not with both.", "feet")
        if not self.others or who.id in self.others:
            table.refuse(
                f"Name others than {who.name}, from whom {who.name} is so far away.", table.parameter_of(who.id)
            )
        for other in (require.living(table, name) for name in self.others):
            for one, two in ((who, other), (other, who)):
                self._note(table, one, two)

    def _note(self, table: Table, one: Character, two: Character) -> None:
        held = _held(one, two.id)
        if held is not None:
            conditions.end(table, one.id, held.name)
        if not self.unsaid:
            far = _in_words(arms.Place(self.feet, self.band))
            data: events.Data = {DISTANCE_TO: two.id, FEET: self.feet, BAND: self.band, SINCE: 0}
            conditions.begin(table, one.id, f"{far} from {two.id}", data=data)


def _in_words(place: arms.Place) -> str:
    return f"in the band {place.band}" if place.band else f"{place.feet} feet"


def _held(who: Character, other: str) -> Condition | None:
    return next(iter(conditions.with_data(who, DISTANCE_TO, other)), None)


def place_of(table: Table, one: Character, two: Character, claimed: arms.Place, parameter: str) -> arms.Place:
    """The place of a target for an attack: as ``claimed`` by a parameter, unless the GM has set another distance.

    A claim of the GM is a ruling. Refused for a player's claim that the feet moved since do not explain.
    """
    held, theirs = _held(one, two.id), _held(two, one.id)
    if held is None:
        return claimed
    said = arms.Place(conditions.number(held, FEET), conditions.text(held, BAND))
    since = conditions.number(held, SINCE) + conditions.number(theirs, SINCE)
    is_there = claimed.band == said.band and abs(claimed.feet - said.feet) <= since
    if is_there or (claimed != arms.NEAR and table.gm_says(parameter)):
        return claimed
    if claimed != arms.NEAR:
        moved = f", and {since} feet were moved since" if since else ""
        table.refuse(
            f"{two.name} is {_in_words(said)} away, as the GM said{moved}, and not {_in_words(claimed)}. The GM says otherwise "
            f"with: distance {one.id} {two.id} --feet NUMBER"
        )
    return said


def note_move(table: Table, who: Character, feet: int) -> None:
    """Note a character's move: each of their distances may be so much shorter or longer."""
    for each in conditions.with_data(who, DISTANCE_TO):
        since = conditions.number(each, SINCE) + feet
        conditions.change(table, who.id, each, data={SINCE: since})


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
        conditions.end(table, who.id, arms.HIDDEN)

    @staticmethod
    def _begin(table: Table, name: str, *, out_of_turn: bool = False) -> Encounter | None:
        """The fight, for a character who can leave the spot. Refused for any other."""
        who = turns.able(table, name)
        turns.check_control(table, who)
        encounter = turn_order.own_turn(table, who, out_of_turn=out_of_turn, hand_on=turns.HAND_ON)
        if not turns.speed(table, who) and not out_of_turn:
            free = f"Break free with: escape {who.id}"
            how = free if who.has(conditions.IMMOBILISED) else turns.WAIVED
            table.refuse(f"{who.name} has a speed of 0 and cannot leave the spot. {how}")
        return encounter

    def _spend(self, table: Table, encounter: Encounter, who: Character, cost: int) -> None:
        turns.check_confusion(table, who, turns.FLEES, turns.STRIKES)
        spent = encounter.spent
        moved, pace = spent.get(turns.FEET, 0), turns.speed(table, who)
        if self.difficult:  # it halves the pace before anything doubles it (Q0.13)
            pace = pace // 2 * 2
        has_own_action = spent.get(turns.ACTION, 0) <= spent.get(turns.EXTRA_ACTION, 0)
        budget = 2 * pace if has_own_action else pace
        if moved + cost > budget:
            ground = f"{self.feet} feet of difficult ground count as {cost}" if self.difficult else f"{cost} feet"
            why = "without an action" if has_own_action else "in a turn with an action"
            left = f"{budget - moved} of {budget} feet are left {why}"
            table.refuse(f"{who.name} cannot move that far: {ground}, and {left}.", "feet")
        turn_order.spend(table, who, turns.FEET, cost)
