"""One against another: the higher total wins, then the higher modifier, else both roll again (R1.4, Q1.7)."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import attrs

from ruleset_plugins import (
    EVEN,
    Action,
    Character,
    Ease,
    Rolled,
    Table,
    Term,
    bonuses,
    character,
    check_opponent,
    check_resolved,
    choice,
    flag,
    living,
    names,
    until_ahead,
    words,
)
from ruleset_plugins.luckpoint.luck import TaskRolls, before_rolling
from ruleset_plugins.luckpoint.skills import RATINGS, UNTRAINED, can_succeed, named, rated, rating_terms
from ruleset_plugins.luckpoint.turns import take_action


@attrs.frozen(kw_only=True)
class Side:
    """One side of a contest: who, with what, and how easily."""

    who: Character
    rating: str
    purpose: str
    ease: Ease = EVEN
    bonus: tuple[Term, ...] = ()

    @property
    def terms(self) -> tuple[Term, ...]:
        """What is added to the d20."""
        return (*rating_terms(self.who, self.rating), *self.bonus)

    def roll(self, rolls: TaskRolls) -> Rolled:
        """The d20 and all that."""
        return rolls.task(self.who, self.terms, purpose=self.purpose, ease=self.ease)

    @property
    def can_win(self) -> bool:
        """Without a point in a specialised skill nobody does (R1.38)."""
        return can_succeed(self.who, self.rating)


def contest(rolls: TaskRolls, one: Side, two: Side) -> tuple[bool, Rolled, Rolled]:
    """Whether the ``one`` side wins, and both rolls that stand."""
    mine, yours = partial(one.roll, rolls), partial(two.roll, rolls)
    if one.can_win and two.can_win:
        return until_ahead(mine, yours)
    return one.can_win, mine(), yours()


@attrs.frozen(kw_only=True)
class Oppose(Action):
    """Two try against one another: the higher total wins, then the higher modifier, else both roll again (R1.4)."""

    verb: ClassVar[str] = "opposed"

    who: str = character("who tries", actor=True)
    skill: str = choice("with which skill or ability", RATINGS)
    opponent: str = character("who is against it")
    opponent_skill: str = choice("with what the other resists", RATINGS)
    place: str = words("for Location: which place", default="")
    opponent_place: str = words("for the other's Location: which place", default="")
    advantage: tuple[str, ...] = names("what makes it easier for the one", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder for the one", default=())
    bonus: tuple[str, ...] = names("further bonuses of the one, as '+2 good tools'", default=())
    opponent_advantage: tuple[str, ...] = names("what makes it easier for the other", default=())
    opponent_disadvantage: tuple[str, ...] = names("what makes it harder for the other", default=())
    opponent_bonus: tuple[str, ...] = names("further bonuses of the other", default=())
    luck: bool = flag("the one spends a luck point first, which takes disadvantage away")
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """Both roll until one is ahead."""
        check_opponent(table, self.who, self.opponent)
        who = take_action(table, self.who, out_of_turn=self.out_of_turn)
        other = living(table, self.opponent)
        skill, opposed = rated(table, self.skill, self.place), rated(table, self.opponent_skill, self.opponent_place)
        ease = before_rolling(table, who, Ease(self.advantage, self.disadvantage), luck=self.luck)
        one = Side(who=who, rating=skill, purpose="opposed", ease=ease, bonus=bonuses(table, self.bonus))
        against = Ease(self.opponent_advantage, self.opponent_disadvantage)
        two = Side(
            who=other, rating=opposed, purpose="opposes", ease=against, bonus=bonuses(table, self.opponent_bonus)
        )
        with TaskRolls(table) as rolls:
            won, mine, yours = contest(rolls, one, two)
        outcome = "wins" if won else "loses" if one.can_win else UNTRAINED
        what = f"{named(skill)} against {named(opposed)}"
        check_resolved(table, what, mine, yours.total, success=won, outcome=outcome, against=other.id)
