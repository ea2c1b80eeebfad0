"""The spells of wizards and clerics, and how often each can be cast (R4.9, R4.54–R4.57)."""

from __future__ import annotations

import attrs

from ruleset_plugins import Character, Table, load
from ruleset_plugins.grid.classes import class_name
from ruleset_plugins.grid.squares import squares_in

SPELL = "spell"
USED = "cast:"
"""A pool of this name counts the castings of a spell that are gone."""

BLESSING, RAY, MISSILES, BLAST, CURE, INFLICT = "blessing", "ray", "missiles", "blast", "cure", "inflict"


@attrs.frozen(kw_only=True)
class Spell:
    """A spell: who has it, how many ``castings``, what ``sort`` of thing it does with its ``dice``.

    ``range`` and ``radius`` are in feet; a range of 0 is the caster, and one of 5 a touch. A blessing ``brings`` a condition.
    """

    key: str
    name: str
    caster: str
    castings: int
    sort: str
    rule: str
    dice: str = ""
    brings: str = ""
    missiles: int = 0
    range: int = 0
    radius: int = 0
    save: str = ""
    tags: tuple[str, ...] = ()

    @property
    def squares(self) -> int:
        """How many squares it reaches."""
        return squares_in(self.range)


SPELLS = {row.key: row for row in load(__package__, "spells.json", Spell)}
BLESSINGS = tuple(row.brings for row in SPELLS.values() if row.sort == BLESSING)
"""The conditions that helpful spells bring."""


def spells_of(who: Character) -> tuple[Spell, ...]:
    """What somebody can cast: the list of their class, and what a trait of the kind "spell" adds."""
    own = class_name(who)
    return tuple(row for row in SPELLS.values() if row.caster == own or who.traits.get(row.key) == SPELL)


def castings_left(who: Character, spell: Spell) -> int:
    """How many castings are left until they come back."""
    return max(spell.castings - max(who.pools.get(f"{USED}{spell.key}", 0), 0), 0)


def spell_of(table: Table, who: Character, text: str) -> Spell:
    """A spell of somebody's by its name. Refused for one they do not have, or have no casting left of."""
    key = "-".join(text.casefold().split())
    known = {spell.key: spell for spell in spells_of(who)}
    if key not in known:
        listed = ", ".join(spell.name for spell in known.values()) or "none"
        table.refuse(f"{who.name} has no spell called {text!r}. There is: {listed}.")
    spell = known[key]
    if not castings_left(who, spell):
        many = "once" if spell.castings == 1 else f"{spell.castings} times"
        table.refuse(f"{who.name} can cast {spell.name} {many} and has done so. It comes back with rest.")
    return spell
