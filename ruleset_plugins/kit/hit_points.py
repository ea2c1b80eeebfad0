"""Hit points: losing and regaining them, thresholds, and the verbs ``harm`` and ``heal``."""

from __future__ import annotations

from typing import ClassVar, Protocol

import attrs

from domain import events
from domain.action import Action
from domain.parameters import character, dice, names, words
from domain.state import Character
from domain.table import Table
from ruleset_plugins.kit import conditions, require


def lose(
    table: Table,
    name: str,
    dealt: int,
    *,
    left: int,
    tags: tuple[str, ...] = (),
    source: str = "",
    stop_at_zero: bool = False,
    spared: int = 0,
) -> int:
    """Somebody with ``left`` hit points loses ``dealt``, less what they are ``spared``. Returns how many.

    With ``stop_at_zero`` only the hit points above 0 are lost.
    """
    amount = max(dealt - spared, 0) if spared else dealt
    amount = min(amount, max(left, 0)) if stop_at_zero else amount
    table.record(events.DamageTaken(character=name, amount=amount, dealt=dealt, tags=tags, source=source))
    return amount


def regain(
    table: Table, name: str, amount: int, *, tags: tuple[str, ...] = (), source: str = "", keep_lost: int = 0
) -> int:
    """Somebody gets up to ``amount`` hit points back, never above the maximum; the dead get none (QG.9).

    ``keep_lost`` hit points wait for something else. Returns how many came back.
    """
    who = table.character(name)
    amount = 0 if who.has(conditions.DEAD) else min(amount, who.lost - keep_lost)
    if amount > 0:
        table.record(events.HitPointsRestored(character=name, amount=amount, tags=tags, source=source))
    return max(amount, 0)


def apply_thresholds(
    table: Table, name: str, *, left: int, dies_at: int, down: str = conditions.UNCONSCIOUS, ruled: bool = False
) -> None:
    """Record who goes ``down`` at 0 or fewer hit points, who dies at ``dies_at`` or fewer, and who comes round.

    Death is final: only a ruling (``ruled``) undoes it (QG.9).
    """
    if table.character(name).has(conditions.DEAD) and not ruled:
        return
    is_dead = left <= dies_at
    if not is_dead:
        conditions.end(table, name, conditions.DEAD)
    if is_dead or left > 0:
        conditions.end(table, name, down)
    if is_dead:
        conditions.begin(table, name, conditions.DEAD)
    elif left <= 0:
        conditions.begin(table, name, down)


def follow_maximum(table: Table, name: str, *, before: int, after: int) -> None:
    """A maximum changed: what rises lifts the current value by itself, what falls clamps it (Q0.83, Q1.2)."""
    who = table.character(name)
    if before > after and who.lost > 0 and not who.has(conditions.DEAD):
        amount = min(before - after, who.lost)
        table.record(events.HitPointsRestored(character=name, amount=amount, tags=("maximum fell",)))


class HurtRule(Protocol):
    """How a game takes hit points, with all that follows."""

    def __call__(self, table: Table, name: str, dealt: int, *, tags: tuple[str, ...], source: str) -> object: ...


class RestoreRule(Protocol):
    """How a game gives hit points back, with all that follows."""

    def __call__(self, table: Table, name: str, amount: int, *, source: str) -> object: ...


def harm_verb(hurt: HurtRule) -> type[Action]:
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
            who = require.living(table, self.who)
            dealt = roll_damage(table, who, self.amount)
            if dealt:
                hurt(table, who.id, dealt, tags=self.tags, source=self.source)

    return Harm


def heal_verb(restore: RestoreRule, *, told: str) -> type[Action]:
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
            who = require.living(table, self.who)
            check_can_heal(table, who)
            restore(table, who.id, roll_healing(table, who, self.amount), source=self.source)

    Heal.__doc__ = told
    return Heal


def roll_damage(table: Table, who: Character, amount: str) -> int:
    """How much somebody is hurt by anything but an attack: a number or dice, which the acting seat rolls; never below 0."""
    return _roll_amount(table, who, amount, "damage")


def roll_healing(table: Table, who: Character, amount: str) -> int:
    """How much somebody is healed, as ``roll_damage`` says how much they are hurt."""
    return _roll_amount(table, who, amount, "healing")


def _roll_amount(table: Table, who: Character, amount: str, purpose: str) -> int:
    return max(table.roll(amount, roller=table.seat or who.id, purpose=purpose).total, 0)


def check_can_heal(table: Table, who: Character) -> None:
    """Refuse to heal somebody who has lost nothing."""
    if who.lost <= 0:
        table.refuse(f"{who.name} has lost no hit points, so there is nothing to heal.")
