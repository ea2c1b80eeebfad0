"""new-ruleset: what others build on the program."""

from pathlib import Path

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import FileName
from rollbook.adapters.line_commands.declared import argument, command
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.plugins.new_ruleset import start_ruleset


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
