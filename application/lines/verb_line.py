"""Lines that a person types at the table, one verb each, read as a verb with its parameters.

``attack robin guard longbow --distance 40 --seat mira ! 14 4``: first whatever the verb needs, then options by name,
then after a ``!`` the faces of real dice. Quotation marks hold words together, and a ``#`` by itself begins a comment.
For words that are left over see ``leftover_words``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from rollbook.application.lines import leftover_words, party_words
from rollbook.application.lines.spoken_words import split_spoken
from rollbook.domain.base.errors import Refused, RollbookError, not_found
from rollbook.domain.base.letters import caseless
from rollbook.domain.base.records import Record
from rollbook.domain.dice.physical import parse_faces
from rollbook.domain.events import ParameterValue, Scalar
from rollbook.domain.rules.action import Action, is_the_gms, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import MINUS, Parameter
from rollbook.domain.rules.sheet_rulings import Adjustment
from rollbook.domain.rules.sides import plain_side
from rollbook.domain.rules.value_checks import check_value
from rollbook.domain.state.lookup import find_character, one_only

if TYPE_CHECKING:
    from rollbook.application.lines.party_words import SideOf
    from rollbook.domain.state.campaign_state import CampaignState

DICE_MARK, COMMENT = "!", "#"
MANY = 12
"""Most choices that are listed; of more only the nearest are."""

REASON = "reason"
"""The parameter of a verb that needs its reason: --why says it as well."""

PARTY = "party"
"""Every player character, where a verb knows the word."""

COMMON = {
    "seat": "who takes the action (default: the GM)",
    "acting-seat": "the same, for verbs that have a --seat of their own",
    "dice": "faces of real dice, as in 14,4, or after a ! at the end: in the order in which the rules ask for them, a d20 before "
    "what it does; where one is missing, the answer says whose it is, what for, and which follow",
    "secret": "keep the action and its dice to the GM",
    "why": "a reason, kept with the action",
}
"""The options that every verb has."""

_WORD = re.compile(
    r"""(?P<key>[\w-]+=)?(?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>[^']*)'|“(?P<curly>[^”]*)”)(?=\s|$)|(?P<bare>\S+)"""
)

_GLUED_DICE = re.compile(rf"{DICE_MARK}\d[\d,]*")
"""The mark of dice with the first face right after it: ``!14 4``."""
PEOPLE = (ParameterType.CHARACTER, ParameterType.CHARACTERS)
_ADJUSTED = r"(?P<who>\S+)\s+(?P<what>\S(?:.*\S)?)\s*=\s*(?P<by>[+\-\u2212]?[0-9]{1,12})"


class LineError(RollbookError):
    """A line that is not written as its verb requires."""

    def __init__(self, message: str, *, parameter: str = "") -> None:
        super().__init__(message)
        self.parameter = parameter


@attrs.frozen(kw_only=True)
class ParsedLine(Record):
    """A line taken apart: the texts for the verb's parameters, and the options of every verb."""

    given: Mapping[str, str]
    seat: str | None = None
    dice: tuple[int, ...] | None = None
    secret: bool = False
    why: str = ""


def split_words(line: str) -> list[str]:
    """The words of a line, without its comment. Raises LineError for a quotation mark that is never closed."""
    found = []
    for match in _WORD.finditer(line):
        bare = match["bare"]
        if bare == COMMENT:
            break
        if bare is None:
            held = next(text for text in (match["double"], match["single"], match["curly"]) if text is not None)
            found.append((match["key"] or "") + re.sub(r"\\(.)", r"\1", held))
        elif _GLUED_DICE.fullmatch(bare):
            found += (DICE_MARK, bare[1:])
        elif bare[0] in '"“':
            raise LineError(f"The quotation mark before {bare[1:] or 'the end'} is never closed.")
        else:
            found.append(bare)
    return found


def split_dice(said: Sequence[str]) -> tuple[list[str], tuple[int, ...] | None]:
    """The words before a ``!``, and the faces after it (None without one). Raises DiceError for what is not a face."""
    if DICE_MARK not in said:
        return list(said), None
    at = list(said).index(DICE_MARK)
    return list(said[:at]), parse_faces(" ".join(said[at + 1 :]))


def said_of_several(verb: type[Action]) -> Parameter | None:
    """The parameter of a GM's verb that may list several characters: each of them gets an action of their own.

    None for verbs that name no character, that name several anyway, or that have a player's actor.
    """
    people = [each for each in user_parameters(verb) if each.required and each.want in PEOPLE]
    is_one = len(people) == 1 and people[0].want is ParameterType.CHARACTER
    return people[0] if is_one and is_the_gms(verb) else None


def known_names(verb: type[Action]) -> tuple[str, ...]:
    """The names of the parameters that a person gives."""
    return tuple(parameter.name for parameter in user_parameters(verb))


def parameter_called(verb: type[Action], name: str) -> str:
    """The parameter that a name or a clear beginning of it means, the required before others; "" for none."""
    if name in known_names(verb):
        return name
    begun = [each for each in user_parameters(verb) if each.name.startswith(name)]
    found = [each.name for each in begun if each.required] or [each.name for each in begun]
    return found[0] if len(found) == 1 else ""


def parse(verb: type[Action], said: Sequence[str]) -> ParsedLine:
    """The words after a verb. Raises LineError, with how the verb is written."""
    before, dice = split_dice(said)
    own = {parameter.option: parameter for parameter in user_parameters(verb)}
    given: dict[str, str] = {}
    common: dict[str, str] = {}
    loose: list[str] = []
    left = iter(before)
    for word in left:
        if word == "--":
            loose.extend(left)
        elif word.startswith("--"):
            name, value = _option(verb, own, word[2:], left)
            (given if name in own else common)[own[name].name if name in own else name] = value
        else:
            loose.append(word)
    loose, said_so = split_spoken(user_parameters(verb), given, loose)
    given.update(said_so)
    _place(verb, given, common, loose)
    if "dice" in common:
        if dice is not None:
            raise LineError("The dice are typed twice, with --dice and after the !. Type them once.")
        dice = parse_faces(common["dice"])
    seat = common.get("acting-seat", common.get("seat"))
    return ParsedLine(given=given, seat=seat, dice=dice, secret="secret" in common, why=common.get("why", ""))


def _option(verb: type[Action], own: Mapping[str, Parameter], typed: str, left: Iterator[str]) -> tuple[str, str]:
    """The name of an option and its value, which may be the next of the words that are ``left``."""
    name, joined, value = typed.partition("=")
    known = (*own, *COMMON)
    begun = [each for each in known if each.startswith(name)]
    name = begun[0] if len(begun) == 1 and name else name
    if name not in known:
        raise LineError(f"{not_found(f'option of {verb.verb}', name, known)} {_usage(verb)}")
    is_flag = own[name].want is ParameterType.FLAG if name in own else name == "secret"
    if not joined:
        value = "yes" if is_flag else next(left, "--")
    if value.startswith("--"):
        needs = f"--{name} needs a value after it. {_usage(verb)}"
        raise LineError(needs, parameter=own[name].name if name in own else "")
    return name, value


def _place(verb: type[Action], given: dict[str, str], common: dict[str, str], loose: list[str]) -> None:
    """Words without a name go to the parameters that are needed, in their order, and then where else they belong.

    Raises LineError with the first that belongs nowhere, or for what is missing.
    """
    mine = user_parameters(verb)
    needed = [parameter for parameter in mine if parameter.required]
    for parameter in needed:
        if parameter.name not in given and loose:
            given[parameter.name] = _next(verb, parameter, loose)
    left = leftover_words.place(mine, given, loose) if loose else []
    if left:
        raise no_place(verb, left, leftover_words.how_else(mine, given, left))
    missing = [parameter.name for parameter in needed if parameter.name not in given]
    if REASON in missing and "why" in common:
        given[REASON] = common.pop("why")
        missing.remove(REASON)
    if missing and verb.pattern not in given:
        raise LineError(f"{verb.verb} also needs: {', '.join(missing)}. {_usage(verb)}", parameter=missing[0])


def _next(verb: type[Action], parameter: Parameter, loose: list[str]) -> str:
    """The next word; of a list, all that have commas between them."""
    word = loose.pop(0)
    is_list = parameter.want.is_list or parameter is said_of_several(verb)
    while is_list and word.endswith(",") and loose:
        word += loose.pop(0)
    return word


def no_place(verb: type[Action], words: Sequence[str], how: str) -> LineError:
    """The error for words that belong nowhere; ``how`` says in which way they could be said."""
    return LineError(f"{verb.verb} has no place for {' '.join(words)!r}.{how} {_usage(verb)}")


def _usage(verb: type[Action]) -> str:
    return f"It is written: {usage_line(verb)}"


def usage_line(verb: type[Action]) -> str:
    """The usage of a verb, without the options: ``attack ATTACKER TARGET WEAPON [...]``."""
    mine = user_parameters(verb)
    needed = [parameter.name.upper() for parameter in mine if parameter.required]
    more = ["[...]"] if len(needed) < len(mine) else []
    return " ".join((verb.verb, *needed, *more))


def read_parameters(
    verb: type[Action],
    given: Mapping[str, str],
    state: CampaignState,
    *,
    known_only: bool = False,
    side: SideOf = plain_side,
) -> dict[str, ParameterValue]:
    """The given values, read: characters and seats by any name that is clear; ``known_only`` as in ``find_character``.

    ``side`` says who the foes are, where a list names them so.

    Raises LineError, and NotFound also for a parameter that the verb does not have.
    """
    known = {parameter.name: parameter for parameter in user_parameters(verb)}
    for name in given:
        if name not in known:
            raise not_found(f"parameter of {verb.verb}", name, known)
    found = {}
    for name, text in given.items():
        meant = known[name].several if "," in text else ""
        if meant:
            found[meant] = read_value(known[meant], text, state, known_only=known_only, side=side)
        if not meant or known[name].required:
            first = text.partition(",")[0] if meant else text
            found[name] = read_value(known[name], first, state, known_only=known_only, side=side)
    return found


def read_value(
    parameter: Parameter, text: str, state: CampaignState, *, known_only: bool = False, side: SideOf = plain_side
) -> ParameterValue:
    """Read one value. Raises LineError if it is invalid, NotFound for an unknown character; both name the parameter."""
    try:
        return _read_value(parameter, text, state, known_only=known_only, side=side)
    except Refused as reason:
        raise LineError(str(reason), parameter=parameter.name) from None
    except RollbookError as reason:
        reason.about(parameter.name)
        raise


def _read_value(
    parameter: Parameter, text: str, state: CampaignState, *, known_only: bool, side: SideOf
) -> ParameterValue:
    if parameter.want is ParameterType.CHOICE and text:
        text = _choice(parameter, text)
    value = parameter.read(text)
    check_value(parameter, value)
    if parameter.want is ParameterType.CHARACTER and isinstance(value, str) and value:
        if party_words.is_meant(value, state, known_only=known_only):
            raise LineError(one_only(value))
        return find_character(state, value, known_only=known_only)
    if parameter.names_people and isinstance(value, Mapping):
        return _by_character(parameter, value, state, known_only=known_only, side=side)
    if parameter.want is ParameterType.CHARACTERS and isinstance(value, tuple):
        return tuple(listed_people(map(str, value), state, known_only=known_only, side=side))
    if parameter.want is ParameterType.SEAT and isinstance(value, str):
        return find_seat(state, value)
    return value


def listed_people(names: Iterable[str], state: CampaignState, *, known_only: bool, side: SideOf) -> list[str]:
    """The ids that a list names: characters one by one, and several by a party word. ``party`` is for the verb to read."""

    def meant(name: str) -> tuple[bool, Sequence[str]]:
        if name == PARTY:
            return False, (name,)
        if party_words.is_meant(name, state, known_only=known_only):
            return True, party_words.people_meant(name, state, known_only=known_only, side=side)
        return False, (find_character(state, name, known_only=known_only),)

    return party_words.without_repeats([meant(name) for name in names])


def _by_character(
    parameter: Parameter, said: Mapping[str, Scalar], state: CampaignState, *, known_only: bool, side: SideOf
) -> Mapping[str, Scalar]:
    """A mapping by the ids of the characters whom it names. Raises LineError for one who is named twice."""
    found: dict[str, Scalar] = {}
    for name, value in said.items():
        for who in listed_people((name,), state, known_only=known_only, side=side):
            if who in found:
                raise LineError(f"{parameter.option} names {who} twice.", parameter=parameter.name)
            found[who] = value
    return found


def _choice(parameter: Parameter, text: str) -> str:
    """A choice by an unmistakable part of it: ``robin`` for ``robin-hood``. Raises LineError with what there is."""
    wanted = text.casefold()
    known = [choice for choice in parameter.choices if choice]
    for fits in (str.__eq__, str.startswith, str.__contains__):
        found = [choice for choice in known if fits(choice.casefold(), wanted)]
        if len(found) == 1:
            return found[0]
    if len(known) > MANY:
        raise LineError(str(not_found(parameter.name, text, known)))
    raise LineError(f"{parameter.name} is one of {', '.join(known)}, not {text!r}.")


def is_players(state: CampaignState, seat: str | None) -> bool:
    """True if a seat, by any spelling of its name, cannot see hidden characters."""
    return bool(seat) and not state.is_gm(find_seat(state, seat or ""))


def find_seat(state: CampaignState, name: str) -> str:
    """A seat's name in its own spelling; what is not a seat stays as it was typed."""
    wanted = caseless(name)
    exact = (seat for seat in state.seats if caseless(seat) == wanted)
    called = (seat.name for seat in state.seats.values() if seat.called and caseless(seat.called) == wanted)
    return next(exact, "") or next(called, "") or name


def pairs(said: Sequence[str]) -> dict[str, str]:
    """``key=value`` words. Raises LineError for one that is not."""
    found = {}
    for word in said:
        key, sign, value = word.partition("=")
        if not sign or not key:
            raise LineError(f"{word!r} is not written key=value.")
        found[key.strip().replace("-", "_")] = value
    return found


def read_adjustment(said: str, find: Callable[[str], str]) -> Adjustment:
    """Read ``robin hp=+3``: a character, a number of the sheet, and the change. Raises LineError for any other form.

    ``find`` gives the id of a named character.
    """
    found = re.fullmatch(_ADJUSTED, said.strip())
    if found is None:
        raise LineError(f"{said!r} is not written WHO WHAT=+N, for example: robin hp=+3, or robin pool:tokens=-1")
    by = int(found["by"].replace(MINUS, "-"))
    if not by:
        raise LineError(f"{said!r} changes nothing. Say by how much, as in {found['who']} {found['what']}=+3.")
    return Adjustment(who=find(found["who"]), what=found["what"], by=by)
