"""The catalogue: spells, stat blocks, equipment and what characters are made of, as data that the rules resolve.

Each file is read when it is first asked for: ``spells()`` has all spells by their keys. The keys of ``advancement`` are the
levels of a character, of ``challenges`` the ratings "0", "1/8" and so on, of ``scrolls`` "0" to "9", of ``rarities`` names.
``monsters`` has animals, too, ``equipment`` all that has a price, and ``hazards`` poisons, traps, contagions, places and stress.

``data/README.md`` says what the data looks like.
"""

from functools import cache

from rollbook.kit import data
from rollbook.kit.catalogues import read_once
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.catalogue.effect import Effect
from rollbook.rulesets.srd5.catalogue.kinds import CharacterClass, Feat, Feature, Hazard, Item, Monster, Spell

__all__ = ["CharacterClass", "Effect", "Feat", "Feature", "Hazard", "Item", "Monster", "Spell", "kinds"]

spells = read_once(__name__, "spells.json", Spell)
monsters = read_once(__name__, "monsters.json", Monster)
equipment = read_once(__name__, "equipment.json", Item)
magic_items = read_once(__name__, "magic_items.json", kinds.MagicItem)
masteries = read_once(__name__, "masteries.json", kinds.Mastery)
classes = read_once(__name__, "classes.json", CharacterClass)
species = read_once(__name__, "species.json", kinds.Species)
backgrounds = read_once(__name__, "backgrounds.json", kinds.Background)
feats = read_once(__name__, "feats.json", Feat)
advancement = read_once(__name__, "advancement.json", kinds.Advancement)
challenges = read_once(__name__, "challenges.json", kinds.Challenge)
hazards = read_once(__name__, "hazards.json", Hazard)
rarities = read_once(__name__, "rarities.json", kinds.Rarity)
scrolls = read_once(__name__, "scrolls.json", kinds.ScrollLevel)


@cache
def creation() -> kinds.Creation:
    """The making of characters."""
    return data.load(__name__, "creation.json", kinds.Creation)[0]
