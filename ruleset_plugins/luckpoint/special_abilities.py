"""The special abilities that a new character may have for a point (R1.53–R1.57)."""

from __future__ import annotations

import attrs

from ruleset_plugins import Character, load

SPECIAL = "special"
"""The kind of trait that a special ability is."""


@attrs.frozen(kw_only=True)
class SpecialAbility:
    """A row of the list; what is 0 stays as it is for everybody. ``metres`` are walked, ``sight`` is seen in the dark."""

    key: str
    name: str
    words: str
    rule: str
    metres: int = 0
    luck_per_hour: int = 0
    luck_cap: int = 0
    armour_class: int = 0
    sight: int = 0

    @property
    def path(self) -> str:
        """Where it stands on a character."""
        return f"trait.{self.key}"


SPECIALS = {row.key: row for row in load(__package__, "special_abilities.json", SpecialAbility)}


def specials_of(who: Character) -> tuple[SpecialAbility, ...]:
    """The special abilities somebody has."""
    return tuple(SPECIALS[trait] for trait in who.traits if trait in SPECIALS)
