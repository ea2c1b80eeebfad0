"""The pages of the documentation, and the list of them."""

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.topics import TOPICS, page_of
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.table import print_columns


def show_topics(cli: CliContext) -> None:
    """The topics, each with what its page is about."""
    if cli.json:
        cli.data(dict(TOPICS))
        return
    print_columns(cli, [(Text(topic, "cyan"), about) for topic, about in TOPICS.items()])
    cli.print(
        Text("Read one: rollbook help TOPIC. Of a command: rollbook help COMMAND, or rollbook COMMAND --help.", "dim")
    )


def show_page(cli: CliContext, topic: str) -> None:
    """One page: set for a terminal, as it is written in a pipe."""
    text = page_of(topic)
    if not cli.is_terminal:
        cli.print(text)
        return
    from rich.markdown import Markdown

    cli.out.print(Markdown(text, hyperlinks=False))
