"""The words that the rules of this game compare."""

from ruleset_plugins.grid import conditions, stats
from ruleset_plugins.grid.armour import ARMOURS, SHIELDS
from ruleset_plugins.grid.classes import CLASS, CLASSES
from ruleset_plugins.grid.encounter import INITIATIVE
from ruleset_plugins.grid.saves import RESISTANT
from ruleset_plugins.grid.spells import SPELLS
from ruleset_plugins.grid.squares import DIRECTIONS
from ruleset_plugins.grid.weapons import AMMUNITION, AMMUNITION_USE, PLACES, WEAPONS
from ruleset_plugins.kit import vocabulary

VOCABULARY = vocabulary.of_game(
    uses=(*ARMOURS, *SHIELDS, *WEAPONS, *PLACES, AMMUNITION_USE, *AMMUNITION),
    conditions=(
        *(conditions.INCAPACITATED, conditions.HAMSTRUNG, conditions.FLEET, conditions.HIDDEN, conditions.BLURRED),
        RESISTANT,
    ),
    damages=[tag for spell in SPELLS.values() for tag in spell.tags],
    traits=(*CLASSES, *stats.SKILLS),
    kinds=(CLASS, stats.TRAINED),
    stats=(*stats.STATS, *stats.ENTERED, *stats.SKILLS, INITIATIVE),
    more={"step": vocabulary.Words(known=tuple(DIRECTIONS))},
)
