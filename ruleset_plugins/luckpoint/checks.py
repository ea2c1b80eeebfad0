"""Task rolls, opposed checks and medical aid: one modifier against a target or another total (R1.2–R1.8, R1.47, Q1.7, Q1.11)."""

from functools import partial

from rollbook.kit import clock, conditions, d20, data, fields, require, vocabulary
from rollbook.plugin import Character, DiceStep, Table, Term, events, param
from rollbook.rulesets.luckpoint.abilities import (
    MEDICAL,
    RATING_HELP,
    RATINGS,
    UNTRAINED,
    can_succeed,
    named,
    rated,
    rating_terms,
)
from rollbook.rulesets.luckpoint.encounter import BLEEDING, BUSY, TaskAction, take_action
from rollbook.rulesets.luckpoint.luck import TaskRolls
from rollbook.rulesets.luckpoint.settings import TRIES, Settings


class Target(data.Row):
    """A step of the ladder."""

    target: int
    rule: str


TARGETS = {row.key: row.target for row in data.load(__package__, "targets.json", Target)}
HARD = TARGETS["hard"]
AN_ACTION, ROUNDS = "action", "rounds"
UNITS = {"minutes": clock.MINUTE, "hours": clock.HOUR, "days": clock.DAY}
TASK = "task"
"""The kind of trait of an extended task under way; a pool of the same name counts its successes (R1.7)."""


class Check(TaskAction, verb="check"):
    """Try a task: 1d20 and one skill or ability, against easy 5, hard 15, extreme 25 or a number (R1.2, R1.3)."""

    sentence = "tries {check:a}|tries something"
    typed_dice = (
        DiceStep(
            tests={"the d20 of the check": "check"},
            effects={"the d6s of its effect": "effect", "the d6 of how long it takes": "duration"},
        ),
        BLEEDING,
    )

    who: str = param.character("who tries", actor=True)
    skill: str = param.choice(f"with which skill or ability ({RATING_HELP})", RATINGS)
    target: str = param.words("easy, hard, extreme or a number", default="hard", gm_only=True, of=vocabulary.TARGET)
    place: str = param.words("for Location: which place", default="", gm_only=False)
    degree: int = param.number(
        "how many d6 of effect success has", default=0, minimum=0, maximum=20, unit="dice", gm_only=True
    )
    degree_with: str = param.choice(
        "the skill or ability that is added to the effect", ("", *RATINGS), default="", gm_only=True
    )
    extended: str = param.words(
        "the name of a task that takes several successes", default="", gm_only=True, of=vocabulary.TASK
    )
    needed: int = param.number("how many successes it takes", default=3, minimum=2, maximum=100, gm_only=True)
    takes: str = param.choice(
        "how long it takes: an action or 1d6 of a unit", (AN_ACTION, ROUNDS, *UNITS), default=AN_ACTION, gm_only=True
    )

    def resolve(self, table: Table) -> None:
        goal = d20.target_number(table, self.target, TARGETS)
        skill = rated(table, self.skill, self.place)
        if self.takes in UNITS and table.encounter is not None:
            table.refuse(
                f"A fight does not wait for {self.takes}. Try it as an action or in rounds, or end the fight.", "takes"
            )
        who = self.begin(table, self.who)
        roll = self.roll(table, who, rating_terms(who, skill), purpose="check")
        success = roll.total >= goal and can_succeed(who, skill)
        outcome = self._succeed(table, who) if success else "failure" if can_succeed(who, skill) else UNTRAINED
        against = self.target if self.target in TARGETS else ""
        d20.record_roll(table, f"{named(skill)} check", roll, goal, success=success, outcome=outcome, against=against)
        self._take_time(table, who)

    def _succeed(self, table: Table, who: Character) -> str:
        """The effect of success, in words: a step of a long task (R1.7), or a degree in d6 (R1.6)."""
        said = "success"
        if self.extended:
            said = _one_more_success(table, who, self.extended, self.needed)
        if self.degree:
            terms = rating_terms(who, self.degree_with) if self.degree_with else ()
            effect = table.roll(d20.notation(f"{self.degree}d6", terms), roller=who.id, purpose="effect").total
            said = f"{said}, effect {max(effect, 0)}"
        return said

    def _take_time(self, table: Table, who: Character) -> None:
        """Take 1d6 of the unit (R1.8); in a fight the rounds keep the character busy, this one included."""
        if self.takes == AN_ACTION:
            return
        many = table.roll("1d6", roller=who.id, purpose="duration").total
        seconds = many * (Settings.of(table).round_seconds if self.takes == ROUNDS else UNITS[self.takes])
        if table.encounter is None:
            clock.advance(table, seconds)
        else:
            conditions.begin(table, who.id, BUSY, detail=f"{many} {self.takes}", until=table.clock + seconds)


def tasks_of(who: Character) -> list[tuple[str, int]]:
    """The extended tasks that a character has under way, and the successes of each so far (R1.7)."""
    return [(fields.text(who.trait_data.get(task, {}), TASK), who.pools.get(task, 0)) for task in who.traits_of(TASK)]


def _one_more_success(table: Table, who: Character, task: str, needed: int) -> str:
    """Add a success; once there are enough, the task is done and forgotten (R1.7)."""
    pool = f"{TASK} {task}"
    if pool not in who.traits:
        table.record(events.TraitGained(character=who.id, trait=pool, kind=TASK, data={TASK: task}))
    done = who.pools.get(pool, 0) + 1
    table.record(events.PoolGained(holder=who.id, pool=pool, amount=1, reason=f"success {done} of {needed}"))
    if done < needed:
        return f"success {done} of {needed}"
    table.record(
        events.PoolSpent(holder=who.id, pool=pool, amount=done, reason="done"),
        events.TraitLost(character=who.id, trait=pool, kind=TASK),
    )
    return f"success {done} of {needed}: done"


class Contestant(data.Frozen):
    """One side of a contest: who, with what, and how easily."""

    who: Character
    rating: str
    purpose: str
    ease: d20.Advantage = d20.NO_ADVANTAGE
    bonus: tuple[Term, ...] = ()

    @property
    def terms(self) -> tuple[Term, ...]:
        return (*rating_terms(self.who, self.rating), *self.bonus)

    def roll(self, rolls: TaskRolls) -> d20.RollResult:
        return rolls.with_advantage(self.who.id, self.terms, purpose=self.purpose, ease=self.ease)

    @property
    def can_win(self) -> bool:
        """False without a point in a specialised skill (R1.38)."""
        return can_succeed(self.who, self.rating)


def contest(rolls: TaskRolls, one: Contestant, two: Contestant) -> tuple[bool, d20.RollResult, d20.RollResult]:
    """Tell if ``one`` wins, and both final rolls."""
    mine, yours = partial(one.roll, rolls), partial(two.roll, rolls)
    if one.can_win and two.can_win:
        return d20.opposed_roll(mine, yours)
    return one.can_win, mine(), yours()


class Oppose(TaskAction, verb="opposed"):
    """Two try against one another: the higher total wins, then the higher modifier, else both roll again (R1.4)."""

    sentence = "contests {opponent}[ in {skill:key}]"
    typed_dice = (
        DiceStep(
            tests={"a d20 for each of the two, and again while they are level": "opposed|opposes"},
            ties=("opposed", "opposes"),
        ),
    )

    who: str = param.character("who tries", actor=True)
    skill: str = param.choice("with which skill or ability", RATINGS)
    opponent: str = param.character("who is against it")
    opponent_skill: str = param.choice("with what the other resists", RATINGS)
    place: str = param.words("for Location: which place", default="", gm_only=False)
    opponent_place: str = param.words("for the other's Location: which place", default="", gm_only=False)
    opponent_advantage: tuple[str, ...] = param.names("what makes it easier for the other", default=(), gm_only=True)
    opponent_disadvantage: tuple[str, ...] = param.names("what makes it harder for the other", default=(), gm_only=True)
    opponent_bonus: tuple[str, ...] = param.names("further bonuses of the other", default=(), gm_only=True)

    def resolve(self, table: Table) -> None:
        require.other_opponent(table, self.who, self.opponent)
        who = self.begin(table, self.who)
        other = require.living(table, self.opponent)
        skill, opposed = rated(table, self.skill, self.place), rated(table, self.opponent_skill, self.opponent_place)
        ease = self.eased(table, who)
        mine, theirs = d20.bonuses(table, self.bonus), d20.bonuses(table, self.opponent_bonus)
        against = d20.Advantage(self.opponent_advantage, self.opponent_disadvantage)
        one = Contestant(who=who, rating=skill, purpose="opposed", ease=ease, bonus=mine)
        two = Contestant(who=other, rating=opposed, purpose="opposes", ease=against, bonus=theirs)
        with TaskRolls(table) as rolls:
            won, roll, yours = contest(rolls, one, two)
        outcome = "wins" if won else "loses" if one.can_win else UNTRAINED
        what = f"{named(skill)} against {named(opposed)}"
        d20.record_roll(table, what, roll, yours.total, success=won, outcome=outcome, against=other.id)


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
        """Use the helper's action; if it fails, the bleeding goes on, and it can be tried again (Q1.11)."""
        patient = require.living(table, self.patient)
        self._check(table, patient)
        who = self.begin(table, self.who)
        able = can_succeed(who, MEDICAL) or Settings.of(table).medical_untrained == TRIES
        roll = self.roll(table, who, rating_terms(who, MEDICAL, even_untrained=able), purpose="medical aid")
        success = able and roll.total >= HARD
        outcome = "stable" if success else "still bleeding" if able else UNTRAINED
        d20.record_roll(table, "medical aid", roll, HARD, success=success, outcome=outcome, against=patient.id)
        if success:
            conditions.end(table, patient.id, conditions.BLEEDING)
            conditions.begin(table, patient.id, conditions.STABLE)

    @staticmethod
    def _check(table: Table, patient: Character) -> None:
        if not patient.has(conditions.BLEEDING):
            table.refuse(f"{patient.name} is not bleeding to death, so there is nothing to stop.", "patient")
