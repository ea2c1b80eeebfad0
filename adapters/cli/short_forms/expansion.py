"""A typed line in full: its first word, who and what it names, and what it leaves out."""

import re
from collections.abc import Iterator, Sequence

from adapters.campaign import Campaign
from adapters.cli.script import PROMPT_COMMANDS, X_CARD
from adapters.cli.short_forms.first_word import UNDO, first_word
from adapters.cli.short_forms.last_used import LastUsed
from adapters.cli.short_forms.meanings import View, meanings
from adapters.cli.short_forms.readings import Reader, Reading
from adapters.cli.verb_commands import verbs_of
from adapters.verb_line import COMMON, DICE_MARK, LineError, find_seat, user_parameters
from domain.action import Action
from domain.parameters import Parameter, ParameterType
from domain.secrecy import GM

PROGRAM, DO = "rollbook", "do"
"""Words that hints begin with, and that mean nothing at the prompt."""

Option = tuple[str, str | None]
"""An option as it is typed in full, and its value, None for a flag."""


class ShortForms:
    """The short forms of one open prompt, which knows what was used last."""

    def __init__(self) -> None:
        self._last = LastUsed()

    def expand(self, campaign: Campaign, said: Sequence[str]) -> list[str]:
        """The words of a line in full. Raises LineError for a word that may mean several things, with what it may mean.

        What is no short form stays as it is, so that the parser says what is wrong with it.
        """
        words = without_program(said)
        if not words or words[0] == X_CARD:
            return words
        verbs, view = verbs_of(campaign), view_of(campaign, words)
        first = first_word(words[0], verbs, campaign.state, is_gm=not view.seat)
        rest = words[1:]
        if first == UNDO and not any(re.match(r"[#\d]|last|--where|--corr", word) for word in rest):
            return [first, "last", *rest] if words[0] != first else [first, *rest]
        if first not in verbs or (first in PROMPT_COMMANDS and first == "reveal"):
            return [first, *rest]
        self._last.catch_up(campaign)
        return [first, *self.after_verb(verbs[first], view, rest)]

    def after_verb(self, verb: type[Action], view: View, said: Sequence[str]) -> list[str]:
        """The words after a verb in full."""
        at = list(said).index(DICE_MARK) if DICE_MARK in said else len(said)
        before, dice = list(said[:at]), list(said[at:])
        if "--" in before:
            return list(said)
        loose, options = split_options(verb, before)
        given = {name: value or "" for name, value in options if name in parameters_by_option(verb)}
        by_name = {parameters_by_option(verb)[name].name: value for name, value in given.items()}
        reader = Reader(verb, view, self._last, by_name)
        reading = best(verb, list(reader.readings(loose)))
        if reading is None:
            return list(said)
        actor = reader.actor(reading.given)
        named = [_in_full(verb, view, each, actor) for each in options]
        return [*_typed(verb, reading), *(word for option in named for word in option), *dice]


def without_program(said: Sequence[str]) -> list[str]:
    """A line without the words that it has on the command line: ``rollbook do attack …``."""
    words = list(said)
    if words[:1] == [PROGRAM]:
        words = words[1:]
    return words[1:] if words[:1] == [DO] else words


def view_of(campaign: Campaign, words: Sequence[str]) -> View:
    """What the seat that a line names may see; the GM sees everything."""
    state = campaign.state
    for word, following in zip(words, (*words[1:], ""), strict=True):
        option, equals, value = word.partition("=")
        if len(option) > len("--se") and ("--seat".startswith(option) or "--acting-seat".startswith(option)):
            seat = find_seat(state, value if equals else following)
            known = state.seats.get(seat)
            return View(state, seat if known is None or known.role != GM else "")
    return View(state)


def parameters_by_option(verb: type[Action]) -> dict[str, Parameter]:
    """The parameters that a person may give, by the name of the option."""
    return {parameter.option: parameter for parameter in user_parameters(verb)}


def split_options(verb: type[Action], said: Sequence[str]) -> tuple[list[str], list[Option]]:
    """The words without a name, and the options with their names in full."""
    own = parameters_by_option(verb)
    loose: list[str] = []
    options: list[Option] = []
    words = iter(said)
    for word in words:
        if not word.startswith("--"):
            loose.append(word)
            continue
        typed, joined, value = word[2:].partition("=")
        begun = [name for name in dict.fromkeys((*own, *COMMON)) if name.startswith(typed)]
        name = typed if typed in begun or len(begun) != 1 else begun[0]
        is_flag = own[name].want is ParameterType.FLAG if name in own else name == "secret"
        options.append((name, value if joined else None if is_flag else next(words, None)))
    return loose, options


def _in_full(verb: type[Action], view: View, option: Option, actor: object) -> list[str]:
    name, value = option
    if value is None:
        return [f"--{name}"]
    parameter = parameters_by_option(verb).get(name)
    if parameter is None and name in ("seat", "acting-seat"):
        value = find_seat(view.state, value)
    elif parameter is not None and _is_somebody_or_something(parameter):
        found = meanings(parameter, value, view, actor)  # type: ignore[arg-type]
        if len(found) > 1:
            raise unclear(value, found)
        value = found[0] if found else value
    return [f"--{name}", value]


def _is_somebody_or_something(parameter: Parameter) -> bool:
    named = (ParameterType.CHARACTER, ParameterType.CHARACTERS, ParameterType.GEAR, ParameterType.CHOICE)
    return parameter.want in named or (parameter.want is ParameterType.TEXT and parameter.fits is not None)


def best(verb: type[Action], readings: Sequence[Reading]) -> Reading | None:
    """The reading that is nearest to what was typed, None if there is none. Raises LineError if there are several."""
    if not readings:
        return None
    lowest = min(each.rank for each in readings)
    nearest = [each for each in readings if each.rank == lowest]
    clear = [each for each in nearest if each.unclear is None]
    if not clear:
        word, found = nearest[0].unclear or ("", ())
        raise unclear(word, found, verb.verb)
    if len({tuple(each.given.items()) for each in clear}) > 1:
        ways = " or ".join(written([verb.verb, *_typed(verb, each)]) for each in clear)
        raise LineError(f"That may be {ways}. Type more of it.")
    return clear[0]


def unclear(word: str, found: Sequence[str], verb: str = "") -> LineError:
    """The refusal of a word that may mean several things, or of leaving out what is not clear."""
    if not word:
        return LineError(f"{verb} needs one of these named: {', '.join(found)}.")
    return LineError(f"{word!r} may be any of {', '.join(found)}. Type more of it.")


def _typed(verb: type[Action], reading: Reading) -> Iterator[str]:
    """The values of a reading as words: what is needed in its order, then the rest by name."""
    mine = user_parameters(verb)
    for parameter in mine:
        if parameter.required and parameter.name in reading.given:
            yield reading.given[parameter.name]
    for parameter in mine:
        if not parameter.required and parameter.name in reading.given:
            yield f"--{parameter.option}"
            yield reading.given[parameter.name]


def written(words: Sequence[str]) -> str:
    """A line as a person types it: with quotation marks where a word has blanks."""
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    if word and not re.search(r"\s", word) and word[0] not in "\"'“#":
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
