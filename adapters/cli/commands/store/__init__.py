"""store: what concerns a store as a whole, each command imported when it is called."""

from collections.abc import Mapping
from importlib import import_module

import click

from rollbook.adapters.cli.paged_help import PagedHelp
from rollbook.adapters.cli.parameters import shared_parameters

COMMANDS: Mapping[str, tuple[str, str]] = {
    "migrate": ("migrating:migrate", "Make the tables of a store on a PostgreSQL server, or bring them up to date."),
    "vacuum": ("vacuuming:vacuum", "Wipe what was removed from the files of a PostgreSQL server."),
    "key": ("key:key", "Make a key for the secret dice of a store on a PostgreSQL server."),
    "copy": ("copying:copy", "Copy a whole store to another one, of whatever kind."),
    "set-back": ("setting_back:set_back", "Say that the database was restored to an earlier moment."),
    "verify": ("verifying:verify", "Audit every campaign and timeline in the store, several at a time."),
    "rules": ("rules:rules", "Which rules are in force where several computers share a store."),
}
"""Each command: where it is defined in this package, and its line in ``rollbook store --help``."""


class StoreGroup(PagedHelp, click.Group):
    """The commands about stores."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click asks so
        """In the order in which they are wanted."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click asks so
        """A command by its name; its module is imported only now."""
        if cmd_name not in COMMANDS:
            return None
        place, short_help = COMMANDS[cmd_name]
        module, _, attribute = place.partition(":")
        command: click.Command = getattr(import_module(f"{__name__}.{module}"), attribute)
        command.short_help = short_help
        return command


@click.group(cls=StoreGroup)
@shared_parameters
def store() -> None:
    """What concerns a store as a whole."""
