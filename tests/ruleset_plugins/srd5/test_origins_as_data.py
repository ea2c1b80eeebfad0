"""The numbers of species, backgrounds, feats and encounters that a rule only has to look up."""

from __future__ import annotations

import pytest

from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.catalogue.kinds import Trait
from rollbook.testing.scenarios import rule


def trait(origin: str) -> Trait:
    found = catalogue.trait_of(origin)
    assert found is not None, origin
    return found


# Species, backgrounds, feats.


@rule("R5.286", "R5.287", "R5.288", "R5.289", "R5.290", "R5.291", "R5.292", "R5.293", "R5.294", "R5.295")
def test_species_have_their_size_speed_and_traits() -> None:
    found = {key: (row.size, row.speed, len(row.traits)) for key, row in catalogue.species().items()}
    assert found == {
        "dragonborn": (("medium",), 30, 5),
        "dwarf": (("medium",), 30, 4),
        "elf": (("medium",), 30, 5),
        "gnome": (("small",), 30, 3),
        "goliath": (("medium",), 35, 3),
        "halfling": (("small",), 30, 4),
        "human": (("medium", "small"), 30, 3),
        "orc": (("medium",), 30, 3),
        "tiefling": (("medium", "small"), 30, 3),
    }


@rule("R5.287", "R5.288", "R5.289", "R5.290", "R5.294", "R5.295")
@pytest.mark.parametrize(
    ("key", "far"), [("dragonborn", 60), ("dwarf", 120), ("elf", 60), ("gnome", 60), ("orc", 120), ("tiefling", 60)]
)
def test_who_sees_in_the_dark(key: str, far: int) -> None:
    effect = trait(f"species:{key}:Darkvision").effects[0]
    assert isinstance(effect, kinds.Sense)
    assert (effect.sense, effect.feet) == ("darkvision", far)


@rule("R5.284", "R5.285")
def test_a_background_raises_three_abilities_and_brings_a_feat() -> None:
    found = {key: (row.abilities, row.feat, row.skills, row.gold) for key, row in catalogue.backgrounds().items()}
    assert found == {
        "acolyte": (("int", "wis", "cha"), "Magic Initiate", ("insight", "religion"), 8),
        "criminal": (("dex", "con", "int"), "Alert", ("sleight of hand", "stealth"), 16),
        "sage": (("con", "int", "wis"), "Magic Initiate", ("arcana", "history"), 8),
        "soldier": (("str", "dex", "con"), "Savage Attacker", ("athletics", "intimidation"), 14),
    }
    assert catalogue.creation().background_gold == 50


@rule("R5.296", "R5.297", "R5.298", "R5.299", "R5.300")
def test_feats_are_of_four_categories() -> None:
    found: dict[str, list[str]] = {}
    for row in catalogue.feats().values():
        found.setdefault(row.category, []).append(row.name)
    assert {category: len(names) for category, names in found.items()} == {
        "origin": 4,
        "general": 2,
        "fighting style": 4,
        "epic boon": 7,
    }
    assert {row.name for row in catalogue.feats().values() if row.repeatable} == {
        "Ability Score Improvement",
        "Magic Initiate",
        "Skilled",
    }
    assert {row.level for row in catalogue.feats().values() if row.category == "epic boon"} == {19}


@rule("R5.299")
def test_archery_adds_two_to_attacks_at_range() -> None:
    effect = trait("feat:archery:Archery").effects[0]
    assert isinstance(effect, kinds.Bonus)
    assert (effect.to, effect.by) == (("attack ranged weapon",), "2")


# Encounters.


@rule("R5.319")
@pytest.mark.parametrize(
    ("level", "low", "moderate", "high"),
    [(1, 50, 75, 100), (3, 150, 225, 400), (10, 1600, 2300, 3100), (15, 3300, 5400, 7800), (20, 6400, 13200, 22000)],
)
def test_an_encounter_has_a_budget(level: int, low: int, moderate: int, high: int) -> None:
    assert catalogue.advancement()[str(level)].budget == {"low": low, "moderate": moderate, "high": high}
