"""Ability checks, saving throws and opposed tasks (R0.15–R0.22)."""

from __future__ import annotations

import re
from typing import ClassVar

import attrs

from ruleset_plugins import Action, Character, Table, character, choice, events, flag, gear, names, words
from ruleset_plugins.storytoken.abilities import ABILITIES
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.task_rolls import EVEN, Ease, TaskRoll, TaskRolls, bonuses
from ruleset_plugins.storytoken.traits import TOPICS, topic_terms
from ruleset_plugins.storytoken.turns import able, living, take_action

TARGETS = {"easy": 5, "hard": 15, "extreme": 25}
"""The fixed targets of tasks (R0.19)."""

_NUMBER = re.compile(r"[0-9]{1,4}")

SPECIALIZED = "advantage"
"""The use of a thing that is made for one task and gives advantage on it: ``advantage:stealth in the woods``."""


def target_number(table: Table, text: str) -> int:
    """easy, hard, extreme or a number, as a number."""
    if text not in TARGETS and not _NUMBER.fullmatch(text):
        table.refuse(f"A target is easy (5), hard (15), extreme (25) or a number, not {text!r}.")
    return TARGETS[text] if text in TARGETS else int(text)


def tool_ease(table: Table, who: Character, item: str) -> Ease:
    """The advantage of a thing that is specialized enough for this one task (R0.99)."""
    if not item:
        return EVEN
    held = who.gear.get(item)
    if held is None or held.count < 1:
        table.refuse(f"{who.name} has no {item!r}. Held are: {', '.join(_held(who)) or 'no things'}.")
    if held.use.partition(":")[0] != SPECIALIZED:
        table.refuse(
            f"{who.name}'s {item} is not specialized enough to give advantage on a task. If the GM thinks so, say it "
            f"with --advantage {item!r}."
        )
    return Ease(advantage=(item,))


def _held(who: Character) -> list[str]:
    return [item for item, held in who.gear.items() if held.count > 0]


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
    at_cost: str = words("what success costs, if the task fails and the GM lets it succeed after all", default="")
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """A task takes the turn's action; a failure may become success at a cost (R0.18)."""
        who = take_action(table, self.who, out_of_turn=self.out_of_turn)
        goal = target_number(table, self.target)
        with TaskRolls(table) as rolls:
            roll = rolls.roll(
                who,
                self.ability,
                kind="check",
                purpose="check",
                terms=(*topic_terms(who, self.topic, house(table)), *bonuses(table, self.bonus)),
                ease=Ease(self.advantage, self.disadvantage) + tool_ease(table, who, self.using),
            )
        success = roll.total >= goal
        outcome = "success" if success else "failure"
        if not success and self.at_cost:
            outcome = f"success at a cost: {self.at_cost}"
        table.record(
            events.CheckResolved(
                character=who.id,
                check=f"{self.ability.upper()} {self.topic or 'check'}",
                total=roll.total,
                target=goal,
                success=success or bool(self.at_cost),
                outcome=outcome,
                against=self.target if self.target in TARGETS else "",
            )
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
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses, as '+2 braced'", default=())

    def resolve(self, table: Table) -> None:
        """1d20 + ability against the target."""
        who = living(table, self.who)
        goal = table.character(self.caster).level + 10 if self.caster else target_number(table, self.target)
        with TaskRolls(table) as rolls:
            roll = rolls.roll(
                who,
                self.ability,
                kind="save",
                purpose="saving throw",
                terms=(*topic_terms(who, self.topic, house(table)), *bonuses(table, self.bonus)),
                ease=Ease(self.advantage, self.disadvantage),
            )
        saved = roll.total >= goal
        table.record(
            events.CheckResolved(
                character=who.id,
                check=f"{self.ability.upper()} save",
                total=roll.total,
                target=goal,
                success=saved,
                outcome="saved" if saved else "not saved",
                against=self.against or self.caster,
            )
        )


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
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """Both roll until one is ahead."""
        if self.who == self.opponent:
            table.refuse("Nobody tries against themselves. Name somebody else as the opponent.")
        who = take_action(table, self.who, out_of_turn=self.out_of_turn)
        other = able(table, self.opponent)
        with TaskRolls(table) as rolls:
            one, two = self._roll_both(table, rolls, who, other)
            while (one.total, one.modifier) == (two.total, two.modifier):
                one, two = self._roll_both(table, rolls, who, other)
        won = (one.total, one.modifier) > (two.total, two.modifier)
        table.record(
            events.CheckResolved(
                character=who.id,
                check=f"{self.ability.upper()} against {self.opponent_ability.upper()}",
                total=one.total,
                target=two.total,
                success=won,
                outcome="wins" if won else "loses",
                against=other.id,
            )
        )

    def _roll_both(self, table: Table, rolls: TaskRolls, who: Character, other: Character) -> tuple[TaskRoll, TaskRoll]:
        settings = house(table)
        one = rolls.roll(
            who,
            self.ability,
            kind="check",
            purpose="opposed",
            terms=(*topic_terms(who, self.topic, settings), *bonuses(table, self.bonus)),
            ease=Ease(self.advantage, self.disadvantage),
        )
        two = rolls.roll(
            other,
            self.opponent_ability,
            kind="check",
            purpose="opposed",
            terms=(*topic_terms(other, self.opponent_topic, settings), *bonuses(table, self.opponent_bonus)),
        )
        return one, two
