"""The passing of time: bleeding and recovering outside a fight, spells that expire, castings (R4.43, R4.46)."""

from rollbook.kit import clock, conditions, hit_points
from rollbook.plugin import Character, Table
from rollbook.rulesets.grid.conditions import INCAPACITATED
from rollbook.rulesets.grid.hit_points import hurt, max_hp, stabilise, update_conditions
from rollbook.rulesets.grid.settings import FOR_A_DAY, Settings
from rollbook.rulesets.grid.spells import refresh


def bleed(table: Table, who: Character) -> None:
    """Play the turn of an incapacitated character (R4.43, R4.46): a d10, or a hit point for one who is stable."""
    if who.has(conditions.STABLE):
        hit_points.regain(table, who.id, 1, source="stabilised")
        update_conditions(table, who.id)
        return
    if table.roll("1d10", roller=who.id, purpose="dying", natural=True).total == 10:
        stabilise(table, who.id)
    else:
        hurt(table, who.id, 1, source="dying")


def time_passed(table: Table, before: int, *, rest: bool) -> None:  # noqa: ARG001 - nobody recovers faster by resting
    """The hook of the clock. Those in a fight bleed on their own turns."""
    people = [who.id for who in table.characters()]
    fighters, length = table.encounter.order if table.encounter else (), Settings.of(table).round_seconds
    rounds = clock.completed(before, table.clock, length) if length else 0
    for name in people:
        if name not in fighters:
            _bleed_rounds(table, name, rounds)
        conditions.expire(table, name)
    if Settings.of(table).cast_refresh == FOR_A_DAY and clock.completed(before, table.clock, clock.DAY):
        refresh(table, people)


def _bleed_rounds(table: Table, name: str, rounds: int) -> None:
    """A round is a turn of the incapacitated; after at most twenty they are dead, or recovering and awake."""
    for _ in range(rounds):
        who = table.character(name)
        if not who.has(INCAPACITATED) or who.has(conditions.DEAD) or not max_hp(who, Settings.of(table)):
            return
        bleed(table, who)
        after = table.character(name)
        if (after.lost, after.conditions) == (who.lost, who.conditions):
            return
