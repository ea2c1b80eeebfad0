"""Harm without an attack, healing, and medical aid for the dying (R1.46, R1.47, Q1.11, Q1.13)."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Ease,
    Table,
    bonuses,
    character,
    check_resolved,
    conditions,
    flag,
    harm_verb,
    heal_verb,
    living,
    names,
)
from ruleset_plugins.conditions import BLEEDING, STABLE
from ruleset_plugins.luckpoint.checks import HARD
from ruleset_plugins.luckpoint.luck import TaskRolls, before_rolling
from ruleset_plugins.luckpoint.settings import TRIES, house
from ruleset_plugins.luckpoint.skills import MEDICAL, UNTRAINED, can_succeed, rating_terms
from ruleset_plugins.luckpoint.turns import take_action
from ruleset_plugins.luckpoint.wounds import hurt, restore

Harm = harm_verb(hurt)
Heal = heal_verb(
    partial(restore, tags=("care",)),
    told="A power, an item or a machine gives hit points back; hours do so by themselves (R1.49).",
)


@attrs.frozen(kw_only=True)
class GiveAid(Action):
    """Give medical aid to somebody who bleeds: a hard task with the Medical skill stops it (R1.47)."""

    verb: ClassVar[str] = "medical-aid"

    who: str = character("who helps", actor=True)
    patient: str = character("who is helped; within reach")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses, as '+2 a surgeon's kit'", default=())
    luck: bool = flag("spend a luck point first, which takes disadvantage away")
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """It is the helper's action; if it fails the bleeding goes on, and it can be tried again (Q1.11)."""
        patient = living(table, self.patient)
        if not patient.has(BLEEDING):
            table.refuse(f"{patient.name} is not bleeding to death, so there is nothing to stop.")
        who = take_action(table, self.who, out_of_turn=self.out_of_turn)
        able = can_succeed(who, MEDICAL) or house(table).medical_untrained == TRIES
        ease = before_rolling(table, who, Ease(self.advantage, self.disadvantage), luck=self.luck)
        terms = (*rating_terms(who, MEDICAL, even_untrained=able), *bonuses(table, self.bonus))
        with TaskRolls(table) as rolls:
            roll = rolls.task(who, terms, purpose="medical aid", ease=ease)
        success = able and roll.total >= HARD
        outcome = "stable" if success else "still bleeding" if able else UNTRAINED
        check_resolved(table, "medical aid", roll, HARD, success=success, outcome=outcome, against=patient.id)
        if success:
            _stabilise(table, patient)


def _stabilise(table: Table, patient: Character) -> None:
    conditions.end(table, patient.id, BLEEDING)
    conditions.begin(table, patient.id, STABLE)
