"""Declarations of commands: arguments, options, and the function that carries one out.

They depend on no parser: ``parsing`` reads a line that is said to a campaign; click reads the command line, and makes
help pages and completion of them.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rollbook.adapters.local_files.paths import LONGEST_PART
from rollbook.domain.base.errors import RollbookError

if TYPE_CHECKING:
    from rollbook.adapters.line_commands.context import CommandContext

Function = Callable[..., object]
Kind = Callable[[str], object]
"""Reader of what was typed for a parameter. Raises BadValue."""
Completer = Callable[["CommandContext", str], Iterable[str]]
"""Source of the known words for a parameter, given what is typed of one."""
Words = tuple[str, ...]
"""The words typed for a parameter that takes any number of them."""
_F = TypeVar("_F", bound=Function)

MOST = 10**12
"""The largest number that is accepted."""
LONGEST_NAME = 4_000
"""Most bytes of a path."""


class UsageError(RollbookError):
    """The words of a command are not as it takes them."""


class BadValue(UsageError):
    """A parameter does not take the value typed for it; ``why`` says so without naming the parameter."""

    def __init__(self, why: str, parameter: str = "") -> None:
        super().__init__(f"Invalid value for {parameter}: {why}" if parameter else f"Invalid value: {why}")
        self.why = why


class Choice:
    """One of some words."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)

    def __call__(self, text: str) -> str:
        if text in self.words:
            return text
        raise BadValue(f"{text!r} is not one of {', '.join(map(repr, self.words))}.")


class Counted:
    """A whole number from ``first`` up to ``MOST``."""

    def __init__(self, first: int) -> None:
        self.first = first

    def __call__(self, text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise BadValue(f"{text!r} is not a valid integer range.") from None
        if not self.first <= number <= MOST:
            raise BadValue(f"{number} is not in the range {self.first}<=x<={MOST}.")
        return number


class FileName:
    """The name of a file; one that the system cannot have is refused before anything is done.

    A file to be written need not be ``readable``: whether it may be replaced is settled at the moment of writing.
    """

    def __init__(self, *, readable: bool = True, file_okay: bool = True, allow_dash: bool = False) -> None:
        self.readable = readable
        self.file_okay = file_okay
        self.allow_dash = allow_dash

    def __call__(self, text: str) -> str:
        if fault := unfit_name(text, allow_dash=self.allow_dash):
            raise BadValue(fault)
        if not self.file_okay and os.path.isfile(text):  # noqa: PTH113 - a name, of which no path is made yet
            raise BadValue(f"Directory {text!r} is a file.")
        return text


def unfit_name(text: str, *, allow_dash: bool) -> str:
    """Reason why no file can have this name, "" if one can; ``-`` is no file but what is piped in or out."""
    if text == "-" and not allow_dash:
        return "- is no file but what is piped in or out. For a file of that name write ./-"
    if "\0" in text:
        return NO_NAME
    try:
        name = os.fsencode(text)
    except ValueError:
        return NO_NAME
    is_long = len(name) > LONGEST_NAME or max(map(len, name.split(b"/"))) > LONGEST_PART
    return "Nothing can have so long a name." if is_long else ""


NO_NAME = "Nothing can be called so: there are characters in it that no name can hold."


class Parameter(NamedTuple):
    """An argument, or with ``words`` an option: how it is typed, and what the command gets for it under its ``name``.

    ``off`` are the words that switch a flag off, and ``nargs`` is -1 for an argument that takes all further words.
    """

    name: str
    words: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    kind: Kind | None = None
    metavar: str | None = None
    help: str = ""
    default: object = None
    required: bool = False
    is_flag: bool = False
    multiple: bool = False
    nargs: int = 1
    hidden: bool = False
    shows_default: bool = False
    suggest: Completer | None = None

    @property
    def called(self) -> str:
        """The parameter's name in error messages."""
        if self.words:
            return " / ".join(f"'{word}'" for word in self.words)
        named = self.name.upper() if self.required else f"[{self.name.upper()}]"
        return f"'{self.metavar if self.metavar is not None else named + '...' * (self.nargs != 1)}'"

    @property
    def unsaid(self) -> object:
        """The value if nothing is typed."""
        if self.multiple or self.nargs != 1:
            return ()
        return bool(self.default) if self.is_flag else self.default

    def read(self, text: str) -> object:
        """Convert what was typed to a value. Raises BadValue, which names the parameter."""
        if self.kind is None:
            return text
        try:
            return self.kind(text)
        except BadValue as fault:
            raise BadValue(fault.why, self.called) from None


class Command(NamedTuple):
    """A command: ``function`` gets the context, and the typed values by name.

    With ``before_verb`` its options stand before a verb, to which all further words belong; ``without`` names the
    common options of verbs that it does not have. With ``around_verb`` the options that it does not know are those of a verb
    among its words.
    """

    name: str
    function: Function
    parameters: tuple[Parameter, ...]
    before_verb: bool = False
    without: tuple[str, ...] = ()
    around_verb: bool = False

    def __call__(self, context: "CommandContext", **values: object) -> object:
        return self.function(context, **values)


def argument(
    name: str, *, kind: Kind | None = None, default: object = None, required: bool | None = None, **more: Any
) -> Callable[[_F], _F]:
    """Declare an argument; it is required unless it has a default or takes all further words."""
    needed = default is None and more.get("nargs", 1) > 0 if required is None else required
    return _declare(Parameter(name=name, kind=kind, default=default, required=needed, **more))


def option(*words: str, kind: Kind | None = None, **more: Any) -> Callable[[_F], _F]:
    """Declare an option: ``-n``, ``--last`` and, where it has another one, its name; a flag may have ``--yes/--no``."""
    typed = [word for word in words if word.startswith("-")]
    named = next((word for word in words if not word.startswith("-")), "")
    on, off = zip(*(word.partition("/")[::2] for word in typed), strict=True)
    longest = next((word for word in on if word.startswith("--")), on[0])
    name = named or longest.lstrip("-").replace("-", "_")
    return _declare(Parameter(name=name, words=on, off=tuple(filter(None, off)), kind=kind, **more))


def _declare(parameter: Parameter) -> Callable[[_F], _F]:
    def decorate(function: _F) -> _F:
        vars(function).setdefault("declared", []).append(parameter)
        return function

    return decorate


def command(
    name: str = "", *, before_verb: bool = False, without: tuple[str, ...] = (), around_verb: bool = False
) -> Callable[[Function], Command]:
    """Turn a function into a command with its name, or that of ``name``."""

    def decorate(function: Function) -> Command:
        return Command(
            name=name or function.__name__.strip("_"),
            function=function,
            parameters=tuple(reversed(vars(function).get("declared", ()))),
            before_verb=before_verb,
            without=without,
            around_verb=around_verb,
        )

    return decorate


def around(call: Callable[..., object], *parameters: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Declare parameters, and have ``call`` carry the command out: it gets the function first, then what was typed."""

    def decorate(function: Function) -> Function:
        made: Function = wraps(function)(partial(call, function))
        for declare in reversed(parameters):
            made = declare(made)
        return made

    return decorate


def paged(function: Function) -> Function:
    """Send what a command prints through the pager if it is longer than the screen."""

    def in_pager(function: Function, context: "CommandContext", /, **rest: object) -> object:
        with context.paged():
            return function(context, **rest)

    return around(in_pager)(function)


_COMMANDS = {
    "corrections": ("undo", "redo", "amend", "override", "reroll"),
    "inserting": ("insert",),
    "why": ("why", "diff"),
    "log": ("log", "xp"),
    "campaigns": ("campaigns", "rulesets", "verbs"),
    "timelines": ("fork", "timelines", "rerun", "compare"),
    "audit": ("audit", "receipt"),
    "secrets": ("reveal", "redact"),
    "export": ("export", "backup"),
}
MODULES = {name: module for module, names in _COMMANDS.items() for name in names} | {
    name: name.replace("-", "_")
    for name in ("status", "recap", "map", "sheet", "odds", "stats", "adopt", "take-over", "x-card")
}
"""The module of each command, in the folder ``commands``; it is imported when the command is called."""


def declared_command(name: str) -> Command:
    """A command by its name, which is one of ``MODULES``."""
    module = import_module(f"rollbook.adapters.line_commands.commands.{MODULES[name]}")
    declared: Command = getattr(module, name.replace("-", "_"))
    return declared
