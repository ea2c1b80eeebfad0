"""Rising a level: experience and a week, a hit die, a template, a higher rank (R3.48–R3.51, Q3.46)."""

import attrs

from ruleset_plugins import Action, Character, Table, character, choice, events, not_found
from ruleset_plugins.kit import open_choices, require
from ruleset_plugins.russell.character import experience, templates
from ruleset_plugins.russell.character.attributes import bonus
from ruleset_plugins.russell.character.stat_line import has_profile
from ruleset_plugins.russell.fight.hit_points import gained
from ruleset_plugins.russell.settings import house
from ruleset_plugins.russell.wealth.downtime import LEVELS, use_week, weeks_left


def is_due(who: Character) -> bool:
    """Whether the experience for the next level is there; the week may still be missing."""
    return experience.level_for(who.experience) > who.level if who.experience else False


@attrs.frozen(kw_only=True)
class LevelUp(Action):
    """Rise one level: it takes the experience, and a week of downtime (R3.48)."""

    verb = "level-up"

    who: str = character("who rises", actor=True)
    template: str = choice(
        "the class whose next template is taken; left out, it stays open", ("", *templates.CLASSES), default=""
    )

    def resolve(self, table: Table) -> None:
        """Hit points, Weapon Skill, template and the cap of skills, in the order of the rulebook (R3.49)."""
        who = require.living(table, self.who)
        level = who.level + 1
        if has_profile(who):
            table.refuse(f"{who.name} fights by hit dice and has no levels to gain.")
        needed = experience.experience_for(level)
        if who.experience < needed:
            table.refuse(f"{who.name} has {who.experience:,} points of experience, and level {level} takes {needed:,}.")
        self._check_week(table, who)
        if self.template and level > templates.LAST_TEMPLATE_LEVEL:
            table.refuse(f"Templates come with levels 1 to {templates.LAST_TEMPLATE_LEVEL}. Leave --template out.")
        use_week(table, who.id, LEVELS)
        rise(table, who, level, self.template)

    def _check_week(self, table: Table, who: Character) -> None:
        """One level a week, or all that are due in one (Q3.46)."""
        if not weeks_left(who, "" if house(table).levels_per_week == "all" else LEVELS):
            table.refuse(
                f"{who.name} needs a week of downtime to rise a level, one for each. The GM lets weeks pass with: "
                f"downtime {who.id} --weeks NUMBER"
            )


def rise(table: Table, who: Character, level: int, template: str = "") -> None:
    """One level: a hit die and Constitution up to the tenth, and a template up to the fourth."""
    if level <= experience.LAST_DIE:
        die = table.roll("1d6", roller=who.id, purpose="hit die").total
        gained(table, who.id, die, bonus(who, "con"), reason=f"level {level}")
    table.record(events.LevelGained(character=who.id, levels=1))
    if level <= templates.LAST_TEMPLATE_LEVEL:
        offer_template(table, who.id, level, template)


def offer_template(table: Table, name: str, level: int, wanted: str = "") -> None:
    """The next template of each class, open until one is taken (R3.50)."""
    who = table.character(name)
    following = templates.next_templates(who)
    options = tuple(events.Option(key=trait, label=taken.ability.name) for trait, taken in following.items())
    choice = f"template-{level}"
    open_choices.offer(table, name, choice, options, kind=templates.TEMPLATE, reason=f"level {level} (R3.50)")
    if wanted:
        picked = templates.next_template(who, wanted)
        table.record(events.ChoiceMade(character=name, choice=choice, picked=picked))
        gain_template(table, name, picked)


def template_picked(_: Table, who: Character, __: str, typed: str) -> str:
    """The template that was typed, by its own name or its class's: the next of its class, no B without A (R3.50)."""
    following = templates.next_templates(who)
    template = templates.next_template(who, typed) if typed in templates.CLASSES else typed
    if template not in following:
        raise not_found("template that is next", typed, following)
    return template


def gain_template(table: Table, name: str, template: str, data: events.Data | None = None) -> None:
    """A template is taken; one of the table's own carries its class and effects as ``data``."""
    table.record(events.TraitGained(character=name, trait=template, kind=templates.TEMPLATE, data=data or {}))
    settle_primary_class(table, name)


def settle_primary_class(table: Table, name: str) -> None:
    """In a tie the player chooses the primary class; where one class leads, the choice is settled (R3.51)."""
    who = table.character(name)
    leading = templates.leading_classes(templates.templates_of(who))
    if len(leading) > 1 and who.chosen.get(templates.PRIMARY_CLASS, "") not in leading:
        open_choices.offer(table, name, templates.PRIMARY_CLASS, leading, reason="a tie (R3.51)")
    elif len(leading) == 1 and templates.PRIMARY_CLASS in who.choices:
        table.record(events.ChoiceMade(character=name, choice=templates.PRIMARY_CLASS, picked=leading[0]))
