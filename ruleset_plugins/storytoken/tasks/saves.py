"""Saving throws, also against magic and against breaking a promise (R0.22, R0.47, R0.147)."""

from rollbook.kit import d20, require, verbs, vocabulary
from rollbook.plugin import ABILITIES, Character, DiceStep, Table, param
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character.roles import TOPICS
from rollbook.rulesets.storytoken.tasks.checks import LADDER
from rollbook.rulesets.storytoken.tasks.task_rolls import INFORMED_HELP, TaskAction, TaskRolls, task_terms

SAVING_THROW = "saving throw"
AGAINST_MAGIC = 10
"""A save against magic must reach the caster's level and this (R0.22, Q0.4)."""


class Save(TaskAction, verb="save"):
    """Make a saving throw, which costs no action (R0.47); magic is resisted at the caster's level + 10 (R0.22)."""

    sentence = "makes {check:a}[ against {against:key}]|makes a saving throw"
    typed_dice = (DiceStep(tests={"the d20 of the save": SAVING_THROW}),)

    who: str = param.character("who saves", actor=True)
    ability: str = param.choice("with which ability", ABILITIES)
    target: str = param.words("easy, hard, extreme or a number", default="hard", gm_only=True, of=vocabulary.TARGET)
    caster: str = param.character("whose magic it is against", default="", gm_only=True)
    against: str = param.words("what it is against", default="", gm_only=False)
    topic: str = param.choice("what the save is about, for the bonus of a role", TOPICS, default="", gm_only=False)
    promised: bool = param.flag("it is against being made to break a promise (Faerie)", gm_only=True)
    informed: bool = param.flag(INFORMED_HELP, gm_only=False)

    check_available = verbs.available_if(require.living)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        goal = d20.target_number(table, self.target, LADDER)
        if self.caster and conditions.is_magic_proof(who):
            table.refuse(f"{who.name} is warded: magic does nothing to {who.name}, and no save is needed.")
        if self.caster:
            goal = table.character(self.caster).level + AGAINST_MAGIC
        ease = promise_ease(table, who) if self.promised else d20.NO_ADVANTAGE
        terms = task_terms(table, who, self.topic, self.bonus, informed=self.informed, against=self.caster)
        with TaskRolls(table) as rolls:
            roll = self.roll_task(rolls, who, self.ability, "save", purpose=SAVING_THROW, terms=terms, ease=ease)
        save_resolved(table, self.ability, roll, goal, against=self.against or self.caster)


def promise_ease(table: Table, who: Character) -> d20.Advantage:
    """Advantage from a faerie's promise against being made to break it (R0.147)."""
    if not conditions.promises_of(who):
        table.refuse(
            f"{who.name} has given no promise that counts. A faerie gives one with: promise {who.id} WORDS", "promised"
        )
    return d20.Advantage(advantage=("promise",))


def save_resolved(table: Table, ability: str, roll: d20.RollResult, goal: int, *, against: str) -> bool:
    """Record a saving throw. Returns whether it was made."""
    saved = roll.total >= goal
    outcome = "saved" if saved else "not saved"
    d20.record_roll(table, f"{ability.upper()} save", roll, goal, success=saved, outcome=outcome, against=against)
    return saved
