"""The 106 spells of the two lists, each by its name, and no others."""

from __future__ import annotations

import pytest

from rollbook.rulesets.storytoken.magic.spells import NAMES, SPELLS
from rollbook.testing.scenarios import rule

LISTS = {
    ("divine", 1): """
        Cure/Cause Light Wounds; Detect Evil; Detect Magic; Light/Darkness; Protection from Evil; Purify
        Food and Water; Remove/Cause Fear; Resist Cold
    """,
    ("divine", 2): """
        Bless/Blight; Find Traps; Know Alignment; Hold Person; Resist Fire; Silence 15-Foot Radius; Snake
        Charm; Speak with Animal
    """,
    ("divine", 3): """
        Continual Light/Darkness; Cure/Cause Disease; Growth of Animals; Locate Object; Remove/Cause Curse;
        Striking
    """,
    ("divine", 4): """
        Create Water; Cure/Cause Serious Wounds; Neutralize Poison; Protection/Evil 10-Foot Radius;
        Speak with Plants; Sticks to Snakes
    """,
    (
        "divine",
        5,
    ): """Commune; Create Food; Dispel Evil; Insect Plague; Quest/Remove Quest; Raise Dead/Finger of Death""",
    ("arcane", 1): """
        Charm Person; Detect Magic; Floating Disc; Hold Portal; Light/Darkness; Magic Missile; Protection
        from Evil; Read Languages; Read Magic; Shield; Sleep; Ventriloquism
    """,
    ("arcane", 2): """
        Continual Light/Darkness; Detect Evil; Detect Invisible; ESP; Invisibility; Knock; Levitate; Locate
        Object; Mirror Image; Phantasmal Force; Web; Wizard Lock
    """,
    ("arcane", 3): """
        Clairvoyance; Dispel Magic; Fire Ball; Fly; Haste; Hold Person; Infravision; Invisibility 10-Foot
        Radius; Lightning Bolt; Protection/Evil 10-Foot Radius; Protection/Normal Missiles; Water
        Breathing
    """,
    ("arcane", 4): """
        Charm Monster; Confusion; Dimension Door; Growth of Plants; Hallucinatory Terrain; Massmorph;
        Polymorph Others; Polymorph Self; Remove/Cause Curse; Wall of Fire; Wall of Ice; Wizard Eye
    """,
    ("arcane", 5): """
        Animate Dead; Cloudkill; Conjure Elemental; Contact Higher Plane; Feeblemind; Hold Monster; Magic
        Jar; Pass-Wall; Telekinesis; Teleport; Transmute Rock to Mud/Mud to Rock; Wall of Stone
    """,
    ("arcane", 6): """
        Anti-Magic Shell; Control Weather; Death Spell; Disintegrate; Geas/Remove Geas; Invisible Stalker;
        Lower Water; Move Earth; Part Water; Projected Image; Reincarnation; Stone to Flesh/Flesh to Stone
    """,
}


def names(tradition: str, level: int) -> list[str]:
    return [" ".join(name.split()) for name in LISTS[tradition, level].split(";")]


@rule(*(f"R0.{number}" for number in range(180, 191)))
@pytest.mark.parametrize(("tradition", "level"), LISTS)
def test_each_list_has_these_spells(tradition: str, level: int) -> None:
    found = [spell.title for spell in SPELLS.values() if (spell.tradition, spell.level) == (tradition, level)]
    assert found == names(tradition, level)


def test_these_are_all_the_lists() -> None:
    assert sum(len(names(*each)) for each in LISTS) == len(SPELLS) == 106


@rule("Q0.66")
def test_a_spell_that_is_printed_in_short_is_called_by_its_whole_name_on_either_side() -> None:
    whole = {"cure-light-wounds", "cause-light-wounds", "continual-light", "continual-darkness", "remove-quest"}
    whole |= {"protection-from-evil-10-foot-radius", "protection-from-normal-missiles"}
    assert whole <= set(NAMES)
