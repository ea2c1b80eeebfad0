"""Morale: whether somebody holds when things look bad, 2d6 at or under a rating (R3.83, R3.99, Q3.30)."""

from rollbook.kit import conditions, d20, fields, require
from rollbook.kit.verbs import RollAction
from rollbook.plugin import Character, CharacterKind, DiceStep, Table, Term, param
from rollbook.rulesets.russell.character.attributes import bonus
from rollbook.rulesets.russell.character.stat_line import MORALE
from rollbook.rulesets.russell.delve.light import DARK, ON_PURPOSE, PANICKING, STEADY
from rollbook.rulesets.russell.fight.rolls import roll_2d6
from rollbook.rulesets.russell.settings import house

OF_HIRELINGS = 7
"""The Morale of a hireling, and of anybody without a number of their own (R3.44)."""

EMPLOYER = "employer"
"""The kind of the trait that names a hireling's employer."""

IN_THE_DARK = "dark"
TRIGGERS = ("ambushed", "first-casualty", "leader-lost", "half-strength", "infighting", IN_THE_DARK, "other")
"""When the GM usually asks for it (R3.99), and a hireling's in the dark (R3.63)."""


def charisma_terms(table: Table, who: Character) -> tuple[Term, ...]:
    """What a hireling's employer adds: the modifier of Charisma (R3.8)."""
    employers = who.traits_of(EMPLOYER) if who.kind is CharacterKind.HIRELING else ()
    if not employers or not table.knows(employers[-1]):
        return ()
    employer = table.character(employers[-1])
    return (Term(bonus(employer, "cha"), f"CHA of {employer.name}", "R3.8", f"trait.{employer.id}"),)


def rating(who: Character) -> int:
    """The Morale on somebody's own sheet."""
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


class Morale(RollAction, verb="morale", gm_only=True):
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
    dark = who.conditions.get(DARK)
    if who.kind is not CharacterKind.HIRELING:
        table.refuse(f"{who.name} is not a hireling: only hirelings need Morale to act in the dark.", parameter="who")
    if dark is None:
        table.refuse(f"{who.name} is not in the dark.", parameter="who")
    if fields.flag(dark.data, ON_PURPOSE):
        table.refuse(
            f"{who.name} knows that this darkness is intended, and needs no Morale to act in it.", parameter="who"
        )
