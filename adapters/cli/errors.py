"""Errors as one sentence or a JSON object on stderr, and the exit codes."""

import sys
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path

import click

from rollbook.adapters.cli.terminal import echo, echo_json, without_endless_words, wrapped
from rollbook.adapters.line_commands.json import json_line
from rollbook.adapters.presentation.plain_text import as_written, with_minus_signs
from rollbook.domain.base.errors import RollbookError, RulesetBroken, note_failure

DEBUG_VARIABLE = "ROLLBOOK_DEBUG"
"""Variable that, like --debug, shows the traceback behind a sentence, safe for a terminal."""


class Exit(IntEnum):
    """The exit codes."""

    OK = 0
    ERROR = 1
    USAGE = 2
    NOT_FOUND = 3
    REFUSED = 4
    CONFLICT = 5
    INTEGRITY = 6
    UNSEEN = 7
    """The command is done, but its answer could not be written: it must not be repeated."""
    ABORTED = 130


class ReportedFailure(click.ClickException):
    """Failure whose report has been printed; it carries the exit code."""

    def __init__(self, code: Exit) -> None:
        super().__init__("")
        self.code = code


class ScriptError(Exception):
    """Error in a line of a script."""

    def __init__(self, line: int, fault: Exception) -> None:
        super().__init__(f"Line {line}: {message_of(fault)}")
        self.fault = fault
        self.near = getattr(fault, "near", ())


KINDS = {
    "NotFound": ("not_found", Exit.NOT_FOUND),
    "Refused": ("refused", Exit.REFUSED),
    "DiceNeeded": ("dice_needed", Exit.REFUSED),
    "StaleHistory": ("conflict", Exit.CONFLICT),
    "OutcomeUnknown": ("outcome_unknown", Exit.ERROR),
    "AnswerUnseen": ("answer_unseen", Exit.UNSEEN),
    "HistoryDamaged": ("damaged", Exit.INTEGRITY),
    "RulesetMissing": ("ruleset_missing", Exit.ERROR),
    "RulesetBroken": ("ruleset_broken", Exit.ERROR),
    "LineError": ("usage", Exit.USAGE),
    "BadFilter": ("usage", Exit.USAGE),
    "UsageError": ("usage", Exit.USAGE),
    "UnicodeError": ("usage", Exit.USAGE),
    "OverflowError": ("usage", Exit.USAGE),
}
"""The word for each kind of error, and its exit code; by name, so that nothing has to be imported to compare with it."""

CODES = dict(KINDS.values())
"""The exit code of each word."""


def code_of(error: BaseException) -> tuple[str, Exit]:
    """The word for a kind of error, and its exit code."""
    if isinstance(error, ScriptError):
        return code_of(error.fault)
    known = (KINDS[cls.__name__] for cls in type(error).__mro__ if cls.__name__ in KINDS)
    return next(known, ("error", Exit.ERROR))


def message_of(error: BaseException) -> str:
    """The message for an error."""
    if isinstance(error, click.ClickException):
        context = getattr(error, "ctx", None)
        return error.format_message() + (f" See: {context.command_path} --help" if context else "")
    if isinstance(error, (RollbookError, ScriptError)):
        return str(error)
    sqlite3 = sys.modules.get("sqlite3")
    if sqlite3 is not None and isinstance(error, sqlite3.Error):
        from rollbook.adapters.storage.read_model.file import advice

        return f"The read model does not work ({error}).{advice(Path(), error)}"
    if isinstance(error, UnicodeError):
        return "Some of that text is not valid Unicode. Type it again; nothing was recorded."
    if isinstance(error, OverflowError):
        return "One of those numbers is far too large. Nothing was recorded."
    if isinstance(error, OSError):
        return f"{error.filename or 'The system'}: {error.strerror or error}."
    if isinstance(error, RecursionError):
        return "That is nested too deeply."
    return (
        f"Something inside rollbook went wrong ({type(error).__name__}: {error}). What the log shows is recorded, and "
        f"nothing else. With {DEBUG_VARIABLE}=1 you see where; please report it."
    )


def report(error: Exception, *, as_json: bool, by_name: Callable[[str], str] = str) -> int:
    """Print an error, in which people are called ``by_name``, and return its exit code."""
    if isinstance(error, ReportedFailure):
        return error.code
    word, code = code_of(error)
    message = without_endless_words(with_minus_signs(as_written(by_name(message_of(error)))))
    if as_json:
        said: dict[str, object] = {"code": word, "message": message, "near": list(getattr(error, "near", ()))}
        echo_json(json_line({"error": said}), err=True)
    elif isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
    else:
        echo(wrapped(message) if sys.stderr.isatty() else message, err=True)
    fault = error.fault if isinstance(error, ScriptError) else error
    if isinstance(fault, RulesetBroken) or not isinstance(fault, (click.ClickException, RollbookError)):
        note_failure("cli", "this is behind what was said", fault)
    return int(error.exit_code) if isinstance(error, click.ClickException) else int(code)
