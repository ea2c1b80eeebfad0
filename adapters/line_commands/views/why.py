"""The terms of a value, and the actions behind each."""

from collections.abc import Sequence

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.json import merged
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.table import print_columns
from rollbook.adapters.presentation.plain_text import printable
from rollbook.domain.rules.sheet import Sheet, Term, Value
from rollbook.projections.contributions import Contribution


def value_json(shown: Sheet, value: Value, origins: Sequence[tuple[Term, Sequence[Contribution]]]) -> dict[str, object]:
    """A value with the actions behind each of its terms."""
    return merged(value, character=shown.character, terms=[merged(term, actions=found) for term, found in origins])


def show_why(
    context: CommandContext,
    shown: Sheet,
    value: Value,
    origins: Sequence[tuple[Term, Sequence[Contribution]]],
    moment: str = "",
) -> None:
    """Every term of a value, with its rule and the actions that made it what it is."""
    title = Text.assemble((printable(shown.name), "magenta"), f"  {printable(value.label)}  ", (str(value), "bold"))
    context.print(title.append(f"  {moment}" if moment else "", style="yellow"))
    rows = [
        (
            Text(printable(f"{term.amount:+d}"), "bold"),
            Text(printable(term.label)),
            Text(term.rule, "dim"),
            _contributions_text(found),
        )
        for term, found in origins
    ]
    print_columns(context, rows, right=(0,), indent=2)
    if not rows:
        context.print("  The ruleset does not say what this is made of.")


def _contributions_text(found: Sequence[Contribution]) -> Text:
    text = Text()
    for origin in found[-MOST_CONTRIBUTIONS:]:
        text.append("; " if text else "← ", style="dim")
        text.append(f"#{origin.action}", style="cyan")
        text.append(f" {origin.verb}: {printable(origin.what)}")
        by = f" by {printable(origin.seat)}" if origin.seat else ""
        text.append(f" (session {origin.session}{by})" if origin.session else by, style="dim")
    more = len(found) - MOST_CONTRIBUTIONS
    if more > 0:
        text.append(f"; and {more} before", style="dim")
    return text


MOST_CONTRIBUTIONS = 3
"""How many actions are named behind a term."""
