"""Writes deploy/rollbook.1, the manual page, from the help of the program: ``python -m tests.support.man_page``."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import click

import rollbook
from rollbook.adapters.cli.app import SECTIONS, command_named
from rollbook.adapters.cli.parameters import shared_options

PAGE = Path(__file__).parents[2] / "deploy" / "rollbook.1"
ABOUT = "a campaign engine for tabletop role-playing games"
EXITS = {
    "0": "done, or answered",
    "1": "it did not work",
    "2": "it was not written as it should be",
    "3": "nothing has that name; nothing was recorded",
    "4": "the rules, or rollbook, refuse it; nothing was recorded",
    "5": "another process wrote first; nothing was recorded",
    "6": "the history is damaged, or an audit FAILED",
    "7": "it is done, and only its answer could not be written: do not do it again",
    "130": "stopped with Ctrl-C",
}
VARIABLES = {
    "ROLLBOOK_STORE": "the store: a file, or an address of PostgreSQL",
    "ROLLBOOK_CAMPAIGN": "the campaign that is meant",
    "ROLLBOOK_SEEDS": "the folder of seeds of dice that are not revealed yet",
    "ROLLBOOK_CACHE": "the folder of read models of stores on a server",
    "ROLLBOOK_DEBUG": "if it is 1, the traceback behind an error message is shown",
}


def man_page() -> str:
    """The page, in the language of man(7)."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield f'.TH ROLLBOOK 1 "" "rollbook {rollbook.__version__}" "User Commands"'
    yield ".SH NAME"
    yield rf"rollbook \- {ABOUT}"
    yield ".SH SYNOPSIS"
    yield ".B rollbook"
    yield r"[\fIOPTIONS\fR] \fICOMMAND\fR [\fIARGUMENTS\fR]"
    yield ".SH DESCRIPTION"
    yield _text("Every roll, lost hit point, token and level is an event that is written once and never changed.")
    yield _text("So one past action can be corrected, and everything after it is played again with the same dice.")
    yield _text("rollbook help lists pages to read; rollbook COMMAND --help says more of a command.")
    yield ".SH OPTIONS"
    yield "Every command takes these."
    yield from _options(shared_options())
    for section, commands in SECTIONS.items():
        yield f".SH {section.upper()}"
        for name in commands:
            yield from _command(name)
    for heading, rows in (("EXIT STATUS", EXITS), ("ENVIRONMENT", VARIABLES)):
        yield f".SH {heading}"
        for word, meaning in rows.items():
            yield from (".TP", f".B {word}", _text(meaning))
    yield ".SH FILES"
    yield _text("rollbook doctor says where the store, its seeds and the read model are, and whether they are well.")


def _command(name: str) -> Iterator[str]:
    command = command_named(name)
    context = click.Context(command, info_name=name)
    usage = " ".join(piece for piece in command.collect_usage_pieces(context) if piece != "[OPTIONS]")
    yield ".TP"
    yield f".B rollbook {_text(name)} {_text(usage)}".rstrip()
    about = inspect.cleandoc(command.help or "").partition("\b")[0]
    yield from (_text(line) for line in about.splitlines() if line.strip())
    own = [each for each in command.params if isinstance(each, click.Option) and not _is_shared(each)]
    if own:
        yield ".RS"
        yield from _options(own)
        yield ".RE"


def _is_shared(option: click.Parameter) -> bool:
    return option.name in {each.name for each in shared_options()}


def _options(options: list[click.Option]) -> Iterator[str]:
    for option in options:
        record = option.get_help_record(click.Context(click.Command("rollbook")))
        if record is not None:
            yield from (".TP", f".B {_text(record[0])}", _text(" ".join(record[1].split())))


def _text(words: str) -> str:
    r"""Words as troff takes them: a hyphen is a minus that is typed, and no line begins with a sign of its own."""
    plain = words.replace("\\", r"\e").replace("-", r"\-").replace("\u2019", "'").replace("`", "")
    spelled = "".join(sign if sign.isascii() else rf"\[u{ord(sign):04X}]" for sign in plain)
    return rf"\&{spelled}" if spelled[:1] in (".", "'") else spelled


if __name__ == "__main__":
    PAGE.write_text(man_page(), encoding="utf-8")
