"""Bleeding: a save every Round, three failures are death, and a friend may stop it (R3.92, Q3.14)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Character, Ease, Table, character, conditions, events, flag, living, names
from ruleset_plugins.conditions import BLEEDING, HELPLESS, STUNNED
from ruleset_plugins.russell.attributes import attribute_term
from ruleset_plugins.russell.rolls import roll_d6_test, save
from ruleset_plugins.russell.turns import take_action
from ruleset_plugins.russell.wounds import FAILURES, FATAL_FAILURES, die, stabilised


def needs_care(who: Character) -> bool:
    """Whether somebody is helpless and will not come round by themselves (Q3.13)."""
    return who.has(HELPLESS) and not who.conditions[HELPLESS].until


def bleed(table: Table, name: str) -> None:
    """A Round of bleeding: a Constitution save; the third failure, one after the other or not, is the last."""
    who = table.character(name)
    if not who.has(BLEEDING) or who.has(conditions.DEAD):
        return
    if save(table, who, "con", against="bleeding", purpose="bleeding"):
        return
    table.record(events.PoolGained(holder=name, pool=FAILURES, amount=1, reason="a failed save"))
    if table.character(name).pools[FAILURES] >= FATAL_FAILURES:
        die(table, name, source=BLEEDING)


@attrs.frozen(kw_only=True)
class Bleed(Action):
    """Outside a fight: another Round passes for somebody who bleeds."""

    verb: ClassVar[str] = "bleed"
    gm_only: ClassVar[bool] = True

    who: str = character("who bleeds")

    def resolve(self, table: Table) -> None:
        """One save."""
        who = living(table, self.who)
        if not who.has(BLEEDING):
            table.refuse(f"{who.name} is not bleeding.")
        if table.encounter is not None:
            table.refuse("In a fight everybody who bleeds saves by themselves at the end of the Round: end-turn")
        bleed(table, who.id)


@attrs.frozen(kw_only=True)
class Stabilise(Action):
    """Give first aid: 1d6 + INT of 6 or more stops a friend's bleeding and brings the dazed round (R3.92)."""

    verb: ClassVar[str] = "stabilise"

    who: str = character("who helps", actor=True)
    friend: str = character("whom")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """It is the friend's action, whether it works or not (Q3.14)."""
        friend = living(table, self.friend)
        if self.who == self.friend:
            table.refuse(f"{friend.name} cannot do that alone: a friend has to help.")
        if not (friend.has(BLEEDING) or friend.has(STUNNED) or needs_care(friend)):
            table.refuse(f"{friend.name} neither bleeds nor is stunned, so there is nothing to stop.")
        who = take_action(table, self.who, out_of_turn=self.out_of_turn)
        ease = Ease(self.advantage, self.disadvantage)
        terms = (attribute_term(who, "int", "R3.92"),)
        if roll_d6_test(table, who, terms, kind="aid", check="first aid", ease=ease, against=friend.id):
            stabilised(table, friend.id)
