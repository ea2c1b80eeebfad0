"""Medical aid for the dying (R1.47, Q1.11, Q1.13)."""

from functools import partial

from rollbook.kit import conditions, d20, require
from rollbook.plugin import Character, DiceStep, Table, param
from rollbook.rulesets.luckpoint.checks import HARD
from rollbook.rulesets.luckpoint.encounter import TaskAction, take_action
from rollbook.rulesets.luckpoint.luck import TaskRolls
from rollbook.rulesets.luckpoint.settings import TRIES, Settings
from rollbook.rulesets.luckpoint.skills import MEDICAL, UNTRAINED, can_succeed, rating_terms


class GiveAid(TaskAction, verb="medical-aid"):
    """Give medical aid to a character who bleeds: a hard task with the Medical skill stops it (R1.47)."""

    sentence = "gives {patient} medical aid"

    typed_dice = (DiceStep(tests={"the d20 of the aid": "medical aid"}),)

    who: str = param.character("who helps", actor=True)
    patient: str = param.character("who is helped; within reach")

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        require.any_of(table.characters(), partial(cls._check, table))
        take_action(table, who)

    def resolve(self, table: Table) -> None:
        """It is the helper's action; if it fails the bleeding goes on, and it can be tried again (Q1.11)."""
        patient = require.living(table, self.patient)
        self._check(table, patient)
        who = self.begin(table, self.who)
        able = can_succeed(who, MEDICAL) or Settings.of(table).medical_untrained == TRIES
        ease = self.eased(table, who)
        terms = (*rating_terms(who, MEDICAL, even_untrained=able), *d20.bonuses(table, self.bonus))
        with TaskRolls(table) as rolls:
            roll = rolls.with_advantage(who.id, terms, purpose="medical aid", ease=ease)
        success = able and roll.total >= HARD
        outcome = "stable" if success else "still bleeding" if able else UNTRAINED
        d20.record_roll(table, "medical aid", roll, HARD, success=success, outcome=outcome, against=patient.id)
        if success:
            conditions.end(table, patient.id, conditions.BLEEDING)
            conditions.begin(table, patient.id, conditions.STABLE)

    @staticmethod
    def _check(table: Table, patient: Character) -> None:
        if not patient.has(conditions.BLEEDING):
            table.refuse(f"{patient.name} is not bleeding to death, so there is nothing to stop.", parameter="patient")
