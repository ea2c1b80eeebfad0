"""Influence and study: urging somebody, and knowing something (R5.142, R5.156, R5.161, R5.162, R5.192).

On record: an attitude is a trait of the kind "attitude" (friendly, indifferent, hostile); a failed influence rests for a day.
"""

from rollbook.kit import clock, d20
from rollbook.plugin import Table, character, choice, events, number
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.fight import actions, states
from rollbook.rulesets.srd5.tasks.checks import CheckAction

ATTITUDE, FRIENDLY, INDIFFERENT, HOSTILE = "attitude", "friendly", "indifferent", "hostile"
INFLUENCES = ("deception", "intimidation", "performance", "persuasion", "animal handling")
STUDIES = ("arcana", "history", "investigation", "nature", "religion")
WILLING, UNWILLING, HESITANT = "willing", "unwilling", "hesitant"
DC = 15


class Influence(CheckAction, actions.TurnAction, verb="influence"):
    """Urge somebody: a check against 15 or their Intelligence, if they are neither willing nor unwilling (R5.161, R5.162)."""

    sentence = "urges {target}"

    target: str = character("who is urged")
    skill: str = choice("in which way", INFLUENCES, default="persuasion", gm_only=False)
    mood: str = choice("how the target feels about it", (HESITANT, WILLING, UNWILLING), default=HESITANT, gm_only=True)
    dc: int = number("the DC, if the GM rules another", default=0, minimum=0, maximum=100, gm_only=True)

    def resolve(self, table: Table) -> None:
        target = table.character(self.target)
        dc = self.dc or max(DC, abilities.score(target, "int"))
        power = f"influence:{self.skill}"
        rests = clock.power_ready_in(table, table.character(self.who), f"{power}:{target.id}")
        if rests:
            table.refuse(f"{target.name} has refused; it can be tried again in {clock.duration(rests)}.", "target")
        who, wills = self.begin(table), self.mood == WILLING
        if self.mood != HESITANT:
            d20.record_check(table, who.id, "influence", 0, dc, success=wills, outcome=self.mood, against=target.id)
            return
        ease = {FRIENDLY: d20.Advantage((FRIENDLY,)), HOSTILE: d20.Advantage(disadvantage=(HOSTILE,))}
        if states.by(target, states.CHARMED, who.id):
            ease = dict.fromkeys((FRIENDLY, INDIFFERENT, HOSTILE), d20.Advantage(("charmed",)))
        feels = next(iter(target.traits_of(ATTITUDE)), INDIFFERENT)
        how = {"skill": self.skill, "against": target, "ease": ease.get(feels, d20.NO_ADVANTAGE)}
        if not self.check(table, who, abilities.SKILLS[self.skill].ability, dc, **how):
            table.record(events.PowerUsed(character=who.id, power=power, target=target.id))


class Study(CheckAction, actions.TurnAction, verb="study"):
    """Recall or work out something: an Intelligence check with a skill (R5.192)."""

    skill: str = choice("about what", STUDIES, default="investigation", gm_only=False)
    dc: int = number("the DC", default=DC, minimum=0, maximum=100, gm_only=True)

    def resolve(self, table: Table) -> None:
        self.check(table, self.begin(table), "int", self.dc, skill=self.skill)
