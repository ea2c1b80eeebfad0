"""Travel, and what those who know the wilderness keep of it: how far it was in the past day (R0.177)."""

from itertools import count

from rollbook.kit import clock, require
from rollbook.plugin import Action, Character, Table, events, param
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character.roles import roles_of

WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
MILES, WAY, ASLEEP = "miles", "way", "asleep"
"""Fields of the condition of having travelled: how far, which way, and whether somebody was carried unconscious."""


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
            table.refuse("Nobody travels: name somebody with --who.", parameter="who")
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
    """The way that somebody who knows the wilderness has gone in the past day, in words; "" for others (R0.177)."""
    if not any(role.keeps_bearings for role in roles_of(who)):
        return ""
    stretches = [condition for state, condition in conditions.states_of(who) if state.key == conditions.TRAVELLED]
    if any(condition.data.get(ASLEEP) for condition in stretches):
        return "Knows where north is, but not how far it was: was moved while unconscious."
    miles = sum(conditions.number(condition, MILES) for condition in stretches)
    ways = ", ".join(condition.detail for condition in stretches)
    return f"Knows where north is; {miles} miles in the past day{f': {ways}' if ways else ''}."
