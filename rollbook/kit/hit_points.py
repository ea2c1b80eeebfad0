"""Hit points: losing and regaining them, and amounts of harm and healing. For falling and death see ``dying``."""

from rollbook.domain.rules.sheet import MAX_HP
from rollbook.kit import conditions
from rollbook.plugin import Character, Table, events

__all__ = ["check_can_heal", "check_has_any", "lose", "regain", "roll_amount"]


def check_has_any(table: Table, who: Character, *, has: bool) -> None:
    """Refuse to hurt a character whose hit points have not been entered."""
    if not has:
        table.refuse(
            f"{who.name} has no hit points to lose. Enter them: adjust {who.id} {MAX_HP} NUMBER WHY",
            table.parameter_of(who.id),
        )


def lose(
    table: Table,
    name: str,
    dealt: int,
    *,
    tags: tuple[str, ...] = (),
    source: str = "",
    at_most: int | None = None,
    spared: int = 0,
) -> int:
    """Take as many hit points as are ``dealt``, less those ``spared``. Returns the number.

    A game that stops at 0 gives those that are left as ``at_most``; below 0 it counts as 0.
    """
    amount = max(dealt - spared, 0) if spared else dealt
    amount = amount if at_most is None else min(amount, max(at_most, 0))
    table.record(events.DamageTaken(character=name, amount=amount, dealt=dealt, tags=tags, source=source))
    return amount


def regain(
    table: Table, name: str, amount: int, *, tags: tuple[str, ...] = (), source: str = "", keep_lost: int = 0
) -> int:
    """Give up to ``amount`` hit points back, never above the maximum; the dead get none (QG.9).

    ``keep_lost`` hit points stay lost. Returns the number that came back.
    """
    who = table.character(name)
    amount = 0 if who.has(conditions.DEAD) else min(amount, who.lost - keep_lost)
    if amount > 0:
        table.record(events.HitPointsRestored(character=name, amount=amount, tags=tags, source=source))
    return max(amount, 0)


def roll_amount(table: Table, who: Character, amount: str, purpose: str, *, roller: str = "") -> int:
    """The amount of harm or healing without an attack: a number, or dice of the acting seat's or of a given ``roller``.

    Dice that come to less than 0 are 0; a number below 0 is refused.
    """
    rolled = table.roll(amount, roller=roller or table.seat or who.id, purpose=purpose)
    if rolled.total < 0 and not rolled.dice:
        table.refuse(
            f"An amount of {purpose} is 0 or more, not {amount}. A wrong number is put right with: adjust {who.id} hp",
            table.parameter_of(amount),
        )
    return max(rolled.total, 0)


def check_can_heal(table: Table, who: Character) -> None:
    """Refuse to heal a character who has lost nothing."""
    if not who.has_lost(1):
        table.refuse(f"{who.name} has lost no hit points, so there is nothing to heal.", table.parameter_of(who.id))
