"""The conditions of this game, who can act, and the verb condition (R4.40, R4.42, QG.8)."""

from ruleset_plugins import Character, Table
from ruleset_plugins.kit import conditions, require, verbs

INCAPACITATED = "incapacitated"


def _end_prone(table: Table, name: str) -> None:
    who = table.character(name)
    if who.has(INCAPACITATED):
        table.refuse(f"{who.name} is incapacitated and lies on the ground.")
    conditions.end(table, name, conditions.PRONE)


SetCondition = verbs.condition_verb(
    help="Say that somebody is prone, hidden or anything else, or is so no longer, because the GM rules it.",
    examples="prone, hidden, blurred",
    follows=(INCAPACITATED, conditions.DEAD, conditions.STABLE),
    ends={conditions.PRONE: _end_prone},
)

UNABLE = {INCAPACITATED: "Healing above 0 hit points brings {name} round."}
KEPT_OUT = (conditions.DEAD, INCAPACITATED)


def is_conscious(who: Character) -> bool:
    """Whether somebody is up to anything: 1 hit point or more, as the conditions tell."""
    return who.present and not any(who.has(state) for state in KEPT_OUT)


def require_able(table: Table, name: str) -> Character:
    """Somebody who can act. Refused for the dead, the incapacitated and those who have left."""
    return require.able(table, name, UNABLE)
