"""The conditions of this game, who they keep from acting, and the verb condition."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Character, Table, character, flag, words
from ruleset_plugins.kit import conditions, require

DEFEATED = "defeated"
UNABLE = {DEFEATED: "Healing brings {name} back into play."}
KEPT_OUT = (DEFEATED, conditions.DEAD, conditions.ARRIVING)
"""The conditions that keep somebody out of a turn."""


def require_able(table: Table, name: str) -> Character:
    """Somebody who can act. Refused for the dead, the defeated and those who have left."""
    return require.able(table, name, UNABLE)


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
        conditions.rule(table, require.living(table, self.who), self.condition, ends=self.ends, follows=KEPT_OUT)
