"""Sides are what the GM has set, or else player characters and hirelings against monsters."""

from __future__ import annotations

import pytest

from rollbook.domain.rules.table import Table
from rollbook.kit import sides
from rollbook.plugin import Character, CharacterKind, Refused, events
from tests.support.bare_table import recorded_events, table_after

KINDS = {
    "kara": CharacterKind.PLAYER_CHARACTER,
    "hob": CharacterKind.HIRELING,
    "ogre": CharacterKind.MONSTER,
    "orc": CharacterKind.MONSTER,
    "bard": CharacterKind.NPC,
}


def table(*sided: tuple[str, str]) -> Table:
    joined = [events.CharacterJoined(character=name, name=name.title(), kind=kind) for name, kind in KINDS.items()]
    set_by_gm = [events.TraitGained(character=name, trait=side, kind=sides.SIDE) for name, side in sided]
    return table_after((*joined, *set_by_gm))


def everybody(*sided: tuple[str, str]) -> list[Character]:
    return [table(*sided).character(name) for name in KINDS]


def test_player_characters_and_hirelings_fight_monsters_unless_a_side_is_set() -> None:
    assert [sides.side_of(each) for each in everybody()] == ["party", "party", "foes", "foes", "neither"]
    changed = everybody(("ogre", "party"), ("bard", "foes"), ("kara", "neither"))
    assert [sides.side_of(each) for each in changed] == ["neither", "party", "party", "foes", "foes"]


def test_the_side_that_was_set_last_holds_and_other_words_are_none() -> None:
    ogre = table(("ogre", "party"), ("ogre", "foes"), ("ogre", "sulking")).character("ogre")
    assert sides.side_of(ogre) == "foes"


@pytest.mark.parametrize("sided", [(), (("ogre", "party"),), (("bard", "party"), ("kara", "foes"))])
def test_enemies_and_allies_are_mutual_and_nobody_is_both_or_an_ally_of_oneself(
    sided: tuple[tuple[str, str], ...],
) -> None:
    for one in everybody(*sided):
        assert not sides.are_allies(one, one)
        for other in everybody(*sided):
            assert sides.are_enemies(one, other) == sides.are_enemies(other, one)
            assert sides.are_allies(one, other) == sides.are_allies(other, one)
            assert not (sides.are_allies(one, other) and sides.are_enemies(one, other))


def test_those_of_neither_side_have_no_enemies_and_no_allies() -> None:
    bard = table().character("bard")
    assert not any(sides.are_enemies(bard, each) or sides.are_allies(bard, each) for each in everybody())


def test_a_side_takes_the_place_of_the_one_before() -> None:
    scene = table(("ogre", "party"))
    sides.take(scene, "ogre", "neither")
    assert recorded_events(scene) == (
        events.TraitLost(character="ogre", trait="party", kind="side"),
        events.TraitGained(character="ogre", trait="neither", kind="side"),
    )


def test_the_verb_refuses_the_side_that_somebody_is_on() -> None:
    scene = table()
    sides.Side(who="ogre", side="party").resolve(scene)  # type: ignore[call-arg]
    assert sides.side_of(scene.character("ogre")) == "party"
    with pytest.raises(Refused, match="Ogre already sides with the party."):
        sides.Side(who="ogre", side="party").resolve(scene)  # type: ignore[call-arg]
