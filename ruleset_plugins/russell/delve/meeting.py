"""Two groups meet: surprise, how strangers react, and Morale (R3.63–R3.67, R3.71–R3.73, R3.83, R3.99, Q3.21, Q3.22, Q3.30)."""

from collections.abc import Sequence

from rollbook.kit import conditions, d20, fields, random_tables, require, verbs
from rollbook.plugin import Action, Character, CharacterKind, DiceStep, Table, Term, events, param
from rollbook.rulesets.russell.character.attributes import attribute_term, bonus
from rollbook.rulesets.russell.character.stat_line import MORALE
from rollbook.rulesets.russell.delve.light import DARK, ON_PURPOSE, PANICKING, SHADES, STEADY, shade
from rollbook.rulesets.russell.fight.rolls import roll_2d6
from rollbook.rulesets.russell.party_members import travellers
from rollbook.rulesets.russell.settings import house

SURPRISE = "surprise"
"""The number on a creature's sheet that says on how many in six it surprises, if not on two (R3.71)."""

IN_SIX, THROUGH_A_DOOR = 2, 1
REACTION = "reaction"
"""The kind of the trait for a character's reaction to the meeting."""

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
            table.refuse("It takes two groups to meet. Name the foes, and the party if it is empty.", "foes")
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
                "bonus",
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
            table.refuse("Name those who react. It is written: react NAME,NAME,…", "who")
        first = group[0]
        known = first.traits_of(REACTION)
        if known and not self.again:
            table.refuse(
                f"{first.name} is {known[-1]} already. A reaction is tested again for decisions that matter: --again",
                "again",
            )
        speaks = (attribute_term(require.living(table, self.spokesman), "cha", "R3.8"),) if self.spokesman else ()
        terms = (*speaks, *d20.bonuses(table, self.bonus))
        total = table.roll(d20.notation("2d6", terms), roller=first.id, purpose="reaction").total
        word = random_tables.row_for(REACTIONS, total).name
        d20.record_check(
            table, first.id, "reaction", total, GOOD, success=total >= GOOD, outcome=word, against=self.spokesman
        )
        for who in group:
            _take_it(table, who, word)


def _take_it(table: Table, who: Character, word: str) -> None:
    known = who.traits_of(REACTION)
    for old in known:
        if old != word:
            table.record(events.TraitLost(character=who.id, trait=old, kind=REACTION))
    if word not in known:
        table.record(events.TraitGained(character=who.id, trait=word, kind=REACTION))


OF_HIRELINGS = 7
"""The Morale of a hireling, and of a character without a number of its own (R3.44)."""

EMPLOYER = "employer"
"""The kind of the trait that names a hireling's employer."""

IN_THE_DARK = "dark"
TRIGGERS = ("ambushed", "first-casualty", "leader-lost", "half-strength", "infighting", IN_THE_DARK, "other")
"""The usual moments of a test of Morale (R3.99), and a hireling's in the dark (R3.63)."""


def charisma_terms(table: Table, who: Character) -> tuple[Term, ...]:
    """The summand of a hireling's employer: the modifier of Charisma (R3.8)."""
    employers = who.traits_of(EMPLOYER) if who.kind is CharacterKind.HIRELING else ()
    if not employers or not table.knows(employers[-1]):
        return ()
    employer = table.character(employers[-1])
    return (Term(bonus(employer, "cha"), f"CHA of {employer.name}", "R3.8", f"trait.{employer.id}"),)


def rating(who: Character) -> int:
    """The Morale on a character's own sheet."""
    return who.stats.get(MORALE, OF_HIRELINGS)


def morale_holds(
    table: Table,
    who: Character,
    trigger: str,
    *,
    ease: d20.Advantage = d20.NO_ADVANTAGE,
    terms: tuple[Term, ...] = (),
    words: tuple[str, str] = ("holds", "breaks"),
) -> bool:
    """2d6 at or under the rating passes. ``terms`` raise the rating, and so does an employer's Charisma (Q3.30)."""
    charisma, to_roll = charisma_terms(table, who), house(table).cha_morale == "roll"
    goal = rating(who) + sum(term.amount for term in (*terms, *(() if to_roll else charisma)))
    total = roll_2d6(table, who, charisma if to_roll else (), kind="morale", purpose="Morale", ease=ease)
    holds = total <= goal
    d20.record_check(
        table, who.id, "Morale", total, goal, success=holds, outcome=words[0] if holds else words[1], against=trigger
    )
    return holds


class Morale(verbs.RollAction, verb="morale", gm_only=True):
    """Test the Morale of a foe, a group's leader or a hireling; those who fail act by their nature (R3.83, R3.99)."""

    sentence = "tests the morale of {who}"
    typed_dice = (DiceStep(tests={"the 2d6 of Morale, twice with Advantage or Disadvantage": "Morale"}),)

    who: str = param.character("whose Morale; for a group, its leader")
    trigger: str = param.choice("what shakes them", TRIGGERS, default="other")
    bonus: tuple[str, ...] = param.names("what raises or lowers the rating, as '+1 double pay'", default=())

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        if self.trigger == IN_THE_DARK:
            _check_darkness(table, who)
        terms = d20.bonuses(table, self.bonus)
        holds = morale_holds(table, who, self.trigger, ease=self.ease, terms=terms)
        if self.trigger == IN_THE_DARK:
            until = table.clock + house(table).turn_seconds
            conditions.end(table, who.id, PANICKING if holds else STEADY)
            conditions.begin(table, who.id, STEADY if holds else PANICKING, until=until if holds else 0)


def _check_darkness(table: Table, who: Character) -> None:
    """Refuse a test of nerves that is not called for (R3.63)."""
    dark, fault = who.conditions.get(DARK), ""
    if who.kind is not CharacterKind.HIRELING:
        fault = "is not a hireling: only hirelings need Morale to act in the dark"
    elif dark is None:
        fault = "is not in the dark"
    elif fields.flag(dark.data, ON_PURPOSE):
        fault = "knows that this darkness is intended, and needs no Morale to act in it"
    if fault:
        table.refuse(f"{who.name} {fault}.", "who")
