"""help: the pages of the documentation, in the terminal."""

import click

from rollbook.adapters.cli.app import COMMANDS, command_named
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.paged_help import show_help_of
from rollbook.adapters.cli.parameters import command, completer
from rollbook.adapters.cli.topics import TOPICS
from rollbook.adapters.cli.views.pages import show_page, show_topics
from rollbook.adapters.line_commands.declared import paged
from rollbook.domain.base.errors import not_found


@command("help")
@click.argument("topic", required=False, shell_complete=completer(lambda *_: (*TOPICS, *COMMANDS)))
@paged
def help_(cli: CliContext, topic: str | None) -> None:
    """Read a page of the documentation: rollbook help dice. Without a topic: which there are.

    The name of a command shows its options, as rollbook COMMAND --help does. What a verb needs: rollbook do VERB --help.
    """
    if topic is None:
        show_topics(cli)
    elif topic in TOPICS:
        show_page(cli, topic)
    elif topic in COMMANDS:
        show_help_of(cli, command_named(topic), f"rollbook {topic}")
    else:
        raise not_found("topic", topic, (*TOPICS, *COMMANDS))
