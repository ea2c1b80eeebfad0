"""Hit points, which are entered and stop at 0, the conditions that keep from acting, and their verbs (Q2.10)."""

from rollbook.kit import conditions, dying, hit_points, require, verbs
from rollbook.plugin import Character, Table
from rollbook.rulesets.powers.stats import MAX_HP

DEFEATED = "defeated"
UNABLE = {DEFEATED: "Healing brings {name} back into play."}
KEPT_OUT = (DEFEATED, conditions.DEAD, conditions.ARRIVING)
"""The conditions that keep a character out of a turn."""


def require_able(table: Table, name: str) -> Character:
    """A character who can act. Refused for the dead, the defeated and those who have left."""
    return require.able(table, name, UNABLE)


SetCondition = verbs.condition_verb(help="Begin or end a condition by ruling, as after a power.", follows=KEPT_OUT)


LINES = dying.Lines(down=DEFEATED)
"""Characters do not die of hit points in this game; the dead come from other games."""


def max_hp(who: Character) -> int:
    """Hit points as they were entered."""
    return who.stats.get(MAX_HP, 0)


def status(who: Character) -> str:
    """The state of health in a word."""
    if who.has(conditions.DEAD):
        return "Dead"
    if who.has(DEFEATED):
        return "Defeated"
    return "Hurt" if who.lost > 0 else "Unhurt"


def hurt(table: Table, name: str, dealt: int, *, tags: tuple[str, ...] = (), source: str = "") -> None:
    """Take ``dealt`` hit points, or those that are left."""
    who = table.character(name)
    hit_points.check_has_any(table, who, has=MAX_HP in who.stats)
    hit_points.lose(table, name, dealt, tags=tags, source=source, at_most=max_hp(who) - who.lost)
    _update_conditions(table, name)


def restore(table: Table, name: str, amount: int, *, tags: tuple[str, ...] = (), source: str = "") -> None:
    """Give hit points back, up to the maximum; above 0 a character is not defeated."""
    hit_points.regain(table, name, amount, tags=tags, source=source)
    _update_conditions(table, name)


def _update_conditions(table: Table, name: str) -> None:
    who = table.character(name)
    if MAX_HP in who.stats:
        dying.settle(table, name, most=max_hp(who), lines=LINES)


def character_changed(table: Table, before: Character) -> None:
    """The hook of rulings: a maximum or hit points were changed by hand, which may even undo death (QG.8, QG.9)."""
    dying.follow_change(table, before, most=max_hp, lines=lambda _: LINES)
    _update_conditions(table, before.id)


Harm = verbs.harm_verb(hurt)
Heal = verbs.heal_verb(restore, help="Give hit points back without a power: rest, medicine, a good night.")
