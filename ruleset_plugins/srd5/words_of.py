"""Subjects of words that the rules of this game compare, besides those of every game, and the words of each.

The words of the catalogue are looked up when somebody types one, so that no file is read before it is needed.
"""

from collections.abc import Iterable, Mapping

from rollbook.kit.vocabulary import SKILL, Words
from rollbook.plugin import ABILITIES
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character.abilities import SKILLS


def things(what: str) -> Iterable[str]:
    """The keys of the things of the catalogue that are weapons, armour, tools."""
    return (key for key, row in catalogue.equipment().items() if getattr(row, what) is not None)


MORE: Mapping[str, Words] = {
    SKILL: Words(known=(*SKILLS, *ABILITIES)),
    "ability": Words(known=ABILITIES),
    "species": Words(at_hand=lambda _: catalogue.species()),
    "background": Words(at_hand=lambda _: catalogue.backgrounds()),
    "weapon": Words(at_hand=lambda _: things("weapon")),
    "armour": Words(at_hand=lambda _: things("armour")),
    "stat block": Words(at_hand=lambda _: catalogue.monsters()),
    "tool": Words(at_hand=lambda _: (row.name.casefold() for row in catalogue.equipment().values() if row.tool)),
    "versus": Words(
        known=("magic", "charmed", "frightened", "poisoned", "grappled", "concentration", "staying mounted")
    ),
    "lasts": Words(),
    "feature": Words(),
    "chosen": Words(known=ABILITIES, at_hand=lambda _: catalogue.monsters()),
    "moment": Words(known=("enters", "leaves", "trigger", "moves", "touches", "cast", "burns", "disobeys")),
}
