"""From a player's seat an attack is with a weapon that is held, or with bare hands: in every game that names weapons."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.domain.base.errors import Refused
from rollbook.domain.events import (
    CharacterJoined,
    CharacterKind,
    Event,
    GearGained,
    Role,
    SeatTaken,
    StatChanged,
    TraitGained,
)
from rollbook.domain.rules.action import Action, build, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.playing import check_taken_by
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import fold

RULESETS = discover().rulesets
SEATS = (SeatTaken(seat="Ana", role=Role.GM, number=0), SeatTaken(seat="mira", role=Role.PLAYER, number=1))
RO = CharacterJoined(character="ro", name="Ro", seat="mira")
FOE = CharacterJoined(character="foe", name="Foe")
BARE = {"luckpoint": ("unarmed", "fist", "kick"), "russell": ("unarmed",), "storytoken": ("unarmed",)}
"""What everybody has to strike with, by game."""

NEVER = {"luckpoint": ("rocket", "explosion", "extra-heavy"), "russell": ("natural", "torch"), "storytoken": ("bite",)}
"""What nobody has who does not hold it or was not born with it."""


def weapon_of(verb: type[Action]) -> Parameter | None:
    """The parameter of a verb that names a thing of the game's own list to do it with."""
    found = (each for each in parameters(verb) if each.want is ParameterType.GEAR and each.choices and not verb.gm_only)
    return next(found, None)


def strikes() -> Iterator[tuple[str, type[Action], Parameter]]:
    for key in sorted(RULESETS):
        for verb in RULESETS[key].actions:
            if (parameter := weapon_of(verb)) is not None:
                yield key, verb, parameter


STRIKES = [pytest.param(*each, id=f"{each[0]} {each[1].verb}") for each in strikes()]


def campaign(*more: Event) -> CampaignState:
    return fold(EMPTY, (*SEATS, RO, FOE, *more))


def armed(game: str) -> CampaignState:
    kind = "medium-melee" if game != "russell" else "melee"
    return campaign(GearGained(character="ro", item="Old Sword", use=("weapon", kind)))


def take(state: CampaignState, seat: str, verb: type[Action], parameter: Parameter, weapon: str) -> None:
    people = {each.name: "ro" if each.actor else "foe" for each in parameters(verb) if each.required}
    check_taken_by(state, seat, build(verb, {**people, parameter.name: weapon}))


def test_the_games_that_have_lists_of_weapons_are_walked() -> None:
    assert {each.values[0] for each in STRIKES} >= set(BARE)


@pytest.mark.parametrize(("game", "verb", "parameter"), STRIKES)
def test_a_player_who_holds_a_weapon_strikes_with_no_class_of_weapons(
    game: str, verb: type[Action], parameter: Parameter
) -> None:
    state = armed(game)
    for weapon in filter(None, parameter.choices):
        if weapon in BARE[game]:
            take(state, "mira", verb, parameter, weapon)
        else:
            with pytest.raises(Refused, match="Ro holds no .* but has: Old Sword"):
                take(state, "mira", verb, parameter, weapon.title())
        take(state, "Ana", verb, parameter, weapon)
    take(state, "mira", verb, parameter, "old sword")


@pytest.mark.parametrize(("game", "verb", "parameter"), STRIKES)
def test_a_class_is_for_a_sheet_without_any_weapon_unless_nobody_has_it_unheld(
    game: str, verb: type[Action], parameter: Parameter
) -> None:
    for weapon in filter(None, parameter.choices):
        if weapon in NEVER[game]:
            with pytest.raises(Refused, match="Ro holds no"):
                take(campaign(), "mira", verb, parameter, weapon)
        else:
            take(campaign(), "mira", verb, parameter, weapon)
        take(campaign(), "Ana", verb, parameter, weapon)


def test_claws_and_teeth_are_for_those_who_were_born_with_them() -> None:
    for game, born, weapon in (
        ("russell", StatChanged(character="ro", stat="hit_dice", amount=2), "natural"),
        ("storytoken", TraitGained(character="ro", trait="vampire", kind="heritage"), "bite"),
    ):
        verb = RULESETS[game].verb("attack")
        assert verb is not None
        parameter = weapon_of(verb)
        assert parameter is not None
        take(campaign(born), "mira", verb, parameter, weapon)


def lines(game: str, *more: Event) -> set[str]:
    """The keys of what is added to attacks, as the sheet has them."""
    state = fold(campaign(*more), ())
    sheet = RULESETS[game].sheet(state.characters["ro"], state)
    return {value.key for value in sheet.values if value.key.startswith("to_hit:")}


def test_an_animal_keeps_its_own_lines_whatever_it_carries() -> None:
    stick = GearGained(character="ro", item="stick", use=("weapon", "medium-melee"))
    animal = TraitGained(character="ro", trait="animal", kind="heritage")
    assert lines("storytoken", animal, stick) == {"to_hit:unarmed"}
    bone = GearGained(character="ro", item="bone", use=("weapon", "melee"))
    hound = (
        CharacterJoined(character="ro", name="Hound", kind=CharacterKind.MONSTER),
        StatChanged(character="ro", stat="hit_dice", amount=2),
    )
    assert lines("russell", *hound, bone) == {"to_hit:bone", "to_hit:teeth and claws"}
