"""Ways: travel and its paces, and loads (R5.38, R5.39, R5.116, R5.313)."""

from rollbook.kit import clock, d20, data, require
from rollbook.kit import conditions as kit
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.fight import hit_points, movement
from rollbook.rulesets.srd5.tasks import d20_tests, saves
from rollbook.rulesets.srd5.tasks.d20_tests import ADVANTAGE, CHECK, DISADVANTAGE, Test, TestRolls, edge

PACES = {"slow": 2, "normal": 3, "fast": 4}
"""Miles an hour (R5.38)."""

_SEARCHING = {"fast": DISADVANTAGE, "slow": ADVANTAGE}
SIDES = {"stealth": {"normal": DISADVANTAGE, "fast": DISADVANTAGE}, "perception": _SEARCHING, "survival": _SEARCHING}
"""The edge that a pace gives a check with a skill (R5.38)."""

DAY_HOURS = 8
TRAVELLING, PACE = "travelling", "pace"


TERRAINS = data.by_key(__package__, "terrains.json", kinds.Terrain)


class Travel(Action, verb="travel", gm_only=True):
    """Travel for hours at a pace, as fast as ground and travellers allow; after 8 hours a day it tires (R5.38, R5.39, R5.313)."""

    sentence = "travels for {hours} hours"
    typed_dice = (DiceStep(each="traveller", tests={"the d20 of the save": "* save"}),)

    hours: int = param.number("for how many hours", minimum=1, maximum=24)
    pace: str = param.choice("at which pace", tuple(PACES), default="normal")
    terrain: str = param.choice("over what", ("", *TERRAINS), default="")
    road: bool = param.flag("on a good road, which allows a faster pace")
    mounted: bool = param.flag("at a gallop for the first hour, twice as far")
    mph: int = param.number("miles an hour in place of the pace: vehicle, flight", default=0, minimum=0, maximum=1000)
    after: int = param.number("how many hours of this day they have travelled before", default=0, minimum=0, maximum=24)
    who: tuple[str, ...] = param.characters("who travels: names, or party", default=require.PARTY)

    def resolve(self, table: Table) -> None:
        group = require.party(table, self.who)
        pace = self._pace(table, group)
        miles = (self.mph or PACES[pace]) * (self.hours + (1 if self.mounted else 0))
        if not self.mph and not self.mounted and self.hours == DAY_HOURS:
            miles = {"slow": 18, "normal": 24, "fast": 30}[pace]
        table.record(events.NoteWritten(text=f"They travel {miles} miles at a {pace} pace.{self._of_terrain()}"))
        for who in group:
            kit.begin(table, who.id, TRAVELLING, detail=pace, data={PACE: pace}, again=True)
        clock.advance(table, self.hours * clock.HOUR)
        with TestRolls(table) as rolls:
            for hour in range(max(self.after, DAY_HOURS), self.after + self.hours):
                for who in group:
                    if not saves.roll_save(table, rolls, table.character(who.id), "con", 11 + hour - DAY_HOURS):
                        hit_points.exhaust(table, who.id, 1)

    def _pace(self, table: Table, group: list[Character]) -> str:
        """The pace that the terrain allows, and the slowest of the group."""
        order = list(PACES)
        most = order.index(TERRAINS[self.terrain].pace) if self.terrain else len(order) - 1
        most = min(most + 1, len(order) - 1) if self.road else most
        usual = 0 if any(movement.speed(table, who) * 2 <= movement.USUAL for who in group) else most
        return order[min(order.index(self.pace), usual)]

    def _of_terrain(self) -> str:
        row = TERRAINS.get(self.terrain)
        if row is None:
            return ""
        known = f"DC to forage {row.forage}, to find the way {row.way}, to search {row.search}."
        return f" Others are met at {row.met} × 10 feet. {known}"


class Halt(Action, verb="halt", by_any_seat=True):
    """Stop travelling: what the pace made of checks is over (R5.38)."""

    sentence = "stops travelling"

    @classmethod
    def check_available(cls, table: Table, _: str, /) -> None:
        if not any(who.has(TRAVELLING) for who in table.characters()):
            table.refuse("Nobody travels.")

    def resolve(self, table: Table) -> None:
        self.check_available(table, "")
        kit.end_for_all(table, [who.id for who in table.characters()], TRAVELLING)


@d20_tests.reason(CHECK)
def pace(table: Table, test: Test) -> d20.Advantage:  # noqa: ARG001 - all reasons are asked alike
    """The pace of travel in Stealth, Perception and Survival (R5.38)."""
    held = test.who.conditions.get(TRAVELLING)
    word = kit.text(held, PACE)
    side = SIDES.get(test.skill, {}).get(word, "")
    return edge(side, f"{word} pace") if side else d20.NO_ADVANTAGE
