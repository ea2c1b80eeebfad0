"""The ``rollbook`` command: its commands by section, each imported when it is called, and the exit code of a run."""

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.errors import DEBUG_VARIABLE, Exit, report
from rollbook.adapters.cli.paged_help import HelpFormat, PagedHelp
from rollbook.adapters.cli.parameters import pass_cli, shared_parameters
from rollbook.adapters.cli.terminal import AnswerLost, AnswerStream, echo, streams
from rollbook.adapters.line_commands.declared import Command, declared_command
from rollbook.application.after_commit import Act, RecordedBut, one_act
from rollbook.application.ports.deadline import command_deadline

DECLARED = ""
"""The place of a command that is declared without click."""

SECTIONS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Begin": {
        "demo": ("beginning:demo", "See a session played, corrected and proven, in a minute."),
        "new": ("beginning:new", "Start a campaign."),
        "campaigns": (DECLARED, "The campaigns in the store."),
        "rulesets": (DECLARED, "The games that can be played, and their house rules."),
        "verbs": (DECLARED, "The verbs of the campaign's ruleset, and how each is written."),
        "new-ruleset": ("plugins:new_ruleset", "A game of your own: the first files of a plug-in, with tests."),
        "completion": ("beginning:completion", "What completes commands with Tab in bash, zsh or fish."),
        "help": ("beginning:help_", "Read a page: first-evening, dice, correcting … Without a topic: which there are."),
    },
    "Play": {
        "join": ("play:join", "Make a character: answer what the game asks, or say it all at once."),
        "bestiary": ("bestiary:bestiary", "Stat blocks for join --like: see them, or keep those of characters."),
        "do": ("play:do", "Take one action."),
        "play": ("play:play", "Play at a prompt, or from a script."),
        "serve": ("serve:serve", "The table in the browser: for the GM, the players and a screen in the room."),
        "seat-link": (
            "serve:seat_link",
            "A new link for somebody to sit down by, in the browser; --qr for a telephone.",
        ),
        "token": ("token:token", "Tokens by which programs act from a seat: making, listing and revoking them."),
        "host": ("host:host", "Host tables for others: campaigns of a list, with links; the host's own page."),
        "x-card": (DECLARED, "Stop the scene: no reason, no name. The GM answers with --resume, --skip …"),
    },
    "Look": {
        "status": (DECLARED, "How things stand: the fight and whose turn it is, or the scene and who is in it."),
        "recap": (DECLARED, "Where you stopped: when that was, what happened last, and the fight or the scene."),
        "map": (DECLARED, "The squares in letters, in games that are played on them."),
        "watch": ("watch:watch", "The same on a second screen, drawn again whenever anybody stores anything."),
        "replay": ("replay:replay", "Watch a session again: play, pause, go to a turn, a scene, a blow, a correction."),
        "sheet": (DECLARED, "A sheet, now or at another moment."),
        "why": (DECLARED, "Where a number on a sheet comes from: its terms, and the actions behind them."),
        "diff": (DECLARED, "What differs between two moments: actions, entries or sessions."),
        "log": (DECLARED, "What happened, in order; undone lines are struck through."),
        "xp": (DECLARED, "Who earned how much experience, and for what."),
        "odds": (DECLARED, "How likely everything is that may come of an action."),
        "pictures": ("pictures:pictures", "Experience, hit points, dice, resources and damage, drawn."),
        "stats": (DECLARED, "What the dice did, and how lucky that was, by seat, character, session or kind."),
    },
    "Correct": {
        "undo": (DECLARED, "Undo actions; what came after is played again."),
        "redo": (DECLARED, "Redo an action that was undone."),
        "amend": (DECLARED, "Change an action; what came after is played again."),
        "insert": (DECLARED, "Put an action that was forgotten into the past; what came after is played again."),
        "override": (DECLARED, "Put other faces in the place of dice that were rolled."),
        "reroll": (DECLARED, "Have a second thought on the last action, by the rules' own means."),
    },
    "Change the rules": {
        "adopt": (DECLARED, "Go over to another ruleset; what has no counterpart waits for the way back.")
    },
    "What if": {
        "fork": (DECLARED, "Make a timeline: play on from an earlier moment; the campaign stays as it is."),
        "timelines": (DECLARED, "The timelines of the campaign: where they were forked, when and why."),
        "compare": (DECLARED, "What differs on a timeline: outcomes, deaths, XP, tokens, sheets."),
        "rerun": (DECLARED, "Play the whole campaign again by other rules, or by a newer version of its own."),
        "take-over": (DECLARED, "Make a timeline's choices in the campaign, with its own dice."),
    },
    "Keep": {
        "audit": (DECLARED, "Is the history whole, are the dice honest, do the rules agree?"),
        "receipt": (DECLARED, "The line that a player keeps, to show later that nothing was changed."),
        "export": (DECLARED, "Write the campaign to a file: whole, as a player may see it, or for other programs."),
        "import": ("keeping:import_", "Take in a campaign from a file."),
        "move": ("keeping:move", "Move the campaign to another computer, with its sealed dice."),
        "backup": (DECLARED, "Copy the whole store to a file, while others play."),
        "restore": ("keeping:restore", "Put the store back from a backup; the one that was there is kept beside it."),
        "doctor": ("doctor:doctor", "Is everything installed and kept as it should be? What is to be done?"),
        "rebuild": ("keeping:rebuild", "Build the read model again from the history."),
        "store": (
            "store:store",
            "Whole stores: copy one to another, audit all of one, make the tables of one on a server.",
        ),
        "delete-campaign": ("keeping:delete_campaign", "Delete a whole campaign for good; a tombstone stays."),
    },
    "Secrets": {
        "reveal": (DECLARED, "Reveal what was hidden from the table."),
        "redact": (DECLARED, "Remove the words of a note for good."),
    },
}
"""Each command: where it is defined below ``rollbook.adapters.cli.commands``, and its line in ``rollbook --help``.

Those that a line may begin with anywhere are declared in ``rollbook.adapters.line_commands``.
"""

ACTS = frozenset(("do", "join", "x-card", "new", "seat-link", "reveal", "redact", *SECTIONS["Correct"]))
"""Commands that are one act each: all their waits for the store share one command deadline."""

click.Context.formatter_class = HelpFormat

COMMANDS = {name: entry for section in SECTIONS.values() for name, entry in section.items()}
LOOKS = frozenset(
    (*SECTIONS["Look"], "campaigns", "rulesets", "verbs", "help", "timelines", "compare", "audit", "receipt", "doctor")
)
"""Commands that change nothing, and end once nothing can read their answer any more."""
LOOKING = frozenset(("--preview", "--help", "-h"))
"""Options with which every command changes nothing."""
FILES = "--svg"
"""The option with which a command that looks writes files."""


def command_named(name: str) -> click.Command:
    """A command of the program; its module is imported only now."""
    from rollbook.adapters.cli.declared_commands import clicked

    place, short_help = COMMANDS[name]
    module, _, attribute = place.partition(":")
    found = (
        declared_command(name)
        if place == DECLARED
        else getattr(import_module(f"rollbook.adapters.cli.commands.{module}"), attribute)
    )
    command: click.Command = clicked(found) if isinstance(found, Command) else found
    command.short_help = short_help
    return command


class RollbookGroup(PagedHelp, click.Group):
    """Group of the commands, in sections."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click asks so
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click asks so
        return command_named(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, short_help) for name, (_, short_help) in section.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A command; an unknown one fails with the nearest names."""
        if args[0] not in COMMANDS and not ctx.resilient_parsing and not args[0].startswith("-"):
            ctx.fail(_unknown_command(args[0]))
        if args[0] in ACTS:
            ctx.with_resource(command_deadline())
        if isinstance(sys.stdout, AnswerStream):
            sys.stdout.goes_on = LOOKING.isdisjoint(args) and (args[0] not in LOOKS or FILES in args)
        return super().resolve_command(ctx, args)


def _unknown_command(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, n=2, cutoff=0.6)
    hint = f" Did you mean {' or '.join(near)}?" if near else f" A verb of the game goes after do: rollbook do {name}."
    return f"There is no command {name!r}.{hint}"


@click.group(cls=RollbookGroup, context_settings={"max_content_width": 110, "help_option_names": ["-h", "--help"]})
@shared_parameters
@click.option("--debug", is_flag=True, help=f"Show the traceback behind an error (or {DEBUG_VARIABLE}=1).")
@click.version_option(package_name="rollbook", message="rollbook %(version)s")
@pass_cli
def rollbook(cli: CliContext, *, debug: bool) -> None:
    """Keep a tabletop campaign as its history: play, undo any mistake, and keep the dice.

    \b
    New here?   rollbook demo
    Your own:   rollbook new "The Silver Arrow" --ruleset storytoken
                rollbook play
    """
    if debug:
        _show_log(cli)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit code: 0, or what ``errors.Exit`` says."""
    args = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    for stream in (sys.stdout, sys.stderr):
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(errors="replace")
    with streams() as answers:
        run = Act()
        code = _run(args, run)
        lost = answers.end(run)
        return report(lost, as_json="--json" in args) if lost is not None and code == Exit.OK else code


def _run(args: list[str], run: Act) -> int:
    cli = CliContext()
    if os.environ.get(DEBUG_VARIABLE):
        _show_log(cli)
    try:
        with one_act(run) as act:
            answer = rollbook.main(args=args, prog_name="rollbook", standalone_mode=False, obj=cli)
            cli.say_faults()
            for fault in act.take_faults():
                cli.warn(fault)
        return answer if isinstance(answer, int) else Exit.OK
    except AnswerLost:
        return Exit.OK
    except RecordedBut as fault:
        cli.warn(str(fault))
        return Exit.OK
    except (click.Abort, KeyboardInterrupt):
        echo("Stopped.", err=True)
        return Exit.ABORTED
    except Exception as error:  # noqa: BLE001 - whatever it is, people get a sentence
        return report(error, as_json=cli.json or "--json" in args, by_name=cli.by_name)
    finally:
        cli.close()


def _show_log(cli: CliContext) -> None:
    """Show what rollbook logs, with the tracebacks behind sentences, until the run is over."""
    from rollbook.adapters.cli.debugging import debug_log

    cli.until_closed.enter_context(debug_log())
