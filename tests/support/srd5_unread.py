"""Sentences of the rules' text that the comparisons cannot read, by the entry, with why; their number must not grow."""

from __future__ import annotations

from typing import Any

HEADS = {
    ("Half-Dragon", "damage"): "the type that was chosen",
    ("Rakshasa", "damage"): "piercing damage of those under the effect of Bless",
    ("Young White Dragon", "abilities"): "a minus that is missing in the text",
}

SUBCLASS_SPELLS = {"number": (2, 3, 5, 7, 9, 13, 17)}

CLASSES: dict[str, dict[str, Any]] = {
    "Rage": {"damage": ("force",)},  # to force a save
    "Persistent Rage": {"condition": ("incapacitated",)},  # which no longer ends it
    "Indomitable Might": {"save": ("str",)},  # saves against anything
    "Innate Sorcery": {"number": (7,)},  # the level from which a later feature pays for it
    "Evasion": {"save": ("dex",)},
    "Bardic Inspiration": {"span": ("1 hour",)},  # "the next hour"
    "Life Domain Spells": SUBCLASS_SPELLS,
    "Oath of Devotion Spells": SUBCLASS_SPELLS,
    "Draconic Spells": SUBCLASS_SPELLS,
    "Fiend Spells": SUBCLASS_SPELLS,
    "Circle of the Land Spells": SUBCLASS_SPELLS,
    "Supreme Healing": {"dice": ("2d6",), "number": (12,)},  # an example
    "Archdruid": {"number": (4,)},
    "Natural Recovery": {"number": (2, 3)},
    "Arcane Recovery": {"number": (2, 4)},
    "Eldritch Invocations": {"number": (5,)},
    "Wild Shape": {"number": (4, 6, 8)},  # rows of a table of its own
    "Font of Magic": {"number": (3, 4, 6, 7, 9)},
    "Land's Aid": {"dice": ("1d6",)},  # how much it grows
    "Improved Critical": {"number": (20,)},  # and above the lowest critical roll
    "Superior Critical": {"number": (20,)},
    "Martial Arts": {"dice": ("1d6",)},  # a column of the class's table
    "Sneak Attack": {"dice": ("1d6",)},
    "Unarmored Movement": {"feet": (10,), "number": (10,)},
    "Monk's Focus": {"number": (10,)},  # what a later level adds
    "Deflect Attacks": {"number": (8, 13)},  # the DC of Monk's Focus, and what a later level adds
    "Deflect Energy": {"dice": ("1d10",), "damage": ("bludgeoning", "piercing", "slashing")},
    "Stunning Strike": {"number": (8,)},
    "Open Hand Technique": {"number": (8,)},
    "Quivering Palm": {"number": (8,)},
    "Holy Nimbus": {"number": (5,)},  # the level of a slot
    "Cunning Strike": {"dice": ("1d6", "2d6", "3d6", "6d6"), "number": (3, 6)},  # costs in dice, which are counts
    "Supreme Sneak": {"dice": ("1d6",), "condition": ("invisible",)},
    "Metamagic": {"number": (4, 6)},  # two more, and two more
    "Devouring Blade": {"number": (3,)},  # two attacks more than one
}

ORIGINS: dict[str, dict[str, Any]] = {
    "Breath Weapon": {"number": (11, 17)},  # the levels at which a cantrip grows
    "Luck": {"dice": ("1d20",)},
    "Boon of Fate": {"dice": ("1d20",)},
    "Boon of Irresistible Offense": {"dice": ("1d20",)},
}

EQUIPMENT: dict[str, set[tuple[str, object]]] = {
    "Gaming Set": {("number", 5.0)},  # the price of a variant
    "Oil": {("number", 5.0)},  # how far one pours
}

STUDIED = {"span": ("100 year",)}  # "a century"

MAGIC_ITEMS: dict[str, dict[str, Any]] = {
    "Bag of Beans": {"save": ("con",)},  # in a row of its table
    "Dancing Sword": {"number": (4,)},  # "the fourth time"
    "Helm of Brilliance": {"number": (5,)},  # one face of 1d20, in percent
    "Horseshoes of a Zephyr": {"condition": ("exhaustion",)},  # which it does not bring
    "Manual of Bodily Health": STUDIED,
    "Manual of Gainful Exercise": STUDIED,
    "Manual of Quickness of Action": STUDIED,
    "Tome of Clear Thought": STUDIED,
    "Tome of Leadership and Influence": STUDIED,
    "Tome of Understanding": STUDIED,
    "Potion of Vitality": {"number": (6,)},  # all levels of exhaustion
    "Ring of Evasion": {"save": ("dex",)},  # the save that it turns
    "Ring of Regeneration": {"span": ("1 day",)},  # 1d6 + 1 of them
}

HAZARDS: dict[str, dict[str, Any]] = {
    "Poisoned Darts": {"number": (10, 16, 20, 3)},  # ends of ranges of levels, and "three"
    "Falling Net": {"number": (20,)},
    "Rolling Stone": {"number": (11,)},  # where a range of levels begins
    "Mental Stress Effects": {"save": ("wis",)},  # "a Wisdom save"
    "Potion Miscibility": {"dice": ("2d4 + 2",), "condition": ("invisible",)},  # examples
    "Midnight Tears": {"condition": ("poisoned",)},  # any effect that ends it
    "Prolonged Effects": {"dice": ("1d10",), "span": ("10 hour",)},  # 1d10 x 10 hours
    "Cackle Fever": {"condition": ("exhaustion",), "span": ("4 day",)},
    "Sewer Plague": {"condition": ("exhaustion",), "span": ("4 day",)},
}

TOLD = {0: 5, 1: 4, 2: 6, 3: 2, 4: 4, 5: 5, 6: 3, 7: 1, 8: 3, 9: 1}
"""The number of spells of each level that leave nothing but words for the GM."""
