"""Hirelings: their greatest number, their pay, and their character (R3.8, R3.44, Q3.49)."""

from functools import partial

from rollbook.kit import conditions, require, sheet_lines
from rollbook.plugin import Action, Character, CharacterKind, Table, Term, events, param
from rollbook.rulesets.russell.character.attributes import attribute_term
from rollbook.rulesets.russell.delve.meeting import EMPLOYER

HIRELING, OF_A_PERSON = "hireling", ("personality", "goal", "pay")
"""The kinds of the traits of an employer for a hireling, and of a hireling's personality, goal and pay."""


def most_terms(who: Character) -> tuple[Term, ...]:
    """The most hirelings that a character can keep: one and the modifier of Charisma, at least 1 (Q3.49)."""
    return sheet_lines.at_least((Term(1, "everybody", "R3.44"), attribute_term(who, "cha", "R3.8")), 1, "Q3.49")


def hirelings(table: Table, who: Character) -> list[Character]:
    """A character's hirelings who are alive and in play."""
    found = (table.character(name) for name in who.traits_of(HIRELING) if table.knows(name))
    return [each for each in found if each.present and not each.has(conditions.DEAD)]


def _check_free(table: Table, hireling: Character) -> None:
    """Refuse a character who is no hireling, and a hireling who has an employer."""
    if hireling.kind is not CharacterKind.HIRELING:
        table.refuse(
            f"{hireling.name} is not a hireling. The GM brings one in with: join NAME --kind hireling", "hireling"
        )
    elif hireling.traits_of(EMPLOYER):
        table.refuse(f"{hireling.name} works for {hireling.traits_of(EMPLOYER)[-1]} already.", "hireling")


def _check_room(table: Table, who: Character, another: str = "them") -> None:
    kept, most = hirelings(table, who), sum(term.amount for term in most_terms(who))
    if len(kept) >= most:
        names = ", ".join(each.name for each in kept)
        table.refuse(f"{who.name} can keep {most} and has {names}. Somebody else may hire {another}.", "who")


class Hire(Action, verb="hire"):
    """Take a hireling on, as many as Charisma can keep. Their Morale is 7 unless their sheet says otherwise (R3.44)."""

    sentence = "hires {hireling}"

    who: str = param.character("who hires", actor=True)
    hireling: str = param.character("who is hired; they joined as a hireling")
    pay: str = param.words("what they get for it", default="a share of the treasure", gm_only=False)
    personality: str = param.words("what sort of person they are, as the GM sees them", default="", gm_only=True)
    goal: str = param.words("what they are after", default="", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        employer = require.living(table, who)
        require.any_of(table.characters(), partial(_check_free, table))
        _check_room(table, employer)

    def resolve(self, table: Table) -> None:
        who, hireling = require.living(table, self.who), require.living(table, self.hireling)
        _check_free(table, hireling)
        _check_room(table, who, hireling.name)
        table.record(
            events.TraitGained(character=who.id, trait=hireling.id, kind=HIRELING),
            events.TraitGained(character=hireling.id, trait=who.id, kind=EMPLOYER),
        )
        for kind, trait in zip(OF_A_PERSON, (self.personality, self.goal, self.pay), strict=True):
            if trait:
                table.record(events.TraitGained(character=hireling.id, trait=trait, kind=kind))


class Dismiss(Action, verb="dismiss"):
    """Let a hireling go; the table settles their pay (R3.44)."""

    sentence = "dismisses {hireling}"

    who: str = param.character("whose hireling", actor=True)
    hireling: str = param.character("who goes")

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        if not table.character(who).traits_of(HIRELING):
            table.refuse(f"Nobody works for {table.character(who).name}.")

    def resolve(self, table: Table) -> None:
        who, hireling = table.character(self.who), table.character(self.hireling)
        if hireling.id not in who.traits_of(HIRELING):
            table.refuse(f"{hireling.name} does not work for {who.name}.", "hireling")
        table.record(
            events.TraitLost(character=who.id, trait=hireling.id, kind=HIRELING),
            events.TraitLost(character=hireling.id, trait=who.id, kind=EMPLOYER),
        )
