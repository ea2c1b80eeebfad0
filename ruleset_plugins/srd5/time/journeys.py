"""Journeys and what they need: travel and its paces, air, food and water (R5.38, R5.39, R5.116, R5.131, R5.172–R5.194, R5.313).

On record: ``holding breath`` with the clock second ``air`` at which it ends, ``suffocating`` after that; the pool
``levels of suffocation`` counts the exhaustion that breathing takes away again, ``days without food`` the days.
``dehydrated`` and ``malnourished`` keep the exhaustion that they brought until there is enough.
"""

from rollbook.kit import clock, conditions, counters, d20, data, require, verbs
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.fight import damage, durations, encounter, hit_points, movement, states
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import d20_tests, saves
from rollbook.rulesets.srd5.tasks.d20_tests import ADVANTAGE, CHECK, DISADVANTAGE, Test, TestRolls, edge

HOLDING, SUFFOCATING, AIR = "holding breath", "suffocating", "air"
CHOKED, HUNGRY_DAYS = "levels of suffocation", "days without food"
THIRSTY, HUNGRY = states.STARVED
LEAST_AIR, MINUTE = 30, 60
STARVING_FROM = 5
FULL, HALF, LITTLE, NOTHING = "full", "half", "little", "none"


def suffocate(table: Table, name: str) -> None:
    """Be without air from now on."""
    conditions.end(table, name, HOLDING)
    conditions.begin(table, name, SUFFOCATING, data={AIR: table.clock})


class HoldBreath(Action, verb="hold-breath"):
    """Be without air: hold one's breath for minutes by Constitution, or choke at once; breathing ends it (R5.194)."""

    sentence = "has no air"

    who: str = param.character("who is without air", actor=True)
    choking: bool = param.flag("no breath can be held", gm_only=False)

    check_available = verbs.available_if(require.living)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        if self.choking:
            suffocate(table, who.id)
            return
        seconds = max(MINUTE * (1 + abilities.modifier(who, "con")), LEAST_AIR)
        conditions.begin(
            table, who.id, HOLDING, detail=f"{seconds} seconds", data={AIR: table.clock + seconds}, again=True
        )


class Breathe(Action, verb="breathe"):
    """Breathe again: what suffocating exhausted is gone (R5.194)."""

    sentence = "breathes again"

    who: str = param.character("who breathes", actor=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        without_air = require.living(table, who)
        if not (without_air.has(HOLDING) or without_air.has(SUFFOCATING)):
            table.refuse(f"{without_air.name} has air.", table.parameter_of(who))

    def resolve(self, table: Table) -> None:
        self.check_available(table, self.who)
        conditions.end_for_all(table, (self.who,), HOLDING, SUFFOCATING)
        levels = counters.empty(table, self.who, CHOKED, "breathes")
        if levels and not Settings.of(table).is_old:
            hit_points.exhaust(table, self.who, -levels)


def choke(table: Table, name: str, times: int = 1) -> None:
    """Be so many turns without air: exhaustion, or at the end of the rounds of 2014 no hit points (R5.194)."""
    who = table.character(name)
    if Settings.of(table).is_old:
        counters.change(table, name, CHOKED, times, "no air")
        if table.character(name).pools.get(CHOKED, 0) > max(abilities.modifier(who, "con"), 1):
            damage.deal(table, name, ((hit_points.left(who, Settings.of(table)), ""),))
        return
    had = states.level_of_exhaustion(who)
    levels = hit_points.exhaust(table, name, times) - had
    if levels:
        counters.change(table, name, CHOKED, levels, "no air")


def turn_ends(table: Table, rolls: TestRolls, name: str) -> None:  # noqa: ARG001 - called like all that ends a turn
    """Choke at the end of a turn without air."""
    who = table.character(name)
    held = who.conditions.get(HOLDING)
    if held is not None and conditions.number(held, AIR) <= table.clock:
        suffocate(table, name)
    if table.character(name).has(SUFFOCATING) and not who.has(states.DEAD):
        choke(table, name)


def time_passed(table: Table, name: str, before: int, rest: bool) -> None:  # noqa: ARG001 - as ON_TIME
    """Choke once for each round without air of the time that passed outside a fight."""
    who = table.character(name)
    held = who.conditions.get(HOLDING) or who.conditions.get(SUFFOCATING)
    if held is None or table.encounter is not None or who.has(states.DEAD):
        return
    rounds = (table.clock - max(conditions.number(held, AIR), before)) // durations.ROUND
    if rounds > 0:
        suffocate(table, name)
        choke(table, name, rounds)


class Rations(Action, verb="rations", gm_only=True):
    """Say at a day's end what somebody ate and drank: too little exhausts (R5.131, R5.172, R5.173)."""

    sentence = "counts the rations of {who}"
    typed_dice = (DiceStep(each="hungry one", tests={"the d20 of the save": "* save"}),)

    who: tuple[str, ...] = param.characters("whose day ends")
    food: str = param.choice("how much food: all, half, some, or none", (FULL, HALF, LITTLE, NOTHING), default=FULL)
    water: str = param.choice("how much water", (FULL, HALF, LITTLE, NOTHING), default=FULL)

    def resolve(self, table: Table) -> None:
        with TestRolls(table) as rolls:
            for name in self.who:
                if self.water in (LITTLE, NOTHING):
                    _exhaust(table, name, THIRSTY)
                elif self.water == FULL:
                    conditions.end(table, name, THIRSTY)
                self._eat(table, rolls, table.character(name))

    def _eat(self, table: Table, rolls: TestRolls, who: Character) -> None:
        if self.food != NOTHING:
            counters.empty(table, who.id, HUNGRY_DAYS, "eats")
        if self.food == FULL:
            conditions.end(table, who.id, HUNGRY)
        elif self.food == LITTLE and not saves.roll_save(table, rolls, who, "con", 10):
            _exhaust(table, who.id, HUNGRY)
        elif self.food == NOTHING:
            counters.change(table, who.id, HUNGRY_DAYS, 1, "no food")
            if table.character(who.id).pools.get(HUNGRY_DAYS, 0) >= STARVING_FROM:
                _exhaust(table, who.id, HUNGRY)


def _exhaust(table: Table, name: str, because: str) -> None:
    conditions.begin(table, name, because)
    hit_points.exhaust(table, name, 1)


encounter.AT_END.append(turn_ends)
encounter.ON_TIME.append(time_passed)


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
            conditions.begin(table, who.id, TRAVELLING, detail=pace, data={PACE: pace}, again=True)
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
        conditions.end_for_all(table, [who.id for who in table.characters()], TRAVELLING)


@d20_tests.reason(CHECK)
def pace(table: Table, test: Test) -> d20.Advantage:  # noqa: ARG001 - all reasons are asked alike
    """The pace of travel in Stealth, Perception and Survival (R5.38)."""
    held = test.who.conditions.get(TRAVELLING)
    word = conditions.text(held, PACE)
    side = SIDES.get(test.skill, {}).get(word, "")
    return edge(side, f"{word} pace") if side else d20.NO_ADVANTAGE
