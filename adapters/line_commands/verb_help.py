"""Help page of a verb, as plain text: usage, description, required parameters and options."""

import shutil
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from inspect import cleandoc
from itertools import groupby

from rollbook.adapters.line_commands.declared import Parameter
from rollbook.adapters.line_commands.options import SHARED
from rollbook.application.forms.fields import help_of
from rollbook.application.lines.examples import example_of
from rollbook.application.lines.verb_line import COMMON
from rollbook.application.verbs import dice_order
from rollbook.application.view import CampaignView
from rollbook.domain.rules.action import Action, usage, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.state.campaign_state import Character

WIDEST, NARROWEST = 110, 50
"""Largest and smallest width of a help page, in columns, whatever that of the screen."""
MARGIN = 2
LONGEST_TERM = 30
"""Columns of a term; a longer one has its explanation below."""
USAGE = "Usage: "
KEPT = "\b"
"""First line of a paragraph whose line breaks are kept."""
HELP = ("--help",)

Row = tuple[str, str]


def verb_help(
    campaign: CampaignView,
    verb: type[Action],
    before: str,
    *,
    without: Sequence[str] = (),
    help_words: Sequence[str] = HELP,
) -> str:
    """The help page of a verb typed after ``before``, without the options in ``without``, as wide as the screen.

    It has an example with those who are there, and of long lists only what somebody there has.
    """
    people = [who for who in campaign.state.characters.values() if who.present]
    width = max(min(shutil.get_terminal_size().columns, WIDEST) - MARGIN, NARROWEST)
    name, _, rest = usage(verb).partition(" ")
    dice = "" if "dice" in without else " [! DICE]"
    parts = [_usage(f"{before} {name}".strip(), f"{rest}{dice}".strip(), width), _text(_about(verb, people), width)]
    parts.append(f"For example:\n  {example_of(campaign, verb)}")
    parts += [
        f"{title}:\n{_listed(rows, width)}" for title, rows in _sections(verb, people, without, help_words) if rows
    ]
    return "\n\n".join(filter(None, parts))


def _about(verb: type[Action], people: Collection[Character]) -> str:
    order = dice_order(verb, people or None)
    return cleandoc((verb.__doc__ or "").strip() + (f"\n\nTyped dice: {order}." if order else "")).partition("\f")[0]


def _sections(
    verb: type[Action], people: Collection[Character], without: Sequence[str], help_words: Sequence[str]
) -> Iterator[tuple[str, Sequence[Row]]]:
    mine = user_parameters(verb)
    yield "It needs", [(each.name.upper(), help_of(each, people)) for each in mine if each.required]
    wanted = {each.name: "" if each.want is ParameterType.FLAG else f" {each.want.upper()}" for each in mine}
    free = [each for each in mine if not each.required]
    yield "It may have", [(f"--{each.option}{wanted[each.name]}", help_of(each, people)) for each in free]
    own = {*(each.option for each in mine), *without}
    common = [(f"--{name}", text) for name, text in COMMON.items() if name not in own and not verb.anonymous]
    yield "Every verb has", common
    yield "Every command has", [*map(_row, SHARED), (", ".join(help_words), "Show this message and exit.")]


def _row(option: Parameter) -> Row:
    return " ".join(filter(None, (", ".join(option.words), option.metavar))), option.help


def _usage(written: str, rest: str, width: int) -> str:
    """The usage, wrapped beside the name, or below it if there is too little room."""
    first = f"{USAGE}{written} "
    if not rest:
        return first.rstrip()
    if width >= len(first) + 20:
        return _wrapped(rest, width, first, " " * len(first))
    indent = " " * (len(USAGE) + 4)
    return f"{first}\n{_wrapped(rest, width, indent, indent)}"


def _text(text: str, width: int, indent: str = "  ") -> str:
    """Wrap each paragraph of a text, and keep its own indent."""
    return "\n\n".join(_paragraph(lines, width, indent) for lines in _paragraphs(text))


def _paragraphs(text: str) -> Iterator[list[str]]:
    for is_text, lines in groupby(text.expandtabs().splitlines(), bool):
        if is_text:
            yield list(lines)


def _paragraph(lines: list[str], width: int, indent: str) -> str:
    if lines[0].strip() == KEPT:
        return "\n".join(f"{indent}{line}" for line in lines[1:])
    own = indent + " " * (len(lines[0]) - len(lines[0].lstrip()))
    return _wrapped(" ".join([lines[0].lstrip(), *lines[1:]]), width, own, own)


def _listed(rows: Iterable[Row], width: int) -> str:
    """Terms with their meanings beside them, or below a term that is too long."""
    rows, indent = list(rows), "  "
    first = min(max(len(term) for term, _ in rows), LONGEST_TERM) + MARGIN
    lines = []
    for term, meaning in rows:
        said = _text(meaning, max(width - first - MARGIN, 10), "").splitlines()
        beside = term.ljust(first) if len(term) <= first - MARGIN else f"{term}\n{indent}{' ' * first}"
        lines.append(f"{indent}{beside}{said[0]}" if said else f"{indent}{term}")
        lines += [f"{indent}{' ' * first}{line}" for line in said[1:]]
    return "\n".join(lines)


def _wrapped(text: str, width: int, first: str, rest: str) -> str:
    return textwrap.fill(text, width, initial_indent=first, subsequent_indent=rest, replace_whitespace=False)
