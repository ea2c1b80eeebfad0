"""do, play and join."""

import sys
from collections.abc import Iterator, Sequence

import click
from rich.text import Text

from adapters.campaign import Campaign
from adapters.cli import script
from adapters.cli.context import CliContext
from adapters.cli.parameters import command, shared_parameters
from adapters.cli.perform import Performed, perform, show_performed
from adapters.cli.prompt import run_prompt
from adapters.cli.verb_commands import VerbGroup, complete_words, parameter_help, verb_of
from adapters.verb_line import DICE_MARK, LineError, read_value, user_parameters
from domain.action import Action
from domain.errors import NotFound, Refused, RollbookError
from domain.events import CharacterJoined
from domain.parameters import Parameter, typed
from domain.state import Character


def _do(cli: CliContext, verb: type[Action], said: Sequence[str]) -> None:
    """Perform an action and show what came of it."""
    campaign = cli.campaign()
    done = perform(campaign, verb, said)
    cli.select_campaign(campaign)
    cli.project()
    show_performed(cli, campaign, done)


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
@click.argument("file", required=False, type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--as", "name", metavar="NAME", default="", help="Play the script's campaign under another name.")
def play(cli: CliContext, file: str | None, name: str) -> None:
    """Play at a prompt with completion, or from a script: one verb a line, as after "rollbook do".

    \b
    attack robin guard longbow --distance 40 ! 14 4          real dice after a "!"
    scene The road through Sherwood                          # what follows a # is a comment
    undo 12 --why "wrong target"                             corrections: undo, redo, amend, reroll

    The first line of a script names its campaign and ruleset: campaign "The Silver Arrow" storytoken [key=value ...].
    """
    if file is None and sys.stdin.isatty():
        run_prompt(cli)
        return
    script.play_script(cli, script.read_script(file), name)


JOIN, CHOOSE = "join", "choose"
LATER = "later"


@command(context_settings={"ignore_unknown_options": True})
@click.argument(
    "said",
    nargs=-1,
    type=click.UNPROCESSED,
    metavar="[NAME] [--FLAG VALUE ...] [! DICE]",
    shell_complete=complete_words(lambda campaign: verb_of(campaign, JOIN)),
)
def join(cli: CliContext, said: tuple[str, ...]) -> None:
    """Bring somebody into the campaign by the game's own procedure.

    Without words it asks, step by step. What need not be decided now stays open on the sheet, and is chosen later.
    The flags of the game that is being played: rollbook do join --help
    """
    campaign = cli.campaign()
    action = verb_of(campaign, JOIN)
    is_asked = not said and cli.is_interactive
    taken = _Interview(cli, campaign, action).ask_until_accepted() if is_asked else perform(campaign, action, said)
    cli.project()
    show_performed(cli, campaign, taken)
    newcomers = [event for event in taken.entry.events if isinstance(event, CharacterJoined)]
    for joined in newcomers if not cli.json else ():
        _open_choices(cli, campaign, campaign.state.characters[joined.character], ask=is_asked)


class _Interview:
    """Questions until the rules have nothing against the answers."""

    def __init__(self, cli: CliContext, campaign: Campaign, action: type[Action]) -> None:
        self._cli, self._campaign, self._action = cli, campaign, action
        self._known = {parameter.name: parameter for parameter in user_parameters(action)}
        self._given: dict[str, str] = {}
        self._dice = ""

    def ask_until_accepted(self) -> Performed:
        """Ask, try, and if the rules say no, say why and ask again with the answers as they were."""
        self._cli.print(
            "Enter takes the value in brackets, or leaves it open. Ctrl-C stops; nothing is recorded before the end."
        )
        while True:
            for parameter in self._questions():
                self._ask(parameter)
            self._dice = click.prompt(
                "Real dice, if you roll them yourself", default=self._dice, show_default=bool(self._dice)
            )
            self._campaign.refresh()
            try:
                return perform(self._campaign, self._action, tuple(self._said()))
            except (Refused, NotFound, LineError) as reason:
                self._cli.warn(str(reason))

    def _questions(self) -> Iterator[Parameter]:
        """What the game asks of this sort of character, in its own order."""
        kind = self._known.get("kind")
        first = [name for name in ("name", "kind") if name in self._known]
        yield from (self._known[name] for name in first)
        chosen = self._given.get("kind") or str(kind.default if kind else "")
        rest = self._action.questions.get(chosen, tuple(self._known))
        yield from (self._known[name] for name in rest if name not in first)

    def _ask(self, parameter: Parameter) -> None:
        before = self._given.get(parameter.name, _default(parameter))
        self._cli.print(Text(f"{parameter.name}: {parameter_help(parameter)}", style="dim"))
        while True:
            text = str(click.prompt(f"  {parameter.name}", default=before, show_default=bool(before))).strip()
            if not text and parameter.required:
                self._cli.warn(f"{parameter.name} is needed.")
                continue
            try:
                if text:
                    read_value(parameter, text, self._campaign.state)
            except RollbookError as reason:
                self._cli.warn(str(reason))
                continue
            self._given[parameter.name] = text
            return

    def _said(self) -> Iterator[str]:
        """The answers as they would have been typed."""
        for name, text in self._given.items():
            parameter = self._known[name]
            if text and text != _default(parameter):
                yield f"--{parameter.option}={text}"
        if self._dice:
            yield DICE_MARK
            yield self._dice


def _default(parameter: Parameter) -> str:
    default = parameter.default
    if default is None or (default == 0 and not isinstance(default, bool)):
        return ""
    return typed(default)


def _open_choices(cli: CliContext, campaign: Campaign, who: Character, *, ask: bool) -> None:
    """Say what is still to be chosen, choices of a sort together, and if somebody is there, let them choose."""
    of_a_sort: dict[tuple[str, ...], list[str]] = {}
    for choice, open_choice in who.choices.items():
        of_a_sort.setdefault(open_choice.keys, []).append(choice)
    for options, choices in of_a_sort.items():
        cli.print(Text(f"Still open: {', '.join(choices)} ({', '.join(options) or 'any word'})"))
        if not ask:
            cli.print(f"  rollbook do {CHOOSE} {who.id} {choices[0]} …")
            continue
        for choice in choices:
            picked = click.prompt(f"  {choice}, or {LATER}", default=LATER)
            if picked == LATER:
                break
            _choose(cli, campaign, (who.id, choice, picked))


def _choose(cli: CliContext, campaign: Campaign, said: Sequence[str]) -> None:
    campaign.refresh()
    try:
        taken = perform(campaign, verb_of(campaign, CHOOSE), said)
    except RollbookError as reason:
        cli.warn(f"{reason} It stays open.")
        return
    cli.project()
    show_performed(cli, campaign, taken)
