"""Making open choices: points of a new character, and what levels bring (R1.50–R1.53, R1.58, R1.59)."""

from rollbook.kit import fields, open_choices, require, verbs
from rollbook.plugin import ABILITIES, Character, Table, events
from rollbook.rulesets.luckpoint.abilities import SPECIAL, SPECIALS, special_abilities_of
from rollbook.rulesets.luckpoint.hit_points import character_changed
from rollbook.rulesets.luckpoint.levels import ABILITY, CREATION, HIGHEST, OTHERS, SKILL, offer_ability
from rollbook.rulesets.luckpoint.luck import follow_cap
from rollbook.rulesets.luckpoint.point_buy import DROP, LEAST, NONE
from rollbook.rulesets.luckpoint.settings import Settings
from rollbook.rulesets.luckpoint.skills import TAKES_PLACE, named, place_of, skill_named


def _read_skill(table: Table, who: Character, choice: str, typed: str) -> str:
    """A skill as it is recorded; one that is about a place is picked with its place, as in location:london."""
    option = who.choices[choice].option(place_of(typed)[0])
    if option is not None and fields.flag(option.data, TAKES_PLACE):
        return skill_named(table, typed)
    return open_choices.check_option(table, who, choice, typed)


def _take_skill(table: Table, who: Character, choice: str, picked: str) -> None:
    """The other point of the same level, or of creation, went to another skill (Q1.24)."""
    others = fields.names(open_choices.data_of(who, choice), OTHERS)
    if picked in [who.chosen.get(other) for other in others]:
        table.refuse(
            f"{named(picked)} has had the other point of this choice already. Pick another skill.", parameter="picked"
        )
    _raise(table, who, choice, picked)


def _take_ability(table: Table, who: Character, choice: str, picked: str) -> None:
    """An ability rises, or the point becomes a special ability. The cap is for new characters only (Q1.25)."""
    most = fields.number(open_choices.data_of(who, choice), HIGHEST)
    if picked in SPECIALS:
        require.living(table, who.id)
        check_special(table, who, picked)
        table.record(events.TraitGained(character=who.id, trait=picked, kind=SPECIAL))
        follow_cap(table, who)
        character_changed(table, who)
        return
    if most and who.stats.get(picked, 0) >= most:
        table.refuse(
            f"{who.name} has {picked.upper()} +{most}, and no new character has more. Pick another ability.",
            parameter="picked",
        )
    _raise(table, who, choice, picked)


def _raise(table: Table, who: Character, choice: str, stat: str) -> None:
    require.living(table, who.id)
    table.record(events.StatChanged(character=who.id, stat=stat, amount=1, reason=choice))
    character_changed(table, who)


def _drop(table: Table, who: Character, choice: str, picked: str) -> None:  # noqa: ARG001 - there is one such choice
    """One ability falls from 0 to -1, no lower, and there is one more point for another (R1.50, Q1.22)."""
    require.living(table, who.id)
    if picked == NONE:
        return
    if who.stats.get(picked, 0):
        table.refuse(
            f"{who.name}'s {picked.upper()} is not at +0 any more. Drop another ability, or {NONE}.", parameter="picked"
        )
    table.record(events.StatChanged(character=who.id, stat=picked, amount=LEAST, reason=DROP))
    others = tuple(ability for ability in ABILITIES if ability != picked)
    offer_ability(table, who.id, f"{CREATION}-{ABILITY}-{picked}", others, reason=DROP, capped=True)
    character_changed(table, who)


Choose = verbs.choose_verb(
    {SKILL: _take_skill, ABILITY: _take_ability, DROP: _drop},
    help="Make an open choice: a point of a new character, or what a level brings. For a place: location:london.",
    reads={SKILL: _read_skill},
)


def check_special(table: Table, who: Character, special: str) -> None:
    """Refuse a special ability that the character has, or one too many (R1.53, Q1.23)."""
    held, most = special_abilities_of(who), Settings.of(table).special_abilities_max
    if special in who.traits:
        table.refuse(f"{who.name} has {SPECIALS[special].name} already.", parameter=table.parameter_of(special))
    if len(held) >= most:
        table.refuse(
            f"A new character may trade a point for {most} special ability at most. Leave {special} out.",
            parameter=table.parameter_of(special),
        )
