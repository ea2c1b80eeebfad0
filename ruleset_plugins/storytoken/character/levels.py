"""Levels by experience, and open choices: heritage, roles, picks, favours (R0.109–R0.112, R0.138–R0.151, Q0.49, Q0.83)."""

from rollbook.kit import fields, open_choices, verbs
from rollbook.plugin import ABILITIES, Character, Table, events
from rollbook.rulesets.storytoken.body import hit_points
from rollbook.rulesets.storytoken.character import abilities, heritages, roles
from rollbook.rulesets.storytoken.character.experience import LAST_DIE, LEVELS, level_for, row
from rollbook.rulesets.storytoken.magic.spells import INNATE_OPTIONS
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.story import tokens

PICK = "pick"
"""The kind of the open choices pick-4, pick-8 … of the levels, and role-1, role-2 … of newcomers from other games."""

ABILITY_RAISED, RAISE = "raises", 2
"""The field of an option that names the ability it raises, and by how much; other options are roles."""


def experience_awarded(table: Table, name: str) -> None:
    """The hook of an award: every level that the new total reaches, one after the other (Q0.49).

    A monster without a level gains none; experience alone never takes a level away (QG.7).
    """
    who = table.character(name)
    due = level_for(who.experience, Settings.of(table))
    for level in range(who.level + 1, due + 1) if who.level else ():
        who = table.character(name)
        if level <= LAST_DIE:
            _roll_hit_die(table, who, level)
        table.record(events.LevelGained(character=name, levels=1))
        if row(level).pick:
            offer_pick(table, name, level)
        hit_points.after_change(table, who)


def _roll_hit_die(table: Table, who: Character, level: int) -> None:
    """Add a hit die, or roll all of them again if the table plays so (Q0.18)."""
    if Settings.of(table).level_hp == "reroll_all":
        total = table.roll(f"{level}d6", roller=who.id, purpose="hit dice").total
        gained = total - who.stats.get(hit_points.HIT_DICE, 0)
    else:
        gained = table.roll("1d6", roller=who.id, purpose="hit die").total
    table.record(events.StatChanged(character=who.id, stat=hit_points.HIT_DICE, amount=gained, reason=f"level {level}"))


def offer_pick(table: Table, name: str, level: int) -> None:
    """Offer a pick: 2 points on a score, or another role (R0.140)."""
    has = {role.key for role in roles.roles_of(table.character(name))}
    raises = [events.Option(key=f"{each}+{RAISE}", data={ABILITY_RAISED: each}) for each in ABILITIES]
    options: tuple[str | events.Option, ...] = (*raises, *(key for key in roles.ROLES if key not in has))
    open_choices.offer(table, name, f"pick-{level}", options, kind=PICK, reason=f"level {level}")


def picks_up_to(level: int) -> list[int]:
    """The levels with a pick, up to a level."""
    return [each.level for each in LEVELS if each.pick and each.level <= level]


FIRST_ROLES = 2


def take_heritage(table: Table, name: str, heritage: str, *, ability: str = "") -> None:
    """Record a heritage, and offer its choices; an ``ability`` that is given is chosen at once."""
    row = heritages.HERITAGES[heritage]
    table.record(events.TraitGained(character=name, trait=row.key, kind=heritages.HERITAGE))
    if row.chooses_ability:
        _offer_ability(table, name, ability)
    if row.innate_spell:
        open_choices.offer(table, name, heritages.INNATE_SPELL, INNATE_OPTIONS, reason=row.name)


def check_heritage_ability(table: Table, heritage: str, ability: str) -> None:
    """Refused for an ability that the heritage does not choose."""
    row = heritages.HERITAGES[heritage]
    if not row.chooses_ability:
        table.refuse(f"A {row.name.lower()} chooses no ability. Leave --ability out.", table.parameter_of(ability))
    if ability not in row.ability_options:
        table.refuse(
            f"A {row.name.lower()} excels in {' or '.join(row.ability_options)}, not in {ability}.",
            table.parameter_of(ability),
        )


def _offer_ability(table: Table, name: str, ability: str) -> None:
    """Offer the one ability of a heritage, or choose it (R0.144, R0.154, R0.156, R0.157)."""
    row = heritages.heritage_of(table.character(name))
    open_choices.offer(table, name, heritages.HERITAGE_ABILITY, row.ability_options, reason=row.name)
    if ability:
        table.record(events.ChoiceMade(character=name, choice=heritages.HERITAGE_ABILITY, picked=ability))
        take_heritage_ability(table, table.character(name), ability)


def take_heritage_ability(table: Table, who: Character, ability: str) -> None:
    """Apply the chosen ability of a heritage: a superhuman's score rises by 10 (R0.154, Q0.62)."""
    raised = heritages.heritage_of(who).score_bonus
    if raised:
        abilities.change_score(table, who, ability, raised, heritages.heritage_of(who).name)
        hit_points.after_change(table, who)


def offer_roles(table: Table, name: str, first: int, count: int) -> None:
    """Offer roles, numbered from ``first``."""
    for number in range(first, first + count):
        open_choices.offer(table, name, f"role-{number}", roles.ROLES, kind=PICK, reason="roles")


def offer_heritage_and_roles(table: Table, name: str) -> None:
    """Offer a heritage and roles to a character who has neither."""
    open_choices.offer(table, name, heritages.HERITAGE, heritages.HERITAGES, reason=heritages.HERITAGE)
    offer_roles(table, name, 1, FIRST_ROLES)


def _choose_heritage(table: Table, who: Character, _choice: str, picked: str) -> None:
    take_heritage(table, who.id, picked)
    offer_roles(table, who.id, FIRST_ROLES + 1, heritages.HERITAGES[picked].extra_roles)


def _pick(table: Table, who: Character, choice: str, picked: str) -> None:
    """A pick is 2 points on an ability, or another role (R0.140)."""
    option = who.choices[choice].option(picked)
    raised = fields.text(option.data, ABILITY_RAISED) if option is not None else ""
    if raised:
        abilities.change_score(table, who, raised, RAISE, choice)
    elif picked in who.traits:
        table.refuse(f"{who.name} already has the role {picked}; no role is taken twice.", table.parameter_of(picked))
    else:
        table.record(events.TraitGained(character=who.id, trait=picked, kind=roles.ROLE))
    hit_points.after_change(table, who)


Choose = verbs.choose_verb(
    {
        heritages.HERITAGE: _choose_heritage,
        heritages.HERITAGE_ABILITY: lambda table, who, _, picked: take_heritage_ability(
            table, table.character(who.id), picked
        ),
        PICK: _pick,
        tokens.BARGAIN: tokens.choose,
    },
    help="Make an open choice: a pick of a level, the ability of a heritage, a friend's favour.",
)
