"""Templates of the table's own: the document lists none, so a GM says what they do (R3.103, Q3.47)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Character, Table, character, entered, events, names, slug, words
from ruleset_plugins.russell.levels import TEMPLATE_OF, take_template
from ruleset_plugins.russell.templates import CLASSES, EFFECTS, LETTERS, PRIMARY, TEMPLATE, next_template


@attrs.frozen(kw_only=True)
class OwnTemplate(Action):
    """Fill an open choice of a template with one of the table's own: the next of its class, A to D (R3.50, Q3.47)."""

    verb: ClassVar[str] = "own-template"
    gm_only: ClassVar[bool] = True

    who: str = character("who takes it")
    name: str = words("the class, for example ranger")
    effects: tuple[str, ...] = names("what it changes, as hp=2,ss=1: " + ", ".join(EFFECTS), default=())
    primary: tuple[str, ...] = names("what its Primary Ability changes, said once for a class", default=())

    def resolve(self, table: Table) -> None:
        """The first open choice of a template is made."""
        who = table.character(self.who)
        offered = next((choice for choice in who.choices if choice.startswith(TEMPLATE_OF)), "")
        if not offered:
            table.refuse(f"{who.name} has no open choice of a template: one comes with each of levels 1 to 4.")
        key = slug(self.name)
        if not key or key in CLASSES:
            table.refuse(f"A class of the table's own has a name of its own, not {self.name!r}.")
        template = next_template(who, key)
        if not template:
            table.refuse(f"{who.name} has all of {LETTERS[0]} to {LETTERS[-1]} of {key}.")
        effects, primary = self._kind(table, TEMPLATE, self.effects), self._kind(table, PRIMARY, self.primary)
        if self.primary:
            self._have_ability(table, who, key, primary)
        take_template(table, who.id, offered, template, effects)

    def _kind(self, table: Table, kind: str, typed: tuple[str, ...]) -> str:
        changes = entered(table, typed, tuple(EFFECTS))
        return f"{kind}:{','.join(f'{what}={amount}' for what, amount in changes.items())}"

    def _have_ability(self, table: Table, who: Character, key: str, kind: str) -> None:
        trait = f"{key} {PRIMARY}"
        if trait in who.traits:
            table.refuse(f"The Primary Ability of {key} has been said: {who.traits[trait]}. Leave --primary out.")
        table.record(events.TraitGained(character=who.id, trait=trait, kind=kind))
