"""Task rolls: one modifier, a target, and now and then a degree, several successes or some time (R1.2–R1.8)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    DAY,
    HOUR,
    MINUTE,
    Action,
    Character,
    Ease,
    Table,
    bonuses,
    character,
    check_resolved,
    choice,
    conditions,
    events,
    flag,
    let_pass,
    load,
    names,
    number,
    target_number,
    words,
    written,
)
from ruleset_plugins.luckpoint.luck import TaskRolls, before_rolling
from ruleset_plugins.luckpoint.settings import house
from ruleset_plugins.luckpoint.skills import (
    ABILITY_HELP,
    BASIC_HELP,
    RATINGS,
    UNTRAINED,
    can_succeed,
    named,
    rated,
    rating_terms,
)
from ruleset_plugins.luckpoint.turns import BUSY, take_action


@attrs.frozen(kw_only=True)
class Target:
    """A step of the ladder."""

    key: str
    target: int
    rule: str


TARGETS = {row.key: row.target for row in load(__package__, "targets.json", Target)}
HARD = TARGETS["hard"]
AN_ACTION, ROUNDS = "action", "rounds"
UNITS = {"minutes": MINUTE, "hours": HOUR, "days": DAY}
TASK = "task:"
"""The pool that counts the successes of an extended task: ``task:the vault``."""


@attrs.frozen(kw_only=True)
class Check(Action):
    """Try a task: 1d20 and one skill or ability, against easy 5, hard 15, extreme 25 or a number (R1.2, R1.3)."""

    verb: ClassVar[str] = "check"

    who: str = character("who tries", actor=True)
    skill: str = choice(f"with which skill or ability ({BASIC_HELP}; {ABILITY_HELP})", RATINGS)
    target: str = words("easy, hard, extreme or a number", default="hard")
    place: str = words("for Location: which place", default="")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses, as '+2 good tools'", default=())
    luck: bool = flag("spend a luck point first, which takes disadvantage away")
    degree: int = number("how many d6 of effect success has", default=0, minimum=0, maximum=20, unit="dice")
    degree_with: str = choice("the skill or ability that is added to the effect", ("", *RATINGS), default="")
    extended: str = words("the name of a task that takes several successes", default="")
    needed: int = number("how many successes it takes", default=3, minimum=2, maximum=100)
    takes: str = choice(
        "how long it takes: an action, or 1d6 of something longer", (AN_ACTION, ROUNDS, *UNITS), default=AN_ACTION
    )
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """The action, the roll, what comes of it, and the time that it takes."""
        goal = target_number(table, self.target, TARGETS)
        skill = rated(table, self.skill, self.place)
        who = self._begin(table)
        ease = before_rolling(table, who, Ease(self.advantage, self.disadvantage), luck=self.luck)
        terms = (*rating_terms(who, skill), *bonuses(table, self.bonus))
        with TaskRolls(table) as rolls:
            roll = rolls.task(who, terms, purpose="check", ease=ease)
        success = roll.total >= goal and can_succeed(who, skill)
        outcome = self._succeed(table, who) if success else "failure" if can_succeed(who, skill) else UNTRAINED
        against = self.target if self.target in TARGETS else ""
        check_resolved(table, f"{named(skill)} check", roll, goal, success=success, outcome=outcome, against=against)
        self._take_time(table, who)

    def _begin(self, table: Table) -> Character:
        if self.takes in UNITS and table.encounter is not None:
            table.refuse(
                f"A fight does not wait for {self.takes}. Try it as an action or in rounds, or end the encounter."
            )
        return take_action(table, self.who, out_of_turn=self.out_of_turn)

    def _succeed(self, table: Table, who: Character) -> str:
        """What success is worth, in a word: a step of a long task (R1.7), or a degree in d6 (R1.6)."""
        said = "success"
        if self.extended:
            said = _one_more_success(table, who, self.extended, self.needed)
        if self.degree:
            terms = rating_terms(who, self.degree_with) if self.degree_with else ()
            effect = table.roll(written(f"{self.degree}d6", terms), roller=who.id, purpose="effect").total
            said = f"{said}, effect {max(effect, 0)}"
        return said

    def _take_time(self, table: Table, who: Character) -> None:
        """1d6 of the unit (R1.8); in a fight the rounds keep somebody busy, this one included."""
        if self.takes == AN_ACTION:
            return
        many = table.roll("1d6", roller=who.id, purpose="duration").total
        seconds = many * (house(table).round_seconds if self.takes == ROUNDS else UNITS[self.takes])
        if table.encounter is None:
            let_pass(table, seconds)
        else:
            until = table.clock + seconds
            conditions.begin(table, who.id, BUSY, detail=f"{many} {self.takes}", until=until)


def _one_more_success(table: Table, who: Character, task: str, needed: int) -> str:
    """Successes add up until there are enough; then the task is done and forgotten (R1.7)."""
    pool = f"{TASK}{task}"
    done = who.pools.get(pool, 0) + 1
    table.record(events.PoolGained(holder=who.id, pool=pool, amount=1, reason=f"success {done} of {needed}"))
    if done < needed:
        return f"success {done} of {needed}"
    table.record(events.PoolSpent(holder=who.id, pool=pool, amount=done, reason="done"))
    return f"success {done} of {needed}: done"
