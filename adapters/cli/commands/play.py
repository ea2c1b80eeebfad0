"""do, play and join."""

import sys
from collections.abc import Sequence

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.paged_help import PagedHelp
from rollbook.adapters.cli.parameters import FileName, pass_cli, shared_parameters
from rollbook.adapters.cli.verb_commands import VerbGroup, complete_words
from rollbook.adapters.line_commands.declared import Words, argument, command, option
from rollbook.adapters.line_commands.views.performed import show_performed
from rollbook.adapters.line_commands.views.sheet import show_sheet
from rollbook.application.campaign import Campaign
from rollbook.application.lines.performing import perform
from rollbook.application.verbs import verb_of
from rollbook.domain.events import CharacterJoined
from rollbook.domain.rules.action import Action

JOIN, CHOOSE = "join", "choose"


def _do(cli: CliContext, verb: type[Action], said: Sequence[str]) -> None:
    """Perform an action and show what came of it."""
    campaign = cli.campaign()
    done = perform(cli, verb, said)
    cli.select_campaign(campaign)
    cli.project()
    show_performed(cli, done)


@click.group(cls=VerbGroup, run=_do, context_settings={"max_content_width": 110})
@shared_parameters
def do() -> None:
    """Take one action, as the table would say it.

    \b
    rollbook do attack robin guard longbow --distance 40     the dice come from the session's committed stream
    rollbook do attack robin guard longbow --dice 14,4       or from the table: type the faces of real dice
    rollbook do attack --help                                what a verb needs
    """


@command()
@argument("file", required=False, kind=FileName(dir_okay=False, allow_dash=True))
@option("--as", "name", metavar="NAME", default="", help="Play the script's campaign under another name.")
def play(cli: CliContext, file: str | None, name: str) -> None:
    """Play at a prompt with completion, or from a script: one verb a line, as after "rollbook do".

    \b
    attack robin guard longbow --distance 40 ! 14 4          real dice after a "!"
    scene The road through Sherwood                          # what follows a # is a comment
    undo 12 --why "wrong target"                             corrections: undo, redo, amend, reroll

    The first line of a script names its campaign and ruleset: campaign "The Silver Arrow" storytoken [key=value ...].
    """
    if file is None and sys.stdin.isatty():
        from rollbook.adapters.cli.prompt import run_prompt

        run_prompt(cli)
        return
    from rollbook.adapters.cli import script

    script.play_script(cli, script.read_script(file), name)


@click.command("join", PagedHelp, context_settings={"ignore_unknown_options": True})
@shared_parameters
@click.argument(
    "said",
    nargs=-1,
    type=click.UNPROCESSED,
    metavar="[NAME] [--FLAG VALUE ...] [! DICE]",
    shell_complete=complete_words(lambda campaign: verb_of(campaign, JOIN)),
)
@pass_cli
def join(cli: CliContext, said: Words) -> None:
    """Bring somebody into the campaign by the game's own procedure.

    Without words it asks, step by step. What need not be decided now stays open on the sheet, and is chosen later.
    The flags of the game that is being played: rollbook do join --help
    """
    from rollbook.adapters.cli.interview import Interview

    campaign = cli.campaign()
    action = verb_of(campaign, JOIN)
    is_asked = not said and cli.is_interactive
    taken = Interview(cli, campaign, action).ask_until_accepted() if is_asked else perform(cli, action, said)
    cli.project()
    show_performed(cli, taken)
    newcomers = [event.character for event in taken.entry.events if isinstance(event, CharacterJoined)]
    for who in newcomers if not cli.json else ():
        _welcome(cli, campaign, who, ask=is_asked)


def _welcome(cli: CliContext, campaign: Campaign, who: str, *, ask: bool) -> None:
    """Show what is still open for a newcomer, and with ``ask`` have it chosen and show the sheet."""
    from rollbook.adapters.cli.interview import offer_choices

    if campaign.state.characters[who].choices:
        offer_choices(cli, campaign, who, verb_of(campaign, CHOOSE), ask=ask)
    if ask:
        show_sheet(cli, campaign.sheet(who))
