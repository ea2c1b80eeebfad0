"""Harm without an attack and healing without a rule: what a GM does to hit points, and the two verbs for it."""

from __future__ import annotations

from typing import ClassVar, Protocol

import attrs

from domain.campaign import Character
from domain.table import Table
from domain.verbs import Action, character, dice, names, words
from ruleset_plugins.acting import living


class Hurt(Protocol):
    """How a game takes hit points, with all that follows."""

    def __call__(self, table: Table, name: str, dealt: int, *, tags: tuple[str, ...], source: str) -> object: ...


class Restore(Protocol):
    """How a game gives hit points back, with all that follows."""

    def __call__(self, table: Table, name: str, amount: int, *, source: str) -> object: ...


def harm_verb(hurt: Hurt) -> type[Action]:
    """The verb ``harm``, by which somebody is hurt without an attack."""

    @attrs.frozen(kw_only=True)
    class Harm(Action):
        """Somebody is hurt without an attack: a fall, a fire, a trap."""

        verb: ClassVar[str] = "harm"
        gm_only: ClassVar[bool] = True

        who: str = character("who is hurt")
        amount: str = dice("how much, as a number or dice")
        source: str = words("what by", default="")
        tags: tuple[str, ...] = names("what sort of damage it is: fire, acid, a fall …", default=())

        def resolve(self, table: Table) -> None:
            """The dice, and the damage."""
            who = living(table, self.who)
            dealt = roll_damage(table, who, self.amount)
            if dealt:
                hurt(table, who.id, dealt, tags=self.tags, source=self.source)

    return Harm


def heal_verb(restore: Restore, *, told: str) -> type[Action]:
    """The verb ``heal``, by which somebody gets hit points back; ``told`` is its sentence in the list of verbs."""

    @attrs.frozen(kw_only=True)
    class Heal(Action):
        verb: ClassVar[str] = "heal"
        gm_only: ClassVar[bool] = True

        who: str = character("who is healed")
        amount: str = dice("how much, as a number or dice")
        source: str = words("what by", default="")

        def resolve(self, table: Table) -> None:
            """Up to the maximum."""
            who = living(table, self.who)
            check_hurt(table, who)
            restore(table, who.id, roll_healing(table, who, self.amount), source=self.source)

    Heal.__doc__ = told
    return Heal


def roll_damage(table: Table, who: Character, amount: str) -> int:
    """How much somebody is hurt by anything but an attack: a number or dice, which the acting seat rolls; never below 0."""
    return _rolled(table, who, amount, "damage")


def roll_healing(table: Table, who: Character, amount: str) -> int:
    """How much somebody is healed, as ``roll_damage`` says how much they are hurt."""
    return _rolled(table, who, amount, "healing")


def _rolled(table: Table, who: Character, amount: str, purpose: str) -> int:
    return max(table.roll(amount, roller=table.seat or who.id, purpose=purpose).total, 0)


def check_hurt(table: Table, who: Character) -> None:
    """Refuse to heal somebody who has lost nothing."""
    if who.lost <= 0:
        table.refuse(f"{who.name} has lost no hit points, so there is nothing to heal.")
