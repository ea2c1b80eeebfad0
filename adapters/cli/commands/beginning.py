"""new, demo, help and completion: how one begins."""

from shlex import quote

import click
from click.shell_completion import get_completion_class

from rollbook.adapters.cli.app import COMMANDS, command_named
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.paged_help import show_help_of
from rollbook.adapters.cli.script import play_demo
from rollbook.adapters.cli.terminal import ask
from rollbook.adapters.cli.topics import TOPICS, show_page, show_topics
from rollbook.adapters.line_commands.declared import Words, argument, command, option, paged
from rollbook.adapters.line_commands.options import rules_option, suggest_rulesets
from rollbook.adapters.line_commands.views.verbs import show_rulesets
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.lines.verb_line import pairs
from rollbook.domain.actions.campaign import zone_name
from rollbook.domain.base.errors import not_found

SHELLS = ("bash", "zsh", "fish")


@command()
@argument("name")
@option(
    "--ruleset",
    metavar="KEY",
    default="",
    suggest=suggest_rulesets,
    help="The game; without it you are shown which there are, and asked.",
)
@option(
    "--zone",
    metavar="ZONE",
    default="",
    help="The time zone of its days and hours, as Europe/Berlin; without it this computer's.",
)
@rules_option("A house rule; see: rollbook rulesets KEY")
def new(cli: CliContext, name: str, ruleset: str, zone: str, rules: Words) -> None:
    """Start a campaign by a ruleset, with house rules if you like."""
    chosen = pairs(rules)
    game = ruleset or _asked_for_ruleset(cli, name)
    campaign = cli.book(create=True).new(name, game, chosen, zone=zone, removable_names=True)
    cli.select_campaign(campaign)
    cli.project()
    state = campaign.state
    if cli.json:
        said = {"campaign": campaign.id, "name": state.name, "ruleset": state.ruleset, "version": state.version}
        cli.data({**said, "settings": dict(state.settings), "zone": zone_name(state)})
        return
    cli.print(f"{state.name} begins, by {state.ruleset} {state.version}. It is called {campaign.id} in commands.")
    cli.print("Next: rollbook do take-seat NAME --role gm · rollbook verbs · rollbook play")


def _asked_for_ruleset(cli: CliContext, name: str) -> str:
    """Let the user pick an installed game. Raises UsageError, which lists them, without a terminal or a game."""
    registry = discover()
    if not cli.is_interactive or not registry.keys:
        known = f"one of {', '.join(registry.keys)}" if registry.keys else "a ruleset, once one is installed"
        raise click.UsageError(f"Which game? Add --ruleset KEY, {known}: rollbook new {quote(name)} --ruleset KEY")
    show_rulesets(cli, registry)
    return ask("Which game", type=click.Choice(list(registry.keys)), show_choices=False)


@command()
def demo(cli: CliContext) -> None:
    """Play a short session into your store: a fight, a mistake undone, dice proven. You can play on from there."""
    play_demo(cli)


@command("help")
@argument("topic", required=False, suggest=lambda *_: (*TOPICS, *COMMANDS))
@paged
def help_(cli: CliContext, topic: str | None) -> None:
    """Read a page of the documentation: rollbook help dice. Without a topic: which there are.

    The name of a command shows its options, as rollbook COMMAND --help does. What a verb needs: rollbook do VERB --help.
    """
    if topic is None:
        show_topics(cli)
    elif topic in TOPICS:
        show_page(cli, topic)
    elif topic in COMMANDS:
        show_help_of(cli, command_named(topic), f"rollbook {topic}")
    else:
        raise not_found("topic", topic, (*TOPICS, *COMMANDS))


@command()
@argument("shell", kind=click.Choice(SHELLS))
def completion(cli: CliContext, shell: str) -> None:
    """Print what completes commands, campaigns, characters and verbs with Tab in bash, zsh or fish.

    \b
    eval "$(rollbook completion bash)"                       in ~/.bashrc
    eval "$(rollbook completion zsh)"                        in ~/.zshrc
    rollbook completion fish > ~/.config/fish/completions/rollbook.fish
    """
    group = click.get_current_context().find_root().command
    made = get_completion_class(shell)
    assert made is not None
    script = made(group, {}, "rollbook", "_ROLLBOOK_COMPLETE").source()
    if cli.json:
        cli.data({"shell": shell, "script": script})
        return
    cli.print(script)
