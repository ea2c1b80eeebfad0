"""The two whom the rulebook tells of: Steve the fighter and Jeff the wizard (R4.10)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Table, choice, flag, load, names, seat, words
from ruleset_plugins.grid.creation import Join
from ruleset_plugins.grid.sides import SIDES


@attrs.frozen(kw_only=True)
class Sample:
    """One of the two whom the rulebook tells of, with numbers that fit all that it says of them (R4.10, Q4.1)."""

    key: str
    name: str
    class_name: str
    bonuses: tuple[int, ...]
    weapon: str
    shield: str = ""
    armour: str = "none"
    printed_ac: int = 0


SAMPLES = {row.key: row for row in load(__package__, "samples.json", Sample)}


@attrs.frozen(kw_only=True)
class BringIn(Action):
    """Bring in one of the rulebook's own two: Steve the fighter or Jeff the wizard."""

    verb: ClassVar[str] = "bring-in"
    gm_only: ClassVar[bool] = True

    who: str = choice("which of the two", tuple(SAMPLES))
    id: str = words("what the character is called in commands", default="")
    seat: str = seat("who plays the character", default="")
    side: str = choice("whom they fight for", ("", *SIDES), default="")
    at: tuple[str, ...] = names("their square on the map, east and north as in 3,4", default=())
    by_formula: bool = flag("armour class follows from Dexterity, not from the number in the example (Q4.2)")

    def resolve(self, table: Table) -> None:
        """They join like anybody else."""
        row = SAMPLES[self.who]
        Join(
            name=row.name,
            id=self.id,
            seat=self.seat,
            class_name=row.class_name,
            scores=tuple(map(str, row.bonuses)),
            weapon=row.weapon,
            shield=row.shield,
            armour=row.armour,
            ac=0 if self.by_formula else row.printed_ac,
            side=self.side,
            at=self.at,
        ).resolve(table)
