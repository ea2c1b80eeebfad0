"""Hit points: losing and regaining them, thresholds, and amounts of harm and healing."""

from domain import events
from domain.state import Character
from domain.table import Table
from ruleset_plugins.kit import conditions


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


def roll_amount(table: Table, who: Character, amount: str, purpose: str) -> int:
    """How much somebody is hurt or healed without an attack: a number or dice, which the acting seat rolls; never below 0."""
    return max(table.roll(amount, roller=table.seat or who.id, purpose=purpose).total, 0)


def check_can_heal(table: Table, who: Character) -> None:
    """Refuse to heal somebody who has lost nothing."""
    if who.lost <= 0:
        table.refuse(f"{who.name} has lost no hit points, so there is nothing to heal.")
