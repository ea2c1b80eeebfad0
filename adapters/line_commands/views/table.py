"""Columns, tables, sparklines and success marks."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.presentation.plain_text import printable

_T = TypeVar("_T")

BARS = "▁▂▃▄▅▆▇█"
NAME_WIDTH = 16


def success_mark(success: int) -> Text:
    """✓ for 1, ✗ for -1, nothing for 0."""
    return Text({1: "✓ ", -1: "✗ "}.get(success, ""), success_style(success))


def success_style(success: int) -> str:
    """The colour of a mark."""
    return "bold green" if success > 0 else "bold red"


def print_table(
    context: CommandContext, heads: Sequence[str], rows: Sequence[Sequence[Text | str]], *, right: Sequence[int] = ()
) -> None:
    """Print a table: dim headings, then rows; columns numbered in ``right`` are aligned to the right."""
    titles = [Text(title, "dim") for title in heads]
    context.print_columns([titles, *rows], right=right, framed=bool(heads[-1]))


def print_section(
    context: CommandContext,
    title: str,
    found: Sequence[_T],
    row: Callable[[_T], Sequence[Text | str]],
    *,
    most: int | None = None,
    more: str = "",
) -> None:
    """Print a heading above a row for each item; those after ``most`` are counted. Nothing without items."""
    if not found:
        return
    context.print(Text(title, "bold yellow"))
    context.print_columns([row(one) for one in found[:most]], indent=2)
    if most is not None and len(found) > most:
        context.print(Text(f"  … and {len(found) - most} more{more}", "dim"))


def change_rows(changes: Iterable[tuple[str, str, str, str]]) -> list[tuple[Text, Text]]:
    """A row for each character, whose changes are given as id, name, label and what changed."""
    names: dict[str, str] = {}
    texts: dict[str, list[Text]] = {}
    for character, name, label, changed in changes:
        names[character] = name
        texts.setdefault(character, []).append(Text.assemble(f"{printable(label)} ", (changed, "bold")))
    return [(Text(printable(names[who]), "magenta"), dotted(said)) for who, said in texts.items()]


def dotted(texts: Iterable[Text]) -> Text:
    """Texts with dots between them."""
    joined = Text()
    for text in texts:
        joined.append(" · " if joined else "", "dim").append(text)
    return joined


def sparkline(numbers: Sequence[int]) -> str:
    """Numbers as small bars, from nothing to the highest."""
    most = max(numbers, default=0)
    if most <= 0:
        return ""
    return "".join(BARS[round(max(amount, 0) / most * (len(BARS) - 1))] for amount in numbers)
