"""help: the pages of the documentation, in the terminal."""

import click

from adapters.cli.app import COMMANDS, command_named
from adapters.cli.context import CliContext
from adapters.cli.parameters import command, completer
from adapters.cli.topics import TOPICS
from adapters.cli.views.pages import show_page, show_topics
from domain.errors import not_found


@command("help")
@click.argument("topic", required=False, shell_complete=completer(lambda *_: (*TOPICS, *COMMANDS)))
def help_(cli: CliContext, topic: str | None) -> None:
    """Read a page of the documentation: rollbook help dice. Without a topic: which there are.

    The name of a command shows its options, as rollbook COMMAND --help does. What a verb needs: rollbook do VERB --help.
    """
    if topic is None:
        show_topics(cli)
    elif topic in TOPICS:
        show_page(cli, topic)
    elif topic in COMMANDS:
        with click.Context(command_named(topic), info_name=f"rollbook {topic}", max_content_width=110) as ctx:
            cli.print(ctx.get_help())
    else:
        raise not_found("topic", topic, (*TOPICS, *COMMANDS))
