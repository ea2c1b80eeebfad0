"""The spell lists of arcane and divine magic, and who knows what (R0.158, R0.162, R0.179–R0.191)."""

from __future__ import annotations

import attrs

from ruleset_plugins import Character, Table, load, slug
from ruleset_plugins.storytoken.roles import power, roles_of
from ruleset_plugins.storytoken.settings import Settings

SPELL = "spell"
"""The kind of trait that a known spell is."""

TRADITIONS = ("arcane", "divine")


@attrs.frozen(kw_only=True)
class Spell:
    """A row of the spell lists. A spell with a ``reverse`` is one known spell with two sides (Q0.66).

    ``printed`` is what the lists call it, where that is shorter than its name.
    """

    key: str
    name: str
    tradition: str = attrs.field(validator=attrs.validators.in_(TRADITIONS))
    level: int
    rule: str
    reverse: str = ""
    printed: str = ""

    @property
    def minimum(self) -> int:
        """The level that a caster must have: twice the spell's own, less 1 (R0.191)."""
        return 2 * self.level - 1

    @property
    def said(self) -> str:
        """Both sides of the spell, as the lists print them: a word that is all the difference stands alone."""
        one, other = self.name.split(), self.reverse.split()
        if self.printed or not other:
            return self.printed or self.name
        if len(one) == len(other) and one[1:] == other[1:] and one[1:]:
            return f"{one[0]}/{self.reverse}"
        if len(one) == len(other) and one[:-1] == other[:-1] and one[:-1]:
            return f"{self.name}/{other[-1]}"
        return f"{self.name}/{self.reverse}"


SPELLS = {spell.key: spell for spell in load(__package__, "spells.json", Spell)}

_SIDES = {
    (spell.tradition, slug(side)): spell for spell in SPELLS.values() for side in (spell.name, spell.reverse) if side
}
NAMES = tuple(sorted({name for _, name in _SIDES}))
"""What spells are called in commands: either side of a reversible one."""

INNATE_OPTIONS = tuple(sorted({name for (_, name), spell in _SIDES.items() if spell.level == 1}))
"""What a mutant may be born with: any spell of the first level (R0.151)."""


def is_called(spell: Spell, name: str) -> bool:
    """Whether a name in a command means this spell, by either of its sides."""
    return _SIDES.get((spell.tradition, name)) == spell


def is_same(one: str, other: str) -> bool:
    """Whether two names in commands mean the same spell of some tradition, by either of its sides."""
    return any(
        spell == _SIDES.get((tradition, other))
        for tradition in TRADITIONS
        if (spell := _SIDES.get((tradition, one))) is not None
    )


def known_spells(who: Character, tradition: str) -> list[Spell]:
    """The spells that somebody has learned in a tradition, in the order in which they did."""
    found = (SPELLS.get(trait) for trait in who.traits_of(SPELL))
    return [spell for spell in found if spell is not None and spell.tradition == tradition]


def most_spells(who: Character, tradition: str, settings: Settings) -> int:
    """How many spells of a tradition somebody can know: as many as they have levels in a role for it."""
    return power(who, f"{tradition}_spells", settings)


def traditions_of(who: Character) -> list[str]:
    """The traditions that somebody's roles are of."""
    return [role.tradition for role in roles_of(who) if role.tradition]


def spell_of(table: Table, name: str, traditions: list[str]) -> Spell:
    """The spell of that name in the first of these traditions that has it. Refused if none has."""
    found = next((_SIDES[each, name] for each in traditions if (each, name) in _SIDES), None)
    if found is None:
        table.refuse(f"There is no {' or '.join(traditions)} spell called {name}.")
    return found
