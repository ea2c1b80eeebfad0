"""Everybody's sheet by the old game above the same sheet by the new one, value for value by what it means."""

from collections.abc import Iterator, Sequence

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.styled import Text
from rollbook.adapters.cli.views.table import print_table
from rollbook.adapters.presentation.wording import printable, shorten
from rollbook.application.conversions import HEADS, Conversion
from rollbook.application.playing.what_if import Trial
from rollbook.domain.base.counted import counted

RIGHT = tuple(range(1, 13))


def show_conversion_table(cli: CliContext, found: Sequence[Conversion], new: str) -> None:
    """Two rows for everybody, the old game above the new."""
    heads = ("", *HEADS)
    print_table(cli, heads, [row for one in found for row in _rows(one, new)], right=RIGHT)


def show_conversions(cli: CliContext, trial: Trial, found: Sequence[Conversion], *, everything: bool) -> None:
    """A table of everybody, and below it how much is set aside."""
    old, new = trial.before.ruleset or "no ruleset", trial.after.ruleset
    cli.print(Text(f"From {old} to {new}", style="bold yellow"))
    if not found:
        cli.print("  Nobody has a sheet yet.")
        return
    show_conversion_table(cli, found, new)
    for one in found if everything else ():
        if one.waits:
            cli.print(Text(f"{printable(one.name)} sets aside: {printable(', '.join(one.waits))}", style="dim"))
    waiting = sum(len(one.waits) for one in found)
    if waiting and not everything:
        things = counted(waiting, "thing")
        cli.print(Text(f"Set aside for the way back: {things} that only {old} knows; --all lists them.", style="dim"))


def _rows(one: Conversion, new: str) -> Iterator[tuple[Text, ...]]:
    name = Text(shorten(one.name, 16), style="magenta")
    before, after = one.rows
    yield name, *(Text(cell, style="dim") for cell in before)
    yield (
        Text(f"  {new}"),
        *(Text(now, style="" if was == now else "bold") for was, now in zip(before, after, strict=True)),
    )
