"""The worked example of the rulebook, ready to be brought in: a fighter of level 3 (R1.61, R1.65)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import attrs

from ruleset_plugins import Action, Kind, Table, choice, enter, events, load, seat, words
from ruleset_plugins.luckpoint.creation import METHOD, STANDARD
from ruleset_plugins.luckpoint.levels import start_at
from ruleset_plugins.luckpoint.luck import begin_with
from ruleset_plugins.luckpoint.skills import SKILLS


@attrs.frozen(kw_only=True)
class Published:
    """A printed sheet: abilities and the points that were put into skills."""

    key: str
    name: str
    level: int
    abilities: Mapping[str, int]
    skills: Mapping[str, int]
    rule: str


PUBLISHED = {row.key: row for row in load(__package__, "published.json", Published)}


@attrs.frozen(kw_only=True)
class BringIn(Action):
    """Bring in the fighter of the rulebook's example, with every choice made."""

    verb: ClassVar[str] = "bring-in"
    gm_only: ClassVar[bool] = True

    sheet: str = choice("which printed sheet", tuple(PUBLISHED))
    name: str = words("another name", default="")
    id: str = words("what the character is called in commands", default="")
    seat: str = seat("who plays the character", default="")

    def resolve(self, table: Table) -> None:
        """The numbers as they are printed; what follows from them is derived."""
        printed = PUBLISHED[self.sheet]
        name = self.name or printed.name
        who = enter(table, name=name, id=self.id, kind=Kind.PLAYER_CHARACTER, seat=self.seat)
        table.record(events.TraitGained(character=who, trait=STANDARD, kind=METHOD))
        numbers = dict(printed.abilities) | {SKILLS[skill].stat: points for skill, points in printed.skills.items()}
        for stat, amount in numbers.items():
            if amount:
                table.record(events.StatChanged(character=who, stat=stat, amount=amount, reason=printed.name))
        start_at(table, who, printed.level)
        begin_with(table, who)
