"""By what campaigns, actions, entries and those who take part are called (docs/words.md)."""

import enum
from typing import Annotated, TypeAlias


class Naming(enum.Enum):
    """The kind of name that a text in an event is. A text without it is in somebody's own words."""

    SEAT = "seat"
    CHARACTER = "character"
    WORD = "word"
    EITHER = "either"


StreamId: TypeAlias = str
"""The name of a campaign's or a timeline's entries in a store: ``sherwood``, ``sherwood~1``."""

CampaignId: TypeAlias = StreamId
"""The name of a campaign, or of a timeline that is played as one."""

ActionNumber: TypeAlias = int
"""Counts the actions of a campaign from 1; people write #12. A correction keeps the number of the action it corrects."""

EntryNumber: TypeAlias = int
"""Counts the entries of a history from 1; people write @47. In a stream it is the entry's version."""

CharacterId: TypeAlias = Annotated[str, Naming.CHARACTER]
"""By what a character is typed and stored: ``robin-hood``."""

SeatName: TypeAlias = Annotated[str, Naming.SEAT]
"""The name of a seat."""

Word: TypeAlias = Annotated[str, Naming.WORD]
"""A word that rules or proofs read back, or what a character or a thing is called."""

Whom: TypeAlias = Annotated[str, Naming.EITHER]
"""The id of a character, or somebody's own words for what is none: "a trap"."""

GROUP = "rollbook.rulesets"
"""The group of entry points under which rulesets are found."""
