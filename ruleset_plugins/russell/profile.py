"""The profile of monsters and NPCs: Mv, WS, SS, Att, HD, AC, I, Sv and Mrl as numbers on their sheet (R3.96)."""

from __future__ import annotations

from ruleset_plugins import Character

MOVEMENT = "movement"
WEAPON_SKILL = "weapon_skill"
SHOOTING_SKILL = "shooting_skill"
ATTACKS = "attacks"
HIT_DICE = "hit_dice"
ARMOUR_CLASS = "armour_class"
INITIATIVE = "initiative"
SAVE = "save"
MORALE = "morale"
"""The names of those numbers among a character's stats."""

PRINTED = {
    MOVEMENT: "Mv",
    WEAPON_SKILL: "WS",
    SHOOTING_SKILL: "SS",
    ATTACKS: "Att",
    HIT_DICE: "HD",
    ARMOUR_CLASS: "AC",
    INITIATIVE: "I",
    SAVE: "Sv",
    MORALE: "Mrl",
}
"""How a stat line abbreviates them."""


def has_profile(who: Character) -> bool:
    """Whether somebody fights by hit dice instead of levels."""
    return HIT_DICE in who.stats


def attacks(who: Character) -> int:
    """Attacks in a Round: one, unless the profile says more (Q3.43)."""
    return max(who.stats.get(ATTACKS, 1), 1)


def hit_dice(who: Character) -> int:
    """Hit dice, which stand for a level and it for them (R3.96)."""
    return max(who.stats.get(HIT_DICE, who.level), 0)
