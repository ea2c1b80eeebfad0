"""Parser of the words after a command in a line, where no command line has read them; it also runs the command.

The words mean the same as at the command line, and errors have the same sentences: an option may stand anywhere, has
its value after it or after a ``=``, short ones may be joined, and after ``--`` there are no more options.
"""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import Command, Parameter, UsageError, declared_command
from rollbook.adapters.line_commands.options import SHARED
from rollbook.application.lines.verb_line import LineError

END = "--"
"""After this word there are no more options."""


def values_of(command: Command, shared: Sequence[Parameter], words: Sequence[str]) -> dict[str, object]:
    """Values typed for a command's own parameters and the shared ones, by name. Raises UsageError."""
    parameters = (*command.parameters, *shared)
    typed, loose = _sorted(parameters, words, command)
    found: dict[str, object] = {each.name: _value(each, said) for each, said in typed.items()}
    for each in command.parameters:
        if not each.words and each.nargs != 1:
            found[each.name], loose = tuple(map(each.read, loose)), []
        elif not each.words and loose:
            found[each.name] = each.read(loose.pop(0))
    for each in parameters:
        if each.required and found.get(each.name, ()) == ():
            raise UsageError(f"Missing {'option' if each.words else 'argument'} {each.called}.")
        found.setdefault(each.name, each.unsaid)
    if loose:
        raise UsageError(f"Got unexpected extra argument{'s' if len(loose) > 1 else ''} ({' '.join(loose)})")
    return found


def behind_no_verb(words: Sequence[str]) -> list[str]:
    """The words with the shared flags moved to the front, because they may also stand after a verb."""
    end = words.index(END) if END in words else len(words)
    flags = [word for word in words[:end] if word in _FLAGS]
    return [*flags, *(word for word in words[:end] if word not in _FLAGS), *words[end:]]


_FLAGS = tuple(word for option in SHARED if option.is_flag for word in option.words)


Options = dict[str, tuple[Parameter, bool]]
"""Options by the words that they are typed with; False for a word that switches a flag off."""


def _sorted(
    parameters: Sequence[Parameter], words: Sequence[str], command: Command
) -> tuple[dict[Parameter, list[bool | str]], list[str]]:
    """Values typed for each option, in order, and the words that belong to no option."""
    known: Options = {}
    for each in parameters:
        known |= dict.fromkeys(each.words, (each, True)) | dict.fromkeys(each.off, (each, False))
    typed: dict[Parameter, list[bool | str]] = {}
    left, loose = list(words), list[str]()
    while left:
        word = left.pop(0)
        if word == END:
            return typed, loose + left
        if word.startswith("-") and len(word) > 1:
            own, of_verb = _parted(word, known) if command.around_verb else (word, "")
            loose += filter(None, (of_verb,))
            for name, value in _options_in(own, known):
                typed.setdefault(known[name][0], []).append(_typed(name, known, value, left))
        else:
            loose.append(word)
            if command.before_verb:
                return typed, loose + left
    return typed, loose


def _parted(word: str, known: Options) -> tuple[str, str]:
    """The command's part of a word with a dash, and the verb's: of joined letters those that no option has, as click does."""
    if word.startswith("--"):
        return (word, "") if word.partition("=")[0] in known else ("", word)
    own = of_verb = ""
    for at, letter in enumerate(word[1:], 2):
        option, _ = known.get(f"-{letter}", (None, True))
        if option is None:
            of_verb += letter
            continue
        own += letter
        if not option.is_flag:
            own += word[at:]
            break
    return own and f"-{own}", of_verb and f"-{of_verb}"


def _options_in(word: str, known: Options) -> Iterator[tuple[str, str | None]]:
    """Read ``--to=csv``, ``-y``, or several letters in one word: what follows one that takes a value is its value."""
    if word.startswith("--"):
        name, is_joined, value = word.partition("=")
        if name not in known:
            raise UsageError(_unknown(name, known))
        yield name, value if is_joined else None
        return
    for at, letter in enumerate(word[1:], 2):
        name = f"-{letter}"
        if name not in known:
            raise UsageError(_unknown(name, ()))
        value = "" if known[name][0].is_flag else word[at:]
        yield name, value or None
        if value:
            return


def _typed(name: str, known: Options, value: str | None, left: list[str]) -> bool | str:
    parameter, is_on = known[name]
    if parameter.is_flag and value is not None:
        raise UsageError(f"Option {name!r} does not take a value.")
    if parameter.is_flag:
        return is_on
    if value is None and not left:
        raise UsageError(f"Option {name!r} requires an argument.")
    return left.pop(0) if value is None else value


def _value(parameter: Parameter, typed: Sequence[bool | str]) -> object:
    values = tuple(
        parameter.read(each) if isinstance(each, str) else each for each in typed[0 if parameter.multiple else -1 :]
    )
    return values if parameter.multiple else values[0]


def _unknown(name: str, known: Iterable[str]) -> str:
    near = sorted(get_close_matches(name, [word for word in known if word.startswith("--")]))
    listed = ", ".join(map(repr, near))
    hint = f" (Did you mean one of: {listed}?)" if len(near) > 1 else f" Did you mean {listed}?" if near else ""
    return f"No such option {name!r}.{hint}"


def run(context: CommandContext, name: str, words: Sequence[str]) -> None:
    """Carry out a command; the shared options among its words hold for it alone.

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
