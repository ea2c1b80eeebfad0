"""Expansion of a typed line: its first word, the characters and things it names, and the parameters it leaves out."""

import re
from collections.abc import Iterator, Mapping, Sequence

from rollbook.application.lines import verb_line
from rollbook.application.lines.line_commands import COMMAND_FIRST, PROMPT_COMMANDS, X_CARD
from rollbook.application.lines.party_words import kinds_of
from rollbook.application.lines.seat_view import (
    SEATS,
    View,
    among,
    begun,
    meanings,
    parameters_by_option,
    people,
    sayable,
    view_from,
    view_of,
)
from rollbook.application.lines.short_forms.culprit import blame
from rollbook.application.lines.short_forms.first_word import UNDO, first_word, may_be_said
from rollbook.application.lines.short_forms.readings import LastUsed, Reader, Reading
from rollbook.application.lines.spoken_words import split_spoken
from rollbook.application.verbs import verbs_of
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.letters import caseless
from rollbook.domain.base.synonyms import in_this_game
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import Action, is_the_gms, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.state.campaign_state import Character
from rollbook.domain.state.lookup import find_among
from rollbook.projections.numbers import action_number

PROGRAM, DO = "rollbook", "do"
"""Words that hints begin with, and that mean nothing at the prompt."""

ABOUT_SOMEBODY = ("sheet", "why")
"""Questions that begin with a character."""

INSERT = "insert"
"""A correction with a verb of its own; its flags may stand among the words of the verb."""
INSERT_FLAGS = frozenset(("--preview", "--yes", "-y", "--draw", "--stand"))

CORRECTED, LAST = ("undo", "amend", "override"), "last"
"""Corrections of an action, which may be the last of its verb."""

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
    """The short forms of one open prompt, which knows the values used last."""

    def __init__(self, seat: str | None = None) -> None:
        """``seat`` says the lines that name no seat; None is the GM."""
        self._last = LastUsed()
        self._seat = seat

    def _view(self, campaign: CampaignView, words: Sequence[str], verb: type[Action] | None = None) -> View:
        return view_of(campaign, words, verb, seat=self._seat)

    def may_begin(self, campaign: CampaignView) -> list[str]:
        """The verbs with which a line may begin."""
        is_gm = not self._view(campaign, ()).seat
        known = verbs_of(campaign)
        return [name for name in may_be_said(campaign) if is_gm or name not in known or not is_the_gms(known[name])]

    def expand(self, campaign: CampaignView, said: Sequence[str]) -> list[str]:
        """The words of a line in full. Raises LineError for a word that may mean several things, with what it may mean.

        Words that are no short form stay as they are, so that the parser reports their fault.
        """
        words, verbs = without_program(said), verbs_of(campaign)
        if not words or words[0] == X_CARD:
            return words
        words, view = in_this_game(words, (*verbs, *PROMPT_COMMANDS)), self._view(campaign, words)
        first, rest = self.meant(campaign, words), words[1:]
        if first == UNDO and not any(re.match(r"[#\d]|last|--where|--corr", word) for word in rest):
            return [first, LAST, *rest] if words[0] != first else [first, *rest]
        if first == INSERT and first not in verbs:
            return [first, *self._inserted(campaign, rest)]
        if first in CORRECTED and first not in verbs:
            return [first, *self._corrected(campaign, rest)]
        if first in ABOUT_SOMEBODY and first not in verbs:
            return [first, *named_first(view, rest)]
        if first not in verbs or first in COMMAND_FIRST:
            return [first, *rest]
        self._last.catch_up(campaign)
        return [first, *self.after_verb(verbs[first], self._view(campaign, words, verbs[first]), rest)]

    def _corrected(self, campaign: CampaignView, rest: Sequence[str]) -> list[str]:
        """The words of a correction, with the verb of ``last at`` in full."""
        if rest[:1] != [LAST] or len(rest) == 1 or "=" in rest[1] or rest[1][:1] in "-!#0123456789":
            return list(rest)
        meant = self.meant(campaign, rest[1:])
        return [LAST, meant if meant in verbs_of(campaign) else rest[1], *rest[2:]]

    def _inserted(self, campaign: CampaignView, rest: Sequence[str]) -> list[str]:
        """The words of an insertion with those of its verb in full, as they were meant before the action that is named."""
        mine = [word for word in rest if word not in INSERT_FLAGS]
        others = [word for word in rest if word in INSERT_FLAGS]
        number = action_number(mine[0]) if len(mine) > 1 else None
        if not number:
            return list(rest)
        return [*others, mine[0], *self.before(campaign, number, mine[1:])]

    def before(self, campaign: CampaignView, action: ActionNumber, said: Sequence[str]) -> list[str]:
        """The words of a verb in full, as they were meant before an action. Raises LineError for a word that is not clear."""
        then = campaign.session.history.looking_back(lambda history: history.state_before(action))
        verbs = campaign.session.rulebook.verbs(then)
        verb = first_word(said[0], verbs, then, is_gm=True)
        return (
            [verb, *self.after_verb(verbs[verb], view_from(then, self._seat), said[1:])]
            if verb in verbs
            else list(said)
        )

    def meant(self, campaign: CampaignView, words: Sequence[str]) -> str:
        """The verb or command that the first word means; the word itself if none. Raises LineError if that is not clear."""
        verbs = verbs_of(campaign)
        word = in_this_game(words[:1], (*verbs, *PROMPT_COMMANDS))[0]
        return first_word(word, verbs, campaign.state, is_gm=not self._view(campaign, words).seat)

    def first(self, campaign: CampaignView, words: Sequence[str]) -> str:
        """The verb or command that a line begins with, "" if that is not clear."""
        try:
            return self.meant(campaign, words)
        except verb_line.LineError:
            return ""

    def offers(self, campaign: CampaignView, verb: type[Action], words: Sequence[str], incomplete: str) -> list[str]:
        """The words that go on from ``incomplete`` after the words of a line with this verb."""
        try:
            loose, options = split_options(verb, words[1:])
        except verb_line.LineError:
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
                yield from (seat for seat in view.state.people if caseless(seat).startswith(caseless(incomplete)))
        elif incomplete.startswith("-"):
            names = (f"--{name}" for name in dict.fromkeys((*own, *verb_line.COMMON)))
            yield from (name for name in names if name.startswith(incomplete))
        else:
            for parameter, actor in reader.next_parameters(loose):
                if parameter is not None and parameter.option in own:
                    yield from begun(parameter, view, actor, incomplete)

    def usual_actor(self, campaign: CampaignView, verb: type[Action], view: View) -> str:
        """The actor of an empty form: the one meant if none is named, else the last one who acted; "" for none."""
        self._last.catch_up(campaign)
        last = view.character(self._last.actor) if view.state.encounter is None else None
        is_there = last is not None and last.present
        return Reader(verb, view, self._last, {}).default_actor or (self._last.actor if is_there else "")

    def last(self, campaign: CampaignView) -> LastUsed:
        """The values used last, up to now."""
        self._last.catch_up(campaign)
        return self._last

    def after_verb(self, verb: type[Action], view: View, said: Sequence[str]) -> list[str]:
        """The words after a verb in full."""
        at = list(said).index(verb_line.DICE_MARK) if verb_line.DICE_MARK in said else len(said)
        before, dice = list(said[:at]), list(said[at:])
        if "--" in before:
            return list(said)
        loose, options = split_options(verb, before)
        given = {name: value or "" for name, value in options if name in parameters_by_option(verb)}
        by_name = {parameters_by_option(verb)[name].name: value for name, value in given.items()}
        reader = Reader(verb, view, self._last, by_name)
        reading = best(verb, list(reader.readings(loose)))
        if reading is None:
            if not _is_clear(verb, said, view) and (fault := blame(reader, loose)):
                raise fault
            return list(said)
        actor = reader.actor(reading.given)
        named = [_in_full(verb, view, each, actor) for each in options]
        return [*_typed(verb, reading), *(word for option in named for word in option), *dice]


def values_in_full(
    verb: type[Action], changes: Mapping[str, str], params: Mapping[str, ParameterValue], view: View
) -> dict[str, str]:
    """Other values for parameters of an action, in full; ``params`` are those it has. Raises LineError for what is not clear."""
    actor = next((each.name for each in user_parameters(verb) if each.want is ParameterType.CHARACTER), "")
    acts = view.character(str(params.get(actor, "")))
    full = dict(changes)
    for parameter in user_parameters(verb):
        if changes.get(parameter.name) and _is_somebody_or_something(parameter):
            word = changes[parameter.name]
            word = _another_of_its_kind(word, params.get(parameter.name), view) or word
            full[parameter.name] = _only(word, meanings(parameter, word, view, acts))
    return full


def _another_of_its_kind(word: str, before: object, view: View) -> str:
    """The id that a number means in the place of somebody: ``3`` is wolf-3 where wolf-2 was; "" for no such character."""
    was = view.character(before) if word.isdecimal() and isinstance(before, str) else None
    if was is None or view.named(word):
        return ""
    alike = (who.id for who in view.characters() if kinds_of(who) & kinds_of(was))
    return next((id_ for id_ in alike if id_.endswith(f"-{word}")), "")


def person_in_full(view: View, name: str) -> str:
    """The id of a character by a short name. Raises LineError for one that is not clear, NotFound."""
    return find_among({who.id: who for who in view.characters()}, _only(name, view.named(name)))


def _only(word: str, found: Sequence[str]) -> str:
    """The meaning of a word; the word itself if it has none. Raises LineError if it may mean several things."""
    if len(found) > 1:
        raise unclear(word, found)
    return found[0] if found else word


def _is_clear(verb: type[Action], said: Sequence[str], view: View) -> bool:
    try:
        given = verb_line.parse(verb, said).given
        verb_line.read_parameters(verb, given, view.state, known_only=bool(view.seat), side=view.side)
    except RollbookError:
        return False
    return True


def named_first(view: View, said: Sequence[str]) -> list[str]:
    """Words with the id of the character whom the first names, if it names one."""
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
        begun = [name for name in dict.fromkeys((*own, *verb_line.COMMON)) if name.startswith(typed) and name != WHOLE]
        if len(begun) > 1 and typed not in begun:
            raise unclear(f"--{typed}", [f"--{name}" for name in begun])
        name = typed if typed in begun or not begun else begun[0]
        is_flag = _is_flag(own, name)
        options.append((name, value if joined else None if is_flag else next(words, None)))
    given = {own[name].name: value or "" for name, value in options if name in own}
    loose, said_so = split_spoken(user_parameters(verb), given, loose)
    return loose, [*options, *((name.replace("_", "-"), value) for name, value in said_so.items())]


def _is_flag(own: Mapping[str, Parameter], name: str) -> bool:
    return own[name].want is ParameterType.FLAG if name in own else name == WHOLE


def _in_full(verb: type[Action], view: View, option: Option, actor: Character | None) -> list[str]:
    name, value = option
    if value is None:
        return [f"--{name}"]
    parameter = parameters_by_option(verb).get(name)
    found: list[str] = []
    if parameter is None and name in SEATS:
        found = among(view.state.people, value)
    elif parameter is not None and parameter is verb_line.said_of_several(verb):
        found = people(value, view)
    elif parameter is not None and _is_somebody_or_something(parameter):
        found = meanings(parameter, value, view, actor)
    return [f"--{name}", _only(value, found)]


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
        raise verb_line.LineError(f"That may be {ways}. Type more of it.")
    return clear[0]


def unclear(word: str, found: Sequence[str], verb: str = "") -> verb_line.LineError:
    """The refusal of a word that may mean several things, or of leaving out what is not clear."""
    if not word:
        return verb_line.LineError(f"{verb} needs one of these named: {', '.join(found)}.")
    return verb_line.LineError(f"{word!r} may be any of {', '.join(found)}. Type more of it.")


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
