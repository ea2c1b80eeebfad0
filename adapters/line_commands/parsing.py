"""Reads the words of a line after a command, as its parameters say, and runs it, where no command line has done so.

The words mean what they mean at the command line, and what is wrong with them is said in the same sentences: an option may stand
anywhere, has its value after it or after a ``=``, short ones may be joined, and after ``--`` there are no more options.
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import Command, Parameter, UsageError, declared_command
from rollbook.adapters.line_commands.options import SHARED
from rollbook.application.lines.verb_line import LineError

END = "--"
"""After this word there are no more options."""


def values_of(command: Command, shared: Sequence[Parameter], words: Sequence[str]) -> dict[str, object]:
    """What was typed for the parameters of a command, and for those that all have, by name. Raises UsageError."""
    reading = _Words((*command.parameters, *shared), words, before_verb=command.before_verb)
    arguments, left = _of_arguments([each for each in command.parameters if not each.words], reading.loose)
    found = reading.values | arguments
    for each in (*command.parameters, *shared):
        if each.required and found.get(each.name, ()) == ():
            raise UsageError(f"Missing {'option' if each.words else 'argument'} {each.called}.")
        found.setdefault(each.name, each.unsaid)
    if left:
        raise UsageError(f"Got unexpected extra argument{'s' if len(left) > 1 else ''} ({' '.join(left)})")
    return found


def _of_arguments(arguments: Sequence[Parameter], loose: Sequence[str]) -> tuple[dict[str, object], list[str]]:
    """What the words without an option are, in their order, and those that are left over."""
    left = list(loose)
    found: dict[str, object] = {}
    for each in arguments:
        if each.nargs != 1:
            found[each.name] = tuple(map(each.read, left))
            left.clear()
        elif left:
            found[each.name] = each.read(left.pop(0))
    return found, left


def behind_no_verb(words: Sequence[str]) -> list[str]:
    """The same words with those flags first that every command has, and that may stand behind a verb as well."""
    end = words.index(END) if END in words else len(words)
    flags = [word for word in words[:end] if word in _FLAGS]
    return [*flags, *(word for word in words[:end] if word not in _FLAGS), *words[end:]]


_FLAGS = tuple(word for option in SHARED if option.is_flag for word in option.words)


class _Words:
    """The words of one line: the ``values`` of its options by name, and the ``loose`` words that belong to none."""

    def __init__(self, parameters: Sequence[Parameter], words: Sequence[str], *, before_verb: bool) -> None:
        self._known: dict[str, tuple[Parameter, bool]] = {}
        for each in parameters:
            self._known |= dict.fromkeys(each.words, (each, True)) | dict.fromkeys(each.off, (each, False))
        self._typed: list[tuple[Parameter, bool | str]] = []
        self._left = list(words)
        self.loose: list[str] = []
        while self._left:
            word = self._left.pop(0)
            if word == END:
                self.loose += self._left
                break
            if word.startswith("-") and len(word) > 1:
                self._option(word)
            else:
                self.loose.append(word)
                if before_verb:
                    self.loose += self._left
                    break
        self.values = self._read()

    def _option(self, word: str) -> None:
        name, is_joined, value = word.partition("=")
        if not word.startswith("--"):
            self._short_options(word)
        elif name in self._known:
            self._take(name, value if is_joined else None)
        else:
            raise UsageError(_unknown(name, self._known))

    def _short_options(self, word: str) -> None:
        """``-y``, or several in one word; what follows one that takes a value is its value."""
        for at, letter in enumerate(word[1:], 2):
            name = f"-{letter}"
            if name not in self._known:
                raise UsageError(_unknown(name, ()))
            if not self._known[name][0].is_flag and word[at:]:
                self._take(name, word[at:])
                return
            self._take(name, None)

    def _take(self, name: str, value: str | None) -> None:
        parameter, is_on = self._known[name]
        if parameter.is_flag:
            if value is not None:
                raise UsageError(f"Option {name!r} does not take a value.")
            self._typed.append((parameter, is_on))
        elif value is not None or self._left:
            self._typed.append((parameter, self._left.pop(0) if value is None else value))
        else:
            raise UsageError(f"Option {name!r} requires an argument.")

    def _read(self) -> dict[str, object]:
        """What was typed as values: of an option that may be repeated all of them, else the last."""
        typed_for: dict[Parameter, list[bool | str]] = {}
        for parameter, typed in self._typed:
            typed_for.setdefault(parameter, []).append(typed)
        return {each.name: _value(each, typed) for each, typed in typed_for.items()}


def _value(parameter: Parameter, typed: Sequence[bool | str]) -> object:
    values = tuple(
        parameter.read(each) if isinstance(each, str) else each for each in typed[0 if parameter.multiple else -1 :]
    )
    return values if parameter.multiple else values[0]


def _unknown(name: str, known: Mapping[str, object] | Sequence[str]) -> str:
    near = sorted(get_close_matches(name, [word for word in known if word.startswith("--")]))
    listed = ", ".join(map(repr, near))
    hint = f" (Did you mean one of: {listed}?)" if len(near) > 1 else f" Did you mean {listed}?" if near else ""
    return f"No such option {name!r}.{hint}"


def run(context: CommandContext, name: str, words: Sequence[str]) -> None:
    """Carry out a command, and have it alone answer as the options say that all of them have.

    Raises LineError for words that it does not take, and what the engine raises.
    """
    command, before = declared_command(name), (context.json, context.no_pager)
    try:
        values = values_of(command, SHARED, behind_no_verb(words) if command.before_verb else words)
        shared = {option.name: values.pop(option.name) for option in SHARED}
        context.json = context.json or bool(shared["json"])
        context.no_pager = context.no_pager or bool(shared["no_pager"])
        command(context, **values)
    except UsageError as fault:
        raise LineError(str(fault)) from fault
    finally:
        context.json, context.no_pager = before
