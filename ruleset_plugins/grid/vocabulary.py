"""The words that the rules of this game compare."""

from rollbook.kit import vocabulary
from rollbook.rulesets.grid import conditions, stats
from rollbook.rulesets.grid.armour import ARMOURS, SHIELDS
from rollbook.rulesets.grid.classes import CLASS, CLASSES
from rollbook.rulesets.grid.encounter import INITIATIVE
from rollbook.rulesets.grid.saves import RESISTANT
from rollbook.rulesets.grid.spells import SPELLS
from rollbook.rulesets.grid.squares import DIRECTIONS
from rollbook.rulesets.grid.weapons import AMMUNITION, AMMUNITION_USE, PLACES, WEAPONS

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
