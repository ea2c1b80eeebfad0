"""A seat's view of the campaign: the values that fit a parameter and the meanings of a word, for typed lines."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from rollbook.application.lines import party_words
from rollbook.application.lines.party_words import DEAD, SideOf
from rollbook.application.lines.verb_line import PARTY, PEOPLE
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.letters import caseless
from rollbook.domain.base.records import Record
from rollbook.domain.history.secrecy import GM
from rollbook.domain.rules.action import Action, is_the_gms, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.sides import plain_side
from rollbook.domain.state.campaign_state import CampaignState, Character

DOWN = (DEAD, "unconscious")
"""Conditions in which no character acts."""

_NUMBERED = re.compile(r"(?P<letters>\D+)(?P<number>\d+)")
SEATS = ("seat", "acting-seat")
"""The options that say who acts."""
_AMOUNT = re.compile(r"[+\-\u2212(]*\d*(?:d[\d%]|\d).*", re.IGNORECASE)
_OPEN = (ParameterType.TEXT, ParameterType.TEXTS, ParameterType.USE, ParameterType.CHOICES)


@attrs.frozen
class View(Record):
    """The part of the campaign that a seat may see; ``seat`` is "" for the GM. ``side`` says who the foes are."""

    state: CampaignState
    seat: str = ""
    side: SideOf = plain_side

    def characters(self) -> list[Character]:
        """The characters whom the seat knows of."""
        return [who for who in self.state.characters.values() if not (self.seat and who.hidden)]

    def character(self, name: str) -> Character | None:
        """A character whom the seat knows of, by id."""
        return next((who for who in self.characters() if who.id == name), None)

    def circles(self) -> Iterator[list[Character]]:
        """The circles in which a name is looked for: characters in the fight, those in play, then all."""
        yield from party_words.circles(self.state, self.characters())

    def several(self, word: str) -> list[str] | None:
        """The ids that a party word names; None for any other word. Raises NotFound."""
        if not party_words.is_meant(word, self.state, known_only=bool(self.seat)):
            return None
        return party_words.people_meant(word, self.state, known_only=bool(self.seat), side=self.side)

    def named(self, word: str) -> list[str]:
        """The ids that a word names in full, else those that it begins, in the first circle that has any."""
        wanted = caseless(word)
        exact = [who.id for who in self.characters() if wanted in (caseless(who.id), caseless(who.name))]
        if exact or not wanted or party_words.is_meant(word, self.state, known_only=bool(self.seat)):
            return [wanted] if wanted in exact else exact
        for circle in self.circles():
            for begins in (_begins, _begins_a_word):
                found = [who.id for who in circle if begins(who, wanted)]
                if found:
                    return found
        return []


def is_down(who: Character) -> bool:
    """True if a character is down and does not act."""
    return any(who.has(condition) for condition in DOWN)


def _begins(who: Character, wanted: str) -> bool:
    """``wo`` for wolf-1, ``w3`` or ``wolf 3`` for wolf-3, ``gw3`` for goblin-warrior-3."""
    numbered = _NUMBERED.fullmatch(wanted)
    if numbered and who.id.endswith(f"-{numbered['number']}"):
        letters, parts = numbered["letters"].strip(), who.id.split("-")
        if who.id.startswith(letters) or letters == "".join(part[:1] for part in parts[:-1]):
            return True
    return who.id.startswith(wanted) or caseless(who.name).startswith(wanted)


def _begins_a_word(who: Character, wanted: str) -> bool:
    """``ho`` for sherlock-holmes."""
    return any(part.startswith(wanted) for part in re.split(r"[\s-]+", f"{who.id} {caseless(who.name)}"))


def among(known: Iterable[str], word: str) -> list[str]:
    """The known words that equal a word, else those that begin with it, else those with a part that does."""
    wanted, every = caseless(word), [each for each in dict.fromkeys(known) if each]
    tests: Sequence[Callable[[str], bool]] = (
        lambda each: each == wanted,
        lambda each: each.startswith(wanted),
        lambda each: any(part.startswith(wanted) for part in re.split(r"[\s-]+", each)),
    )
    for fits in tests:
        found = [each for each in every if fits(caseless(each))]
        if found:
            return found
    return []


def fitting(parameter: Parameter, actor: Character | None) -> list[str]:
    """The actor's own things, spells or the like that fit a parameter: all that they hold, if it does not say."""
    if actor is None:
        return []
    if parameter.fits is not None:
        return list(parameter.fits(actor))
    if parameter.want is ParameterType.GEAR:
        return [item for item, held in actor.gear.items() if held.count > 0]
    return []


def offered(parameter: Parameter, view: View, actor: Character | None) -> list[str]:
    """The values that may be typed for a parameter, as far as they can be listed: none for numbers and free text."""
    want = parameter.want
    if want in PEOPLE or parameter.names_people:
        return [who.id for who in view.characters() if who.present]
    if want is ParameterType.SEAT:
        return list(view.state.people)
    if want is ParameterType.GEAR or parameter.fits is not None:
        return list(dict.fromkeys(fitting(parameter, actor)))
    return [choice for choice in parameter.choices if choice]


def begun(parameter: Parameter, view: View, actor: Character | None, incomplete: str) -> list[str]:
    """The offers for a parameter that begin with ``incomplete``; if none do, the ruleset's own names that do."""
    before, comma, last = incomplete.rpartition(",") if parameter.want.is_list else ("", "", incomplete)
    wanted = caseless(last)
    known = (offered(parameter, view, actor), parameter.choices)
    found = ([word for word in words if word and caseless(word).startswith(wanted)] for words in known)
    return [f"{before}{comma}{word}" for word in next(filter(None, found), [])]


def view_of(
    campaign: CampaignView, words: Sequence[str], verb: type[Action] | None = None, *, seat: str | None = None
) -> View:
    """The view of the seat that a line names; the GM sees everything. ``seat`` says the line, if it names none."""
    state = campaign.state
    names = (
        ["--acting-seat"] if verb is not None and "seat" in parameters_by_option(verb) else ["--acting-seat", "--seat"]
    )
    for word, following in zip(words, (*words, "")[1:], strict=True):
        option, equals, value = word.partition("=")
        if len(option) > len("--") and any(name.startswith(option) for name in names):
            found = among(state.people, value if equals else following)
            if len(found) == 1:
                seat = found[0]
    return view_from(state, seat, side=campaign.session.rulebook.side)


def view_from(state: CampaignState, seat: str | None, *, side: SideOf = plain_side) -> View:
    """The view of a seat: everything for the GM, or if no seat is named."""
    sitting = state.seats.get(seat) if seat else None
    return View(state, "" if seat is None or (sitting is not None and sitting.role == GM) else seat, side)


def parameters_by_option(verb: type[Action]) -> dict[str, Parameter]:
    """The parameters that a person may give, by the name of the option."""
    return {parameter.option: parameter for parameter in user_parameters(verb)}


def actor_parameter(verb: type[Action]) -> Parameter | None:
    """The parameter that says who acts: the one that is declared so, else the first that names one character."""
    mine = user_parameters(verb)
    characters = (each for each in mine if each.want is ParameterType.CHARACTER)
    return next((each for each in mine if each.actor), None) or next(characters, None)


def sayable(verb: type[Action], view: View) -> dict[str, Parameter] | None:
    """The parameters that the seat may give, by option; no rulings for a player. None if the verb is the GM's."""
    if view.seat and is_the_gms(verb):
        return None
    return {each.option: each for each in user_parameters(verb) if not (view.seat and each.gm_only)}


def meanings(parameter: Parameter, word: str, view: View, actor: Character | None) -> list[str]:
    """The meanings that a word may have for a parameter, none if it has none."""
    want = parameter.want
    if want is ParameterType.CHARACTER:
        return view.named(word)
    if want is ParameterType.CHARACTERS:
        return people(word, view)
    if want is ParameterType.SEAT:
        return among(view.state.people, word)
    if want is ParameterType.CHOICE:
        return among(parameter.choices, word)
    if want is ParameterType.GEAR or parameter.fits is not None:
        return known_as(parameter, word, actor) or ([word] if want is ParameterType.TEXT else [])
    if want is ParameterType.DICE:
        return [word] if _AMOUNT.fullmatch(word) else []
    return [word] if want in _OPEN or _is_readable(parameter, word) else []


def known_as(parameter: Parameter, word: str, actor: Character | None) -> list[str]:
    """The actor's own values, or else the ruleset's names, that a word may mean."""
    if parameter.want is not ParameterType.GEAR and parameter.fits is None:
        return []
    own = among(fitting(parameter, actor), word) or among(parameter.choices, word)
    return own or (among(parameter.known(), word) if parameter.known is not None else [])


def people(word: str, view: View) -> list[str]:
    """``rob,gu`` with every name in full; several readings if a name is not clear, none if one is unknown.

    Raises NotFound for a party word that names nobody.
    """
    named = people_in_parts(word, view)
    if not named or not all(found for _, found in named):
        return []
    unclear = next((found for is_several, found in named if not is_several and len(found) > 1), None)
    return unclear or [",".join(party_words.without_repeats(named))]


def people_in_parts(word: str, view: View) -> list[tuple[bool, list[str]]]:
    """The parts of ``rob,foes``: the meanings of a name, or with True all whom a party word names. Raises NotFound."""
    parts = [part for part in word.split(",") if part.strip()]
    several = {part: view.several(part) for part in parts}
    return [(True, many) if (many := several[part]) else (False, _one_named(part, view)) for part in parts]


def _one_named(word: str, view: View) -> list[str]:
    return [word] if word == PARTY else view.named(word)


def _is_readable(parameter: Parameter, word: str) -> bool:
    try:
        parameter.read(word)
    except Refused:
        return False
    return True
