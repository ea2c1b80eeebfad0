"""Help at the width of the terminal; what is longer than the screen goes through the pager, as every long answer does."""

import os
import re
import sys
import textwrap

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.paging import show_paged
from rollbook.adapters.cli.terminal import echo, screen
from rollbook.adapters.presentation.plain_text import as_written

NO_PAGER = "--no-pager"
KEPT = "\b"
"""click's mark of a paragraph whose lines are kept."""
COMMENT = re.compile(r"(?P<command>.*?\S) {3,}(?P<said>\S.*)")
INDENT = 8


class PagedHelp(click.Command):
    """A command whose ``--help`` is paged at a terminal."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note --no-pager first, because help is shown before the other options are read."""
        if NO_PAGER in args:
            ctx.ensure_object(CliContext).no_pager = True
        return super().parse_args(ctx, args)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
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


class HelpFormat(click.HelpFormatter):
    """Formatter that also wraps the lines of examples, which click prints as they are."""

    def write_text(self, text: str) -> None:
        """Write a text, paragraph by paragraph."""
        super().write_text("\n\n".join(self._fitting(part) for part in re.split(r"\n[ \t]*\n", text)))

    def _fitting(self, paragraph: str) -> str:
        lines = paragraph.strip("\n").split("\n")
        if lines[0].strip() != KEPT:
            return paragraph
        width = self.width - self.current_indent
        return "\n".join(
            [lines[0], *(fitting for line in lines[1:] for fitting in _fitting_lines(line.rstrip(), width))]
        )


def _fitting_lines(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    parted = COMMENT.fullmatch(line)
    command, said = (parted["command"], parted["said"]) if parted else (line, "")
    return [*_wrapped(command, width, ""), *_wrapped(said, width, " " * INDENT)]


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=" " * INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
