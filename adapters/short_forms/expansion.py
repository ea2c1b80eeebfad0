"""A typed line in full: its first word, who and what it names, and what it leaves out."""

import re
from collections.abc import Iterator, Mapping, Sequence

from adapters.campaign import Campaign
from adapters.line_commands import REVEAL, X_CARD
from adapters.seat_view import SEATS, View, among, begun, parameters_by_option, sayable, view_of
from adapters.short_forms.first_word import UNDO, first_word, may_be_said
from adapters.short_forms.last_used import LastUsed
from adapters.short_forms.meanings import meanings
from adapters.short_forms.readings import Reader, Reading
from adapters.verb_line import COMMON, DICE_MARK, LineError, user_parameters
from adapters.verbs import verbs_of
from domain.action import Action, is_the_gms
from domain.parameters import Parameter, ParameterType
from domain.spelling import caseless
from domain.state import Character

PROGRAM, DO = "rollbook", "do"
"""Words that hints begin with, and that mean nothing at the prompt."""

ABOUT_SOMEBODY = ("sheet", "why")
"""Questions that begin with a character."""

WHOLE = "secret"
"""An option that is only ever typed in full."""

_NAMED = (
    ParameterType.CHARACTER,
    ParameterType.CHARACTERS,
    ParameterType.SEAT,
    ParameterType.GEAR,
    ParameterType.CHOICE,
)

Option = tuple[str, str | None]
"""An option as it is typed in full, and its value, None for a flag."""


class ShortForms:
    """The short forms of one open prompt, which knows what was used last."""

    def __init__(self, seat: str | None = None) -> None:
        """``seat`` says the lines that name no seat; None is the GM."""
        self._last = LastUsed()
        self._seat = seat

    def _view(self, campaign: Campaign, words: Sequence[str], verb: type[Action] | None = None) -> View:
        return view_of(campaign, words, verb, seat=self._seat)

    def may_begin(self, campaign: Campaign) -> list[str]:
        """The verbs with which a line may begin."""
        is_gm = not self._view(campaign, ()).seat
        known = verbs_of(campaign)
        return [name for name in may_be_said(campaign) if is_gm or name not in known or not is_the_gms(known[name])]

    def expand(self, campaign: Campaign, said: Sequence[str]) -> list[str]:
        """The words of a line in full. Raises LineError for a word that may mean several things, with what it may mean.

        What is no short form stays as it is, so that the parser says what is wrong with it.
        """
        words = without_program(said)
        if not words or words[0] == X_CARD:
            return words
        verbs, view = verbs_of(campaign), self._view(campaign, words)
        first = first_word(words[0], verbs, campaign.state, is_gm=not view.seat)
        rest = words[1:]
        if first == UNDO and not any(re.match(r"[#\d]|last|--where|--corr", word) for word in rest):
            return [first, "last", *rest] if words[0] != first else [first, *rest]
        if first in ABOUT_SOMEBODY and first not in verbs:
            return [first, *named_first(view, rest)]
        if first not in verbs or first == REVEAL:
            return [first, *rest]
        self._last.catch_up(campaign)
        return [first, *self.after_verb(verbs[first], self._view(campaign, words, verbs[first]), rest)]

    def first(self, campaign: Campaign, words: Sequence[str]) -> str:
        """The verb or command that a line begins with, "" if that is not clear."""
        try:
            return first_word(words[0], verbs_of(campaign), campaign.state, is_gm=not self._view(campaign, words).seat)
        except LineError:
            return ""

    def offers(self, campaign: Campaign, verb: type[Action], words: Sequence[str], incomplete: str) -> list[str]:
        """What may go on from ``incomplete`` after the words of a line with this verb."""
        try:
            loose, options = split_options(verb, words[1:])
        except LineError:
            return []
        self._last.catch_up(campaign)
        return list(dict.fromkeys(self._offers(verb, self._view(campaign, words, verb), loose, options, incomplete)))

    def _offers(
        self, verb: type[Action], view: View, loose: Sequence[str], options: Sequence[Option], incomplete: str
    ) -> Iterator[str]:
        own = sayable(verb, view)
        if own is None:
            return
        given = {own[name].name: value or "" for name, value in options if name in own}
        reader = Reader(verb, view, self._last, given)
        if options and options[-1][1] is None and not _is_flag(own, options[-1][0]):  # its value is being typed
            parameter = own.get(options[-1][0])
            if parameter is not None:
                yield from begun(parameter, view, reader.actor_after(loose), incomplete)
            elif options[-1][0] in SEATS:
                yield from (seat for seat in view.state.seats if caseless(seat).startswith(caseless(incomplete)))
        elif incomplete.startswith("-"):
            names = (f"--{name}" for name in dict.fromkeys((*own, *COMMON)))
            yield from (name for name in names if name.startswith(incomplete))
        else:
            for parameter, actor in reader.next_parameters(loose):
                if parameter.option in own:
                    yield from begun(parameter, view, actor, incomplete)

    def usual_actor(self, campaign: Campaign, verb: type[Action], view: View) -> str:
        """Who acts if nobody is named, "" if that is not clear."""
        self._last.catch_up(campaign)
        return Reader(verb, view, self._last, {}).default_actor

    def last_actor(self, campaign: Campaign) -> str:
        """Who acted last, "" if nobody did."""
        self._last.catch_up(campaign)
        return self._last.actor

    def changes(self, campaign: Campaign) -> int:
        """How often something else was used than what was used last: while it is the same number, nothing of that has changed."""
        self._last.catch_up(campaign)
        return self._last.changes

    def last_used(self, campaign: Campaign, who: str, verb: str, parameter: str) -> str:
        """What or whom somebody named last for a parameter of a verb, "" for nothing."""
        self._last.catch_up(campaign)
        return self._last.used(who, verb, parameter)

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
            reader.check_names(loose)
            return list(said)
        actor = reader.actor(reading.given)
        named = [_in_full(verb, view, each, actor) for each in options]
        return [*_typed(verb, reading), *(word for option in named for word in option), *dice]


def named_first(view: View, said: Sequence[str]) -> list[str]:
    """Words of which the first names somebody, as far as it does."""
    found = view.named(said[0]) if said and not said[0].startswith("--") else []
    if len(found) > 1:
        raise unclear(said[0], found)
    return [*found, *said[1:]] if found else list(said)


def without_program(said: Sequence[str]) -> list[str]:
    """A line without the words that it has on the command line: ``rollbook do attack …``."""
    words = list(said)
    if words[:1] == [PROGRAM]:
        words = words[1:]
    return words[1:] if words[:1] == [DO] else words


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
        begun = [name for name in dict.fromkeys((*own, *COMMON)) if name.startswith(typed) and name != WHOLE]
        if len(begun) > 1 and typed not in begun:
            raise unclear(f"--{typed}", [f"--{name}" for name in begun])
        name = typed if typed in begun or not begun else begun[0]
        is_flag = _is_flag(own, name)
        options.append((name, value if joined else None if is_flag else next(words, None)))
    return loose, options


def _is_flag(own: Mapping[str, Parameter], name: str) -> bool:
    return own[name].want is ParameterType.FLAG if name in own else name == WHOLE


def _in_full(verb: type[Action], view: View, option: Option, actor: Character | None) -> list[str]:
    name, value = option
    if value is None:
        return [f"--{name}"]
    parameter = parameters_by_option(verb).get(name)
    found: list[str] = []
    if parameter is None and name in SEATS:
        found = among(view.state.seats, value)
    elif parameter is not None and _is_somebody_or_something(parameter):
        found = meanings(parameter, value, view, actor)
    if len(found) > 1:
        raise unclear(value, found)
    value = found[0] if found else value
    return [f"--{name}", value]


def _is_somebody_or_something(parameter: Parameter) -> bool:
    return parameter.want in _NAMED or (parameter.want is ParameterType.TEXT and parameter.fits is not None)


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
