"""rollbook doctor: what is wrong with the installation, the store and what lies around it."""

from pathlib import Path

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.errors import Exit, ReportedFailure
from rollbook.adapters.doctor import Finding, Places, examine
from rollbook.adapters.line_commands.declared import command
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.table import success_mark
from rollbook.adapters.local_files import paths
from rollbook.adapters.presentation.plain_text import as_written
from rollbook.application.ports.clock import microseconds
from rollbook.domain.base.number_words import counted


@command()
def doctor(cli: CliContext) -> None:
    """Look at the installation, at the files that rollbook keeps, and at the store, and say what to do. It changes nothing.

    Each line is about one thing: ✓ it is well, ✗ something is to be done. Exit code 0 if all is well, else 1.
    """
    places = Places(
        store=cli.store_path,
        seeds=paths.seeds_folder(),
        state=paths.state_folder(),
        caches=paths.read_models_folder(),
        current=Path.cwd(),
    )
    with cli.bar("Looking"):
        found = list(examine(places, microseconds))
    wrong = [each for each in found if not each.well]
    if cli.json:
        cli.data(*found)
    else:
        cli.print_columns([_row(each) for each in found])
        cli.print("All is well." if not wrong else f"{counted(len(wrong), 'thing')} to be done.")
    if wrong:
        raise ReportedFailure(Exit.ERROR)


def _row(finding: Finding) -> tuple[Text, Text, Text]:
    style = "" if finding.well else "bold"
    return success_mark(1 if finding.well else -1), Text(finding.about, style), Text(as_written(finding.says), style)
