"""What experts can do besides rolling well: questions, gadgets, manoeuvres (R0.164, R0.166, R0.172)."""

from __future__ import annotations

import re
from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Table,
    character,
    check_turn,
    choice,
    events,
    living,
    spend,
    use,
    words,
)
from ruleset_plugins.storytoken.conditions import ATTACKING, EVASIVE, FLYING
from ruleset_plugins.storytoken.roles import check_power
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.turns import HAND_ON, at_liberty

QUESTIONS, GADGET, MANOEUVRE = "questions", "gadget", "manoeuvre"
EVADE, STRIKE = "evade", "strike"

_AFTER_A_QUESTION = re.compile(r"(?<=\?)\s")


@attrs.frozen(kw_only=True)
class Investigate(Action):
    """Follow a lead before others see it: once a day, half a level of specific questions get an answer (R0.166)."""

    verb: ClassVar[str] = "investigate"

    who: str = character("who asks", actor=True)
    about: str = words("the incident, person or situation")
    ask: str = words("the questions, each with its question mark: 'Who was there, and when? Where is the knife?'")

    def resolve(self, table: Table) -> None:
        """The questions stand in the log, for the GM to answer."""
        who, settings = at_liberty(table, self.who), house(table)
        most = check_power(table, who, QUESTIONS, settings)
        asked = [question.strip() for question in _AFTER_A_QUESTION.split(self.ask) if question.strip()]
        if not 0 < len(asked) <= most:
            table.refuse(f"{who.name} may ask up to {most} questions, and {len(asked)} were asked.")
        use(table, who, QUESTIONS, calendar=settings.by_calendar)
        for question in asked:
            table.record(events.NoteWritten(text=f"{who.name} asks about {self.about}: {question}", about=who.id))


@attrs.frozen(kw_only=True)
class Gadget(Action):
    """Bring out a hidden gadget: a spy has as many as levels (R0.164)."""

    verb: ClassVar[str] = "gadget"

    who: str = character("whose gadget", actor=True)
    item: str = words("what it is")

    def resolve(self, table: Table) -> None:
        """One of them is at hand."""
        who = at_liberty(table, self.who)
        most, held = check_power(table, who, "gadgets", house(table)), gadgets_held(who)
        if held >= most:
            table.refuse(f"{who.name} has {most} gadgets, and {held} are out. One is put back with: drop {who.id} ITEM")
        if self.item in who.gear and who.gear[self.item].count > 0:
            table.refuse(f"{who.name} holds {self.item} already. Name another gadget.")
        table.record(events.GearGained(character=who.id, item=self.item, use=GADGET))


def gadgets_held(who: Character) -> int:
    """How many gadgets somebody has out."""
    return sum(held.count for held in who.gear.values() if held.use == GADGET and held.count > 0)


@attrs.frozen(kw_only=True)
class Manoeuvre(Action):
    """Fly a ship through a fight, each turn anew: harder to hit, or better at hitting (R0.172)."""

    verb: ClassVar[str] = "manoeuvre"

    who: str = character("who flies", actor=True)
    ship: str = character("which ship")
    how: str = choice(
        "evade: the ship's armour class rises by half the level; strike: its attacks and their damage by the level",
        (EVADE, STRIKE),
    )

    def resolve(self, table: Table) -> None:
        """Until the pilot's next turn, or until the round in which it should have come is over."""
        who, settings = at_liberty(table, self.who), house(table)
        course, what = (EVASIVE, "ship_armour_class") if self.how == EVADE else (ATTACKING, "ship_attack")
        amount = check_power(table, who, what, settings)
        encounter = check_turn(table, who, hand_on=HAND_ON)
        if encounter.spent.get(MANOEUVRE):
            table.refuse(f"{who.name} has chosen a manoeuvre this turn. The next turn brings another.")
        ship = living(table, self.ship)
        if ship.id not in encounter.order:
            table.refuse(f"{ship.name} takes no part in the fight. The GM brings it in with: join-encounter {ship.id}")
        spend(table, who, MANOEUVRE)
        until = table.clock + 2 * settings.round_seconds
        table.record(
            events.ConditionBegan(character=who.id, condition=FLYING, source=ship.id, detail=course, until=until),
            events.ConditionBegan(character=ship.id, condition=course, source=who.id, detail=f"+{amount}", until=until),
        )
