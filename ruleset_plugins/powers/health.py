"""Hit points are entered and stop at 0, and whoever is there is defeated (Q2.10)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Character,
    Table,
    able,
    character,
    conditions,
    flag,
    follow_maximum,
    harm_verb,
    heal_verb,
    living,
    lose,
    regain,
    settle,
    words,
)
from ruleset_plugins.powers.stats import MAX_HP

DEFEATED = "defeated"
UNABLE = {DEFEATED: "Healing brings {name} back into play."}
KEPT_OUT = (DEFEATED, conditions.DEAD, conditions.ARRIVING)
"""The conditions that keep somebody out of a turn."""

NEVER = -(10**15)
"""Nobody dies of hit points in this game; the dead come from other games."""


def max_hp(who: Character) -> int:
    """Hit points as they were entered."""
    return who.stats.get(MAX_HP, 0)


def hit_points(who: Character) -> int:
    """The hit points left."""
    return max_hp(who) - who.lost


def status(who: Character) -> str:
    """The state of health in a word."""
    if who.has(conditions.DEAD):
        return "Dead"
    if who.has(DEFEATED):
        return "Defeated"
    return "Hurt" if who.lost > 0 else "Unhurt"


def fit(table: Table, name: str) -> Character:
    """Somebody who can act. Refused for the dead, the defeated and those who have left."""
    return able(table, name, UNABLE)


def hurt(table: Table, name: str, dealt: int, *, tags: tuple[str, ...] = (), source: str = "") -> None:
    """Somebody loses ``dealt`` hit points, or those that are left."""
    who = table.character(name)
    if MAX_HP not in who.stats:
        table.refuse(f"{who.name} has no hit points to lose. Enter them: adjust {name} {MAX_HP} NUMBER WHY")
    lose(table, name, dealt, left=hit_points(who), tags=tags, source=source, stop_at_zero=True)
    _settle(table, name)


def restore(table: Table, name: str, amount: int, *, tags: tuple[str, ...] = (), source: str = "") -> None:
    """Somebody gets hit points back, up to the maximum; above 0 nobody is defeated."""
    regain(table, name, amount, tags=tags, source=source)
    _settle(table, name)


def _settle(table: Table, name: str, *, ruled: bool = False) -> None:
    who = table.character(name)
    if MAX_HP in who.stats:
        settle(table, name, left=hit_points(who), dies_at=NEVER, down=DEFEATED, ruled=ruled)


def character_changed(table: Table, before: Character) -> None:
    """The hook of rulings: a maximum or hit points were changed by hand, which may even undo death (QG.8, QG.9)."""
    follow_maximum(table, before.id, before=max_hp(before), after=max_hp(table.character(before.id)))
    _settle(table, before.id, ruled=table.character(before.id).lost < before.lost)


Harm = harm_verb(hurt)
Heal = heal_verb(restore, told="Somebody gets hit points back without a power: rest, medicine, a good night.")


@attrs.frozen(kw_only=True)
class SetCondition(Action):
    """Somebody comes into a condition, or out of it, as the GM reads the outcome of a power."""

    verb: ClassVar[str] = "condition"
    gm_only: ClassVar[bool] = True

    who: str = character("who is in it")
    condition: str = words("which condition")
    ends: bool = flag("it is over")

    def resolve(self, table: Table) -> None:
        """Being defeated or dead follows from hit points and is nothing to be said."""
        conditions.say(table, living(table, self.who), self.condition, ends=self.ends, follows=KEPT_OUT)
