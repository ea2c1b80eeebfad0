"""Hazards: a save against a level, and the damage that follows (R0.21, R0.62)."""

from rollbook.kit import require, vocabulary
from rollbook.plugin import ABILITIES, DiceStep, Table, param
from rollbook.rulesets.storytoken.body import spirit_body
from rollbook.rulesets.storytoken.body.harm import hurt
from rollbook.rulesets.storytoken.character.roles import TOPICS
from rollbook.rulesets.storytoken.magic.spells import SHOCKED
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.tasks.saves import SAVING_THROW, save_resolved
from rollbook.rulesets.storytoken.tasks.task_rolls import TaskAction, TaskRolls, task_terms


class Hazard(TaskAction, verb="hazard", gm_only=True):
    """Save against a hazard of a level: half the level in damage if it is made, twice the level if not (R0.21, R0.47)."""

    sentence = "{who} meets {name}|{who} meets a hazard"

    typed_dice = (DiceStep(tests={"the d20 of the save": SAVING_THROW}, effects=spirit_body.AWAKENING), SHOCKED)

    who: str = param.character("whom it threatens", actor=True)
    level: int = param.number("the hazard's level", minimum=1, maximum=1_000)
    ability: str = param.choice("the ability that saves from it (Q0.6)", ABILITIES)
    name: str = param.label("what it is", default="hazard")
    topic: str = param.choice("what the save is about, for the bonus of a role", TOPICS, default="")
    tags: tuple[str, ...] = param.names(
        "what sort of damage it is: fire, acid, poison …", default=(), of=vocabulary.DAMAGE
    )

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        with TaskRolls(table) as rolls:
            terms = task_terms(table, who, self.topic, self.bonus)
            roll = self.roll_task(rolls, who, self.ability, "save", purpose=SAVING_THROW, terms=terms)
            saved = save_resolved(table, self.ability, roll, self.level, against=self.name)
            dealt = Settings.of(table).half(self.level) if saved else 2 * self.level
            if dealt:
                hurt(table, who.id, dealt, tags=self.tags, source=self.name, rolls=rolls)
