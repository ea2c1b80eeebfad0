"""Hit points: losing and regaining them, and amounts of harm and healing. Who falls and dies of it: ``dying``."""

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


def roll_amount(table: Table, who: Character, amount: str, purpose: str, *, roller: str = "") -> int:
    """How much somebody is hurt or healed without an attack: a number or dice, which the acting seat rolls unless it is said.

    Dice that come to less than 0 are 0; a number below 0 is refused.
    """
    rolled = table.roll(amount, roller=roller or table.seat or who.id, purpose=purpose)
    if rolled.total < 0 and not rolled.dice:
        table.refuse(
            f"An amount of {purpose} is 0 or more, not {amount}. A wrong number is put right with: adjust {who.id} hp"
        )
    return max(rolled.total, 0)


def check_can_heal(table: Table, who: Character) -> None:
    """Refuse to heal somebody who has lost nothing."""
    if who.lost <= 0:
        table.refuse(f"{who.name} has lost no hit points, so there is nothing to heal.")
