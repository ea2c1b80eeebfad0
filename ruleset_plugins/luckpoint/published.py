"""The fighter of the rulebook's example, ready to play (R1.61, R1.65, Q1.3, Q1.5)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    ABILITIES,
    Action,
    Kind,
    PrintedThing,
    Table,
    choice,
    enter,
    events,
    load,
    outfit,
    seat,
    words,
)
from ruleset_plugins.luckpoint.creation import start_at_level
from ruleset_plugins.luckpoint.luck import begin_luck


@attrs.frozen(kw_only=True)
class Points:
    """Points in a skill; a skill that is listed with none is listed all the same."""

    skill: str
    points: int


@attrs.frozen(kw_only=True)
class Published:
    """A printed sheet: abilities from STR to CHA, points, and a weapon of each class that it lists."""

    key: str
    name: str
    rule: str
    level: int
    abilities: tuple[int, ...]
    points: tuple[Points, ...]
    gear: tuple[PrintedThing, ...]


PUBLISHED = {sheet.key: sheet for sheet in load(__package__, "published.json", Published)}


@attrs.frozen(kw_only=True)
class BringIn(Action):
    """Bring in the fighter of the rulebook's example."""

    verb: ClassVar[str] = "bring-in"
    gm_only: ClassVar[bool] = True

    who: str = choice("which of the printed sheets", tuple(PUBLISHED))
    name: str = words("the character's name, if not the printed one", default="")
    id: str = words("what the character is called in commands", default="")
    seat: str = seat("who plays the character", default="")
    kind: str = choice("what sort of somebody", tuple(Kind), default=Kind.PLAYER_CHARACTER.value)

    def resolve(self, table: Table) -> None:
        """The printed sheet, as facts: abilities, points, level and weapons."""
        sheet = PUBLISHED[self.who]
        who = enter(table, name=self.name or sheet.name, id=self.id, kind=self.kind, seat=self.seat)
        numbers = dict(zip(ABILITIES, sheet.abilities, strict=True)) | {
            each.skill: each.points for each in sheet.points
        }
        for stat, amount in numbers.items():
            table.record(events.StatChanged(character=who, stat=stat, amount=amount, reason=sheet.rule))
        start_at_level(table, who, sheet.level)
        outfit(table, who, ((thing.item, thing.use) for thing in sheet.gear))
        begin_luck(table, who)
