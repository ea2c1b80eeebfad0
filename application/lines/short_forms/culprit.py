"""The word at which a line cannot be read any further, and what it could have been."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from rollbook.application.lines import leftover_words
from rollbook.application.lines.party_words import is_meant
from rollbook.application.lines.seat_view import View, fitting
from rollbook.application.lines.short_forms.readings import Reader, Stop
from rollbook.application.lines.verb_line import PEOPLE, LineError, no_place
from rollbook.domain.base.errors import NotFound, Refused, RollbookError, not_found
from rollbook.domain.rules.action import user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.state.lookup import one_only

NEAR = 0.7
"""Least likeness to a known word at which another word counts as a slip."""


def blame(reader: Reader, words: Sequence[str]) -> RollbookError | None:
    """The error for the first word without a meaning in its place, or for a missing one; None if neither is known."""
    at, stops = reader.stops(words)
    if at >= len(words):
        return _missing(reader, stops)
    word, expected = words[at], [stop for stop in stops if stop.expected is not None and stop.is_needed]
    near = max(
        (stop for stop in stops if stop.expected is not None),
        key=lambda stop: _likeness(word, _known(stop, reader.view)),
        default=None,
    )
    if near is not None and _likeness(word, _known(near, reader.view)) >= NEAR:
        return _not_what(near, word, reader.view)
    over = next((stop for stop in stops if stop.expected is None), None)
    if over is None:
        return _not_what(expected[-1], word, reader.view)
    mine = user_parameters(reader.verb)
    how = leftover_words.how_else(mine, {**reader.options, **over.given}, words[at:])
    if expected and not leftover_words.is_number(word):
        nobody, parameter = not_found("character", word, _known(expected[-1], reader.view)), expected[-1].expected
        is_list = parameter is not None and parameter.want is ParameterType.CHARACTERS
        told = nobody if is_list else NotFound(f"{nobody}{how}", nobody.near, sought=nobody.sought)
        return told.about(parameter.name if parameter else "")
    return _no_such_thing(reader, words) or no_place(reader.verb, words[at:], how)


def _no_such_thing(reader: Reader, words: Sequence[str]) -> RollbookError | None:
    """The error for a thing of several words that is nearly one that the game knows: ``magic misile``."""
    last = next((each for each in reversed(user_parameters(reader.verb)) if each.required), None)
    known = list(last.known()) if last is not None and last.known is not None else []
    typed = max((" ".join(words[start:]) for start in range(len(words))), key=lambda text: _likeness(text, known))
    return not_found(last.name, typed, known).about(last.name) if last and _likeness(typed, known) >= NEAR else None


def _missing(reader: Reader, stops: Sequence[Stop]) -> RollbookError | None:
    """The error for a line that ends before something of the actor's own is chosen, with what there is; None otherwise."""
    for stop in stops:
        if stop.given and stop.expected is not None and stop.expected.fits is not None:
            name, known = stop.expected.name, ", ".join(fitting(stop.expected, stop.actor))
            needs = f"{reader.verb.verb} also needs: {name}. There are: {known}."
            return LineError(needs, parameter=name) if known else None
    return None


def _known(stop: Stop, view: View) -> list[str]:
    """The words that could stand there, as far as they can be listed."""
    parameter = stop.expected
    assert parameter is not None
    if parameter.want in PEOPLE:
        return [who.id for who in view.characters()]
    if parameter.want is ParameterType.SEAT:
        return list(view.state.people)
    return [*fitting(parameter, stop.actor), *filter(None, parameter.choices)] if _is_listed(parameter) else []


def _is_listed(parameter: Parameter) -> bool:
    return bool(parameter.choices) or parameter.fits is not None or parameter.want is ParameterType.GEAR


def _likeness(word: str, known: Iterable[str]) -> float:
    return max((SequenceMatcher(None, word.casefold(), each.casefold()).ratio() for each in known), default=0)


def _not_what(stop: Stop, word: str, view: View) -> RollbookError:
    assert stop.expected is not None
    return _no_value(stop, stop.expected, word, view).about(stop.expected.name)


def _no_value(stop: Stop, parameter: Parameter, word: str, view: View) -> RollbookError:
    if parameter.want in PEOPLE:
        return (
            LineError(one_only(word))
            if is_meant(word, view.state, known_only=bool(view.seat))
            else not_found("character", word, _known(stop, view))
        )
    if parameter.want is ParameterType.SEAT or _is_listed(parameter):
        return not_found(parameter.name.replace("_", " "), word, dict.fromkeys(_known(stop, view)))
    try:
        parameter.read(word)
    except Refused as reason:
        return LineError(str(reason))
    if parameter.is_name:
        return LineError(f"{word} is a number, and {parameter.name} is a name that comes before it.")
    return LineError(f"{parameter.name} is a number or dice, not {word!r}.")
