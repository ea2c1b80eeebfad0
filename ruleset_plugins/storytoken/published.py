"""The three characters that the rules were published with, ready to play (R0.192–R0.195, Q0.12, Q0.16, Q0.56)."""

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
from ruleset_plugins.storytoken.abilities import modifier
from ruleset_plugins.storytoken.choices import be_born
from ruleset_plugins.storytoken.creation import start_at_level
from ruleset_plugins.storytoken.experience import LAST_DIE, flat_hit_points
from ruleset_plugins.storytoken.hit_points import HIT_DICE
from ruleset_plugins.storytoken.roles import ROLE
from ruleset_plugins.storytoken.settings import Settings, house
from ruleset_plugins.storytoken.speed import SPEED_BASE
from ruleset_plugins.storytoken.tokens import deal_to_newcomer


@attrs.frozen(kw_only=True)
class Published:
    """A printed sheet: scores from STR to CHA, and the numbers that the sheet must come to."""

    key: str
    name: str
    title: str
    rule: str
    level: int
    heritage: str
    scores: tuple[int, ...]
    armour_class: int
    hit_points: int
    speed: int
    roles: tuple[str, ...]
    gear: tuple[PrintedThing, ...]

    def hit_dice(self, settings: Settings) -> tuple[int, ...]:
        """Dice, as many as the level has, that give the printed hit points under these house rules (Q0.16)."""
        con = modifier(self.scores[ABILITIES.index("con")])
        cap = settings.hp_con_cap_level
        counted = self.level if cap == "none" else min(self.level, int(cap))
        total = self.hit_points - con * counted - flat_hit_points(self.level, settings)
        count = min(self.level, LAST_DIE)
        each, more = divmod(total, count)
        return (each + 1,) * more + (each,) * (count - more)


PUBLISHED = {sheet.key: sheet for sheet in load(__package__, "published.json", Published)}


@attrs.frozen(kw_only=True)
class BringIn(Action):
    """Bring in one of the published characters: Sherlock Holmes, Robin Hood or Count Dracula."""

    verb: ClassVar[str] = "bring-in"
    gm_only: ClassVar[bool] = True

    who: str = choice("which of them", tuple(PUBLISHED))
    id: str = words("what the character is called in commands", default="")
    seat: str = seat("who plays the character", default="")
    kind: str = choice("what sort of somebody", tuple(Kind), default=Kind.PLAYER_CHARACTER.value)

    def resolve(self, table: Table) -> None:
        """The printed sheet, as facts: scores, dice, roles, gear, and a speed of its own."""
        sheet = PUBLISHED[self.who]
        who = enter(table, name=sheet.name, id=self.id or sheet.key, kind=self.kind, seat=self.seat)
        for ability, score in zip(ABILITIES, sheet.scores, strict=True):
            table.record(events.StatChanged(character=who, stat=ability, amount=score, reason=sheet.rule))
        be_born(table, who, sheet.heritage)
        for role in sheet.roles:
            table.record(events.TraitGained(character=who, trait=role, kind=ROLE))
        outfit(table, who, ((thing.item, thing.use) for thing in sheet.gear))
        start_at_level(table, who, sheet.level)
        for place, face in enumerate(sheet.hit_dice(house(table)), 1):
            table.record(events.StatChanged(character=who, stat=HIT_DICE, amount=face, reason=f"hit die {place}"))
        table.record(events.StatChanged(character=who, stat=SPEED_BASE, amount=sheet.speed, reason=sheet.rule))
        deal_to_newcomer(table, who)
