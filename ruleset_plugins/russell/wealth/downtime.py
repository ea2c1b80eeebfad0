"""Weeks of downtime: Wounds close, and there is time to gain a level and to practise (R3.22, R3.48, R3.49, Q3.46).

Downtime lasts until the clock moves on: characters who have it are "in downtime", and a pool counts their weeks.
"""

from collections.abc import Sequence

from rollbook.kit import clock, conditions, counters, require
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.russell import party_members
from rollbook.rulesets.russell.character import attributes, experience, stat_line, templates
from rollbook.rulesets.russell.delve import encumbrance
from rollbook.rulesets.russell.fight import bleeding, hit_points, wounds
from rollbook.rulesets.russell.settings import house

WEEK = 7 * clock.DAY
DOWNTIME = "in downtime"
BUSY = "busy"
"""The field of a downtime that another full-time activity fills: no practice (R3.31)."""

WEEKS, SPENT = "weeks of downtime", "weeks used"
"""The pool of the weeks there are, and the counter of those that a level or a skill has used."""

LEVELS = "levels"


def weeks_left(who: Character, purpose: str) -> int:
    """The weeks of this downtime that were not used for that purpose yet; one week serves many purposes once each."""
    if not who.has(DOWNTIME):
        return 0
    return max(who.pools.get(WEEKS, 0) - counters.count(who.pools, SPENT, purpose), 0)


def use_week(table: Table, name: str, purpose: str) -> None:
    """Use one of a character's weeks for this."""
    counters.change(table, name, counters.counter(SPENT, purpose), 1, "downtime")


class TakeDowntime(Action, verb="downtime", gm_only=True):
    """Let weeks of downtime pass in a safe place: Wounds close, and there is time for levels and practice (R3.22)."""

    sentence = "lets downtime pass for {who:the}"
    typed_dice = (
        DiceStep(each="character who rests", effects={"the d6 of a night that healed less than all": "night"}),
    )

    who: tuple[str, ...] = param.characters("who has time: names, or party for every player character")
    weeks: int = param.number("how many", default=1, minimum=1, maximum=520, unit="weeks")
    busy: tuple[str, ...] = param.characters(
        "which of them do something else full-time, and cannot practise", default=()
    )
    uncared: tuple[str, ...] = param.characters("whose Wound does not close: no care, or too grave", default=())

    def resolve(self, table: Table) -> None:
        if table.encounter is not None:
            table.refuse("There is no downtime in a fight. First: end-encounter")
        named = [require.living(table, name).id for name in party_members.players(table, self.who)]
        bleeding.check_no_peril(table, party_members.travellers(table))
        everybody = tuple(dict.fromkeys((*named, *(each.id for each in party_members.travellers(table)))))
        self._care(table, everybody)
        if self.weeks > 1:
            clock.advance(table, (self.weeks - 1) * WEEK, rest=True)
        for name in named:
            self._give(table, name)

    def _care(self, table: Table, names: Sequence[str]) -> None:
        """Record the first week: the helpless come round, Wounds close, and Tired pips go (R3.22, R3.41)."""
        cared = [name for name in names if name not in self.uncared]
        for name in cared:
            bleeding.stabilised(table, name)
        clock.advance(table, WEEK, rest=True)
        for name in cared:
            conditions.end(table, name, wounds.WOUNDED)
        for name in names:
            encumbrance.refreshed(table, name, reason="downtime")

    def _give(self, table: Table, name: str) -> None:
        used = counters.counted(table.character(name).pools, SPENT)
        for pool in (WEEKS, *(counters.counter(SPENT, purpose) for purpose, _ in used)):
            counters.empty(table, name, pool, "that time is over")
        counters.change(table, name, WEEKS, self.weeks, "downtime")
        conditions.end(table, name, DOWNTIME)
        busy, until = name in self.busy, table.clock + 1
        conditions.begin(table, name, DOWNTIME, detail=BUSY if busy else "", until=until, data={BUSY: busy})


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
                f"Templates come with levels 1 to {templates.LAST_TEMPLATE_LEVEL}. Leave --template out.", "template"
            )
        use_week(table, who.id, LEVELS)
        if level <= experience.LAST_DIE:
            die = table.roll("1d6", roller=who.id, purpose="hit die").total
            hit_points.gained(table, who.id, die, attributes.bonus(who, "con"), reason=f"level {level}")
        table.record(events.LevelGained(character=who.id, levels=1))
        if level <= templates.LAST_TEMPLATE_LEVEL:
            templates.offer_template(table, who.id, level, self.template)

    @staticmethod
    def _check_due(table: Table, who: Character) -> None:
        """Enough experience, and one level a week, or all that are due in one (Q3.46)."""
        level, fault = who.level + 1, ""
        needed = experience.experience_for(level)
        if stat_line.has_profile(who):
            fault = "fights by hit dice and has no levels to gain"
        elif who.experience < needed:
            fault = f"has {who.experience:,} points of experience, and level {level} takes {needed:,}"
        if fault:
            table.refuse(f"{who.name} {fault}.", "who")
        if not weeks_left(who, "" if house(table).levels_per_week == "all" else LEVELS):
            table.refuse(
                f"{who.name} needs a week of downtime to rise a level, one for each. The GM lets weeks pass with: "
                f"downtime {who.id} --weeks NUMBER"
            )
