"""Experience for quests and objectives, at tables that award it beside treasure and foes (R3.45, R3.46)."""

from rollbook.kit import vocabulary
from rollbook.plugin import Action, Table, events, param
from rollbook.rulesets.russell.character.experience import award
from rollbook.rulesets.russell.party import players

QUEST = "quest"
"""The kind of the trait of a quest that somebody has fulfilled and was awarded for."""


class Fulfil(Action, verb="fulfil", gm_only=True):
    """A quest is fulfilled or an objective met: experience for those who did it, once for each quest."""

    sentence = "awards experience for a quest: {quest}"

    quest: str = param.label("what was fulfilled, in a few words", of=vocabulary.QUEST)
    points: int = param.number("the points of experience for each", minimum=1, maximum=10**9)
    who: tuple[str, ...] = param.characters(
        "who did it: names, or party for every player character", default=("party",)
    )
    split: bool = param.flag("the points are shared evenly instead of had by each")

    def resolve(self, table: Table) -> None:
        named = players(table, self.who)
        for name in named:
            who = table.character(name)
            if self.quest in who.traits_of(QUEST):
                table.refuse(f"{who.name} has been awarded for {self.quest!r} already.", parameter="quest")
        points = self.points // len(named) if self.split else self.points
        for name in named:
            table.record(events.TraitGained(character=name, trait=self.quest, kind=QUEST))
            award(table, name, points, self.quest)
