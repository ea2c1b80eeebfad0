"""Everybody's sheet by the old game above the same sheet by the new one, value for value by what it means."""

from collections.abc import Iterator, Sequence

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.table import print_table
from rollbook.adapters.presentation.plain_text import printable, shorten
from rollbook.application.conversions import HEADS, Conversion
from rollbook.application.view import Trial
from rollbook.domain.base.number_words import counted

RIGHT = tuple(range(1, 13))


def show_conversion_table(context: CommandContext, found: Sequence[Conversion], new: str) -> None:
    """Two rows for everybody, the old game above the new."""
    heads = ("", *HEADS)
    print_table(context, heads, [row for one in found for row in _rows(one, new)], right=RIGHT)


def show_conversions(context: CommandContext, trial: Trial, found: Sequence[Conversion], *, everything: bool) -> None:
    """A table of everybody, and below it how much is set aside."""
    old, new = trial.before.ruleset or "no ruleset", trial.after.ruleset
    context.print(Text(f"From {old} to {new}", style="bold yellow"))
    if not found:
        context.print("  Nobody has a sheet yet.")
        return
    show_conversion_table(context, found, new)
    for one in found if everything else ():
        if one.waits:
            context.print(Text(f"{printable(one.name)} sets aside: {printable(', '.join(one.waits))}", style="dim"))
    waiting = sum(len(one.waits) for one in found)
    if waiting and not everything:
        things = counted(waiting, "thing")
        context.print(
            Text(f"Set aside for the way back: {things} that only {old} knows; --all lists them.", style="dim")
        )


def _rows(one: Conversion, new: str) -> Iterator[tuple[Text, ...]]:
    name = Text(shorten(one.name, 16), style="magenta")
    before, after = one.rows
    yield name, *(Text(cell, style="dim") for cell in before)
    yield (
        Text(f"  {new}"),
        *(Text(now, style="" if was == now else "bold") for was, now in zip(before, after, strict=True)),
    )
