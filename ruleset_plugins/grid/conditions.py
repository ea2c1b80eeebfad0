"""The conditions of this game, who can act, and the verb condition (R4.40, R4.42, QG.8)."""

from rollbook.kit import conditions, require, verbs
from rollbook.plugin import Character, Table

INCAPACITATED, HAMSTRUNG, FLEET, HIDDEN, BLURRED = "incapacitated", "hamstrung", "fleet", "hidden", "blurred"


def _end_prone(table: Table, name: str) -> None:
    who = table.character(name)
    if who.has(INCAPACITATED):
        table.refuse(f"{who.name} is incapacitated and lies on the ground.")
    conditions.end(table, name, conditions.PRONE)


SetCondition = verbs.condition_verb(
    help="Begin or end a condition by ruling: prone, hidden or any other.",
    examples="prone, hidden, blurred",
    follows=(INCAPACITATED, conditions.DEAD, conditions.STABLE),
    ends={conditions.PRONE: _end_prone},
)

UNABLE = {INCAPACITATED: "Healing above 0 hit points brings {name} round."}
KEPT_OUT = (conditions.DEAD, INCAPACITATED)


def is_conscious(who: Character) -> bool:
    """Whether a character is in play and neither incapacitated nor dead."""
    return who.present and not any(who.has(state) for state in KEPT_OUT)


def require_able(table: Table, name: str) -> Character:
    """A character who can act. Refused for the dead, the incapacitated and those who have left."""
    return require.able(table, name, UNABLE)
