"""Rest: a Turn with food and water, meals, nights, and the effects of passing time (R3.17–R3.21, R3.40–R3.43)."""

from collections.abc import Callable, Sequence

import attrs

from rollbook.kit import clock, conditions, hit_points, verbs
from rollbook.plugin import Action, Character, CharacterKind, DiceStep, Table, events, param
from rollbook.rulesets.russell import gear, party_members
from rollbook.rulesets.russell.character.stat_line import hit_dice
from rollbook.rulesets.russell.delve import encumbrance, exploration, usage_dice
from rollbook.rulesets.russell.fight import bleeding, turns, wounds

RATION, WATERSKIN = "ration", "waterskin"
SQUARE_MEAL = "square meal"
"""The power of a meal, which can be used once a day (R3.19)."""

NIGHT_HOURS = 8


def _holder(table: Table, name: str, group: Sequence[Character], held: Callable[[Character], str]) -> tuple[str, str]:
    """The holder of a thing in a group, preferably the character, and the thing's name; "" and "" for none."""
    names = dict.fromkeys((name, *(who.id for who in group)))
    return next(((each, item) for each in names if (item := held(table.character(each)))), ("", ""))


def eat(table: Table, name: str, group: Sequence[Character]) -> bool:
    """Eat a ration, the character's own or another's in the group. Returns whether there was one."""
    holder, item = _holder(table, name, group, lambda who: gear.first_of(who, RATION))
    if item:
        table.record(events.GearLost(character=holder, item=item))
    return bool(item)


def skin(who: Character) -> str:
    """A character's first waterskin that is not empty, "" for none."""
    return next((item for item in usage_dice.supplies(who, WATERSKIN) if usage_dice.step(who, item)), "")


def drink(table: Table, who: Character, group: Sequence[Character]) -> bool:
    """Drink from the character's own skin or another's in the group. Returns whether there was water (R3.40)."""
    holder, item = _holder(table, who.id, group, skin)
    if item:
        usage_dice.use_some(table, holder, item)
    else:
        table.record(events.NoteWritten(text=f"{who.name} has nothing left to drink and gains nothing from the rest"))
    return bool(item)


def _refuse_hunger(table: Table, who: Character, needed: str) -> None:
    table.refuse(f"{who.name} has no ration left, and {needed}. The GM hands some out with: give {who.id} ration")


ENDING = attrs.evolve(exploration.ROLLING, after="the Turn is over")


class Rest(Action, verb="rest", by_any_seat=True):
    """Rest for a Turn with food and water: one ration shared round erases a pip each, one ``--alone`` everything.

    The Wearied need a whole ration each; those who have nothing to drink gain nothing (R3.40, R3.41, Q3.33).
    """

    sentence = "has {who:the} rest for a turn"
    typed_dice = (DiceStep(each="waterskin", effects={"the usage die": usage_dice.PURPOSE}), ENDING)

    who: tuple[str, ...] = param.characters("who rests: names, or party for everybody in it")
    alone: bool = param.flag(
        "each of them eats a whole ration of their own: all pips and Weariness are gone", gm_only=False
    )
    same_turn: bool = param.flag("in a Turn that is counted already: somebody else's task", gm_only=True)

    check_available = verbs.available_if(lambda table, _: exploration.check_no_fight(table))

    def resolve(self, table: Table) -> None:
        exploration.check_no_fight(table)
        group = party_members.company(table, self.who)
        if not any(skin(who) for who in group):
            names = ", ".join(who.name for who in group)
            dry = f"Resting takes water, and {names} have none: no waterskin, or an empty one"
            table.refuse(f"{dry}. At a well the GM says: fill NAME waterskin")
        if self.alone:
            self._alone(table, group)
        else:
            self._shared(table, group)
        if not self.same_turn:
            exploration.take_turn(table)

    def _alone(self, table: Table, group: Sequence[Character]) -> None:
        for who in group:
            if not gear.first_of(who, RATION):
                _refuse_hunger(table, who, "a whole one is eaten alone")
        for who in group:
            if drink(table, who, group):
                eat(table, who.id, ())
                encumbrance.refreshed(table, who.id, reason="a whole ration")

    def _shared(self, table: Table, group: Sequence[Character]) -> None:
        if not any(encumbrance.pips(who) and not who.has(encumbrance.WEARIED) for who in group):
            table.refuse(
                "A shared ration erases one Tired pip of each who is not Wearied, and nobody here has one to erase. "
                "The Wearied eat a whole ration each: --alone"
            )
        if not eat(table, group[0].id, group):
            _refuse_hunger(table, group[0], "nobody there has one to share")
        for who in group:
            if drink(table, who, group) and not who.has(encumbrance.WEARIED):
                encumbrance.wipe(table, who.id, 1, reason="a shared ration")


class Meal(Action, verb="meal", by_any_seat=True):
    """Eat a square meal, a ration each: once a day it brings back 1d6 + level hit points (R3.19)."""

    sentence = "has {who:the} eat a square meal"
    typed_dice = (DiceStep(effects={"the d6 of each who eats": SQUARE_MEAL}),)

    who: tuple[str, ...] = param.characters("who eats: names, or party for everybody in it")

    check_available = verbs.available_if(lambda table, _: exploration.check_no_fight(table))

    def resolve(self, table: Table) -> None:
        exploration.check_no_fight(table)
        group = party_members.company(table, self.who)
        for who in group:
            _check_meal(table, who)
            clock.use_power(table, who, SQUARE_MEAL)
            if not eat(table, who.id, group):
                _refuse_hunger(table, who, "a square meal is a ration for each")
        for who in group:
            recover_some(table, who.id, SQUARE_MEAL)


def _check_meal(table: Table, who: Character) -> None:
    """Refuse a second square meal within a day, and say when there can be another (R3.19)."""
    rests = clock.power_ready_in(table, who, SQUARE_MEAL)
    if rests:
        table.refuse(
            f"{who.name} has had a square meal within a day, and only one a day brings hit points back. The next can be "
            f"in {clock.duration(rests)}.",
            "who",
        )


class Sleep(Action, verb="sleep", gm_only=True):
    """Spend the night: with fire and blanket all hit points come back, without either or woken 1d6 + level (R3.17, R3.18).

    Sleep wipes the Tired pips, watch or no watch, but not Weariness (R3.43).
    """

    sentence = "lets {who:the} sleep"
    typed_dice = (DiceStep(effects={"the d6 of each whose night was poor": "night"}),)

    who: tuple[str, ...] = param.characters("who sleeps: names, or party for everybody in it")
    no_fire: bool = param.flag("there is no fire")
    no_blanket: bool = param.flag("they have no blankets")
    woken: bool = param.flag("they had to get up in the night")
    hours: int = param.number(
        "how long the night is; under 8 it is a poor one", default=NIGHT_HOURS, minimum=4, maximum=24, unit="hours"
    )

    def resolve(self, table: Table) -> None:
        if table.encounter is not None:
            table.refuse("An encounter is being fought, and nobody sleeps. End it first: end-encounter")
        bleeding.check_no_peril(table, party_members.travellers(table))
        group = party_members.company(table, self.who)
        clock.advance(table, self.hours * clock.HOUR)
        poor = self.no_fire or self.no_blanket or self.woken or self.hours < NIGHT_HOURS
        for who in group:
            night(table, who.id, good=not poor)


def recover_some(table: Table, name: str, occasion: str) -> None:
    """1d6 + level hit points; for the wounded 1d6, whatever the occasion (R3.18, R3.19, R3.21, Q3.15)."""
    who = table.character(name)
    if not who.has_lost(1) or who.has(conditions.DEAD):
        return
    level = "" if who.has(wounds.WOUNDED) or not hit_dice(who) else f" + {hit_dice(who)}[level]"
    amount = table.roll(f"1d6{level}", roller=name, purpose=occasion).total
    hit_points.regain(table, name, amount, tags=(occasion,))


def night(table: Table, name: str, *, good: bool) -> None:
    """Record a night's sleep of a character (R3.17, R3.18, R3.43)."""
    who = table.character(name)
    if who.has(conditions.DEAD) or who.kind is CharacterKind.THING:
        return
    encumbrance.wipe(table, name, reason="slept")
    if good and not who.has(wounds.WOUNDED):
        hit_points.regain(table, name, who.lost, tags=("night",))
    else:
        recover_some(table, name, "night")


def rested(table: Table, name: str, nights: int) -> None:
    """Record up to so many ``nights`` by a fire and in blankets, until the character has recovered (R3.17).

    It closes no Wound: that takes a week of downtime and care (R3.22), which is another verb.
    """
    for _ in range(nights):
        night(table, name, good=True)
        who = table.character(name)
        if who.lost <= 0 or who.has(conditions.DEAD) or who.kind is CharacterKind.THING:
            return


def time_passed(table: Table, before: int, *, rest: bool) -> None:
    """The hook of the clock. Eight hours of rest, also in several stretches, are a good night; a longer rest has one a day."""
    began = clock.resting_since(table, before) if rest else before
    nights = clock.completed(before, table.clock, clock.DAY, began + NIGHT_HOURS * clock.HOUR - clock.DAY)
    for who in table.characters():
        stunned = who.conditions.get(conditions.STUNNED)
        if stunned is not None and 0 < stunned.until <= table.clock:
            wounds.recovered_from_stun(table, who.id)
        conditions.expire(table, who.id)
        if table.encounter is None:
            turns.end_moments(table, who.id)
        if rest and clock.rests(table, who):
            rested(table, who.id, nights)
