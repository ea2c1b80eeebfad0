"""Open choices and their effects: heritage, roles, picks, favours (R0.109, R0.110, R0.140, R0.144, R0.151)."""

from rollbook.kit import fields, open_choices, verbs
from rollbook.plugin import Character, Table, events
from rollbook.rulesets.storytoken.body import hit_points
from rollbook.rulesets.storytoken.character import heritages
from rollbook.rulesets.storytoken.character.abilities import change_score
from rollbook.rulesets.storytoken.character.levels import ABILITY_RAISED, PICK, RAISE
from rollbook.rulesets.storytoken.character.roles import ROLE, ROLES
from rollbook.rulesets.storytoken.magic.spells import INNATE_OPTIONS
from rollbook.rulesets.storytoken.story import bargains

FIRST_ROLES = 2


def take_heritage(table: Table, name: str, heritage: str, *, ability: str = "") -> None:
    """Record a heritage, and offer its choices; an ``ability`` that is given is chosen at once."""
    row = heritages.HERITAGES[heritage]
    table.record(events.TraitGained(character=name, trait=row.key, kind=heritages.HERITAGE))
    if row.chooses_ability:
        _offer_ability(table, name, ability)
    elif ability:
        table.refuse(
            f"A {row.name.lower()} chooses no ability. Leave --ability out.", parameter=table.parameter_of(ability)
        )
    if row.innate_spell:
        open_choices.offer(table, name, heritages.INNATE_SPELL, INNATE_OPTIONS, reason=row.name)


def _offer_ability(table: Table, name: str, ability: str) -> None:
    """Offer the one ability of a heritage, or choose it (R0.144, R0.154, R0.156, R0.157)."""
    row = heritages.heritage_of(table.character(name))
    if ability and ability not in row.ability_options:
        table.refuse(
            f"A {row.name.lower()} excels in {' or '.join(row.ability_options)}, not in {ability}.",
            parameter=table.parameter_of(ability),
        )
    open_choices.offer(table, name, heritages.HERITAGE_ABILITY, row.ability_options, reason=row.name)
    if ability:
        table.record(events.ChoiceMade(character=name, choice=heritages.HERITAGE_ABILITY, picked=ability))
        take_heritage_ability(table, table.character(name), ability)


def take_heritage_ability(table: Table, who: Character, ability: str) -> None:
    """Apply the chosen ability of a heritage: a superhuman's score rises by 10 (R0.154, Q0.62)."""
    raised = heritages.heritage_of(who).score_bonus
    if raised:
        change_score(table, who, ability, raised, heritages.heritage_of(who).name)
        hit_points.after_change(table, who)


def offer_roles(table: Table, name: str, first: int, count: int) -> None:
    """Offer roles, numbered from ``first``."""
    for number in range(first, first + count):
        open_choices.offer(table, name, f"role-{number}", ROLES, kind=PICK, reason="roles")


def offer_heritage_and_roles(table: Table, name: str) -> None:
    """Offer a heritage and roles to a character who has neither."""
    open_choices.offer(table, name, heritages.HERITAGE, heritages.HERITAGES, reason=heritages.HERITAGE)
    offer_roles(table, name, 1, FIRST_ROLES)


def _choose_heritage(table: Table, who: Character, _choice: str, picked: str) -> None:
    take_heritage(table, who.id, picked)
    offer_roles(table, who.id, FIRST_ROLES + 1, heritages.HERITAGES[picked].extra_roles)


def _choose_ability(table: Table, who: Character, _choice: str, picked: str) -> None:
    take_heritage_ability(table, table.character(who.id), picked)


def _pick(table: Table, who: Character, choice: str, picked: str) -> None:
    """A pick is 2 points on an ability, or another role (R0.140)."""
    option = who.choices[choice].option(picked)
    raised = fields.text(option.data, ABILITY_RAISED) if option is not None else ""
    if raised:
        change_score(table, who, raised, RAISE, choice)
    elif picked in who.traits:
        table.refuse(
            f"{who.name} already has the role {picked}; no role is taken twice.", parameter=table.parameter_of(picked)
        )
    else:
        table.record(events.TraitGained(character=who.id, trait=picked, kind=ROLE))
    hit_points.after_change(table, who)


Choose = verbs.choose_verb(
    {
        heritages.HERITAGE: _choose_heritage,
        heritages.HERITAGE_ABILITY: _choose_ability,
        PICK: _pick,
        bargains.BARGAIN: bargains.choose,
    },
    help="Make an open choice: a pick of a level, the ability of a heritage, a friend's favour.",
)
