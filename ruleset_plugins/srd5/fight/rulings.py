"""The verb condition, by which the GM puts somebody into a condition, and the end of what lasts a span of time."""

from collections.abc import Callable

from rollbook.kit import conditions as kit
from rollbook.kit import vocabulary
from rollbook.plugin import Action, Character, Handle, HandleKind, Table, character, flag, label, number, words
from rollbook.rulesets.srd5.fight import conditions, durations, dying, encounter, hit_points


class SetCondition(Action, verb="condition", gm_only=True):
    """Begin or end a condition by ruling: any of the fifteen, dead, stable, or another word; exhaustion by levels."""

    sentence = "rules that {who} is no longer {condition:key}{ends:if}|rules that {who} is {condition:key}"
    handles = (
        Handle(kind=HandleKind.AFFLICT, who="who", what="condition", lasts="lasts"),
        Handle(kind=HandleKind.RELIEVE, who="who", what="condition", given={"ends": "yes"}),
    )

    who: str = character("who is in it")
    condition: str = label(f"which: {', '.join(conditions.ROWS)}, or any other word", of=vocabulary.CONDITION)
    ends: bool = flag("it is over")
    source: str = character("who brought it: the charmer, what is feared, the grappler", default="")
    lasts: str = words("how long: '1 minute', 'end of the source\u2019s next turn' …", default="", of="lasts")
    levels: int = number("levels of exhaustion", default=1, minimum=1, maximum=6)
    dc: int = number("the DC to escape a grapple", default=0, minimum=0, maximum=100)

    typed_dice = dying.AFTER_HARM

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if self.condition == conditions.EXHAUSTION:
            self._exhaust(table, who)
            return
        held = who.conditions.get(self.condition)
        is_another = not self.ends and held is not None and self.source not in ("", held.source)
        if not (is_another and self.condition in conditions.ROWS):
            kit.check_ruling(table, who, self.condition, ends=self.ends)
        if self.ends:
            self._end(table)
        else:
            self._begin(table)

    def _exhaust(self, table: Table, who: Character) -> None:
        had = conditions.level_of_exhaustion(who)
        if self.ends and not had:
            table.refuse(f"{who.name} is not exhausted.", "condition")
        if hit_points.exhaust(table, who.id, -self.levels if self.ends else self.levels) == had and not self.ends:
            table.refuse(f"{who.name} cannot be exhausted.", "condition")

    def _begin(self, table: Table) -> None:
        who = table.character(self.who)
        if conditions.is_immune(table, who, self.condition):
            table.refuse(f"{who.name} cannot be {self.condition}.", "condition")
        if self.condition == conditions.STABLE and dying.is_dying(who):
            dying.become_stable(table, who.id)
        elif self.condition == conditions.DEAD:
            dying.die(table, who.id, source=self.source)
        else:
            text = self.lasts.replace("\u2019", "'")
            until, data = durations.lasting(table, text, source=self.source, target=who.id)
            more = {durations.ESCAPE: self.dc} if self.dc else {}
            conditions.begin(table, who.id, self.condition, source=self.source, until=until, data={**data, **more})

    def _end(self, table: Table) -> None:
        who = table.character(self.who)
        if self.condition == conditions.UNCONSCIOUS and dying.is_down(who):
            table.refuse(f"{who.name} has 0 hit points. Any healing wakes {who.name}: heal {who.id} 1")
        conditions.end(table, who.id, self.condition)


def time_passed(table: Table, before: int, *, rest: bool) -> None:
    """The hook of the clock: spans end, and the stable come round (R5.100)."""
    for who in table.characters():
        encounter.expire(table, who.id)
        for follow in ON_TIME:
            follow(table, who.id, before, rest)
    if table.encounter is None:
        durations.end_outside_fights(table)


ON_TIME: list[Callable[[Table, str, int, bool], object]] = []
"""Further effects of time: functions of table, id, the second at which it began, and whether it is a rest."""
