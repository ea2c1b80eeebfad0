"""Making open choices: points of a new character, and what levels bring (R1.50–R1.53, R1.58, R1.59)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import ABILITIES, Action, Character, Table, character, events, words
from ruleset_plugins.kit import open_choices, require
from ruleset_plugins.luckpoint.abilities import SPECIAL, SPECIALS, special_abilities_of
from ruleset_plugins.luckpoint.hit_points import character_changed
from ruleset_plugins.luckpoint.levels import ABILITY, CREATION, SKILL, offered
from ruleset_plugins.luckpoint.point_buy import DROP, LEAST, MOST, NONE
from ruleset_plugins.luckpoint.settings import house
from ruleset_plugins.luckpoint.skills import LOCATION, named, skill_named


@attrs.frozen(kw_only=True)
class Choose(Action):
    """Make an open choice: a point of a new character, or what a level brings. For a place: location:london."""

    verb: ClassVar[str] = "choose"

    who: str = character("who chooses", actor=True)
    choice: str = words("which open choice")
    picked: str = words("what is picked")

    def resolve(self, table: Table) -> None:
        """The choice is made and takes effect."""
        who = require.living(table, self.who)
        picked = self._picked(table, who)
        table.record(events.ChoiceMade(character=who.id, choice=self.choice, picked=picked))
        if picked in SPECIALS:
            table.record(events.TraitGained(character=who.id, trait=picked, kind=SPECIAL))
        elif self.choice == DROP:
            _drop(table, who, picked)
        else:
            table.record(events.StatChanged(character=who.id, stat=picked, amount=1, reason=self.choice))
        character_changed(table, who)

    def _picked(self, table: Table, who: Character) -> str:
        """What is picked, as it stands on a sheet. Refused for what the choice does not have."""
        options = open_choices.options_of(table, who, self.choice)
        picked = self.picked
        if picked.partition(":")[0] == LOCATION and LOCATION in options:
            picked = skill_named(table, picked)
        else:
            open_choices.check_option(table, who, self.choice, picked)
        if self.choice == DROP:
            _check_drop(table, who, picked)
        elif picked in SPECIALS:
            check_special(table, who, picked)
        elif picked in ABILITIES:
            self._check_ability(table, who, picked)
        else:
            self._check_skill(table, who, picked)
        return picked

    def _check_ability(self, table: Table, who: Character, picked: str) -> None:
        """The cap is for new characters only (Q1.25)."""
        if self.choice.startswith(CREATION) and who.stats.get(picked, 0) >= MOST:
            table.refuse(
                f"{who.name} has {picked.upper()} +{MOST}, and no new character has more. Pick another ability."
            )

    def _check_skill(self, table: Table, who: Character, picked: str) -> None:
        """The other point of the same level, or of creation, went to another skill (Q1.24)."""
        source = self.choice.rpartition(f"-{SKILL}-")[0]
        taken = [skill for choice, skill in who.chosen.items() if choice.startswith(f"{source}-{SKILL}-")]
        if picked in taken:
            table.refuse(f"{named(picked)} has had the other point of this choice already. Pick another skill.")


def _check_drop(table: Table, who: Character, picked: str) -> None:
    """Only what is at 0 can be dropped: no ability is lower than -1 (Q1.22)."""
    if picked != NONE and who.stats.get(picked, 0):
        table.refuse(f"{who.name}'s {picked.upper()} is not at +0 any more. Drop another ability, or {NONE}.")


def _drop(table: Table, who: Character, picked: str) -> None:
    """One ability falls to -1, and there is one more point for another (R1.50)."""
    if picked == NONE:
        return
    table.record(events.StatChanged(character=who.id, stat=picked, amount=LEAST, reason=DROP))
    others = tuple(ability for ability in ABILITIES if ability != picked)
    offered(table, who.id, f"{CREATION}-{ABILITY}-{picked}", others, DROP)


def check_special(table: Table, who: Character, special: str) -> None:
    """Refuse a special ability that somebody has, or one too many (R1.53, Q1.23)."""
    held, most = special_abilities_of(who), house(table).special_abilities_max
    if special in who.traits:
        table.refuse(f"{who.name} has {SPECIALS[special].name} already.")
    if len(held) >= most:
        table.refuse(f"A new character may trade a point for {most} special ability at most. Leave {special} out.")
