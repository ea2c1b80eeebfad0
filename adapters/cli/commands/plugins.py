"""new-ruleset and completion: what others build on the program, and what a shell learns of it."""

from pathlib import Path

import click
from click.shell_completion import get_completion_class

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import FileName
from rollbook.adapters.line_commands.declared import argument, command
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.plugins.new_ruleset import start_ruleset

SHELLS = ("bash", "zsh", "fish")


@command()
@argument("name")
@argument("folder", kind=FileName(file_okay=False))
def new_ruleset(cli: CliContext, name: str, folder: str) -> None:
    """Write the first files of a game of your own into a new folder: a verb, a sheet, tests and a page.

    It can be installed, tested and played as it is. rollbook help write-a-ruleset goes on from there.

    \b
    rollbook new-ruleset "Salt and Smoke" salt-and-smoke
    """
    place = Path(folder)
    written = start_ruleset(name, place, discover().keys)
    if cli.json:
        cli.data({"files": [str(path) for path in written]})
        return
    for path in written:
        cli.print(str(path))
    cli.print(f"Next: cd {place} · python -m pip install -e '.[test]' · python -m pytest")


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
