"""Saving throws: skills used at any time, for free, and their names in other games (R1.22, R1.41, R1.62–R1.64)."""

from rollbook.kit import d20, data, hit_points, require, verbs, vocabulary
from rollbook.plugin import DiceStep, Table, param
from rollbook.rulesets.luckpoint.abilities import MAGIC, SAVING, SKILLS, UNTRAINED, can_succeed, named
from rollbook.rulesets.luckpoint.checks import TARGETS, Contestant, contest
from rollbook.rulesets.luckpoint.hit_points import hurt
from rollbook.rulesets.luckpoint.luck import LuckyAction, TaskRolls
from rollbook.rulesets.luckpoint.settings import HALF, NO_DAMAGE, Settings

SAVING_THROW, SAVED, NOT_SAVED = "saving throw", "saved", "not saved"
CASTING = tuple(key for key, skill in SKILLS.items() if not skill.basic)


class Conversion(data.Row):
    """A saving throw of other ``editions``, and the ``skills`` that are rolled for it here."""

    name: str
    editions: str
    skills: tuple[str, ...]
    rule: str


CONVERSIONS = data.by_key(__package__, "conversions.json", Conversion)
SAVES = (*SAVING, *CONVERSIONS)
CONVERTED = "; ".join(f"{row.name}: {' or '.join(map(named, row.skills))}" for row in CONVERSIONS.values())
PURPOSES = "; ".join(f"{SKILLS[key].name}: {SKILLS[key].saves}" for key in SAVING)


def saving_skill(table: Table, save: str, effect: str) -> str:
    """The skill that saves; where a converted save leaves a choice, the ``effect`` says which, else it is the first (Q1.31)."""
    row, fault = CONVERSIONS.get(save), ""
    if effect and row is None:
        fault = f"{named(save)} leaves no choice. Leave --by-effect out, or name {effect} instead."
    elif row is not None and effect and effect not in row.skills:
        fault = f"{row.name} is converted to {' or '.join(map(named, row.skills))}, not to {named(effect)}."
    if fault:
        table.refuse(fault, "by_effect")
    return save if row is None else effect or row.skills[0]


class Save(LuckyAction, verb="save"):
    """Make a saving throw, which costs neither action nor reaction (R1.22); against a caster both roll (Q1.21)."""

    sentence = "makes {check:a}[ against {against:key}]|makes a saving throw"
    typed_dice = (DiceStep(tests={"the d20 of the save, and that of a caster": f"{SAVING_THROW}|casting"}),)

    who: str = param.character("who saves", actor=True)
    skill: str = param.choice(f"the skill ({PURPOSES}), or the save of another edition ({CONVERTED})", SAVES)
    target: str = param.words("easy, hard, extreme or a number", default="hard", gm_only=True, of=vocabulary.TARGET)
    by_effect: str = param.choice(
        "where a converted save leaves a choice: which skill", ("", *SAVING), default="", gm_only=True
    )
    caster: str = param.character("whose magic it is against", default="", gm_only=True)
    caster_skill: str = param.choice("the skill that the magic is worked with", CASTING, default=MAGIC, gm_only=True)
    against: str = param.words("what it is against", default="", gm_only=False)

    check_available = verbs.available_if(require.living)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        skill = saving_skill(table, self.skill, self.by_effect)
        ease = self.eased(table, who)
        one = Contestant(who=who, rating=skill, purpose=SAVING_THROW, ease=ease, bonus=d20.bonuses(table, self.bonus))
        with TaskRolls(table) as rolls:
            if self.caster:
                saved, roll, cast = contest(rolls, one, self._cast(table))
                goal = cast.total
            else:
                goal = d20.target_number(table, self.target, TARGETS)
                roll = one.roll(rolls)
                saved = roll.total >= goal and one.can_win
        outcome = SAVED if saved else NOT_SAVED if one.can_win else UNTRAINED
        converted = f" ({CONVERSIONS[self.skill].name})" if self.skill in CONVERSIONS else ""
        check, against = f"{named(skill)} save{converted}", self.against or self.caster
        d20.record_roll(table, check, roll, goal, success=saved, outcome=outcome, against=against)

    def _cast(self, table: Table) -> Contestant:
        caster = require.living(table, self.caster)
        if caster.id == self.who:
            table.refuse(f"{caster.name} does not save against {caster.name}. Name another caster.", "caster")
        if not can_succeed(caster, self.caster_skill):
            table.refuse(
                f"{caster.name} has no points in {named(self.caster_skill)}: it never works, nobody needs to save.",
                "caster_skill",
            )
        return Contestant(who=caster, rating=self.caster_skill, purpose="casting")


class Hazard(LuckyAction, verb="hazard", gm_only=True):
    """Save against something that hurts: all of the damage if it fails, half of it or none if it is made."""

    sentence = "{who} meets {name}|{who} meets a hazard"
    typed_dice = (DiceStep(tests={"the d20 of the save": SAVING_THROW}, effects={"the damage": "damage"}),)

    who: str = param.character("whom it threatens", actor=True)
    skill: str = param.choice("the skill that saves, or the save of another edition", SAVES)
    damage: str = param.dice("how much it does, as dice or a number")
    target: str = param.words("easy, hard, extreme or a number", default="hard", gm_only=True, of=vocabulary.TARGET)
    on_success: str = param.choice("how much a save lets through", (HALF, NO_DAMAGE), default=HALF)
    name: str = param.label("what it is", default="hazard")
    tags: tuple[str, ...] = param.names(
        "what sort of damage it is: fire, acid, poison …", default=(), of=vocabulary.DAMAGE
    )

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        skill, goal = saving_skill(table, self.skill, ""), d20.target_number(table, self.target, TARGETS)
        ease = self.eased(table, who)
        one = Contestant(who=who, rating=skill, purpose=SAVING_THROW, ease=ease, bonus=d20.bonuses(table, self.bonus))
        with TaskRolls(table) as rolls:
            saved = save_against(table, rolls, one, goal, against=self.name)
        if saved and self.on_success == NO_DAMAGE:
            return
        rolled = hit_points.roll_amount(table, who, self.damage, "damage", roller=who.id)
        dealt = Settings.of(table).half(rolled) if saved else rolled
        if dealt:
            hurt(table, who.id, dealt, tags=self.tags, source=self.name)


def save_against(table: Table, rolls: TaskRolls, one: Contestant, goal: int, *, against: str) -> bool:
    """One saving throw against a number, recorded. Returns whether it is made."""
    roll = one.roll(rolls)
    saved = roll.total >= goal and one.can_win
    check, outcome = f"{named(one.rating)} save", SAVED if saved else NOT_SAVED
    d20.record_roll(table, check, roll, goal, success=saved, outcome=outcome, against=against)
    return saved
