"""Powers of roles: rallies, questions, gadgets, rage, ships, and the ways of the wild (R0.161–R0.177, Q0.53, Q0.70–Q0.72)."""

import re
from functools import partial
from itertools import count

from rollbook.kit import clock, require, turn_order, verbs, vocabulary
from rollbook.plugin import Action, Character, Encounter, Table, events, param
from rollbook.rulesets.storytoken.body import conditions, hit_points
from rollbook.rulesets.storytoken.character.roles import check_power, power, roles_of
from rollbook.rulesets.storytoken.fight import turns
from rollbook.rulesets.storytoken.settings import Settings

RALLY, PRESTIGE, ANALYSIS = "rally", "prestige", "analysis"


class Inspire(Action, verb="inspire"):
    """Help allies, once a day: rally them, lend them a noble name, or analyse what they face."""

    sentence = "inspires {allies}[ ({how:key})][ against {target}]"

    who: str = param.character("who inspires", actor=True)
    how: str = param.choice(
        "rally: +half level to every task for a level of hours (Leadership); prestige: advantage on Charisma for half as "
        "many (Noble); analysis: +half level to one task, for half a level of allies and 24 hours (Science)",
        (RALLY, PRESTIGE, ANALYSIS),
    )
    allies: tuple[str, ...] = param.characters("whom it helps")
    about: str = param.words("what an analysis is about: a person, a place, a machine", default="", gm_only=False)
    target: str = param.character("or whom it is about", default="", gm_only=False)
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        require.any_of((RALLY, PRESTIGE, ANALYSIS), partial(cls._check_how, table, turns.take_action(table, who)))

    def resolve(self, table: Table) -> None:
        """Of several rallies, names or analyses only the latest counts."""
        who = turns.take_action(table, self.who, out_of_turn=self.out_of_turn)
        settings = Settings.of(table)
        condition, detail, hours, data = self._gift(table, who, settings)
        self._check(table, who, settings)
        clock.use_power(table, who, self.how, calendar=settings.by_calendar)
        until = table.clock + hours * clock.HOUR
        for name in self.allies:
            require.living(table, name)
            conditions.begin(table, name, condition, source=who.id, detail=detail, data=data, until=until, again=True)

    @staticmethod
    def _check_how(table: Table, who: Character, how: str) -> None:
        """Refuse a sort of help that the character has no role for, or has given already."""
        check_power(table, who, "prestige_hours" if how == PRESTIGE else how)
        clock.use_power(table, who, how, calendar=Settings.of(table).by_calendar)

    def _gift(self, table: Table, who: Character, settings: Settings) -> tuple[str, str, int, events.Data]:
        """The help that each ally gets: the condition, its detail, its hours, and its data."""
        if self.how == RALLY:
            bonus = check_power(table, who, RALLY)
            rounds = power(who, "rally_rounds", settings)
            detail, hours = f"+{bonus}; {rounds} rounds once wounded", power(who, "rally_hours", settings)
            return conditions.RALLIED, detail, hours, {conditions.STRENGTH: bonus, conditions.ROUNDS: rounds}
        if self.how == PRESTIGE:
            return conditions.HONOURED, f"{who.name}'s name", check_power(table, who, "prestige_hours"), {}
        bonus = check_power(table, who, ANALYSIS)
        about = self.about or (require.living(table, self.target).name if self.target else "")
        data: events.Data = {conditions.STRENGTH: bonus, **({conditions.ABOUT: self.target} if self.target else {})}
        return conditions.INFORMED, f"+{bonus}: {about}", 24, data

    def _check(self, table: Table, who: Character, settings: Settings) -> None:
        if not self.allies or len(set(self.allies)) < len(self.allies):
            table.refuse("Name every ally once, and at least one.", "allies")
        if who.id in self.allies:
            table.refuse(f"{who.name} inspires others; leave {who.id} out of the allies.", "allies")
        if self.how == RALLY and conditions.is_silent(who):
            table.refuse(f"{who.name} cannot speak, and so cannot rally anybody.")
        if self.how == ANALYSIS:
            most = power(who, "analysis_allies", settings)
            if not (self.about or self.target):
                table.refuse("Say with --about what the analysis is about, or with --target whom.", "about")
            if len(self.allies) > most:
                table.refuse(f"{who.name}'s analysis helps {most} others, and {len(self.allies)} are named.", "allies")


QUESTIONS, GADGET, MANOEUVRE = "questions", "gadget", "manoeuvre"
COURSES = {"evade": (conditions.EVASIVE, "ship_armour_class"), "strike": (conditions.ATTACKING, "ship_attack")}
"""The condition of a ship that is flown in this way, and the power that it takes."""

SHIP = "ship"
"""The trait of a ship that can be flown through a fight (R0.172)."""

_AFTER_A_QUESTION = re.compile(r"(?<=\?)\s")


def _questions(table: Table, name: str) -> tuple[Character, int]:
    """The character who asks, and how many questions they may ask. Refused for the rest of the day."""
    who = turns.at_liberty(table, name)
    most = check_power(table, who, QUESTIONS)
    clock.use_power(table, who, QUESTIONS, calendar=Settings.of(table).by_calendar)
    return who, most


class Investigate(Action, verb="investigate"):
    """Follow a lead before others see it: once a day, half a level of specific questions get an answer (R0.166)."""

    sentence = "follows a lead about {about}"

    who: str = param.character("who asks", actor=True)
    about: str = param.words("the incident, person or situation", gm_only=False)
    ask: str = param.words(
        "the questions, each with its question mark: 'Who was there, and when? Where is the knife?'", gm_only=False
    )

    check_available = verbs.available_if(_questions)

    def resolve(self, table: Table) -> None:
        who, most = _questions(table, self.who)
        asked = [question.strip() for question in _AFTER_A_QUESTION.split(self.ask) if question.strip()]
        if not 0 < len(asked) <= most:
            table.refuse(f"{who.name} may ask up to {most} questions, and {len(asked)} were asked.", "ask")
        for question in asked:
            table.record(events.NoteWritten(text=f"{who.name} asks about {self.about}: {question}", about=who.id))


def _owner(table: Table, name: str) -> Character:
    who = turns.at_liberty(table, name)
    most, held = check_power(table, who, "gadgets"), gadgets_held(who)
    if held >= most:
        table.refuse(f"{who.name} has {most} gadgets, and {held} are out. One is put back with: drop {who.id} ITEM")
    return who


class Gadget(Action, verb="gadget"):
    """Bring out a hidden gadget: a spy has as many as levels (R0.164)."""

    sentence = "brings out a gadget: {item}"

    who: str = param.character("whose gadget", actor=True)
    item: str = param.label("what it is", gm_only=False, of=vocabulary.THING)

    check_available = verbs.available_if(_owner)

    def resolve(self, table: Table) -> None:
        who = _owner(table, self.who)
        if self.item in who.gear and who.gear[self.item].count > 0:
            table.refuse(f"{who.name} holds {self.item} already. Name another gadget.", "item")
        table.record(events.GearGained(character=who.id, item=self.item, use=(GADGET,)))


def gadgets_held(who: Character) -> int:
    """The number of gadgets that are out."""
    return sum(held.count for held in who.gear.values() if held.use == (GADGET,) and held.count > 0)


class Manoeuvre(Action, verb="manoeuvre"):
    """Fly a ship through a fight, chosen each turn: harder to hit, or better at hitting (R0.172)."""

    sentence = "flies {ship}[ ({how:key})]"

    who: str = param.character("who flies", actor=True)
    ship: str = param.character("which ship")
    how: str = param.choice(
        "evade: the ship's armour class rises by half the level; strike: its attacks and their damage by the level",
        tuple(COURSES),
    )

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        pilot = turns.at_liberty(table, who)
        require.any_of(COURSES.values(), lambda course: check_power(table, pilot, course[1]))
        encounter = turns.once_a_turn(table, pilot, MANOEUVRE, "chosen a manoeuvre")
        require.any_of(map(table.character, encounter.order), partial(_check_ship, table, encounter))

    def resolve(self, table: Table) -> None:
        """Until the pilot's next turn, or the end of the round in which it should have come."""
        who = turns.at_liberty(table, self.who)
        course, what = COURSES[self.how]
        amount = check_power(table, who, what)
        encounter = turns.once_a_turn(table, who, MANOEUVRE, "chosen a manoeuvre")
        ship = require.living(table, self.ship)
        _check_ship(table, encounter, ship)
        until = table.clock + 2 * Settings.of(table).round_seconds
        begin = partial(conditions.begin, table, until=until, again=True)
        flies = {conditions.SHIP: ship.id, conditions.COURSE: course}
        begin(who.id, conditions.FLYING, source=ship.id, detail=course, data=flies)
        flown: events.Data = {conditions.STRENGTH: amount, conditions.PILOT: who.id}
        begin(ship.id, course, source=who.id, detail=f"+{amount}", data=flown)


def _check_ship(table: Table, encounter: Encounter, ship: Character) -> None:
    if SHIP not in ship.traits:
        table.refuse(f"{ship.name} is no ship. If the GM says so: trait {ship.id} {SHIP}", "ship")
    if ship.id not in encounter.order:
        table.refuse(
            f"{ship.name} takes no part in the fight. The GM brings it in with: join-encounter {ship.id}", "ship"
        )


RAGE = "rage"


class Rage(Action, verb="rage"):
    """Fly into a rage in a fight, or come out of it: when it ends, it costs as many hit points as levels (R0.161)."""

    sentence = "comes out of the rage{stop:if}|flies into a rage"

    who: str = param.character("who rages", actor=True)
    stop: bool = param.flag("the rage ends now", gm_only=False)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        if not turns.at_liberty(table, who).has(conditions.RAGING):
            cls._rounds(table, table.character(who))

    def resolve(self, table: Table) -> None:
        who, settings = turns.at_liberty(table, self.who), Settings.of(table)
        if self.stop:
            if not who.has(conditions.RAGING):
                table.refuse(f"{who.name} is not raging, so no rage can end. One begins with: rage {who.id}", "stop")
            hit_points.end_rage(table, who.id)
            return
        rounds = self._rounds(table, who)
        until = table.clock + rounds * settings.round_seconds
        table.record(events.ConditionBegan(character=who.id, condition=conditions.RAGING, until=until))

    @staticmethod
    def _rounds(table: Table, who: Character) -> int:
        """The rounds of a rage that begins now. Refused out of turn, and more often than the table allows."""
        settings = Settings.of(table)
        rounds = check_power(table, who, "rage_rounds")
        turn_order.check_turn(table, who, hand_on=turns.HAND_ON)
        if who.has(conditions.RAGING):
            table.refuse(f"{who.name} is raging already. It ends by itself, or with: rage {who.id} --stop", "stop")
        if settings.rage_per_day == "once":
            clock.use_power(table, who, RAGE, calendar=settings.by_calendar)
        return rounds


WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
MILES, WAY, ASLEEP = "miles", "way", "asleep"
"""Fields of the condition of having travelled: the miles, the way, and whether the character was unconscious."""


class Travel(Action, verb="travel", gm_only=True):
    """Go some way in some hours; a character who knows the wilderness knows for a day how far it was (R0.177)."""

    sentence = "leads the party {miles:mile} on"
    typed_dice = clock.PASSING

    miles: int = param.number("how far", minimum=1, maximum=100_000, unit="miles")
    hours: int = param.number("how long it takes", minimum=0, maximum=10_000, unit="hours")
    way: str = param.choice("which way", WINDS, default="")
    who: tuple[str, ...] = param.characters("who travels, if not all player characters", default=())

    def resolve(self, table: Table) -> None:
        """Time passes first; each stretch is known until a day after its end."""
        travellers = [require.living(table, name).id for name in self.who]
        travellers = travellers or [who.id for who in table.player_characters() if not who.has(conditions.DEAD)]
        if not travellers:
            table.refuse("Nobody travels: name somebody with --who.", "who")
        carried = {name for name in travellers if table.character(name).has(conditions.UNCONSCIOUS)}
        text = f"{self._said} in {self.hours} hours"
        table.record(*(events.NoteWritten(text=text, about=name) for name in travellers))
        if self.hours:
            clock.advance(table, self.hours * clock.HOUR)
        for name in travellers:
            if any(role.keeps_bearings for role in roles_of(table.character(name))):
                self._remember(table, table.character(name), asleep=name in carried)

    @property
    def _said(self) -> str:
        miles = "1 mile" if self.miles == 1 else f"{self.miles} miles"
        return f"{miles} {self.way}".strip()

    def _remember(self, table: Table, who: Character, *, asleep: bool) -> None:
        data: events.Data = {conditions.STATE: conditions.TRAVELLED, MILES: self.miles, WAY: self.way, ASLEEP: asleep}
        names = (f"{conditions.TRAVELLED}-{number}" for number in count(1))
        name = next(name for name in names if not who.has(name))
        until = table.clock + clock.DAY
        conditions.begin(table, who.id, name, detail=self._said, until=until, data=data)


def bearings(who: Character) -> str:
    """The way that a character who knows the wilderness went in the past day, in words; "" for others (R0.177)."""
    if not any(role.keeps_bearings for role in roles_of(who)):
        return ""
    stretches = [condition for state, condition in conditions.states_of(who) if state.key == conditions.TRAVELLED]
    if any(condition.data.get(ASLEEP) for condition in stretches):
        return "Knows where north is, but not how far it was: was moved while unconscious."
    miles = sum(conditions.number(condition, MILES) for condition in stretches)
    ways = ", ".join(condition.detail for condition in stretches)
    return f"Knows where north is; {miles} miles in the past day{f': {ways}' if ways else ''}."
