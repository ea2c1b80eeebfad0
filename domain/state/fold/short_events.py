"""Events in brief: those of which the fold uses little. A reader that wants only the state may leave out the rest."""

from collections.abc import Mapping
from typing import TypeAlias

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.events import CheckResolved, DiceRolled, Event


@attrs.frozen(kw_only=True)
class BriefRoll(Record):
    """What the fold uses of DiceRolled."""

    roller: str
    purpose: str
    occasion: str = ""
    repeat: int = 0


@attrs.frozen(kw_only=True)
class BriefCheck(Record):
    """What the fold uses of CheckResolved."""

    character: CharacterId


FoldedEvent: TypeAlias = Event | BriefRoll | BriefCheck
"""What the fold applies."""

BRIEF: Mapping[type[Event], type[FoldedEvent]] = {DiceRolled: BriefRoll, CheckResolved: BriefCheck}
"""How an event of a class may be read for the fold. The fold does the same with both."""
