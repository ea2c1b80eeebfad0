"""Parameters and house rules of one game in the words of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import Intent
from rollbook.domain.events import (
    CharacterCrossed,
    CharacterHidden,
    CharacterJoined,
    Event,
    ExperienceAwarded,
    GearGained,
    ParameterValue,
    RulesetAdopted,
    Scalar,
    SheetSetAside,
)
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.crossing import Crossing
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.ruleset import Ruleset, read_settings, settings_fields
from rollbook.domain.state.campaign_state import CampaignState, Character


def mapped_parameters(
    said: Mapping[str, ParameterValue], known: Mapping[str, Parameter], then: Mapping[str, Parameter]
) -> tuple[dict[str, ParameterValue], dict[str, ParameterValue]]:
    """Parameters by their names here, and those without a counterpart here: unknown, or of another meaning.

    One ``target`` may be one of several ``targets``. The one word that is required here and the one that was required
    ``then`` are the same question: which ability, which skill.
    """
    params: dict[str, ParameterValue] = {}
    left: dict[str, ParameterValue] = {}
    for name, value in said.items():
        if name in known and _says_nothing(known[name], value):
            continue
        if name in known and not known[name].required and not _fits(known[name], value):
            left[name] = value
            continue
        several, one = known.get(f"{name}s"), known.get(name.removesuffix("s"))
        if name in known:
            params[name] = value
        elif several is not None and several.want.is_list and isinstance(value, str) and value:
            params[several.name] = (value,)
        elif one is not None and not one.want.is_list and isinstance(value, tuple) and len(value) == 1:
            params[one.name] = value[0]
        else:
            left[name] = value
    needed = [name for name, each in known.items() if each.required and name not in params and each.want in WORDS]
    given = [name for name in left if name in then and then[name].required and then[name].want in WORDS]
    if len(needed) == len(given) == 1:
        params[needed[0]] = left.pop(given[0])
    return params, left


WORDS = (ParameterType.CHOICE, ParameterType.TEXT)


def _says_nothing(parameter: Parameter, value: ParameterValue) -> bool:
    """True for an empty word where this game has a usual one: ``cover=""`` of a game in which that is no cover."""
    is_usual = parameter.want is ParameterType.CHOICE and parameter.default and "" not in parameter.choices
    return bool(is_usual) and value == ""


def _fits(parameter: Parameter, value: ParameterValue) -> bool:
    try:
        parameter.check(value)
    except Refused:
        return False
    return True


def recorded(game: Ruleset, settings: ParameterValue | None) -> dict[str, Scalar]:
    """House rules as an intent has them, those that the installed version still knows."""
    known = {field.name for field in settings_fields(game)}
    said = settings if isinstance(settings, Mapping) else {}
    return read_settings(game, {name: value for name, value in said.items() if name in known})


class Things:
    """The things of one actor, by canon's game ``before`` the action and by the game ``here``."""

    def __init__(self, rulebook: Rulebook, before: CampaignState, here: CampaignState, actor: CharacterId) -> None:
        self._states = before, here
        self._doors = tuple(game.crossing if game else None for game in map(rulebook.ruleset_of, (before, here)))
        self._actors = before.characters.get(actor), here.characters.get(actor)

    def mapped(self, params: Mapping[str, ParameterValue], known: Mapping[str, Parameter]) -> dict[str, ParameterValue]:
        """The parameters with things by their names here; a required one that canon did not name is the nearest."""
        found = dict(params)
        for name, parameter in known.items():
            if parameter.want is not ParameterType.GEAR:
                continue
            said = params.get(name, "")
            word = self._word(str(said), parameter) if said else self._usual(parameter)
            if word or not parameter.required:
                found[name] = word
            else:
                found.pop(name, None)
        return found

    def without_weapons(
        self, left: Mapping[str, ParameterValue], then: Mapping[str, Parameter]
    ) -> dict[str, ParameterValue]:
        """The parameters that have no place here, without the weapon: where none is named, the game itself says what strikes."""
        return {
            name: value
            for name, value in left.items()
            if name not in then or then[name].want is not ParameterType.GEAR or not self._meaning(str(value))
        }

    def _word(self, said: str, parameter: Parameter) -> str:
        """A thing here: the same if it is valid, else one held with its meaning, else the word for that meaning."""
        door, who = self._doors[1], self._actors[1]
        if door is None or who is None:
            return said
        fitting = tuple(parameter.fits(who)) if parameter.fits else tuple(who.gear)
        if said in fitting or (said in parameter.choices and said in door.weapon_words):
            return said
        meaning = self._meaning(said)
        held = door.describe(who, self._states[1]).weapons
        alike = (item for item, means in held.items() if means == meaning and item in fitting)
        if found := next(alike, ""):
            return found
        word = door.weapons.get(meaning, "")
        return word if word in (*fitting, *parameter.choices) else (said if parameter.required else "")

    def _usual(self, parameter: Parameter) -> str:
        who = self._actors[1]
        return next(iter(parameter.fits(who)), "") if parameter.required and parameter.fits and who else ""

    def _meaning(self, said: str) -> str:
        door, who = self._doors[0], self._actors[0]
        return _meaning(door, who, self._states[0], said) if door else ""


def _meaning(door: Crossing, who: Character | None, state: CampaignState, said: str) -> str:
    held = door.describe(who, state).weapons if who else {}
    return held.get(said) or door.weapon_words.get(said, "")


NOT_TAKEN = (RulesetAdopted, SheetSetAside, CharacterCrossed)


def arrivals(
    rulebook: Rulebook, after: CampaignState, events: tuple[Event, ...], here: CampaignState
) -> tuple[Event, ...]:
    """The events with which characters who joined in ``events`` on canon come in ``here``; none if they cannot.

    ``after`` is canon after the action. All that every game understands comes along: their identity, their things and
    what they have learned. The rest is as if they crossed from canon's game to this one.
    """
    joined = [
        event for event in events if isinstance(event, CharacterJoined) and event.character not in here.characters
    ]
    if not joined or not here.ruleset or after.ruleset == here.ruleset:
        return ()
    names = dict.fromkeys(event.character for event in joined)
    alone = attrs.evolve(
        after,
        characters={name: who for name, who in after.characters.items() if name in names},
        encounter=None,
        seats=here.seats,
        former={},
    )
    params: dict[str, ParameterValue] = {
        "ruleset": here.ruleset,
        "settings": here.settings,
        "version": here.version,
        "by_level": True,
    }
    try:
        crossed = rulebook.play(alone, Intent(verb=Adopt.verb, params=params), NoDice()).events
    except RollbookError:
        return ()
    met = [event for name in names for event in _known_to_all(alone, name)]
    hidden = [event for event in events if isinstance(event, CharacterHidden) and event.character in names]
    return (*joined, *hidden, *met, *(event for event in crossed if not isinstance(event, NOT_TAKEN)))


def _known_to_all(campaign: CampaignState, name: str) -> Iterator[Event]:
    who = campaign.characters[name]
    for item, gear in who.gear.items():
        if gear.count > 0:
            yield GearGained(character=name, item=item, count=gear.count)
    if who.experience:
        yield ExperienceAwarded(character=name, amount=who.experience)
