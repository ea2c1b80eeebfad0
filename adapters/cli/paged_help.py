"""Help that is longer than the screen goes through the pager, as every long answer does."""

import os
import sys

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.paging import show_paged
from rollbook.adapters.cli.terminal import echo
from rollbook.adapters.cli.text import screen
from rollbook.adapters.presentation.plain_text import as_written

NO_PAGER = "--no-pager"


class PagedHelp(click.Command):
    """A command whose ``--help`` is paged at a terminal."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Help is shown before the other options are read, so the one that concerns it is noted first."""
        if NO_PAGER in args:
            ctx.ensure_object(CliContext).no_pager = True
        return super().parse_args(ctx, args)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """``--help``, as click has it."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _show_help
        return option


def _show_help(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        cli = ctx.ensure_object(CliContext)
        text = as_written(ctx.get_help())
        if cli.is_interactive and not cli.no_pager and os.environ.get("TERM") != "dumb":
            show_paged(f"{text}\n", sys.stdout, screen().lines)
        else:
            echo(text)
        ctx.exit()


def show_help_of(cli: CliContext, command: click.Command, written: str) -> None:
    """Print the help of a command, which is typed as ``written``."""
    with click.Context(command, info_name=written, max_content_width=110, obj=cli) as ctx:
        cli.print(ctx.get_help())
