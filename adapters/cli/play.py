"""``rollbook do`` for one action, ``rollbook play`` for a whole evening: at a prompt or from a script."""

from __future__ import annotations

import sys

import click

from adapters.cli.desk import Desk
from adapters.cli.options import pass_desk, shared
from adapters.cli.verbs import Verbs


@click.group(
    cls=Verbs, subcommand_metavar="VERB ...", context_settings={"max_content_width": 110}, short_help="Take one action."
)
@shared
def do() -> None:
    """Take one action, as the table would say it.

    \b
    rollbook do attack robin guard longbow --distance 40     the dice come from the session's committed stream
    rollbook do attack robin guard longbow --dice 14,4       or from the table: type the faces of real dice
    rollbook do attack --help                                what a verb needs
    """


@click.command(short_help="Play at a prompt, or from a script.")
@click.argument("file", required=False, type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--as", "name", metavar="NAME", default="", help="Play the script's campaign under another name.")
@shared
@pass_desk
def play(desk: Desk, file: str | None, name: str) -> None:
    """Play at a prompt with completion, or from a script: one verb a line, as after "rollbook do".

    \b
    attack robin guard longbow --distance 40 ! 14 4          real dice after a "!"
    scene The road through Sherwood                          # what follows a # is a comment
    undo 12 --why "wrong target"                             corrections: undo, redo, amend, reroll

    The first line of a script names its campaign and ruleset: campaign "The Silver Arrow" storytoken [key=value ...].
    """
    from adapters.cli import evening

    if file is None and sys.stdin.isatty():
        evening.at_the_prompt(desk)
        return
    evening.play_script(desk, evening.script(file), name)
