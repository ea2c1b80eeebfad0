"""Handles: what of the table a verb acts on, so that a page can offer it in that place and learns no ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

import attrs

from rollbook.domain.base.records import Record


class HandleKind(StrEnum):
    """A thing that people do with a part of the table."""

    ATTACK = "attack"
    HARM = "harm"
    HEAL = "heal"
    AFFLICT = "afflict"
    RELIEVE = "relieve"
    END_TURN = "end-turn"
    BEGIN_FIGHT = "begin-fight"
    JOIN_FIGHT = "join-fight"
    BRING_IN = "bring-in"
    REORDER = "reorder"
    PLACE = "place"
    ROLL = "roll"


NOTHING_GIVEN: Mapping[str, str] = MappingProxyType({})


@attrs.frozen(kw_only=True)
class Handle(Record):
    """A thing that a verb does, and the parameters that say so, each "" if it has none.

    ``who`` names whom it is done to, the next one of a turn, or those in a fight; ``what`` a weapon, a condition, dice, or
    before whom somebody comes; ``amount`` is a number, of points or of newcomers; ``lasts`` how long, and ``unit`` of what.
    ``at`` are the parameters of a square: east, north and level, or one that is all of them. ``given`` are values as they
    are typed that the verb needs for this.
    """

    kind: HandleKind
    who: str = ""
    what: str = ""
    amount: str = ""
    lasts: str = ""
    unit: str = ""
    at: tuple[str, ...] = ()
    given: Mapping[str, str] = NOTHING_GIVEN

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of the verb that it names."""
        named = (self.who, self.what, self.amount, self.lasts, self.unit, *self.at, *self.given)
        return tuple(name for name in named if name)
