"""The ``rollbook`` command: its subcommands by section, and the exit code of a run."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from adapters.cli.commands import (
    adopt,
    corrections,
    files,
    history,
    odds,
    play,
    query,
    secrets,
    start,
    stats,
    take_over,
    timelines,
    x_card,
)
from adapters.cli.commands.audit import audit, receipt
from adapters.cli.context import CliContext
from adapters.cli.errors import Exit, report
from adapters.cli.parameters import shared_parameters

SECTIONS = {
    "Begin": (start.demo, start.new, start.campaigns, start.rulesets, query.verbs),
    "Play": (play.join, play.do, play.play, x_card.x_card),
    "Look": (query.sheet, history.why, history.diff, query.log, query.xp, odds.odds, stats.stats),
    "Correct": (corrections.undo, corrections.redo, corrections.amend, corrections.override, corrections.reroll),
    "Change the rules": (adopt.adopt,),
    "What if": (timelines.fork, timelines.timelines, timelines.compare, timelines.rerun, take_over.take_over),
    "Keep": (audit, receipt, files.export, files.import_, files.rebuild),
    "Secrets": (secrets.reveal, secrets.redact),
}


class RollbookGroup(click.Group):
    """The commands in sections, and quiet when nobody reads on."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click asks so
        """In the order in which a newcomer meets them."""
        return [command.name or "" for section in SECTIONS.values() for command in section]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """One list a section."""
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(command.name or "", command.get_short_help_str(90)) for command in section])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A command, or where one is to be found."""
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing and not args[0].startswith("-"):
            ctx.fail(_unknown_command(self.list_commands(ctx), args[0]))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """A reader that has gone (``rollbook log | head``) is no error."""
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return Exit.OK
        return answer


def _unknown_command(known: Sequence[str], name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=2, cutoff=0.6)
    hint = f" Did you mean {' or '.join(near)}?" if near else f" Verbs of the game go after do: rollbook do {name}"
    return f"There is no command {name!r}.{hint}"


@click.group(cls=RollbookGroup, context_settings={"max_content_width": 110, "help_option_names": ["-h", "--help"]})
@shared_parameters
@click.version_option(package_name="rollbook", message="rollbook %(version)s")
def rollbook() -> None:
    """Keep a tabletop campaign as its history: play, take back any mistake, and keep the dice.

    \b
    New here?   rollbook demo
    Your own:   rollbook new "The Silver Arrow" --ruleset storytoken
                rollbook play
    """


for _section in SECTIONS.values():
    for _command in _section:
        rollbook.add_command(_command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit code: 0, or what ``faults.Exit`` says."""
    args = list(sys.argv[1:] if argv is None else argv)
    cli = CliContext()
    cli.store = os.environ.get("ROLLBOOK_STORE", "")
    _replace_unencodable()
    try:
        answer = rollbook.main(args=args, prog_name="rollbook", standalone_mode=False, obj=cli)
        return answer if isinstance(answer, int) else Exit.OK
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
        return Exit.ABORTED
    except Exception as error:  # noqa: BLE001 - whatever it is, people get a sentence
        return report(error, as_json=cli.json or "--json" in args)
    finally:
        cli.close()


def _replace_unencodable() -> None:
    """A terminal that cannot show a letter gets another in its place."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
