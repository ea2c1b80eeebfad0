"""Open choices.

A template, also one of the table's own, the primary class, natural 20s and fumbles (R3.50, R3.103, Q3.47).
"""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Character, Table, character, events, names, not_found, slug, words
from ruleset_plugins.kit import open_choices, stat_entry
from ruleset_plugins.russell.character.levels import TEMPLATE_OF, is_next, take_template
from ruleset_plugins.russell.character.templates import CLASSES, EFFECTS, LETTERS, PRIMARY, TEMPLATE, next_template
from ruleset_plugins.russell.fight.criticals import CRITICAL, MISFORTUNE, settle_critical, settle_misfortune


@attrs.frozen(kw_only=True)
class Choose(Action):
    """Make an open choice: a template, the primary class in a tie, what a natural 20 does, what a fumble brings."""

    verb: ClassVar[str] = "choose"

    who: str = character("whose choice it is", actor=True)
    choice: str = words("which open choice")
    picked: str = words("what is picked")

    def resolve(self, table: Table) -> None:
        """The choice is made and takes effect."""
        who = table.character(self.who)
        open_choices.options_of(table, who, self.choice)
        if self.choice.startswith(CRITICAL):
            settle_critical(table, who.id, self.choice, self.picked)
        elif self.choice == MISFORTUNE:
            settle_misfortune(table, who.id, self.picked)
        elif self.choice.startswith(TEMPLATE_OF):
            self._take_template(table)
        else:
            open_choices.choose(table, who, self.choice, self.picked)

    def _take_template(self, table: Table) -> None:
        """A class's name stands for its next template; no B without A (R3.50)."""
        who = table.character(self.who)
        picked = next_template(who, self.picked) if self.picked in CLASSES else self.picked
        if not is_next(who, picked):
            following = tuple(each for key in CLASSES if (each := next_template(who, key)))
            table.refuse(str(not_found("template that is next", self.picked, following)))
        take_template(table, who.id, self.choice, picked)


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
        changes = stat_entry.parse_stats(table, typed, tuple(EFFECTS))
        return f"{kind}:{','.join(f'{what}={amount}' for what, amount in changes.items())}"

    def _have_ability(self, table: Table, who: Character, key: str, kind: str) -> None:
        trait = f"{key} {PRIMARY}"
        if trait in who.traits:
            table.refuse(f"The Primary Ability of {key} has been said: {who.traits[trait]}. Leave --primary out.")
        table.record(events.TraitGained(character=who.id, trait=trait, kind=kind))
