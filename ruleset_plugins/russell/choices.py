"""Making open choices: a template, the primary class, what a natural 20 does, what a fumble brings."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Table, character, choose, not_found, options_of, words
from ruleset_plugins.russell.criticals import CRITICAL, MISFORTUNE, settle_critical, settle_misfortune
from ruleset_plugins.russell.levels import TEMPLATE_OF, is_next, take_template
from ruleset_plugins.russell.templates import CLASSES, next_template


@attrs.frozen(kw_only=True)
class Choose(Action):
    """Make an open choice: a template, the primary class in a tie, what a natural 20 does, what a fumble brings."""

    verb: ClassVar[str] = "choose"

    who: str = character("whose choice it is", actor=True)
    choice: str = words("which open choice")
    picked: str = words("what is picked")

    def resolve(self, table: Table) -> None:
        """The choice is made and takes effect."""
        who = table.character(self.who)
        options_of(table, who, self.choice)
        if self.choice.startswith(CRITICAL):
            settle_critical(table, who.id, self.choice, self.picked)
        elif self.choice == MISFORTUNE:
            settle_misfortune(table, who.id, self.picked)
        elif self.choice.startswith(TEMPLATE_OF):
            self._take_template(table)
        else:
            choose(table, who, self.choice, self.picked)

    def _take_template(self, table: Table) -> None:
        """A class's name stands for its next template; no B without A (R3.50)."""
        who = table.character(self.who)
        picked = next_template(who, self.picked) if self.picked in CLASSES else self.picked
        if not is_next(who, picked):
            following = tuple(each for key in CLASSES if (each := next_template(who, key)))
            table.refuse(str(not_found("template that is next", self.picked, following)))
        take_template(table, who.id, self.choice, picked)
