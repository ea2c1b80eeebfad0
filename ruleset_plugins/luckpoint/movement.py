"""Movement: distances, speed, and the verb move (R1.16, R1.17, R1.46, R1.54, Q1.27)."""

from functools import lru_cache

from rollbook.kit import conditions, data, require, sheet_lines, stat_entry, turn_order
from rollbook.plugin import Action, Character, Encounter, Table, Term, events, param
from rollbook.rulesets.luckpoint import abilities, hit_points

ACTION, METRES = "action", "metres"
"""The counters of ``TurnSpent`` in a turn."""


def has_run(encounter: Encounter, who: Character) -> bool:
    """Tell if the turn's movement was so long that no action is left (R1.16)."""
    return encounter.spent.get(METRES, 0) > speed(who)


class Distance(data.Frozen):
    """A distance that is printed in both units."""

    metres: int
    feet: int


PRINTED = data.load(__package__, "distances.json", Distance)


@lru_cache(maxsize=128)
def feet(metres: int) -> int:
    """A distance in feet: as printed, or else three and a third a metre, rounded down."""
    return next((each.feet for each in PRINTED if each.metres == metres), metres * 10 // 3)


@lru_cache(maxsize=128)
def metres(feet_: int) -> int:
    """A distance in metres: as printed, or else the nearest."""
    return next((each.metres for each in PRINTED if each.feet == feet_), (feet_ * 3 + 5) // 10)


def in_both(distance: int) -> str:
    """A distance in metres as it is shown: ``10 m (30 ft)``."""
    return f"{distance} m ({feet(distance)} ft)"


SPEED_BASE = "speed_base"
"""The stat that replaces the usual 10 metres, for monsters."""

CRAWL = 1
"""Metres a round that a character with critical wounds can crawl (R1.46)."""


def speed_terms(who: Character) -> tuple[Term, ...]:
    """The summands of the speed in metres a round, with an action besides."""
    fast = next((row for row in abilities.special_abilities_of(who) if row.metres), None)
    if SPEED_BASE in who.stats:
        terms = [Term(who.stats[SPEED_BASE], "own base", "QG.8", f"stat.{SPEED_BASE}")]
    elif fast is not None:
        terms = [Term(fast.metres, fast.name, fast.rule, fast.path)]
    else:
        terms = [Term(10, "base", "R1.16")]
    terms += stat_entry.terms(who, "speed", "ruling")
    return sheet_lines.at_least(terms, 0, "QG.8")


def speed(who: Character) -> int:
    """Metres a round on easy ground, with an action besides; without one it is twice as much."""
    return sum([term.amount for term in speed_terms(who)])


def metres_in_turn(encounter: Encounter, who: Character) -> tuple[int, str]:
    """The metres that the present turn has in all, and the reason (R1.16, R1.46)."""
    if who.has(hit_points.CRITICAL):
        return CRAWL, "with critical wounds"
    if encounter.spent.get(ACTION, 0):
        return speed(who), "in a turn with an action"
    return 2 * speed(who), "without an action"


STAND = "stand"


class Move(Action, verb="move"):
    """Move so many metres. Crawling, swimming, climbing and slippery ground halve the speed: every metre counts twice."""

    sentence = "moves {metres:metre}"

    who: str = param.character("who moves", actor=True)
    metres: int = param.number("how far, in metres", minimum=0, maximum=10_000, unit="metres", gm_only=False)
    difficult: bool = param.flag("swimming, climbing, or ice underfoot; the prone crawl anyway", gm_only=False)
    posture: str = param.choice(
        "get up first, or lie down, at no cost", ("", STAND, conditions.PRONE), default="", gm_only=False
    )
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        turn_order.own_turn(table, require.living(table, who), out_of_turn=False)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        if not (self.metres or self.posture):
            table.refuse(f"{who.name} stays where they are: name more than 0 metres, or a --posture.", "metres")
        encounter = turn_order.own_turn(table, who, out_of_turn=self.out_of_turn)
        who = self._take_posture(table, who)
        halved = (self.difficult or who.has(conditions.PRONE)) and not who.has(hit_points.CRITICAL)
        cost = self.metres * 2 if halved else self.metres
        if encounter is not None and self.metres:
            self._spend(table, encounter, who, cost)
        if self.metres:
            table.record(events.Moved(character=who.id, cost=cost))

    def _take_posture(self, table: Table, who: Character) -> Character:
        if self.posture == STAND:
            if who.has(hit_points.CRITICAL):
                table.refuse(
                    f"{who.name} has critical wounds and cannot get up, only crawl {CRAWL} metre a round.", "posture"
                )
            if not conditions.end(table, who.id, conditions.PRONE):
                table.refuse(f"{who.name} is not prone. Leave --posture out.", "posture")
        elif self.posture == conditions.PRONE and not conditions.begin(table, who.id, conditions.PRONE):
            table.refuse(f"{who.name} is prone already. Leave --posture out.", "posture")
        return table.character(who.id)

    def _spend(self, table: Table, encounter: Encounter, who: Character, cost: int) -> None:
        budget, why = metres_in_turn(encounter, who)
        left = budget - encounter.spent.get(METRES, 0)
        if cost > left:
            ground = f"{self.metres} metres count as {cost}" if cost > self.metres else f"{cost} metres"
            table.refuse(
                f"{who.name} cannot move that far: {ground}, and {max(left, 0)} of {budget} are left {why}.", "metres"
            )
        turn_order.spend(table, who, METRES, cost)
