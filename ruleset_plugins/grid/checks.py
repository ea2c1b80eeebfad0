"""Trying things: a skill or a stat against a difficulty, and the deeds that have no verb of their own (R4.6, R4.11)."""

from functools import partial

from rollbook.kit import conditions, d20, require, sides, squares, verbs
from rollbook.plugin import Character, DiceStep, Table, Term, character, names, number, words
from rollbook.rulesets.grid.encounter import STANDARD, require_square, take_action
from rollbook.rulesets.grid.hit_points import HIDDEN, INCAPACITATED, require_able, stabilise
from rollbook.rulesets.grid.opportunity_attacks import ITEM, OPENINGS, OTHER, STANDING, OpenAction
from rollbook.rulesets.grid.saves import DC, meets, named_kind, roll_d20, title_of
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.stats import HEAL, HIDE, SKILLS, STATS, skill_terms, stat_term


def roll_check(table: Table, name: str, kind: str, dc: int, *, against: str = "", extra: tuple[Term, ...] = ()) -> bool:
    """Roll a d20 with a skill or a stat. Returns whether it succeeds."""
    who = table.character(name)
    terms = skill_terms(who, kind, Settings.of(table)) if kind in SKILLS else (stat_term(who, kind),)
    return meets(table, roll_d20(table, who, (*terms, *extra), "check"), f"{title_of(kind)} check", dc, against)


CHECKING = DiceStep(tests={"the d20 of the check": "check"}, after="who falls tries nothing (R4.34)")


class Check(OpenAction, verb="check"):
    """Try something with a skill or a stat: 1d20 + bonus against a difficulty; in a fight a standard action (R4.32).

    Who hides and succeeds is hidden, until they attack (R4.22).
    """

    sentence = "tries {check:a}|tries something"

    typed_dice = (OPENINGS, CHECKING)

    who: str = character("who tries", actor=True)
    skill: str = words("with which skill or stat, as hide or strength", fits=lambda _: (*SKILLS, *STATS), gm_only=False)
    target: int = number("the DC", default=DC, minimum=0, maximum=1_000, gm_only=True)
    bonus: tuple[str, ...] = names("further bonuses, as '+2 good rope'", default=(), gm_only=True)

    def resolve(self, table: Table) -> None:
        kind = named_kind(table, self.skill, (*SKILLS, *STATS))
        extra = d20.bonuses(table, self.bonus)
        who = self.begin(table, self.who)
        if self.out_of_turn or self.goes_through(table, who.id, OTHER):
            made = roll_check(table, who.id, kind, self.target, extra=extra)
            if made and kind == HIDE:
                conditions.begin(table, who.id, HIDDEN)


class Act(OpenAction, verb="act"):
    """Do anything else that takes a standard action: drink a potion, pull a lever, open a chest (R4.2)."""

    sentence = "acts: {what}"

    who: str = character("who does it", actor=True)
    what: str = words("what they do", gm_only=False)

    def resolve(self, table: Table) -> None:
        if not self.what.strip():
            table.refuse("Say what is done, as in: act WHO 'drinks the potion'", "what")
        who = self.begin(table, self.who)
        self.goes_through(table, who.id, ITEM)


def _check_prone(table: Table, who: Character) -> None:
    if not who.has(conditions.PRONE):
        table.refuse(f"{who.name} is on their feet already.", "who")


class Stand(OpenAction, verb="stand"):
    """Get up from the ground: a standard action, with an opening for enemies in reach (R4.2, R4.32)."""

    sentence = "stands up"

    who: str = character("who gets up", actor=True)

    check_available = verbs.available_if(lambda table, who: _check_prone(table, take_action(table, who, STANDARD)))

    def resolve(self, table: Table) -> None:
        """They are prone during the attacks of opportunity, and get up unless they fell (Q4.20)."""
        who = self.begin(table, self.who)
        _check_prone(table, who)
        if self.goes_through(table, who.id, STANDING):
            conditions.end(table, who.id, conditions.PRONE)


class Stabilise(OpenAction, verb="stabilise"):
    """Keep a character from dying: a Heal check against 15, beside them (R4.45)."""

    sentence = "tends {patient}"

    typed_dice = (OPENINGS, CHECKING)

    who: str = character("who helps", actor=True)
    patient: str = character("who is dying")
    bonus: tuple[str, ...] = names("further bonuses, as '+2 clean bandages'", default=(), gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        actor = take_action(table, who, STANDARD)
        require.any_of(table.characters(), partial(cls._check, table, actor))

    def resolve(self, table: Table) -> None:
        extra = d20.bonuses(table, self.bonus)
        who, patient = self.begin(table, self.who), require.living(table, self.patient)
        self._check(table, who, patient)
        if not self.goes_through(table, who.id, OTHER):
            return
        if roll_check(table, who.id, HEAL, DC, against=patient.id, extra=extra):
            stabilise(table, patient.id)

    @staticmethod
    def _check(table: Table, who: Character, patient: Character) -> None:
        if not patient.has(INCAPACITATED) or patient.has(conditions.STABLE):
            table.refuse(f"{patient.name} is not dying, so there is nothing to do.", "patient")
        if not sides.are_allies(who, patient):
            table.refuse(
                f"Only an ally stabilises {patient.name}, and {who.name} is none. The GM rules on it with: side",
                "patient",
            )
        require_square(table, who, patient)
        apart = squares.distance(require_able(table, who.id).position, patient.position)
        if apart > 1:
            table.refuse(
                f"{patient.name} is {apart} squares from {who.name}. Go beside {patient.name} first.", "patient"
            )
