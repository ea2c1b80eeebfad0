"""What each heritage adds to armour class, speed and sight, in numbers that stand here and nowhere else."""

from __future__ import annotations

import pytest

from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.heritages import HERITAGES
from rollbook.testing.scenarios import rule

NUMBERS = {
    "android": (12, 40, "60 ft"),
    "animal": (12, 45, ""),
    "cyborg": (12, 40, "60 ft"),
    "demigod": (10, 40, ""),
    "dwarf": (10, 40, "60 ft"),
    "elf": (10, 40, "60 ft"),
    "faerie": (10, 50, ""),
    "goblin": (12, 40, ""),
    "halfling": (12, 40, ""),
    "human": (10, 40, ""),
    "mutant": (10, 40, ""),
    "orc": (10, 40, "60 ft"),
    "spirit": (10, 40, ""),
    "superhuman": (10, 40, ""),
    "troll": (10, 40, ""),
    "werebeast": (12, 40, ""),
    "vampire": (10, 40, "60 ft"),
}
"""Armour class and feet a round, unarmoured and with average abilities, and how far each sees in the dark."""


@rule(*(f"R0.{number}" for number in range(141, 158)), "Q0.63")
@pytest.mark.parametrize("heritage", NUMBERS)
def test_birth_changes_the_numbers_of_the_sheet(nobody, heritage: str) -> None:
    armour_class, speed, sight = NUMBERS[heritage]
    born = Join(name="Zed", id="zed", kind="npc", heritage=heritage, hp=9)
    sheet = nobody().given(born).sheet("zed")
    words = dict(sheet.words)["Heritage"].lower()
    assert (sheet.amount("ac"), sheet.amount("speed")) == (armour_class, speed)
    assert (f"sees {sight} in the dark" in words) if sight else "in the dark" not in words


def test_these_are_all_the_heritages() -> None:
    assert set(NUMBERS) == set(HERITAGES)
