"""Rising a level: experience and a week, then a hit die and a template (R3.48, R3.49, Q3.46)."""

from rollbook.kit import require
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.russell.character import experience, templates
from rollbook.rulesets.russell.character.attributes import bonus
from rollbook.rulesets.russell.character.stat_line import has_profile
from rollbook.rulesets.russell.fight.hit_points import gained
from rollbook.rulesets.russell.settings import house
from rollbook.rulesets.russell.wealth.downtime import LEVELS, use_week, weeks_left


class LevelUp(Action, verb="level-up"):
    """Rise one level: it takes the experience, and a week of downtime (R3.48)."""

    sentence = "rises a level"

    typed_dice = (DiceStep(effects={"the d6 of the level": "hit die"}),)

    who: str = param.character("who rises", actor=True)
    template: str = param.choice(
        "the class whose next template is taken; left out, it stays open",
        ("", *templates.CLASSES),
        default="",
        gm_only=False,
    )

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        cls._check_due(table, require.living(table, who))

    def resolve(self, table: Table) -> None:
        """Hit points, Weapon Skill, template and the cap of skills, in the order of the rulebook (R3.49)."""
        who = require.living(table, self.who)
        level = who.level + 1
        self._check_due(table, who)
        if self.template and level > templates.LAST_TEMPLATE_LEVEL:
            table.refuse(
                f"Templates come with levels 1 to {templates.LAST_TEMPLATE_LEVEL}. Leave --template out.",
                parameter="template",
            )
        use_week(table, who.id, LEVELS)
        self._rise(table, who, level)

    def _rise(self, table: Table, who: Character, level: int) -> None:
        """A hit die and Constitution up to the tenth level, and a template up to the fourth."""
        if level <= experience.LAST_DIE:
            die = table.roll("1d6", roller=who.id, purpose="hit die").total
            gained(table, who.id, die, bonus(who, "con"), reason=f"level {level}")
        table.record(events.LevelGained(character=who.id, levels=1))
        if level <= templates.LAST_TEMPLATE_LEVEL:
            templates.offer_template(table, who.id, level, self.template)

    @staticmethod
    def _check_due(table: Table, who: Character) -> None:
        """Enough experience, and one level a week, or all that are due in one (Q3.46)."""
        if has_profile(who):
            table.refuse(f"{who.name} fights by hit dice and has no levels to gain.", parameter="who")
        level = who.level + 1
        needed = experience.experience_for(level)
        if who.experience < needed:
            table.refuse(
                f"{who.name} has {who.experience:,} points of experience, and level {level} takes {needed:,}.",
                parameter="who",
            )
        if not weeks_left(who, "" if house(table).levels_per_week == "all" else LEVELS):
            table.refuse(
                f"{who.name} needs a week of downtime to rise a level, one for each. The GM lets weeks pass with: "
                f"downtime {who.id} --weeks NUMBER"
            )
