"""Open choices, and what comes of them: birth, roles, picks, favours (R0.109, R0.110, R0.140, R0.144, R0.151)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Character, Table, character, events, words
from ruleset_plugins.kit import open_choices
from ruleset_plugins.storytoken.body.hit_points import after_change
from ruleset_plugins.storytoken.character.abilities import change_score
from ruleset_plugins.storytoken.character.heritages import (
    HERITAGE,
    HERITAGE_ABILITY,
    HERITAGES,
    INNATE_SPELL,
    heritage_of,
)
from ruleset_plugins.storytoken.character.levels import ABILITY_RAISED, RAISE, ROLE_GAINED, role_option
from ruleset_plugins.storytoken.character.roles import ROLE, ROLES
from ruleset_plugins.storytoken.magic.spells import INNATE_OPTIONS

FIRST_ROLES = 2


@attrs.frozen(kw_only=True)
class Choose(Action):
    """Make an open choice: a pick of a level, the ability of a heritage, a friend's favour."""

    verb: ClassVar[str] = "choose"

    who: str = character("who chooses", actor=True)
    choice: str = words("which open choice")
    picked: str = words("what is picked")

    def resolve(self, table: Table) -> None:
        """The choice is made and takes effect."""
        who = table.character(self.who)
        open_choices.choose(table, who, self.choice, self.picked)
        option = who.choices[self.choice].option(self.picked)
        brings = option.data if option is not None else {}
        if self.choice == HERITAGE:
            be_born(table, who.id, self.picked)
            offer_roles(table, who.id, FIRST_ROLES + 1, HERITAGES[self.picked].extra_roles)
        elif self.choice == HERITAGE_ABILITY:
            excel(table, who, self.picked)
        elif ABILITY_RAISED in brings:
            change_score(table, who, str(brings[ABILITY_RAISED]), RAISE, self.choice)
            after_change(table, who)
        elif ROLE_GAINED in brings:
            _gain_role(table, who, str(brings[ROLE_GAINED]))


def _gain_role(table: Table, who: Character, role: str) -> None:
    if role in who.traits:
        table.refuse(f"{who.name} already has the role {role}; no role is taken twice.")
    table.record(events.TraitGained(character=who.id, trait=role, kind=ROLE))
    after_change(table, who)


def be_born(table: Table, name: str, heritage: str, *, ability: str = "") -> None:
    """Somebody has this heritage; what it lets one choose is chosen at once or left open."""
    row = HERITAGES[heritage]
    table.record(events.TraitGained(character=name, trait=row.key, kind=HERITAGE))
    if row.chooses_ability:
        _offer_ability(table, name, ability)
    elif ability:
        table.refuse(f"A {row.name.lower()} chooses no ability. Leave --ability out.")
    if row.innate_spell:
        table.record(
            events.ChoiceOffered(
                character=name, choice=INNATE_SPELL, options=open_choices.named(INNATE_OPTIONS), reason=row.name
            )
        )


def _offer_ability(table: Table, name: str, ability: str) -> None:
    """The one ability of a heritage: chosen at once, or left open (R0.144, R0.154, R0.156, R0.157)."""
    row = heritage_of(table.character(name))
    if ability and ability not in row.ability_options:
        table.refuse(f"A {row.name.lower()} excels in {' or '.join(row.ability_options)}, not in {ability}.")
    table.record(
        events.ChoiceOffered(
            character=name, choice=HERITAGE_ABILITY, options=open_choices.named(row.ability_options), reason=row.name
        )
    )
    if ability:
        table.record(events.ChoiceMade(character=name, choice=HERITAGE_ABILITY, picked=ability))
        excel(table, table.character(name), ability)


def excel(table: Table, who: Character, ability: str) -> None:
    """The one ability of a heritage: a superhuman's score rises by 10 there (R0.154, Q0.62)."""
    raised = heritage_of(who).score_bonus
    if raised:
        change_score(table, who, ability, raised, heritage_of(who).name)
        after_change(table, who)


def offer_roles(table: Table, name: str, first: int, count: int) -> None:
    """Roles that are still to be chosen, numbered from ``first``."""
    options = tuple(map(role_option, ROLES))
    for number in range(first, first + count):
        table.record(events.ChoiceOffered(character=name, choice=f"role-{number}", options=options, reason="roles"))


def offer_birth(table: Table, name: str) -> None:
    """Heritage and roles of somebody who has neither yet."""
    table.record(
        events.ChoiceOffered(
            character=name, choice=HERITAGE, options=open_choices.named(tuple(HERITAGES)), reason=HERITAGE
        )
    )
    offer_roles(table, name, 1, FIRST_ROLES)
