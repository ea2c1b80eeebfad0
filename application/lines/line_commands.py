"""The commands that a typed line may begin with, besides the verbs of the game."""

from collections.abc import Iterable

CORRECTION_COMMANDS = ("undo", "redo", "amend", "insert", "override", "reroll")
QUERY_COMMANDS = (
    *("status", "recap", "map", "sheet", "why", "diff", "log", "xp", "odds", "stats", "verbs", "timelines", "compare"),
    *("audit", "receipt", "campaigns", "rulesets"),
)
GM_COMMANDS = ("fork", "rerun", "take-over", "export", "backup")
"""Commands on all of a campaign, hidden things too: they are for the GM alone."""
OTHER_COMMANDS = ("reveal", "redact", *GM_COMMANDS)
"""Other commands that a table wants without leaving the prompt."""

PROMPT_COMMANDS = (*CORRECTION_COMMANDS, *QUERY_COMMANDS, *OTHER_COMMANDS)
COMMANDS_WITH_ID = (*CORRECTION_COMMANDS, "redact")
"""Commands that record all that they record at once, so that an id can be given to them."""

X_CARD = "x-card"
REVEAL = "reveal"
"""A command that finds the hidden entries of an action, so it goes before the verb of the same name."""

ADOPT = "adopt"
"""A command that first shows the effect of the verb of the same name on all sheets."""
SHOWN_FIRST = frozenset({"--preview", "--yes", "-y"})
"""Options that mean the command, wherever a line is typed."""
COMMAND_FIRST = (REVEAL, ADOPT)
"""Verbs whose command is meant at the prompt."""

SEATED_COMMANDS = (*CORRECTION_COMMANDS, X_CARD, REVEAL, ADOPT, "redact")
"""Commands with a --seat that says who acts."""

X_CARD_ANSWERS = frozenset({"--resume", "--skip", "--adjust", "--rewind", "--help"})
"""Options that answer an X-card; without one of them, it is raised."""


def showable(words: Iterable[str]) -> list[str]:
    """The words that may be offered: one that cannot be shown cannot be typed either."""
    return [word for word in words if word.isprintable()]
