"""Two groups meet: surprise, and how strangers react (R3.64, R3.66, R3.67, R3.71–R3.73, Q3.21, Q3.22)."""

from collections.abc import Sequence

from rollbook.kit import conditions, d20, random_tables, require
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.russell.character.attributes import attribute_term
from rollbook.rulesets.russell.delve.light import SHADES, shade
from rollbook.rulesets.russell.party import travellers
from rollbook.rulesets.russell.settings import house

SURPRISE = "surprise"
"""The number on a creature's sheet that says on how many in six it surprises, if not on two (R3.71)."""

IN_SIX = 2
THROUGH_A_DOOR = 1
REACTION = "reaction"
"""The kind of the trait that says how somebody took the meeting."""

GOOD = 7
"""A reaction of at least this is not hostile."""


class Reaction(random_tables.Band):
    """A row of the reaction table (R3.73)."""

    name: str


REACTIONS = random_tables.load(__package__, "reactions.json", Reaction)


def usual_chance(group: Sequence[Character]) -> int:
    """On how many in six a group surprises: the number of its stealthiest creature, usually two (R3.71)."""
    return max((who.stats.get(SURPRISE, IN_SIX) for who in group), default=IN_SIX)


class Surprise(Action, verb="surprise", gm_only=True):
    """See whether one of two groups that meet surprises the other, which gives it a free Round (R3.71, R3.72)."""

    sentence = "sees whether {foes} are surprised"

    typed_dice = (DiceStep(tests={"a d6 of surprise for each group": "surprise"}),)

    foes: tuple[str, ...] = param.characters("who the party meets")
    party: tuple[str, ...] = param.characters("the party, if not everybody in it", default=())
    light: str = param.choice("the light, if not the best that any of the party is in", SHADES, default="")
    door: bool = param.flag("the party comes through a door that was just opened")
    bonus: int = param.number("added to the party's chance in six, for concealment", default=0, minimum=-6, maximum=6)
    foe_bonus: int = param.number("added to the foes' chance in six", default=0, minimum=-6, maximum=6)

    def resolve(self, table: Table) -> None:
        party = [require.living(table, name) for name in self.party] or list(travellers(table))
        foes = [require.living(table, name) for name in self.foes]
        if not party or not foes:
            table.refuse("It takes two groups to meet. Name the foes, and the party if it is empty.", parameter="foes")
        ours = self._rolled(table, party, foes, self._chance(table, party))
        theirs = self._rolled(table, foes, party, usual_chance(foes) + self.foe_bonus)
        if ours and theirs:
            table.record(events.NoteWritten(text="Both sides are surprised, and nobody gains by it"))
        elif ours or theirs:
            for who in foes if ours else party:
                conditions.begin(table, who.id, conditions.SURPRISED)

    def _chance(self, table: Table, party: Sequence[Character]) -> int:
        """In good light the party, seen by the best that any of it is in, surprises only through a door (R3.67, Q3.21)."""
        light = self.light or min((shade(who) for who in party), key=SHADES.index, default="lit")
        if light != "lit" or house(table).surprise == "general":
            return usual_chance(party) + self.bonus
        if self.bonus and not self.door:
            table.refuse(
                "In good light the party surprises others only through a door, so --bonus does nothing. Add --door, or say "
                "how dark it is: --light dim",
                parameter="bonus",
            )
        return THROUGH_A_DOOR + self.bonus if self.door else 0

    def _rolled(self, table: Table, one: Sequence[Character], other: Sequence[Character], chance: int) -> bool:
        if chance <= 0:
            return False
        roll = table.roll("1d6", roller=one[0].id, purpose="surprise").total
        won = roll <= chance
        word, foe = "surprises" if won else "is noticed", other[0].id
        d20.record_check(table, one[0].id, "surprise", roll, chance, success=won, outcome=word, against=foe)
        return won


class React(Action, verb="react", gm_only=True):
    """See how strangers react to the party; ``--again`` for a decision that matters (R3.73)."""

    sentence = "sees how {who} react[ to {spokesman}]"

    typed_dice = (DiceStep(tables={"the 2d6 of the reaction": "reaction"}),)

    who: tuple[str, ...] = param.characters("those who react; the first rolls for all")
    spokesman: str = param.character("who speaks for the party, if anybody gets to speak", default="")
    bonus: tuple[str, ...] = param.names("circumstances, as '+1 a generous bribe'", default=())
    again: bool = param.flag("they have reacted before, and much depends on what they do now")

    def resolve(self, table: Table) -> None:
        group = [require.living(table, name) for name in self.who]
        if not group:
            table.refuse("Name those who react. It is written: react NAME,NAME,…", parameter="who")
        first = group[0]
        self._check_again(table, first)
        speaks = (attribute_term(require.living(table, self.spokesman), "cha", "R3.8"),) if self.spokesman else ()
        terms = (*speaks, *d20.bonuses(table, self.bonus))
        total = table.roll(d20.notation("2d6", terms), roller=first.id, purpose="reaction").total
        word = random_tables.row_for(REACTIONS, total).name
        d20.record_check(
            table, first.id, "reaction", total, GOOD, success=total >= GOOD, outcome=word, against=self.spokesman
        )
        for who in group:
            _take_it(table, who, word)

    def _check_again(self, table: Table, first: Character) -> None:
        known = first.traits_of(REACTION)
        if known and not self.again:
            table.refuse(
                f"{first.name} is {known[-1]} already. A reaction is tested again for decisions that matter: --again",
                parameter="again",
            )


def _take_it(table: Table, who: Character, word: str) -> None:
    """How somebody takes the meeting from here on."""
    known = who.traits_of(REACTION)
    for old in known:
        if old != word:
            table.record(events.TraitLost(character=who.id, trait=old, kind=REACTION))
    if word not in known:
        table.record(events.TraitGained(character=who.id, trait=word, kind=REACTION))
