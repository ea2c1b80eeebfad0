"""The spells of wizards and clerics: effects, castings left, and their return (R4.9, R4.54–R4.57, Q4.30)."""

from collections.abc import Iterable

from rollbook.kit import data
from rollbook.plugin import Character, Table, events, there_are
from rollbook.rulesets.grid.squares import squares_in
from rollbook.rulesets.grid.stats import class_name

SPELL = "spell"

BLESSING, RAY, MISSILES, BLAST, CURE, INFLICT = "blessing", "ray", "missiles", "blast", "cure", "inflict"


class Spell(data.Row):
    """A spell: the class of its ``caster``, its number of ``castings``, and the ``sort`` of effect with its ``dice``.

    ``range`` and ``radius`` are in feet; a range of 0 is the caster, and one of 5 a touch. A blessing ``brings`` a condition.
    """

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
        """The range in squares."""
        return squares_in(self.range)


SPELLS = data.by_key(__package__, "spells.json", Spell)
BLESSINGS = tuple(row.brings for row in SPELLS.values() if row.sort == BLESSING)
"""The conditions that helpful spells bring."""


def spells_of(who: Character) -> tuple[Spell, ...]:
    """The spells that a character can cast: the list of the class, and those added by traits of the kind "spell"."""
    own = class_name(who)
    return tuple(row for row in SPELLS.values() if row.caster == own or who.traits.get(row.key) == SPELL)


def casts_pool(spell: Spell) -> str:
    """The pool that counts the used castings of a spell."""
    return f"cast:{spell.key}"


def castings_left(who: Character, spell: Spell) -> int:
    """The number of castings left until they come back."""
    return max(spell.castings - max(who.pools.get(casts_pool(spell), 0), 0), 0)


def castable(who: Character) -> tuple[str, ...]:
    """The names of a character's spells with a casting left."""
    return tuple(spell.name.casefold() for spell in spells_of(who) if castings_left(who, spell))


def spell_of(table: Table, who: Character, text: str) -> Spell:
    """A character's spell by its name. Refused for one that is not on the list, or has no casting left."""
    key = "-".join(text.casefold().split())
    known = {spell.key: spell for spell in spells_of(who)}
    if key not in known:
        table.refuse(
            f"{who.name} has no spell called {text!r}. {there_are(spell.name for spell in known.values())}",
            table.parameter_of(text),
        )
    spell = known[key]
    if not castings_left(who, spell):
        many = "once" if spell.castings == 1 else f"{spell.castings} times"
        table.refuse(
            f"{who.name} can cast {spell.name} {many} and has done so. It comes back with rest.",
            table.parameter_of(text),
        )
    return spell


def end_blessings(table: Table, people: Iterable[str]) -> None:
    """End every helpful spell that does not last a day, as the encounter is over (Q4.30)."""
    for name in people:
        for blessing in BLESSINGS:
            condition = table.character(name).conditions.get(blessing)
            if condition is not None and not condition.until:
                table.record(events.ConditionEnded(character=name, condition=blessing))


def refresh(table: Table, people: Iterable[str]) -> None:
    """Give all castings back (Q4.30)."""
    for name in people:
        pools = table.character(name).pools
        for pool in (casts_pool(spell) for spell in SPELLS.values()):
            if pools.get(pool, 0) > 0:
                table.record(events.PoolSpent(holder=name, pool=pool, amount=pools[pool], reason="castings come back"))
