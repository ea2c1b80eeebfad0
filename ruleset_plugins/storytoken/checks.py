"""Ability checks, saving throws and opposed tasks (R0.15–R0.22)."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import attrs

from ruleset_plugins import (
    ABILITIES,
    EVEN,
    Action,
    Character,
    Ease,
    Rolled,
    Table,
    character,
    check_opponent,
    check_resolved,
    choice,
    choices,
    flag,
    gear,
    living,
    names,
    target_number,
    things_of,
    until_ahead,
    words,
)
from ruleset_plugins.storytoken.conditions import OVERHEATED, SITUATIONAL, SPARED, is_magic_proof, promises_of
from ruleset_plugins.storytoken.heritages import heritage_of
from ruleset_plugins.storytoken.roles import TOPICS, role_terms
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.situations import INFORMED_HELP, task_terms
from ruleset_plugins.storytoken.task_rolls import TaskRolls
from ruleset_plugins.storytoken.turns import check_control, take_action
from ruleset_plugins.storytoken.weapons import TECH

LADDER = {"easy": 5, "hard": 15, "extreme": 25}
"""The fixed targets of tasks (R0.19)."""

SPECIALIZED = "advantage"
"""The use of a thing that is made for one task and gives advantage on it: ``advantage:stealth in the woods``."""


def tool_ease(table: Table, who: Character, item: str) -> Ease:
    """The advantage of a thing that is specialized enough for this one task (R0.99)."""
    if not item:
        return EVEN
    held = who.gear.get(item)
    if held is None or held.count < 1:
        table.refuse(f"{who.name} has no {item!r}. Held are: {', '.join(_held(who)) or 'no things'}.")
    check_thing(table, who, item, held.use.split(":"))
    if held.use.partition(":")[0] != SPECIALIZED:
        table.refuse(
            f"{who.name}'s {item} is not specialized enough to give advantage on a task. If the GM thinks so, say it "
            f"with --advantage {item!r}."
        )
    return Ease(advantage=(item,))


def check_thing(table: Table, who: Character, item: str, marks: list[str]) -> None:
    """Refuse things that somebody cannot use: made for hands, hacked, or overheated (R0.73, R0.79, R0.142)."""
    if heritage_of(who).no_tools:
        table.refuse(f"{who.name} is an animal and cannot use {item}: tools and weapons are made for hands.")
    check_control(table, who, item)
    if TECH in marks and who.has(OVERHEATED):
        table.refuse(f"{who.name}'s {item} is overheated. It works again when it is cooled or mended: relieve.")


def _held(who: Character) -> list[str]:
    return [item for item, _ in things_of(who)]


@attrs.frozen(kw_only=True)
class Check(Action):
    """Try a task: 1d20 + ability + whatever helps, against easy 5, hard 15 or extreme 25 (R0.15, R0.19)."""

    verb: ClassVar[str] = "check"

    who: str = character("who tries", actor=True)
    ability: str = choice("with which ability", ABILITIES)
    topic: str = choice("what the task is about, for the bonus of a role", TOPICS, default="")
    target: str = words("easy, hard, extreme or a number", default="hard")
    using: str = gear("a thing that is made for this task", default="")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses, as '+2 good tools'", default=())
    spared: tuple[str, ...] = choices(f"conditions that have no bearing now: {SPARED}", SITUATIONAL, default=())
    sight: bool = flag("it is done by sight")
    pressure: bool = flag("somebody is tended in a critical moment (Medical)")
    informed: bool = flag(INFORMED_HELP)
    at_cost: str = words("what success costs, if the task fails and the GM lets it succeed after all", default="")
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """A task takes the turn's action; a failure may become success at a cost (R0.18)."""
        who = take_action(table, self.who, out_of_turn=self.out_of_turn)
        goal = target_number(table, self.target, LADDER)
        terms = task_terms(table, who, self.topic, self.bonus, informed=self.informed)
        if self.pressure:
            terms = (*terms, *role_terms(who, "pressure", house(table)))
        with TaskRolls(table) as rolls:
            roll = rolls.task(
                who,
                self.ability,
                kinds=("check", "sight") if self.sight else ("check",),
                purpose="check",
                terms=terms,
                ease=Ease(self.advantage, self.disadvantage) + tool_ease(table, who, self.using),
                spared=self.spared,
            )
        success = roll.total >= goal
        check_resolved(
            table,
            f"{self.ability.upper()} {self.topic or 'check'}",
            roll,
            goal,
            success=success or bool(self.at_cost),
            outcome=f"success at a cost: {self.at_cost}" if self.at_cost and not success else "",
            against=self.target if self.target in LADDER else "",
        )


@attrs.frozen(kw_only=True)
class Save(Action):
    """Make a saving throw, which costs no action (R0.47); magic is resisted at the caster's level + 10 (R0.22)."""

    verb: ClassVar[str] = "save"

    who: str = character("who saves", actor=True)
    ability: str = choice("with which ability", ABILITIES)
    target: str = words("easy, hard, extreme or a number", default="hard")
    caster: str = character("whose magic it is against", default="")
    against: str = words("what it is against", default="")
    topic: str = choice("what the save is about, for the bonus of a role", TOPICS, default="")
    promised: bool = flag("it is against being made to break a promise (Faerie)")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses, as '+2 braced'", default=())
    spared: tuple[str, ...] = choices(f"conditions that have no bearing now: {SPARED}", SITUATIONAL, default=())
    informed: bool = flag(INFORMED_HELP)

    def resolve(self, table: Table) -> None:
        """1d20 + ability against the target."""
        who = living(table, self.who)
        goal = target_number(table, self.target, LADDER)
        if self.caster:
            goal = magic_target(table, who, self.caster)
        ease = Ease(self.advantage, self.disadvantage)
        if self.promised:
            ease += promise_ease(table, who)
        with TaskRolls(table) as rolls:
            roll = rolls.task(
                who,
                self.ability,
                kinds=("save",),
                purpose="saving throw",
                terms=task_terms(table, who, self.topic, self.bonus, informed=self.informed),
                ease=ease,
                spared=self.spared,
            )
        save_resolved(table, self.ability, roll, goal, against=self.against or self.caster)


def magic_target(table: Table, who: Character, caster: str) -> int:
    """What a save against somebody's magic must reach: their level + 10 (R0.22, Q0.4). Refused where none is needed."""
    if is_magic_proof(who):
        table.refuse(f"{who.name} is warded: magic does nothing to {who.name}, and no save is needed.")
    return table.character(caster).level + 10


def promise_ease(table: Table, who: Character) -> Ease:
    """A faerie's word, once given, helps against whatever would have it broken (R0.147)."""
    if not promises_of(who):
        table.refuse(f"{who.name} has given no promise that counts. A faerie gives one with: promise {who.id} WORDS")
    return Ease(advantage=("promise",))


def save_resolved(table: Table, ability: str, roll: Rolled, goal: int, *, against: str) -> bool:
    """Record a saving throw. Returns whether it was made."""
    saved = roll.total >= goal
    outcome = "saved" if saved else "not saved"
    check_resolved(table, f"{ability.upper()} save", roll, goal, success=saved, outcome=outcome, against=against)
    return saved


@attrs.frozen(kw_only=True)
class Oppose(Action):
    """Two try against one another: the higher total wins, then the higher modifier, else both roll again (R0.20)."""

    verb: ClassVar[str] = "opposed"

    who: str = character("who tries", actor=True)
    ability: str = choice("with which ability", ABILITIES)
    opponent: str = character("who is against it")
    opponent_ability: str = choice("with which ability the other resists", ABILITIES)
    topic: str = choice("what it is about for the one, for the bonus of a role", TOPICS, default="")
    opponent_topic: str = choice("what it is about for the other", TOPICS, default="")
    advantage: tuple[str, ...] = names("what makes it easier for the one", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder for the one", default=())
    bonus: tuple[str, ...] = names("further bonuses of the one, as '+2 good tools'", default=())
    opponent_bonus: tuple[str, ...] = names("further bonuses of the other", default=())
    spared: tuple[str, ...] = choices(f"conditions of the one without bearing now: {SPARED}", SITUATIONAL, default=())
    informed: bool = flag(INFORMED_HELP)
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """Both roll until one is ahead; to resist, one need not be able to act."""
        check_opponent(table, self.who, self.opponent)
        who = take_action(table, self.who, out_of_turn=self.out_of_turn)
        other = living(table, self.opponent)
        with TaskRolls(table) as rolls:
            won, one, two = until_ahead(
                partial(self._roll_one, table, rolls, who), partial(self._roll_other, table, rolls, other)
            )
        check_resolved(
            table,
            f"{self.ability.upper()} against {self.opponent_ability.upper()}",
            one,
            two.total,
            success=won,
            outcome="wins" if won else "loses",
            against=other.id,
        )

    def _roll_one(self, table: Table, rolls: TaskRolls, who: Character) -> Rolled:
        return rolls.task(
            who,
            self.ability,
            kinds=("check",),
            purpose="opposed",
            terms=task_terms(table, who, self.topic, self.bonus, informed=self.informed),
            ease=Ease(self.advantage, self.disadvantage),
            spared=self.spared,
        )

    def _roll_other(self, table: Table, rolls: TaskRolls, other: Character) -> Rolled:
        return rolls.task(
            other,
            self.opponent_ability,
            kinds=("check",),
            purpose="opposed",
            terms=task_terms(table, other, self.opponent_topic, self.opponent_bonus),
        )
