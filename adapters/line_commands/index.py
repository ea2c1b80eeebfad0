"""Which commands there are, and where each is declared; its module is imported when the command is called."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rollbook.adapters.line_commands.declared import Command

MODULES = {
    **dict.fromkeys(("undo", "redo", "amend", "override", "reroll"), "corrections"),
    **dict.fromkeys(("status", "sheet", "odds", "stats", "campaigns", "export", "backup", "adopt"), ""),
    **dict.fromkeys(("why", "diff"), "why"),
    **dict.fromkeys(("log", "xp"), "log"),
    **dict.fromkeys(("verbs", "rulesets"), "verbs"),
    **dict.fromkeys(("fork", "timelines", "rerun", "compare"), "timelines"),
    **dict.fromkeys(("audit", "receipt"), "audit"),
    **dict.fromkeys(("reveal", "redact"), "secrets"),
    "take-over": "",
    "x-card": "",
}
"""The module of each command; "" for the one that is called like it."""


def declared_command(name: str) -> Command:
    """A command by its name, which is one of ``MODULES``."""
    attribute = name.replace("-", "_")
    module = import_module(f"rollbook.adapters.line_commands.commands.{MODULES[name] or attribute}")
    command: Command = getattr(module, attribute)
    return command
