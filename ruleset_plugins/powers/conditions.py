"""The conditions of this game, who they keep from acting, and the verb condition."""

from rollbook.kit import conditions, require, verbs
from rollbook.plugin import Character, Table

DEFEATED = "defeated"
UNABLE = {DEFEATED: "Healing brings {name} back into play."}
KEPT_OUT = (DEFEATED, conditions.DEAD, conditions.ARRIVING)
"""The conditions that keep a character out of a turn."""


def require_able(table: Table, name: str) -> Character:
    """A character who can act. Refused for the dead, the defeated and those who have left."""
    return require.able(table, name, UNABLE)


SetCondition = verbs.condition_verb(help="Begin or end a condition by ruling, as after a power.", follows=KEPT_OUT)
