"""Special abilities: the one thing that a new character may have instead of a point (R1.53–R1.57)."""

from __future__ import annotations

import attrs

from ruleset_plugins import Character, load

SPECIAL = "special"
"""The kind of trait that a special ability is."""


@attrs.frozen(kw_only=True)
class Special:
    """A special ability; ``metres`` and ``darkvision`` are in metres, 0 where it says nothing about them."""

    key: str
    name: str
    words: str
    rule: str
    metres: int = 0
    darkvision: int = 0
    armour_class: int = 0
    luck_an_hour: int = 0
    luck_cap: int = 0


SPECIALS = {special.key: special for special in load(__package__, "specials.json", Special)}


def specials_of(who: Character) -> list[Special]:
    """The special abilities somebody has."""
    return [SPECIALS[trait] for trait in who.traits_of(SPECIAL) if trait in SPECIALS]
