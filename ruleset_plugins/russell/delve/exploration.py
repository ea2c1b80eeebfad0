"""Turns in dangerous places, the Exploration Die, and ongoing effects that it wears down (R3.52–R3.58, Q3.34, Q3.36)."""

from rollbook.kit import clock, counters, random_tables
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.russell.delve import encumbrance, light, light_sources
from rollbook.rulesets.russell.fight.bleeding import check_no_peril
from rollbook.rulesets.russell.party_members import travellers
from rollbook.rulesets.russell.settings import house

DANGER = "danger"
"""The GM's pool for a dangerous place: at 1 every Turn ends with the Exploration Die."""

PURPOSE = "Exploration Die"


class Result(random_tables.Band):
    """A row of the Exploration Die: its words, and the ``effect`` that follows (R3.54)."""

    effect: str
    says: str
    rule: str


RESULTS = random_tables.load(__package__, "exploration.json", Result)


def is_dangerous(table: Table) -> bool:
    """Tell if the place is dangerous (R3.52)."""
    return table.gm_pools.get(DANGER, 0) > 0


def roll_exploration(table: Table) -> Result:
    """Roll the Exploration Die and do what it says, danger or no danger (R3.54)."""
    result = random_tables.roll(table, RESULTS, "1d6", roller=table.seat, purpose=PURPOSE)
    table.record(events.NoteWritten(text=f"Exploration Die {result.lowest}: {result.says}"))
    if result.effect == "tired":
        for who in travellers(table):
            encumbrance.tire(table, who.id)
    elif result.effect == "magic":  # every ongoing effect loses a level; at 0 it is over
        for holder, pools in (("", table.gm_pools), *((who.id, who.pools) for who in table.characters())):
            for name, levels in tuple(counters.counted(pools, ONGOING)):
                counters.change(
                    table, holder, counters.counter(ONGOING, name), -1, "fades" if levels > 1 else "is over"
                )
    elif result.effect:
        _burn_down(table, result.effect)
    return result


def _burn_down(table: Table, effect: str) -> None:
    """All torches and candles are used up; every lantern marks a pip, and goes out with its last (R3.57, Q3.34)."""
    for who in table.characters():
        for lit in light_sources.burning(who):
            if lit.source.result != effect:
                continue
            if not lit.source.pips:
                light_sources.use_up(table, who.id, lit.item)
                continue
            counters.change(table, who.id, counters.counter(light_sources.BURNT, lit.item), 1, "oil burnt")
            if light_sources.pips_burnt(table.character(who.id), lit.item) % lit.source.pips == 0:
                light_sources.put_out(table, who.id, lit.item)
    light.settle_light(table)


def check_no_fight(table: Table) -> None:
    """Refuse, in a fight, an action that takes a Turn."""
    if table.encounter is not None:
        table.refuse("An encounter is being fought, and its Rounds make one Turn. End it first: end-encounter")


def take_turn(table: Table) -> None:
    """A Turn of some ten minutes passes; in a dangerous place the die ends it (R3.52)."""
    check_no_fight(table)
    check_no_peril(table, travellers(table))
    clock.advance(table, house(table).turn_seconds)
    if is_dangerous(table):
        roll_exploration(table)


ROLLING = DiceStep(tables={"the d6 of exploration, in a dangerous place": PURPOSE})


class Explore(Action, verb="explore", gm_only=True):
    """Spend a Turn on one thing that matters: search a room, open a lock, walk on (R3.52, R3.53)."""

    sentence = "leads the party for a turn[: {task}]"
    typed_dice = (ROLLING,)

    task: str = param.words("what the Turn is spent on", default="")
    feet: int = param.number(
        "how far the party walks, mapping with care", default=0, minimum=0, maximum=100_000, unit="feet"
    )
    who: tuple[str, ...] = param.characters("who walks, if not everybody in the party", default=())

    def resolve(self, table: Table) -> None:
        light.settle_light(table)
        party = [table.character(name) for name in self.who] or travellers(table)
        for who in party:
            encumbrance.check_can_walk(table, who)
        self._check_pace(table, party)
        if self.task:
            table.record(events.NoteWritten(text=self.task))
        take_turn(table)

    def _check_pace(self, table: Table, party: tuple[Character, ...] | list[Character]) -> None:
        settings = house(table)
        for who in sorted(party, key=lambda each: encumbrance.turn_feet(each, settings))[:1] if self.feet else ():
            pace = encumbrance.turn_feet(who, settings)
            if self.feet > pace:
                table.refuse(
                    f"The party cannot explore {self.feet} feet in a Turn: {who.name} is the slowest, with {pace} feet. "
                    f"Take another Turn for the rest.",
                    "feet",
                )


ONGOING = "ongoing"
"""The counter of an effect's levels; a character's, or the GM's for the whole party."""


class Ongoing(Action, verb="ongoing", gm_only=True):
    """Note ongoing magic, or a clock that ticks: it loses a level whenever the Exploration Die shows 5 (R3.58)."""

    sentence = "notes what goes on[ with {who}]: {effect}"

    effect: str = param.words("the effect: mage light, the water rises", of="ongoing")
    levels: int = param.number("how many levels are added; 0 ends it", minimum=0, maximum=100, unit="levels")
    who: str = param.character("the character it is on, if any", default="")

    def resolve(self, table: Table) -> None:
        pools = table.character(self.who).pools if self.who else table.gm_pools
        held = counters.count(pools, ONGOING, self.effect)
        if not self.levels and not held:
            table.refuse(f"{self.effect!r} is not ongoing, so there is nothing to end.", "effect")
        change, reason = (self.levels, "") if self.levels else (-held, "is over")
        counters.change(table, self.who, counters.counter(ONGOING, self.effect), change, reason)
