"""Questions between a preview and its answer: status, a sheet, the log. They record nothing."""

from rollbook.adapters.cli.errors import report
from rollbook.adapters.cli.terminal import ask
from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.parsing import run
from rollbook.adapters.line_commands.styled import Text
from rollbook.application.lines.answering import AnsweredFailure
from rollbook.application.lines.line_commands import QUERY_COMMANDS
from rollbook.application.lines.short_forms import ShortForms
from rollbook.application.lines.verb_line import split_words
from rollbook.domain.base.errors import RollbookError

ABOUT_THE_TABLE = ("status", "sheet", "log", "why")
"""Questions that are suggested after anything else was typed."""
YES, NO = ("y", "yes"), ("", "n", "no")


def answer(context: CommandContext, typed: str) -> None:
    """Answer a typed question; for anything else, say what may be typed."""
    try:
        words = ShortForms().expand(context.campaign(), split_words(typed))
        if words and words[0] in QUERY_COMMANDS:
            run(context, words[0], words[1:])
            return
    except AnsweredFailure:
        return
    except RollbookError as fault:
        report(fault, as_json=context.json, by_name=context.by_name)
        return
    context.print(Text(f"Type y or n, or a question first: {', '.join(ABOUT_THE_TABLE)} …", "dim"))


def agree_after_looking(context: CommandContext, question: str) -> bool:
    """Ask a question, and return True for yes. Other questions may be typed first: status, sheet, log."""
    while True:
        typed = ask(f"{context.by_name(question)} [y/N]", default="", show_default=False).strip()
        if typed.casefold() in (*YES, *NO):
            return typed.casefold() in YES
        answer(context, typed)
