"""Subjects of words that the rules of this game compare, besides those of every game, and the words of each.

The words of the catalogue are looked up when somebody types one, so that no file is read before it is needed.
"""

from collections.abc import Callable, Iterable, Mapping

from rollbook.kit.vocabulary import SKILL, Words
from rollbook.plugin import ABILITIES, CampaignState, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character.abilities import SKILLS


def things(what: str) -> Iterable[str]:
    """The keys of the things of the catalogue that are weapons, armour, tools."""
    return (key for key, row in catalogue.equipment().items() if getattr(row, what) is not None)


def split_off(campaign: CampaignState, typed: str, is_known: Callable[[str], object]) -> tuple[str, tuple[str, ...]]:
    """The deed and its targets, of words that name both, as in ``fire breath kara,odo``; nothing if they do not."""
    words = typed.split()
    for cut in range(len(words) - 1, 0, -1):
        named, targets = " ".join(words[:cut]), tuple(map(slug, " ".join(words[cut:]).split(",")))
        there = all(name in campaign.characters and not campaign.characters[name].hidden for name in targets)
        if there and is_known(named):
            return named, targets
    return "", ()


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
