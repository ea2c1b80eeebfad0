"""Learning spells: as many as one has levels, and none beyond one's level (R0.158, R0.162, R0.191, Q0.66)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Character, Table, character, choice, events
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.spells import (
    NAMES,
    SPELL,
    TRADITIONS,
    Spell,
    known_spells,
    most_spells,
    spell_of,
    traditions_of,
)


@attrs.frozen(kw_only=True)
class LearnSpell(Action):
    """Learn a spell: a caster knows as many as they have levels; a reversible pair is one spell (R0.158, R0.162)."""

    verb: ClassVar[str] = "learn-spell"

    who: str = character("who learns it", actor=True)
    spell: str = choice("which spell", NAMES)
    tradition: str = choice("of which list, if both have it", TRADITIONS, default="")

    def resolve(self, table: Table) -> None:
        """One spell more."""
        who = table.character(self.who)
        traditions = traditions_of(who)
        if not traditions or (self.tradition and self.tradition not in traditions):
            wanted = f"{self.tradition.title()} Magic" if self.tradition else "Arcane Magic or Divine Magic"
            table.refuse(f"{who.name} has no role to cast such spells with. It takes {wanted}.")
        spell = spell_of(table, self.spell, [self.tradition] if self.tradition else traditions)
        self._check(table, who, spell)
        table.record(events.TraitGained(character=who.id, trait=spell.key, kind=SPELL))

    def _check(self, table: Table, who: Character, spell: Spell) -> None:
        if spell.key in who.traits:
            table.refuse(f"{who.name} knows {spell.said} already.")
        if who.level < spell.minimum:
            table.refuse(
                f"{spell.said} is a spell of level {spell.level}: it takes level {spell.minimum}, and {who.name} has "
                f"level {who.level}."
            )
        most, known = most_spells(who, spell.tradition, house(table)), len(known_spells(who, spell.tradition))
        if known >= most:
            table.refuse(
                f"{who.name} knows {known} {spell.tradition} spells, and level {who.level} allows {most}. The GM takes "
                f"one away with: trait {who.id} SPELL --lose"
            )
