"""``rollbook``: the commands in their order, and what becomes of errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from adapters.cli import (
    adopt,
    ask,
    begin,
    correct,
    demo,
    join,
    keep,
    odds,
    override,
    past,
    play,
    secrecy,
    stats,
    take_over,
    what_if,
    x_card,
)
from adapters.cli.desk import Desk
from adapters.cli.faults import Exit, report
from adapters.cli.options import shared

SECTIONS = {
    "Begin": (demo.demo, begin.new, begin.campaigns, begin.rulesets, ask.verbs),
    "Play": (join.join, play.do, play.play, x_card.x_card),
    "Look": (ask.sheet, past.why, past.diff, ask.log, ask.xp, odds.odds, stats.stats),
    "Correct": (correct.undo, correct.redo, correct.amend, override.override, correct.reroll),
    "Change the rules": (adopt.adopt,),
    "What if": (what_if.fork, what_if.timelines, what_if.compare, what_if.rerun, take_over.take_over),
    "Keep": (keep.audit, keep.receipt, keep.export, keep.import_, keep.rebuild),
    "Secrets": (secrecy.reveal, secrecy.redact),
}


class Rollbook(click.Group):
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
            ctx.fail(_unknown(self.list_commands(ctx), args[0]))
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


def _unknown(known: Sequence[str], name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=2, cutoff=0.6)
    hint = f" Did you mean {' or '.join(near)}?" if near else f" Verbs of the game go after do: rollbook do {name}"
    return f"There is no command {name!r}.{hint}"


@click.group(cls=Rollbook, context_settings={"max_content_width": 110, "help_option_names": ["-h", "--help"]})
@shared
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
    desk = Desk()
    desk.store = os.environ.get("ROLLBOOK_STORE", "")
    _never_choke_on_letters()
    try:
        answer = rollbook.main(args=args, prog_name="rollbook", standalone_mode=False, obj=desk)
        return answer if isinstance(answer, int) else Exit.OK
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
        return Exit.ABORTED
    except Exception as error:  # noqa: BLE001 - whatever it is, people get a sentence
        return report(error, as_json=desk.json or "--json" in args)
    finally:
        desk.close()


def _never_choke_on_letters() -> None:
    """A terminal that cannot show a letter gets another in its place."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
